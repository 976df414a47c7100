/**
 * Does a statement made in a project hold there, or everywhere, as one about the person? Identity, life, tastes and
 * wishes about answers are the person's; versions, ports, tools, rules, decisions and unclear ones are the project's.
 */
import { CATEGORIES, type Memory } from '../../domain/memory.ts'
import { lazy } from '../../domain/scheduling.ts'
import { hasHan } from '../../language/character-class.ts'
import { wishesOfReplies } from '../../language/preference.ts'
import { splitSentences } from '../../language/sentences.ts'
import { speaksOfCode } from '../../language/symbols/introduced-names.ts'
import { wordList, wordTable } from '../../language/word-lists.ts'
import { clausesOf } from '../facts/clauses.ts'
import { plainTopics, slotNamed, topicsOf } from '../facts/mentioned-attributes.ts'
import { wordsOf } from '../facts/phrase-index.ts'
import { rarityOf, tellingTerm } from '../topic/word-rarity.ts'
import { writeJudgement } from '../write-decision/linear-model.ts'

/** Attributes of a set-up that belong to no project alone. */
const OF_MACHINES = new Set(['operating_system', 'shell', 'timezone', 'vpn', 'ai_assistant'])
/** A host with a port, a path, a version, the parts of systems, and their guards. */
const NAMES_SYSTEM =
  /\b[\w-]{1,40}(?:\.[\w-]{1,40}){0,40}:\d{2,5}\b|(?:^|[\s（(])[\w.-]{0,40}\/[\w./-]{1,40}\.\w+|\bv?\d{1,40}\.\d{1,40}(?:\.\d{1,40})?\b|\b(?:CI|CD|API|DNS|TLS|SSH|VPN|SDK|ORM|CDN|SQL|GPU|CPU|on-call|sprints?|stand-?ups?|handover|pull requests?|code reviews?|clusters?|servers?|pods?|NAS|RAID ?\d{0,40}|SSDs?|Docker|Kubernetes|k8s|Proxmox)\b|(?:服务器|集群|镜像|日志|域名|网关|缓存|队列|前端|后端|生产环境|测试环境|流水线|备份|监控|告警)/i

/** Whether it does. */
export function speaksOfSystems(sentence: string): boolean {
  return speaksOfCode(sentence) || NAMES_SYSTEM.test(sentence)
}

/** Things set up at home or in an office, and the work on them. */
const SET_UP =
  /\b(?:wi-?fi|routers?|printers?|hotspot|pass(?:words?|codes?|phrases?)|PINs?|log-?ins?|usernames?|SSID|IP|firmware|thermostat|alarm code|smart home|models?|production|staging|databases?|use[sd]?|runs?|hosted|installed|configured|set (?:to|up)|listens?|deployed|built (?:with|on))\b|密码|口令|路由器|打印机|无线网|账号|帐号|用户名|验证码|固件|智能家居|用的?|部署|托管|配置|设[成为置]|端口|模型|版本/i

/** Whether a thing to be remembered may be part of a set-up, at home too. */
export function speaksOfSetUp({ text, key }: Pick<Memory, 'text' | 'key'>): boolean {
  return (
    isConfiguration(key) ||
    speaksOfSystems(text) ||
    SET_UP.test(text) ||
    (!PERSON.test(text) && plainTopics(topicsOf(text)).some(isConfiguration))
  )
}

/** Whether a text gives a figure, or a Latin name among Chinese words, as settings do. */
export function namesValue(text: string): boolean {
  return /\d|\p{Script=Han}\s?[A-Za-z]{2}/u.test(text)
}

/** Whether the key of a fact is an attribute of a set-up. */
function isConfiguration(key: string | null): boolean {
  return key !== null && (OF_MACHINES.has(key) || wordList('project-attributes').has(key))
}

/** Attributes that are a project's, or anybody's (`data/words`); all others are of a person. */
const isOf = (list: 'project-attributes' | 'either-attributes', key: string): boolean => wordList(list).has(key)

const REPLY_STYLE = 'reply_style'
/** The assistant's replies, and who gets them. */
const REPLIES =
  /\b(?:answer\w{0,5}|repl(?:y|ies)|respon[ds]\w{0,4}|expla(?:in|nation)\w{0,4}|talk|speak|me)\b|回答|回复|答复|解释|讲解|说话|回话|[跟对给叫]我(?!们)/i
/** A word from this rarity on names a thing. */
const NAMES = 0.75
/** The person who writes, in the person's words or those of a model. */
const PERSON = /\b(?:i|i['’](?:m|ve|d|ll)|me|my|mine|the user|user['’]s)\b|^user\b|[我咱俺](?!们)|用户(?!名|表|数)/i
/** Attributes of a household, in which "we" are those who live together; elsewhere those who work together. */
const HOUSEHOLD = new Set(
  'home rent property partner in_laws child parent pet livestock plants car flatmate neighbour wedding pregnancy trip'.split(
    ' ',
  ),
)
const WE = /\b(?:we|our|us)\b|[我咱俺]们/i
/** "I'm left-handed", 我是左撇子: a trait of the speaker. */
const IS =
  /\bi(?:['’]m| am) (?:an? )?(?!\w{1,40}ing\b|sure\b|done\b|not\b)[a-z-]{1,40}(?:[.,!;]|$)|我是[^，。的]{1,8}(?:[，。！]|$)/i
/** Parts of programs that have the names of things in a life. */
const OF_PROGRAM =
  /\b(?:folders?|director(?:y|ies)|process(?:es)?|columns?|endpoints?|methods?|functions?|modules?|components?|buttons?|commits?|schemas?|config|codebase|renamed|refactored)\b|购物车|文件|目录|进程|字段|接口|页面|按钮|组件|模块|配置|脚本/i
/** Their taste: it goes with them from project to project. */
const OWN_TASTE =
  /\b(?:i|user)(?:['’]d)? (?:\w{1,40} )?(?:prefers?|likes?|loves?|hates?|dislikes?|enjoys?|can['’]?t stand)\b|\bmy favou?rite\b|(?:我|用户)(?:个人|比较|更|最|很|特别|一直)?(?:喜欢|偏爱|偏好|讨厌|习惯用|爱用|不爱)/i
/** "Always ask me first", 先问我: such an order is about how the assistant deals with its user. */
const OWN_ORDER =
  /^(?:(?:please|always|never|do not|don['’]?t|from now on|and),? ){0,3}[a-z]{2,12} me\b|(?<![他她们])[给跟对叫让问]我(?!们)|告诉我(?!们)/i
/** A wish for something to be done is no taste. */
const WISH = /\bi(?:['’]d| would) (?:\w{1,40} )?like (?:to|you|it|the|a)\b/i

/** Words about this very project hold in no other, whatever they state. */
const HERE =
  /\b(?:in|for|within|throughout) (?:this|our) (?:project|repo|repository|monorepo|codebase|code base)\b(?!['’])|(?:这个|本|该|我们)(?:项目|仓库|代码库|工程)(?:里|中|内|的|不|要|用|一律|都|以后|今后|必须|统一|只)/i

/** A project's own product: a taste in it is none of other things. */
const OF_THIS = /\b(?:this|our) (?:blog|site|website|app|package|library|repo|codebase)\b/i
/** Words that name the project at hand, or its product. */
const NAMED_HERE =
  /\b(?:this|our) (?:blog|site|website|app|package|library|repo(?:sitory)?|codebase|project|service|shop|store)\b|(?:这个|本|该)(?:项目|仓库|代码库|工程|网站|应用|服务)/i

/** Rules that hold always or never. */
const OBLIGES =
  /\b(?:never(?! \w{1,20}ing\b)|always|do not|don['’]t|must(?:n['’]t)?|may not|should(?:n['’]t)?)\b|^only\b|不要|别(?![名的人处])|不[准许能得]|禁止|必须|务必|一律|统一|只[能准用许]|都[要得用放写]|从不/i
const OF_SOMEBODY = /^(?:i|my|he|she|they|his|her)\b|^[我他她](?!们)/i
/** The share of a fact, as the write decider judges it, from which a text tells how things are. */
const A_FACT = 0.95

/** Whether a statement of a project tells how things are to be there ("Amounts are kept in cents, never as floats"). */
export function tellsRule(text: string): boolean {
  if (OF_SOMEBODY.test(text)) return false
  return OBLIGES.test(text) || writeJudgement(text).categories[CATEGORIES.indexOf('fact')]! < A_FACT
}

/** Whether a text names its own project as the place where it holds. */
export function namesProject(text: string): boolean {
  return HERE.test(text)
}

/** Characters of a text that tell where it holds. */
const MOST_READ = 8192

/** The project in which a memory holds that was said in `project`; null: everywhere. */
export function scopeOf({ text, key }: Pick<Memory, 'text' | 'key'>, project: string | null): string | null {
  return project === null || isAboutPerson(text.slice(0, MOST_READ), key) ? null : project
}

/** The sentences in runs: those about the person beside those that name their project, each with what goes on about it. */
export function apartByScope(text: string): readonly string[] {
  const runs: { isHere: boolean | null; sentences: string[] }[] = []
  for (const sentence of splitSentences(text)) {
    const last = runs.at(-1)
    const isHere = NAMED_HERE.test(sentence) ? true : isAboutPerson(sentence, null) ? false : null
    if (last === undefined || (isHere !== null && last.isHere !== null && isHere !== last.isHere))
      runs.push({ isHere, sentences: [sentence] })
    else {
      last.sentences.push(sentence)
      last.isHere ??= isHere
    }
  }
  return runs.map(({ sentences }) => sentences.join(hasHan(text) ? '' : ' '))
}

/** The words for manners of replies. */
const manners = lazy(() => {
  const lines = [...wordTable('attribute-words'), ...wordTable('attributes')].filter((line) =>
    line.startsWith(REPLY_STYLE),
  )
  const words = wordsOf(lines.join(' ')).map(({ text }) => tellingTerm(text))
  return new Set([...words, ...[...wordList('languages')].map(tellingTerm)])
})

/** Whether it names a thing beside a manner: the files, commits or articles that are to be so, and not the replies. */
function namesThing(text: string): boolean {
  const terms = wordsOf(text).map((word) => tellingTerm(word.text))
  return terms.some((term) => term !== null && rarityOf(term) >= NAMES && !manners().has(term))
}

function isAboutPerson(text: string, key: string | null): boolean {
  if (HERE.test(text)) return false
  const topics = plainTopics(topicsOf(text))
  if (wishesOfReplies(text)) return true
  if ((key === REPLY_STYLE || topics.includes(REPLY_STYLE)) && (REPLIES.test(text) || !namesThing(text))) return true
  if (OWN_TASTE.test(text) && !WISH.test(text)) {
    // A taste told beside a project's set-up stays with that.
    const rest = clausesOf(text).filter((clause) => !OWN_TASTE.test(clause))
    return !OF_THIS.test(text) && (rest.length === 0 || isAboutPerson(rest.join(' '), null))
  }
  if (key !== null && isOf('project-attributes', key)) return false
  if (key !== null && slotNamed(key) !== undefined && !isOf('either-attributes', key)) return true
  if (topics.some((name) => isOf('project-attributes', name)) || OF_PROGRAM.test(text) || speaksOfSystems(text))
    return false
  const ofPerson = topics.filter((name) => name === 'home' || !isOf('either-attributes', name))
  if (PERSON.test(text)) return ofPerson.length > 0 || key === 'home' || IS.test(text) || OWN_ORDER.test(text)
  return WE.test(text) && ofPerson.some((name) => HOUSEHOLD.has(name))
}
