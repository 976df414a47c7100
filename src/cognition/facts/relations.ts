/**
 * Which words name a person by relation? Each relation has one English word whatever the language, so that "my mum" and
 * 我妈 are the same person.
 */
import { type PhraseIndex, phraseIndex } from './phrase-index.ts'

/** Relation | English words | Chinese words. */
const RELATIONS = `
mother|mum, mom, mother, mama, mam, mummy, mommy, my old lady|老太太 老妈子 我妈 妈妈 老妈 母亲 俺妈 咱妈 妈
father|dad, father, papa, daddy, pa, my old man|老爷子 老头子 老汉 阿爸 我爸 爸爸 老爸 父亲 俺爸 咱爸 爸
parents|parents, my folks|父母 爸妈 爹妈
brother|brother, big brother, little brother, older brother, younger brother|哥哥 弟弟 我哥 我弟 二哥 兄弟
sister|sister, big sister, little sister, older sister, younger sister|姐姐 妹妹 我姐 我妹 二姐
son|son, boy of mine|儿子 我儿
daughter|daughter|女儿 闺女
elder_child|eldest, older son, older daughter, elder daughter, elder son, oldest|老大 大女儿 大儿子 大宝 大的那个
younger_child|youngest, younger son, younger daughter, little one|老二 小女儿 小儿子 二宝 小的那个
child|kid, kids, child, children, baby, toddler, twins|孩子 娃 宝宝 双胞胎 小孩 小朋友
partner|wife, husband, girlfriend, boyfriend, partner, fiance, fiancé, fiancee, fiancée, spouse, better half, other half, missus, hubby, my better half, the wife|老伴 我家那位 我那口子 孩子他爸 孩子他妈 家属 老婆 妻子 媳妇 太太 爱人 老公 丈夫 女朋友 男朋友 女友 男友 对象 未婚夫 未婚妻 先生
ex|ex, ex-wife, ex-husband, ex-girlfriend, ex-boyfriend|前妻 前夫 前女友 前男友 前任
grandmother|grandma, gran, nan, nana, granny, grandmother|奶奶 外婆 姥姥 我奶 阿婆
grandfather|grandpa, grandad, granddad, grandfather|爷爷 外公 姥爷 我爷
grandchild|grandson, granddaughter, grandchild, grandkids|孙子 孙女 外孙 外孙女
aunt|aunt, auntie, aunty|阿姨 姑姑 姨妈 大姨 小姨 舅妈 婶婶
uncle|uncle|叔叔 舅舅 伯伯 大伯 姑父 姨父
cousin|cousin|表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹
niece|niece|侄女 外甥女
nephew|nephew|侄子 外甥
mother_in_law|mother-in-law, her mum, his mum|婆婆 丈母娘 岳母
father_in_law|father-in-law|公公 老丈人 岳父
brother_in_law|brother-in-law|姐夫 妹夫 小舅子 大舅哥
sister_in_law|sister-in-law|嫂子 弟妹 小姨子
flatmate|flatmate, roommate, housemate|室友 舍友 合租的
friend|friend, mate, best friend, bestie, buddy, pal|朋友 闺蜜 哥们 兄弟 死党 好友 基友
colleague|colleague, coworker, co-worker, teammate, desk mate, workmate|同事 同组 队友 隔壁组 隔壁工位
helper|my assistant, our assistant, my nanny, our nanny, our cleaner, my cleaner, my carer, our au pair, my pa|我助理 我助手 我的助理 我家保姆 我家阿姨 家里阿姨
coach|my coach, my trainer, my tutor, my mentor|我教练 我师父 我师傅
student|my student, my students, my pupil, my pupils, one of my students|我学生 我的学生
tenant|my tenant, my tenants, our tenant, my lodger, our lodger|租客 房客
cofounder|my cofounder, my co-founder, our cofounder, our co-founder, my business partner|我合伙人 合伙人
daughter_in_law|daughter-in-law, daughter in law|儿媳妇 儿媳
son_in_law|son-in-law, son in law|女婿
in_laws|my in-laws, the in-laws, our in-laws|公婆 岳父母 亲家
boss|boss, line manager, team lead, my manager, our manager|老板 领导 上司 组长
neighbour|neighbour, neighbor, next door, the people opposite, the lad opposite|邻居 隔壁 楼上 楼下 对门 对面那家
landlord|landlord, landlady|房东
classmate|classmate, labmate, lab mate|同学 同桌 师兄 师姐 师弟 师妹
supervisor|supervisor, advisor, adviser|导师
team_other|other team, platform team, mobile team, data team, the frontend team, the backend team, design team, marketing team, sales team, ops team, infra team, qa team, support team, finance team, analytics team, other department, their team, sister team, other squad, everyone else, other people, the competition|别的组 他们组 兄弟团队 隔壁团队 前端组 后端组 平台组 数据组 测试组 设计组 运营组 产品组 算法组 运维组 市场部 销售部 财务部 客服部 其他人 别人 人家 其他团队 对面公司 同行
newcomer|new hire, new guy, new girl, intern, the new one, trainee, apprentice of|实习生 新人 徒弟 新来的
customer|client, customer|客户 甲方`

const RELATION_NAMES: ReadonlySet<string> = new Set(
  RELATIONS.trim()
    .split('\n')
    .map((line) => line.slice(0, line.indexOf('|'))),
)

/** true for the word that stands for a relation: `mother`, `flatmate`. */
export function isRelation(subject: string): boolean {
  return RELATION_NAMES.has(subject)
}

let known: PhraseIndex<string> | undefined

/** Looks relations up in a list of words; cut on first use. */
export function relationIndex(): PhraseIndex<string> {
  known ??= phraseIndex(withOwn(RELATIONS.trim().split('\n').flatMap(wordsOfLine)))
  return known
}

type Entry = readonly [word: string, relation: string]

function wordsOfLine(line: string): readonly Entry[] {
  const [relation, english, chinese] = line.split('|')
  return [...english!.split(','), ...chinese!.split(/\s+/)].flatMap((word) =>
    word.trim() === '' ? [] : [[word.trim(), relation!] as const],
  )
}

/** 我姐夫 is no sister though it begins with 我姐: where the list has 我 with the beginning of a word, it gets the word with 我 too. */
function withOwn(entries: readonly Entry[]): readonly Entry[] {
  const known = new Set(entries.map(([word]) => word))
  const longer = entries.flatMap(([word, relation]): readonly Entry[] => {
    const beginsAlike = [...word].some((_, at) => at > 0 && known.has(`我${word.slice(0, at)}`))
    return beginsAlike && !known.has(`我${word}`) ? [[`我${word}`, relation]] : []
  })
  return [...entries, ...longer]
}
