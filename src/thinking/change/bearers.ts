/**
 * Whose or which one is it? "My other brother", 生产环境, "my middle name", "my work phone" are bearers of their own: what is
 * said of one of them says nothing of the other, nor of the one that is named without such a word.
 */
import { readOnce } from '../../domain/read-once.ts'
import { topicsOf } from '../facts/topics.ts'
import type { Profile } from './profile.ts'

/** Words that tell one bearer from another; of a kind, one word (by its place in the list) is one bearer. */
type Kind = readonly (readonly [bearer: string, english: string, chinese: string])[]

const ENVIRONMENT: Kind = [
  [
    'production',
    'production|prod|live (?:site|system|server|environment)',
    '生产(?:环境|库|机|服|集群)?|线上(?:环境|库|机|服|集群)|正式环境',
  ],
  ['staging', 'staging|pre-?prod|uat', '预发布?|灰度环境'],
  [
    'test',
    'test(?:ing)? (?:environment|env|server|database|db|machine|cluster|box|system|instance)|qa',
    '测试(?:环境|库|机|服|服务器|集群)',
  ],
  [
    'development',
    'dev (?:environment|env|server|database|db|machine|box|instance)|local (?:environment|env|database|db|server)',
    '开发(?:环境|库|服)|本地(?:环境|库|服)',
  ],
]
const USE: Kind = [
  [
    'work',
    'work (?:phone|mobile|number|email|e-mail|laptop|computer|address|account|calendar|bike|car)|(?:office|business|company|school) (?:phone|number|email|e-mail|laptop|computer|address|account|car)',
    '(?:工作|办公|公司|单位|企业)(?:的)?(?:手机|电话|号码?|邮箱|电脑|账号|微信|车)',
  ],
  [
    'private',
    '(?:private|personal|home) (?:phone|number|email|e-mail|laptop|computer|account|calendar)|landline',
    '(?:私人|个人|家里|家用)(?:的)?(?:手机|电话|号码?|邮箱|电脑|账号|微信)|座机|固话',
  ],
  [
    'spare',
    '(?:spare|backup|second|burner) (?:phone|number|email|laptop|computer|car|account|key)',
    '(?:备用|第二个?|另一个)(?:的)?(?:手机|电话|号码?|邮箱|电脑|账号|微信)|小号',
  ],
]
const NAME: Kind = [
  ['middle', 'middle names?', '中间名'],
  ['maiden', 'maiden name|birth name', '本名|原名|曾用名|旧姓'],
  ['family', '(?:last|family|sur) ?name', '姓氏'],
  ['user', '(?:user|screen|login|account|display|gamer) ?(?:name|tag)|handle', '用户名|网名|昵称|账号名|笔名|艺名'],
  ['foreign', '(?:english|chinese|stage|pen|hebrew|confirmation|saint) name', '英文名|中文名|外文名|法语名'],
  ['nickname', 'nickname|pet name', '外号|绰号|小名|乳名'],
]
const ONE_OF_SEVERAL: Kind = [
  [
    'other',
    '(?:my|our|his|her|the|an)? ?(?:other|second|2nd|third|another) (?:brother|sister|son|daughter|kid|child|boy|girl|uncle|aunt|cousin|grandma|grandmother|grandad|grandfather|friend|flatmate|dog|cat|car|bike|laptop|computer|job|flat|house|phone|office|team|project|doctor|teacher|boss|manager|server|database)',
    '(?:另外?一?个|另一位|第二个|第二位|别的)(?:哥哥?|姐姐?|弟弟?|妹妹?|儿子|女儿|孩子|舅舅?|姑姑?|叔叔?|朋友|室友|老师|领导|老板|项目|团队|公司|房子|车|猫|狗)|二(?:哥|姐|弟|妹|舅|姑|叔|姨)',
  ],
  [
    'elder',
    '(?:big|older|elder|eldest|oldest) (?:brother|sister|son|daughter|kid|child|boy|girl|one)',
    '(?<!隔壁|邻居|楼上|楼下|[给让个位])大(?:哥|姐|儿子|女儿|宝|娃|舅|姑|伯|姨)|老大',
  ],
  [
    'younger',
    '(?:little|younger|youngest|baby|kid) (?:brother|sister|son|daughter|child|boy|girl|one)',
    '小(?:弟|妹|儿子|女儿|舅|姑|叔|姨)|老[二三幺]|二(?:宝|娃|儿子|女儿)',
  ],
]
const PLACE: Kind = [
  [
    'second home',
    '(?:holiday|summer|weekend|second|winter) (?:home|house|flat|cottage|place)|cabin|caravan',
    '度假房|第二套房|海边的房',
  ],
]
const LENT: Kind = [
  [
    'lent by the employer',
    '(?:new |my |the )?(?:job|firm|company|work|employer|office)(?: \\w+)? (?:comes with|came with|gave me|gives me|lends? me|lent me|provides|provided|pays for)|company (?:car|van|phone|laptop|bike)|(?:van|car|phone|laptop) (?:from|for) work',
    '(?:单位|公司|厂里|项目部|局里|院里|学校)(?:给|又给|还给)?(?:我|我们)?(?:配|发|借)(?:了|的)',
  ],
]
const EMPLOYMENT: Kind = [
  ['side job', 'side (?:job|gig|hustle|project)|second job|weekend job|saturday job|moonlight\\w*', '副业|兼职'],
]
const KINDS: readonly (readonly (readonly [string, RegExp])[])[] = [
  ENVIRONMENT,
  USE,
  NAME,
  ONE_OF_SEVERAL,
  PLACE,
  LENT,
  EMPLOYMENT,
].map((kind) =>
  kind.map(([bearer, english, chinese]) => [bearer, new RegExp(`\\b(?:${english})\\b|${chinese}`, 'i')] as const),
)

/**
 * true when the newer statement is about a bearer that the older one does not name. Who says that something moved from one
 * to the other ("from staging to production") names both; the other way round, "we moved to MySQL" may mean any of them.
 */
export function bearersApart(newerProfile: Profile, { text: older }: Profile, topics: readonly string[]): boolean {
  const theirs = bearersIn(older)
  return bearersIn(telling(newerProfile, topics)).some(
    (mine, kind) => mine.length > 0 && !mine.some((bearer) => theirs[kind]!.includes(bearer)),
  )
}

/** The clauses that speak of the shared attributes; all of it where none does. */
function telling({ text, people }: Profile, topics: readonly string[]): string {
  const clauses = people.clauses.filter((clause) =>
    [...topicsOf(clause.text).keys()].some((one) => topics.includes(one)),
  )
  return clauses.length === 0 ? text : clauses.map((clause) => clause.text).join(' ')
}

/** By kind. */
const bearersIn = readOnce('bearers', (text): readonly (readonly string[])[] =>
  KINDS.map((kind) => kind.filter(([, pattern]) => pattern.test(text)).map(([bearer]) => bearer)),
)
