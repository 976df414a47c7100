/** What was decided, concluded or resolved in this text? Clauses as they were said, cut down to the decision itself. */
import { isQuestion } from './questions.ts'
import { splitSentences } from './sentences.ts'

/** Decisions taken from one text at most. */
const MOST_DECISIONS = 10
const LONGEST_CHARACTERS = 160
/** Longest sentence in characters; none decides beyond that, and the patterns would take long. */
const LONGEST_SENTENCE = 2000
const SHORTEST_CHARACTERS = 4

const ENGLISH_CUE =
  /\b(?:(?:we|i|they|team)(?:['’]ve| have| had|['’]ll| will)?(?: all| both| finally| also| just| then)? (?:decided|agreed|chose|settled on|concluded|went with|opted|go with|going with|picked|switched|moved to|migrated|adopted|dropped|replaced|resolved|fixed|solved)|(?:the )?(?:decision|conclusion|resolution|verdict|root cause|final choice|fix|solution)(?: here| for \w{1,40})? (?:is|was)\b|let['’]?s (?:use|go with|keep|switch|stick|drop|move|add|make|do|adopt|replace)|(?:i|we)(?:['’]ll| will| are going to|['’]re going to) (?:use|go with|keep|switch|stick|drop|move|add|adopt|replace|migrate|wrap|store)|(?:was|were|is|are|been|got|bug|issue|now)? ?(?:fixed|solved|resolved|addressed) (?:by|with|in|it by|this by)|(?:fixed|solved|resolved|decided|agreed|switched|migrated|replaced|adopted|settled)\b(?= (?:to|on|by|that|the|it|this|from|with))|(?:decision|conclusion|outcome|resolution) ?:|from now on|going forward|agreed:)/i
const ENGLISH_DOUBT =
  /\b(?:should we|could we|maybe|perhaps|might|not sure|if we|what if|haven['’]?t|hasn['’]?t|not (?:yet )?(?:decided|fixed|solved|resolved)|never (?:decided|fixed|solved)|didn['’]?t|wasn['’]?t|isn['’]?t|can['’]?t decide|undecided|would be (?:fixed|solved)|needs? to be|has to be|should be|must be)\b/i
const ENGLISH_TAIL = /(?:;|\s[-–—]\s|,? (?:because|since|so that|although|though|whereas|but)\s|, (?:which|as|so)\s)/i

const CHINESE_STRONG =
  /决定|确定(?:用|采用|使用|为|了)|敲定|拍板|采用|改用|改为|改成|换成|换用|选用|选定|选择了|弃用|放弃|切换到|迁移到|升级到|统一(?:用|使用|采用|为|成)|约定|已(?:经)?(?:修复|解决|修好|完成|合并|上线)|修复了|解决了|修好了|搞定了|(?:结论|方案|决议|根因|根本原因|最终方案)(?:就)?(?:是|为|[:：])|通过.{2,40}(?:解决|修复)|以后(?:都|统一|一律)|(?<!不)同意|达成一致|定下来|就用(?![不得户])|那就(?:用|按|选)(?![不得户时])/
const CHINESE_ACTION =
  /^(?:使用|添加|增加|引入|加入|加上|移除|删除|拆分|抽取|保留|限制|禁用|启用|替换|用.{1,12}(?:保护|替代|代替|替换|实现|存储|加锁))/
const CHINESE_DOUBT =
  /要不要|是不是|能不能|可不可以|是否|还没|没有(?:决定|解决|修复)|尚未|未(?:解决|修复|决定)|如果|假如|要是|也许|可能|或许|考虑|不确定|怎么|如何|时(?:出错|报错|失败|崩溃|会)|的时候|吗|无法|不能|待(?:定|解决)/
const CHINESE_LEAD =
  /^(?:嗯|好的?|行|那么?|所以|因此|于是|最后|最终|后来|然后|目前|现在|经过讨论|讨论后|商量后|综上|总之|并且?|同时|而且|另外|此外)*[,，、]?(?:我们|咱们|我|大家|团队|双方)?(?:也|都|就|先|一起|一致|最终|最后|还){0,40}(?:决定|确定|打算)?(?:了)?(?=使用|用|采用|改用|添加|增加|引入|加入|加上|移除|删除|拆分|把|将|统一|切换|迁移|升级|保留|放弃|改为|改成|换成)/
const CHINESE_JOIN =
  /(?:并且|并|同时|以及|且|然后)(?=(?:使用|采用|改用|添加|增加|引入|加入|加上|移除|删除|拆分|保留|限制|把|将|用))/

/** The decisions of a text in order, without repeats; questions, doubts and wishes are none. */
export function findDecisions(text: string): readonly string[] {
  const decisions = new Set<string>()
  let before: string | undefined
  for (const sentence of splitSentences(text)) {
    if (decisions.size >= MOST_DECISIONS) break
    const previous = before
    before = sentence
    if (sentence.length > LONGEST_SENTENCE || /[?？]\s{0,40}$/.test(sentence)) continue
    // In "Postgres. Final answer." the settling word stands alone, behind its subject.
    if (isSettlingWord(sentence) && previous !== undefined) {
      if (!/[?？]\s{0,40}$/.test(previous) && previous.length <= LONGEST_CHARACTERS)
        for (const decision of tidy(previous)) decisions.add(decision)
      continue
    }
    const found = /[\u3400-\u9fff]/.test(sentence) ? chineseDecisions(sentence) : englishDecision(sentence)
    for (const decision of found) if (decisions.size < MOST_DECISIONS) decisions.add(decision)
  }
  return [...decisions]
}

function englishDecision(sentence: string): readonly string[] {
  if (ENGLISH_DOUBT.test(sentence) || isQuestion(sentence)) return []
  const cue = ENGLISH_CUE.exec(sentence)
  if (cue === null) return isEnglishVerdict(sentence) ? tidy(sentence.split(ENGLISH_TAIL)[0]!) : []
  // A passive like "The leak was fixed by closing the pool" needs its subject; "after lunch we decided to …" does not.
  const ownSubject = /^(?:we|i|they|team|the|let|decision|conclusion|outcome|resolution|from|going|agreed)/i.test(
    cue[0].trim(),
  )
  const start = ownSubject ? cue.index : clauseStart(sentence, cue.index)
  return tidy(sentence.slice(start).split(ENGLISH_TAIL)[0]!)
}

function clauseStart(sentence: string, at: number): number {
  const before = sentence.slice(0, at)
  const cut = Math.max(before.lastIndexOf('; '), before.lastIndexOf(', and '), before.lastIndexOf(': '))
  return cut < 0 ? 0 : cut + (before.startsWith(', and ', cut) ? 6 : 2)
}

function chineseDecisions(sentence: string): readonly string[] {
  const decisions: string[] = []
  let carried = false
  let settled = false
  for (const clause of sentence.split(/[，,；;。!！]/)) {
    const trimmed = clause.trim()
    const doubtful = CHINESE_DOUBT.test(trimmed)
    const strong = !doubtful && (CHINESE_STRONG.test(trimmed) || isChineseVerdict(trimmed))
    const stripped = trimmed.replace(CHINESE_LEAD, '')
    // In 定了，用 Kafka the settling word stands before its subject.
    if (isSettlingWord(trimmed)) {
      settled = true
      continue
    }
    if (settled && !doubtful) {
      decisions.push(...tidy(stripped))
      settled = false
      continue
    }
    if (strong || (!doubtful && CHINESE_ACTION.test(stripped) && (carried || isSettled(trimmed, sentence)))) {
      carried = true
      for (const part of stripped.split(CHINESE_JOIN)) decisions.push(...tidy(part))
    } else carried = false
  }
  return decisions
}

/** An action alone is a decision when it is done (了) or is the whole sentence: "使用互斥锁保护关键区域。" */
function isSettled(clause: string, sentence: string): boolean {
  return (
    clause.includes('了') ||
    sentence.replace(/[。.!！]\s{0,40}$/, '').trim() === clause ||
    /^[^，,]{0,12}[，,]/.test(sentence)
  )
}

function tidy(clause: string): readonly string[] {
  const text = clause
    .replace(/^(?:[\s\-*•>#.)]|\d{1,2}[.)、])+(?=\S)/, '')
    .replace(/[\s。.,，;；:：!！]{1,40}$/, '')
    .trim()
  if (text.length < SHORTEST_CHARACTERS) return []
  return [text.length > LONGEST_CHARACTERS ? `${[...text].slice(0, LONGEST_CHARACTERS - 1).join('')}…` : text]
}

/** A word that settles the thing before it, or stands in front of it with a colon. */
const SETTLING_WORD =
  /^(?:that['’]?s (?:final|settled|decided|the decision|my decision)|final (?:answer|decision|call|choice)|(?:it['’]?s )?(?:settled|decided)|done deal|case closed|decision made|就这么定了|(?:我们?|咱们?|最后)?(?:决定|想好|想通|想清楚|商量好|讲好|谈好)了|就这么办|就这样定了|定了|就它了|说定了|不改了)[.!。！\s]*$/i

const ENGLISH_VERDICTS: readonly RegExp[] = [
  /^(?:settled|resolved|final (?:answer|decision|call|choice|verdict)|decided|verdict|sold|done deal)\s*[:,.–—-]\s*\S/i,
  /^(?:ok(?:ay)?|alright|all right|right|fine|so|then|yes|cool|great)?[,.]?\s*(?:so |then )?(?:i['’]?m |we['’]?re |i am |we are )?(?:going|sticking|staying) with (?!(?:my|her|his|their|our) (?:\w+ )?(?:mom|mum|dad|mother|father|sister|brother|aunt|uncle|friends?|family|wife|husband|kids?|parents|boss|dog)\b|(?:him|her|them|you|me|us)\b)/i,
  /\b(?:we|i)(?:['’]ll| will) (?:stick|stay) with (?!(?:my|her|his|their|our|a|you|him|them|me|us|friends|family)\b)/i,
  /\b(?:we)(?:['’]ll| will) (?:skip|support|ship|release|postpone|deprecate|remove|leave out|target|require|cut)\b/i,
  /\bwe (?:will not|won['’]?t|will no longer|no longer|are no longer going to|are not going to|aren['’]?t going to) (?!(?:be|have|know|see|make it|find|get|need|forget|regret|hear|understand|believe|go|come|miss|want|care)\b)[a-z]{1,40} \S/i,
  /\bwe(?:['’]re| are) not (?:doing|building|using|shipping|supporting|migrating|adding|adopting|changing|rewriting)\b/i,
  /^(?:(?:ok(?:ay)?|agreed|alright|fine|right|so|great|cool|then)[,.!]? )?(?:(?:so|then) )?(?!(?:what|that|how|which|who|where|this|why|as|whatever|there|it|here|yes|no|yeah|i|you|he|she)\b)(?!.*\bhow\b)\w[\w.+#'’/-]*(?: [\w.+#'’/-]+){0,3} it is(?: then)?[.!]*$/i,
  /^(?:ok(?:ay)?[,.]? )?(?:[Ss]o |[Tt]hen )it['’]?s (?!(?:a|an|the|not|so|too|very|just|like|going|fine|ok|okay|good|bad|time|my|your|raining|no|all)\b)[A-Z][\w.+#-]*(?: then)?[.!]{0,40}$/,
  /\blet['’]?s (?:scrap|ditch|call it|name it|settle on|postpone|skip|remove|ship|start with|leave|rename|split|stay with|not)\b(?! (?:a day|by|in\b))/i,
  /\b(?:the )?plan is to \w+/i,
  /\bdecision stands[.!]{0,40}$|, agreed(?<=\S \S.{0,200}, agreed)[.!]{0,40}$|\bdecision stands:/i,
]

const CHINESE_VERDICTS: readonly RegExp[] = [
  /^(?:那|那么|好|行|嗯|ok)?[,，]?(?:我们|咱们|咱)?(?:那)?就?(?:还是)?(?:按照|按|照)(?:这个|那个|原|既定|第?.{1,8}?)?(?:方案|计划|办法|思路|设计|版本|选项|做法|建议)\S{0,4}(?:来|走|做|办|执行|推进|实施)/i,
  /^(?:那|那么|好|行|嗯)?(?:我们|咱们|咱)?(?:就|那就)(?:用|选|走|定|上|改|换|去|买)(?![户意途来得着不于是人时会手去过])\s*[^，,。]{1,30}/,
  /^(?:那|那就|我们|咱们|就)?还是(?:用|选|走)(?![户意途得])\s*[^，,。]{1,20}(?:吧|了|算了)$/,
  /^(?:以后|今后|后面|咱们?|我们|这次|先|大家|那就?)*(?:都)?不(?:再)?(?:用|做|上|搞|支持|采用|考虑|引入|依赖)(?![了谢着说得担管客饭到人户力错是])\s*[^，,。]{1,20}(?:了|啦)$/,
  /^(?:我们|咱们|团队|系统|产品)(?:以后|今后)?不再(?:用|使用|支持|采用|依赖|维护|接受|提供|做)/,
  /^(?:那就?|我们|最终|最后|就|我)?选(?:第[一二三四五\d]个|方案|定|了|\s?[A-Za-z])/,
  /^(?:改|换)(?:成|用|为)?\s?[A-Za-z][\w .+#-]*(?:吧|了)?$/,
  /^(?:最终|最后|正式)(?:选|定|用|走|拍板)/,
  /^(?:就)?定(?:在|为|了|周|下周|明天|\d)/,
  /^(?:就这么定|决定了|说定了)/,
  /^(?:取消|砍掉|去掉|不要)(?:这个|那个|该)(?:功能|需求|方案|模块|页面|计划)/,
]

/** true for a sentence that only settles what stands before it. */
function isSettlingWord(sentence: string): boolean {
  return SETTLING_WORD.test(sentence.trim())
}

/** true for an English sentence that decides by its form. */
function isEnglishVerdict(sentence: string): boolean {
  return ENGLISH_VERDICTS.some((verdict) => verdict.test(sentence))
}

/** true for a clause of Chinese that decides by its form. */
function isChineseVerdict(clause: string): boolean {
  return CHINESE_VERDICTS.some((verdict) => verdict.test(clause))
}
