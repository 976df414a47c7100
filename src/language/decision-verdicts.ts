/**
 * Which sentences decide without saying so, as "Going with Redis", "Postgres it is", 就按第二个方案来, 不用Redis了? Wishes,
 * weather and mere reports ("we will not know", 不用谢) are none.
 */

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
  /^(?:ok(?:ay)?[,.]? )?(?:[Ss]o |[Tt]hen )it['’]?s (?!(?:a|an|the|not|so|too|very|just|like|going|fine|ok|okay|good|bad|time|my|your|raining|no|all)\b)[A-Z][\w.+#-]*(?: then)?[.!]*$/,
  /\blet['’]?s (?:scrap|ditch|call it|name it|settle on|postpone|skip|remove|ship|start with|leave|rename|split|stay with|not)\b(?! (?:a day|by|in\b))/i,
  /\b(?:the )?plan is to \w+/i,
  /\bdecision stands[.!]{0,40}$|\S \S.{0,200}, agreed[.!]{0,40}$|\bdecision stands:/i,
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
export function isSettlingWord(sentence: string): boolean {
  return SETTLING_WORD.test(sentence.trim())
}

/** true for an English sentence that decides by its form. */
export function isEnglishVerdict(sentence: string): boolean {
  return ENGLISH_VERDICTS.some((verdict) => verdict.test(sentence))
}

/** true for a clause of Chinese that decides by its form. */
export function isChineseVerdict(clause: string): boolean {
  return CHINESE_VERDICTS.some((verdict) => verdict.test(clause))
}
