/**
 * In which forms do people state an attribute of somebody? A form is a pattern of one clause, with its subject in
 * front; its value must be of the attribute's kind (`value-kinds.ts`).
 */
import { lazy } from '../../domain/scheduling.ts'
import { FULL_WEEKDAY, ENGLISH_MONTH as MONTH } from '../../language/calendar.ts'
import { bothCases, hasHan } from '../../language/character-class.ts'
import { anyOf, wordTable } from '../../language/word-lists.ts'
import { DAY, type Kind, kindOf, MARK_IN_NUMBER as MARK } from './value-kinds.ts'

/** One place where a predicate may begin. */
interface Head {
  /** The subject as written; undefined where the clause names nobody. */
  readonly subject: string | undefined
  readonly at: number
}

/** The first place, and words that join a predicate to one before it. */
const JOINS = /^\W*|\b(?:and|but|then|so|well|yeah|yes|oh|hi|hey|btw)[,!]?\s+/giu
const PRONOUN = /\b(?:i|we|he|she|they|im|ive)\b/giu
const OWNED = /\b(?:my|our|his|her)(?: [\w-]+)/giu
const NAME = /(?<![\w-])\p{Lu}\p{Ll}{1,40}(?: \p{Lu}\p{Ll}{1,40})?(?![\w’'-]{0,40}['’]s \w)/gu
const RELATIVE =
  /(?<=^\W*)(?:wife|husband|mum|mom|dad|daughter|son|sister|brother|girlfriend|boyfriend|partner|gran|nan)\b/giu
const NEXT_WORD = /,? [\p{L}-]+/uy
const MOST_OWNED_WORDS = 3
/** The words allowed between the subject and its verb. */
const BESIDE_VERB =
  /(?:['’](?:m|ve|s|re)\b|\s*\b(?:am|is|are|was|were|have|has|had|do|does|did|been|be|not|now|currently|also|still|just|recently|actually|originally|both|only|mostly|usually|always|already|finally|never|used to|happen to|ever|myself|no longer|all|once|first|back|gone|went|got|strictly|temporarily|\w+n['’]t|\w+ly)\b)\s*/iuy
const SPACE = /\s+/y

const HAN_LEAD =
  /^(?:对了|话说|原来|另外|其实|不过|但是?|而且|所以|因为|然后|说起来|更正|我(?:才|刚|刚刚)?(?:发现|知道)(?=我)|[:：\s])*/u
/** Ends of how Chinese people are called by their work or age, with their family name in front. */
export const HAN_TITLES = '工|总|姐|哥|老师|师傅|主任|医生|经理'
const HAN_NAME = `(?:老|小|阿)\\p{Script=Han}|\\p{Lu}\\p{Ll}+ ?|\\p{Script=Han}(?:${HAN_TITLES})`
const HAN_BESIDE_VERB =
  /(?:现在|目前|如今|眼下|一直|已经|早就|早|都|也|还|就|又|刚刚?|最近|平时|每天|[今明去前本]年|[今昨前明][天晚]|以前|之前|从小|后来|只|不再|还是|其实|真的|终于|正在|上周|上个?月|下周|下个?月|周[一二三四五六日天末]起?|[上下]礼拜|第[一二三]天|小时候|年轻时|本来|当年|当时|曾经?|正式|早上|晚上|不是|是|在|人|一个人|[跟和][^，。在]{1,4}(?=[在去住都也]|一起)|[一二三四五六七八九十\d]+月底?|[年月]底|[一二三四五六七八九十两几\d]+年前?|从[^，。]{1,8}?(?=[搬到去])|最多|能|会|不(?=[在住])|快|偶尔|经常|主要|暂时|全家|天天|大学|研究生|高中|\s)/uy

/** The place of an act, in front of its verb: 在成都做插画师. */
const HAN_PLACE = /在[^，。！？,\s在]{1,8}?(?=[做当养干])/uy

function* englishHeads(clause: string): Generator<Head> {
  for (const { 0: pronoun, index } of clause.matchAll(PRONOUN)) yield* behind(clause, pronoun, index + pronoun.length)
  for (const { 0: owned, index } of clause.matchAll(OWNED)) {
    let end = index + owned.length
    for (let words = 1; words <= MOST_OWNED_WORDS; words += 1) {
      yield* behind(clause, clause.slice(index, end), end)
      NEXT_WORD.lastIndex = end
      const next = NEXT_WORD.exec(clause)?.[0]
      if (next === undefined) break
      end += next.length
    }
  }
  for (const { 0: name, index } of clause.matchAll(NAME)) yield* behind(clause, name, index + name.length)
  for (const { 0: relative, index } of clause.matchAll(RELATIVE))
    yield* behind(clause, relative, index + relative.length)
  for (const { 0: join, index } of clause.matchAll(JOINS)) yield* behind(clause, undefined, index + join.length)
}

/** The place behind the subject, and behind each word beside the verb. */
function* behind(clause: string, subject: string | undefined, from: number): Generator<Head> {
  SPACE.lastIndex = from
  let at = from + (SPACE.exec(clause)?.[0].length ?? 0)
  yield { subject, at }
  for (at = from; ; ) {
    BESIDE_VERB.lastIndex = at
    const word = BESIDE_VERB.exec(clause)?.[0]
    if (word === undefined || word === '') return
    at += word.length
    yield { subject, at }
  }
}

/** The pattern of a Chinese subject: 我们, 我姐夫, 我表弟小张, 老王. */
const hanSubjectPattern = lazy(() => {
  const relations = wordTable('relations')
    .flatMap((line) => line.split('|')[3]!.split(/\s+/))
    .map((word) => word.replace(/^我(?!家|的)/u, ''))
    .filter((word) => word.length > 1 || /[妈爸哥弟姐妹娃]/u.test(word))
    .toSorted((a, b) => b.length - a.length)
    .join('|')
  return new RegExp(
    `(?:我?(?:家|的|们的?)?(?:大|小|二|三)?(?:${relations})(?:${HAN_NAME}|\\p{Script=Han}{2,3}(?=今|现|也|在|是|对|就|都|\\d))?|我们|我家里?|我的?|咱们?|俺|他们?|她们?|本人|家里|${HAN_NAME}|\\p{Script=Han}{2,3}(?=对[^，。]{1,6}过敏))`,
    'uy',
  )
})

function* hanHeads(clause: string): Generator<Head> {
  const hanSubject = hanSubjectPattern()
  const lead = HAN_LEAD.exec(clause)?.[0].length ?? 0
  hanSubject.lastIndex = lead
  let subject = hanSubject.exec(clause)?.[0]
  for (let at = lead + (subject?.length ?? 0); ; ) {
    yield { subject, at }
    HAN_PLACE.lastIndex = at
    if (HAN_PLACE.test(clause)) yield { subject, at: HAN_PLACE.lastIndex }
    HAN_BESIDE_VERB.lastIndex = at
    const word = HAN_BESIDE_VERB.exec(clause)?.[0]
    if (word === undefined) return
    at += word.length
    // 下周一起我就是…: the time stands before the subject.
    hanSubject.lastIndex = at
    subject ??= hanSubject.exec(clause)?.[0]
    at = Math.max(at, hanSubject.lastIndex)
  }
}

/** The reading of a form: the words of the value, and the person of the clause, if it names one. */
export interface Stated {
  readonly value: string
  readonly subject: string | undefined
  /** Whether a denial stands beside its verb: "not allergic to", 对…不过敏. */
  readonly denied: boolean
}

/** A day with its month, with or without weekday and year. */
const ENGLISH_DAY = String.raw`(?:${FULL_WEEKDAY}${MARK}? (?:the )?)?(?:${DAY}(?: of)? ${MONTH}|${MONTH} (?:the )?${DAY})\b(?:${MARK}? ?(?:(?:19|20)|['’])\d\d\b)?`
const NUMERIC_DAY = String.raw`(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{4}${MARK}\d{1,2}${MARK}\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{2,4}|\d{1,2}${MARK}\d{1,2}${MARK}\d{2,4})(?!\d)`
const CHINESE_DAY =
  '(?:(?:\\d{4}|\\d{2}|[〇零一二三四五六七八九]{2,4}) ?年 ?)?(?:农历|阴历|阳历)?(?:\\d{1,2}|[一二三四五六七八九十冬腊正]{1,3}) ?月 ?(?:\\d{1,2}|[初一二三四五六七八九十廿]{1,3}) ?[号日]?'
/** An amount of money: 3,500元, 两万三千五百块, 2.5万. */
const CHINESE_AMOUNT = String.raw`(?<!\d|${MARK})(?:\d+(?:${MARK}\d+)* ?[kKwW千万]?|[一二两三四五六七八九十百千万零点半]{2,14}) ?(?:元|块)?`
const CHINESE_HOUR = String.raw`(?:\d{1,2}${MARK}\d\d|[一二三四五六七八九十\d]{1,3}点[半\d一二三四五十]*分?)`

/** The value of an English form: up to the end of the clause or a word that begins another thought. */
export const ENGLISH_VALUE = String.raw`(?<v>[^,;:!?\n()–—]{1,60}?)(?=\s*(?:$|[,;:!?\n()–—]|(?<!\b(?:Dr|Mrs?|Ms|\w))\.(?:\s|$)|\s-)|\s+(?:and (?:i|my|we|now|then|it|is|was|am|has|have|\w+ed|\w+s|\w+ing)|but|so|because|since|where|which|who|while|when|if|that|to be|these days|now|nowadays|as of|from now|for (?:the|\d|a|an|my|two|three|ten|years|ages|many|over|almost|about)|at the moment|right now|instead|today|anymore|any more|already|again|haha|hahaha|lol|lmao|atm|rn|tho|though|btw|tbh|fwiw|fyi|with (?:my|our|a|the|his|her)|as (?:an?|the|my|our)|on (?:weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)|(?:next|this|last) (?:night|weekend|week|month|year|spring|summer|autumn|winter|fall|${MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|yesterday|tomorrow|tonight|until|till|(?:\w+ |a (?:few|couple of) ){1,2}(?:days?|weeks?|months?|years?|hours?) ago|in (?:(?:19|20)\d\d\b|january|february|march|april|may|june|july|august|september|october|november|december))\b|\s+(?:on|since|until|till|from|by|before|after) (?:the )?(?:${ENGLISH_DAY}|${NUMERIC_DAY}|${DAY}\b|${FULL_WEEKDAY}))`
const CHINESE_VALUE =
  '(?<v>[^，。；：！？,;!?\\n（）]{1,24}?)(?=[，。；！？,;!?\\n（）]|$|了(?:[，。！,]|$)|的(?:时候|日子|[，。！？,!?]|$))'

/** The place behind a form of "be". */
const ENGLISH_BE = String.raw`(?<=(?:\b(?:am|is|are|was|im|became|been|be|not|now|currently|also|still|just|actually|originally|both|all|recently|fully|gone|went|strictly|born)|['’](?:m|s|re)) )`
/**
 * English forms: key, with a kind where it is not the attribute's own | pattern. In it, `{s}` is the beginning of a
 * predicate, `{be}` ends in "am", `{v}` is the value, `{a list}` any word of it.
 */
const ENGLISH = String.raw`
employer|{s}(?:work|works|working|worked)(?: now| currently| part-time| full-time| remotely)* (?:at|for) {v}
employer|{s}(?:first (?:day|week|shift|morning) at|start|starts|started|starting|begin|began)(?: work(?:ing)?| a (?:new )?(?:job|role|position))? at (?![^,.;!?]{0,40}\b(?:school|academy|nursery|primary|college|kindergarten|pre-?school|university|uni|reception|grade)\b){v}
employer|{s}(?:join|joins|joined|joining) (?!.{0,50}\b(?:club|gym|choir|call|meeting|association|society|league|church|group|team|community|class|course|band|network|program(?:me)?|party|chat|server)\b){v}
employer|{s}{be}(?:an?|the) (?:[\w-]+ ){0,3}?{occupations} (?:at|for) {v}
employer|\bas (?:an? |the )?(?:[\w-]+ ){0,3}?{occupations} (?:at|for) {v}
job:trade|{s}(?:work|works|working|worked|job is|job was)(?: now| part-time| full-time| remotely| [\w' -]{0,30}?)? as (?:an? |the )?{v}
job|{s}{be}(?:an? |the )?{v}
job|\b(?:day|week|shift|month|job|career|life|work|role|years?|experience|hired|position|gig|trade) as an? (?=[^,;.]{3,40}(?:$|[,;.]| (?:at|for|in)\b)){v}
job|{s}(?:promoted|appointed|hired)(?: to| as)(?: be)? (?:an? |the )?{v}
home|{s}(?:rent|rents|renting|share|sharing|shares|bought|buy|own|owns|have|got) (?:an?|the|our) (?:[\w-]+ ){0,2}(?:flat|house|room|bed|bedsit|studio|cottage|apartment|bungalow|terrace) (?:in|on|near) {v}
home|{s}(?:live|lives|living|lived|based|settled(?: down)?|reside|resides|residing)(?: now| out| here| back| over| up| down)? (?:in|at|on|near) (?!(?:a hurry|fear|hope|the moment|the past)\b){v}
home|{s}(?<!\b(?:was|were|been|be|are) )(?:move|moved|moves|moving|relocated|relocating)(?: back| house| here| over| out| up| down)* (?:from \S+(?: \S+)? )?(?:to|into) {v}
hometown|{s}(?:(?:come|comes|came|hail|hails)(?: originally)? |{be})from (?=(?-i:[A-Z]))(?!.*\b(?:to|until|till)\b){v}
hometown|{s}(?:grew up|grow up|was born|born|raised|born and raised) in (?!\d){v}
name|(?:^|\b(?:and|but|hi|hey|hello|so)[,!]? )(?:(?:hi|hey|hello)[,!]? )?(?:my name is|my name['’]s|the name['’]s|(?:please |you can |just )?call me|i['’]m called|i go by) {v}
age|{s}(?:(?:turned|turn|turns|turning) |{be})(?<v>\d{1,3}(?:${MARK}\d)?)(?: years old)?(?=$|[,.;!]| (?:and|but|so|with|when|this year|today|yesterday|now|(?:last|next) (?:week|month|${FULL_WEEKDAY})|on ${FULL_WEEKDAY}|in ${MONTH})\b)
age|\b(?:was|is|celebrated|had) my (?<v>\d{1,3})(?:st|nd|rd|th) birthday\b(?! next)
age|{s}(?:(?:turned|turns|turning) |{be})(?<v>two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?)(?: years old| today| now)?(?=$|[,.;!]| (?:and|but)\b)
birthday|{s}born(?: in [^,;!?]{1,40}?)?(?: on)? (?:the )?(?<v>${ENGLISH_DAY}|${NUMERIC_DAY})
birthday|\b(?:birthday|date of birth)(?: is| was|'s)?(?: coming up)?(?: on)? (?:the )?(?<v>${ENGLISH_DAY}|${NUMERIC_DAY}|${MONTH}(?=\s*(?:$|[.,;!?]))|\d{1,2}(?:st|nd|rd|th))
diet|{s}(?:(?:turned|became|go|going|eat|eats) |{be})(?:an? )?(?:strict |full |mostly |lifelong )?(?<v>{diets})(?=$|[,.;!?]| (?:and|but|for|since|now|so|because|these|as|too|again|person|diet|meals?)\b)
diet|{s}(?<v>(?:do not|don['’]t|doesn['’]t|does not|never|can['’]t|cannot|won['’]t|no longer) (?:like to eat|like eating|eat) (?:any )?(?:\w+ ){0,2}?{foods}(?:e?s)?\b)
diet|{s}(?<=\b(?:i|we|he|she|[a-z]+|['’]\w) )(?<v>(?:do not|don['’]t|doesn['’]t|does not|never|no longer) eat (?!much|well|enough|out|at|in|on|before|after|like|as|too|until|when|it|that|this|them|there|here|lunch|breakfast|dinner|anything|everything|together|alone|healthy|right|properly)[a-z-]+(?: [a-z-]+)?)(?=$|[,.;!]| (?:and|but|or|so|because)\b)
diet|{s}(?<v>(?:can['’]t|cannot|can not|am not able to) (?:have|eat|drink|tolerate) (?:any )?(?:\w+ ){0,1}?{foods}(?:e?s)?)(?=$|[,.;!]| (?:and|or|so|but|because|since)\b)
allergy|{s}(?:\w+ )?(?:allergic|intolerant) to {v}
allergy|{s}(?:have|has|got|with)? ?(?:an? )?(?:severe |mild |bad |serious |life-threatening )?(?<v>{foods}) (?:allergy|allergies|intolerance|intolerant)\b
alcohol|{s}(?<v>(?:do not|don['’]t|doesn['’]t|never|no longer|stopped) drink(?:ing)?(?: alcohol| at all| any ?more)?)(?=$|[,.;!?])
drink|{s}drinks? (?:my |a |an |only |mostly |lots of |some )?(?<v>(?:[\w-]+ ){0,3}{drinks})\b
car|{s}(?:(?:drive|drives|driving) (?:an? |the |my |our |his |her )|(?:bought|got|picked up|leased|ordered|have|has|own|owns) (?:an? |my |our ))(?:new |second-hand |used )?(?<v>(?:[\w-]+ ){0,3}?{cars}(?: (?-i:[A-Z\d])[\w-]*| [a-z]*\d[\w-]*)*)\b(?! (?:park|seat|wash|insurance|reserved|ride|crash|keys?)\b)
instrument|{s}(?:(?!me\b|him\b|her\b|us\b)[\w'’]+ ){0,5}?(?:plays?|playing|learn|learning|took up|practi[sc]ing)(?: how)?(?: to play)? (?:the )?(?<v>{instruments})\b(?! (?:recital|concert|lesson|must|is|was|can|would))
spoken_language|{s}(?:speaks?|speaking|fluent in|learning|learn|studying|native)(?: to speak| how to speak)? (?:fluent |some |a bit of |a little )?(?<v>{languages})(?=\s*(?:$|[,.;!?–—-])|\s+(?:and|but|at|in|for|since|with|well|now|on|from|to|too|as|every|fluently|again|because|so)\b)
pet|{s}(?:have|has|keep|keeps|got|adopted|own|owns|bought|getting|rescued) (?<v>(?:an? |two |three |four |five |six |\d |my |our )(?:[\w-]+ ){0,2}?{animals}(?:e?s)?)\b(?! (?:food|sitter|person|lover|allergy|hair|toy|bed|walker)\b)
school|{s}(?:{be}(?:at|in)|attend|attends|starts?|started|starting|goes to|go to|moved to|joined) (?:the )?(?<v>(?:(?-i:[A-Z][\w'.]+) ){0,3}(?:(?-i:School|College)|nursery|kindergarten|preschool|primary school|primary|secondary school|high school|grammar school|academy|elementary|year \w+|grade \w+|\w+ grade|reception class))(?=$|[,.;!?]| (?:and|but|in|on|this|next|now|from|with)\b)
university|{s}(?:(?:study|studies|studying|studied|(?:an? )?student|graduated|go|went)(?: [\w ]{1,30}?)? (?:at|from|to)|attend(?:s|ing|ed)?) (?=(?-i:[A-Z]{2,6})\b|[^,;.]*\b(?:university|college|institute|polytechnic|school of)\b|(?-i:Stanford|Harvard|Yale|Oxford|Cambridge|Princeton|Cornell|Berkeley)\b){v}
major|{s}(?:study|studies|studying|studied|major(?:s|ing|ed)? in|did|doing)(?: for)?(?: an?| my)?(?: (?:bachelor['’]?s|master['’]?s|phd|degree))?(?: (?:degree|in))* (?<v>(?:[\w-]+ )?{fields})(?=$|[,.;!?]| (?:and|but|at|in|for|with|because|so|part|full|now)\b)
major|\b(?:degree|master['’]?s|bachelor['’]?s|phd|ph\.d|mba|m[as]c?|b[as]c?) in (?<v>(?:(?-i:[A-Z][\w&]+) (?:(?:and|of|&) )?)*(?:(?:[\w-]+ )?{fields}\b|(?-i:[A-Z][\w&]+)))
business|{s}(?:run|runs|running|own|owns|opened) (?:my own |our own |an? |two |three )(?<v>(?:[\w'-]+ ){0,3}?{workplaces})(?=$|[,.;!]| (?:and|but|so|in|on|with|w|near|at|outside|called|together)\b)
illness|{s}(?:have|has|got|have got|has got|suffer from|suffers from|diagnosed with|living with|lives with|live with)(?: had| an?| severe| mild| chronic| bad)* (?<v>(?:type [12] )?{illnesses})(?=$|[,.;!]| (?:and|but|so|since|for|that|which|as|too|which)\b)
illness|{s}{be}(?:an? |quite |partly |severely )?(?<v>(?:type [12] )?{illnesses})(?=$|[,.;!]| (?:and|but|so|since|as|too|in)\b)
medication|{s}(?:take|takes|taking|prescribed|on|started|put on)(?: some| a| my| the| daily)? (?<v>(?:\d+ ?(?:mg|mcg|ml) (?:of )?)?(?:{medicines}|[a-z]{4,}(?:statin|pril|olol|sartan|oxetine|prazole|cillin|formin|idine|azepam|triptan|mab))(?:,? ?\d+ ?(?:mg|mcg|ml))?)\b
wake_time|{s}(?:get|gets|wake|wakes|getting|waking) up (?:at|around|about) {v}
editor|{s}(?:use|uses|using|switched to|moved to|code in|write in|working in|on|everything in) (?<v>vim|neovim|emacs|vs ?code|intellij|pycharm|webstorm|sublime(?: text)?|zed|helix|cursor|goland|xcode|android studio|nano|kakoune)\b
partner|{s}(?:married to|engaged to|dating|seeing|going out with|married) {v}
port|\b(?:port|listens on|runs on port)(?: is| now| to| changed| moved)* (?<v>\d{2,5})\b(?!${MARK}\d)
`
/** Chinese forms. */
const CHINESE = String.raw`
employer|{s}(?<![今昨明]天|下午|上午)在(?<v>[^，。！？,\s在]{2,16}?)(?:上班|工作|任职|就职|做事|打工|供职|干活|干了)(?!日|的时候|时|服|量|经|人|压|中|忙|太)
employer|{s}在(?![用跟和给为帮])(?<v>[^，。！？,\s在]{0,8}?(?:{han-workplaces}|[A-Za-z]{2,}|局|院|所|行))(?:做|写|管|负责|当|担任)(?![完了过])(?=[^，。！？,\s]{1,8}(?:[，。！？,\s]|$))
employer|{s}(?:去|到)(?:了)?(?<v>[^，。！？,\s]{2,10}?)(?:报到|入职|上班)
employer|{s}(?:入职|跳槽到|跳槽去|新东家是|新公司是)(?:了)?(?<v>[^，。！？,\s]{2,16}?)(?=了?(?:[，。！？,\s]|$)|上班|工作|报到)
employer|{s}(?:加入|跳到|去了|进了|签了)(?:了)?(?<v>[^，。！？,\s]{0,10}?(?:{han-workplaces}|局|院|所|行))(?=[，。！？,\s]|上班|工作|报到|$)
job|{s}(?:(?<=是)|做|当了?|干|升[到为]?|转[到为]?)(?:一名|一个|一位|个|名|位|了)?(?<v>[^，。！？,\s的是]{0,8}{han-occupations})(?=[，。！？,\s]|$|了)
job:trade|{s}(?<=是)(?<v>(?:开|教|做|搞|卖|跑|修|种|养|当|带|画|写|送|打)(?!玩笑|心)[^，。！？,\s来去到给了过]{1,8})的(?=[，。！？,\s]|$)
home|{s}(?:住在|住到|住进|定居在|定居|落户到|落户|租在|租住在|合租在|住)(?!院|了|过|得|的|校|不|宿|处|一起|下|这|那){v}
home|{s}(?:搬到|搬去|搬来|搬进|搬回)(?:了)?(?!一起|新?办公|会议室|另一|楼上|隔壁){v}
home|{s}(?<=在)(?<v>{towns}[^，。！？,\s的]{0,5}?|[^，。！？,\s的]{1,7}?[市区县镇乡村路街道巷弄园苑湾城州山岛港郊东南西北桥门])(?:租|买)[了的]?(?:一?[个套间])?[^，。！？,\s]{0,3}(?:房(?![车卡])|[一两二三四]居|公寓|单间)
home|{s}(?<=在)(?<v>{towns}(?:[^，。！？,\s]{1,5}?[区县镇村路街苑园湾弄]|[^，。！？,\s]{1,4}?(?=住(?!院)))?)(?=[，。！？,\s]|$|住(?!院)|开[^会车]|生活|定居|安家|养老)
home|^(?:我们?家|咱家|俺家|新家|现在家)(?:现在|就|目前|还)?在(?!家|办|搞|装){v}
hometown|{s}(?<v>{towns})人(?=[，。！？,\s]|$)
hometown|{s}(?<=是)(?<v>[^，。！？,\s是]{1,2}[省市县区镇乡村州城山岛港江湖海东南西北川汕])人(?=[，。！？,\s]|$)
hometown|(?:老家|家乡|祖籍|籍贯)(?:是|就?在){v}
name|(?:我叫|我的?名字是|我名字叫|(?<=^|^请|^就|以后|可以|都|你|^平时)叫我|我的名字叫)(?!什么|他|她|你|了|去|来|做){v}
name|我姓(?<v>[^，。！？,\s]{1,2})(?=[，。！？,\s]|$)
age|{s}(?:满|刚满|才)?(?<![\d.到至-])(?<v>(?:\d{1,3}(?:${MARK}\d)?|[一二两三四五六七八九十百零]{1,5})岁半?)(?=[，。！？,\s]|$|了|生日|啦)
age|{s}(?:刚?满|(?<=^我|今年)(?:刚|已经|都)?)(?<v>\d{2}|[二三四五六七八九]?十[一二三四五六七八九]?)(?=了?(?:[，。！,\s]|$))
age|(?<v>(?:\d{1,2}|[一二两三四五六七八九十]{1,3})岁半?)的小?(?<s>女儿|儿子|闺女)
birthday|(?:生日|出生日期|出生于|生于)(?:是|在|为)?[:：]? ?(?<v>${CHINESE_DAY}|${NUMERIC_DAY})
birthday|(?<v>${CHINESE_DAY}|${NUMERIC_DAY}) ?(?:出生|生日?(?=的?(?:[，。！？,\s]|$)))
diet|{s}(?<v>(?:不|不能|从不|从来不|不再|绝不)吃{foods}?)(?=[，。！？,\s了的]|$)
diet|{s}(?<v>吃素|素食|全素|纯素|清真|无麸质|生酮|轻断食)(?=[，。！？,\s了]|$|者|主义)
allergy|{s}对(?<v>[^，。！？,\s]{1,8}?)(?:严重|轻微|有点|会|都|也|并?不)?过敏
allergy|(?<s>我)(?:现在|其实|好像|可能|并|也)?对(?<v>[^，。！？,\s]{1,8}?)(?:严重|轻微|有点|会|都|也|并?不)?过敏
allergy|{s}(?:有)?(?<v>{foods})(?:过敏(?![史原者])|不耐)
alcohol|{s}(?<v>不喝酒|滴酒不沾|戒酒|不沾酒|不碰酒)
smoking|{s}(?<v>不抽烟|戒烟|不吸烟|不碰烟|抽烟)(?=[，。！？,\s了]|$)
drink|{s}(?:爱|改|喜欢|习惯)?喝(?:一?[杯点])?(?<v>[^，。！？,\s了的]{0,4}{drinks})(?=[，。！？,\s]|$|了)
car|{s}(?:开|开的是|开着|提了|买了|换了)(?:一?辆|台|的是)(?!会|[^，。！？,\s]{0,8}(?:{han-workplaces}|[店馆铺厂网])(?:[，。！？,\s]|$)){v}
car|车(?:是|换成|换了)(?:一?辆|台|的是)?{v}
instrument|(?:弹|拉|吹|学|练|打)(?<v>{instruments})
spoken_language|{s}(?:会说|会讲|说|讲|在?学了?|懂|在[^，。]{1,6}学)(?<v>{languages})(?=[，。！？,\s了和、也]|$)
pet|{s}(?:养了|养着|养|领养了|收养了)(?:一?[只条头匹窝缸对个])?(?<v>(?:(?:[两三四五六几]|\d+)[只条头匹窝缸对个])?(?![这那])[^，。！？,\s的]{0,4}{animals})
school|{s}(?:[^，。]{0,3}|在[^，。！？,\s]{1,8}?)(?:上|读|念|在|考上|去|升[入到上]?)(?:的是)?(?<v>[^，。！？,\s当教考上]{0,8}(?:小学|初中|高中|幼儿园|中学|附小|附中|大班|中班|小班|[一二三四五六]年级|初[一二三]|高[一二三]))(?=[，。！？,\s了]|$|上学|[读念])
university|{s}(?:在|毕业于|考上了?)(?<v>[^，。！？,\s]{1,10}(?:大学|学院|大|师大|理工))(?=读|上|念|学(?!校|生)|毕业|[，。！？]|$)
major|{s}(?:主修|专业是|专业学|学的是|念的是|转到|转去|读|学|念)(?<v>(?!习|的)[^，。！？,\s]{0,4}{fields})(?:专业|系)?(?=[，。！？,\s的]|$)
major|{s}(?:主修|专业是|学的是|念的是|转到|转去|读|学|念)(?<v>(?!习|[的完了过会])[^，。！？,\s]{2,10}?)(?:专业|(?<![关联体干派])系(?![统列数]))
business|{s}(?:自己)?(?:开了?|经营)(?:着|过)?(?:了?[一两三]?[家间个])(?<v>[^，。！？,\s了]{0,6}(?:店|馆|铺|厂|公司|工作室|诊所|民宿|农场))(?=[，。！？,\s了]|$)
illness|{s}(?:一直|常年|都|也)?(?:有|得了|患有?|查出|确诊)(?:严重|轻微|轻度|慢性|先天性|先天|点|些)?(?:的)?(?<v>{illnesses})(?=[，。！,\s了]|$)
medication|(?:在吃|吃着|改吃|换成|开了|吃的是|吃)了?(?:[一二两三四半\d]*[片粒颗])?(?<v>[^，。！？,\s]{2,8}素|[^，。！？,\s]{1,8}(?:片|平|坦|唑|胶囊|颗粒|丸|洛尔|他汀|双胍|列汀|地平|沙坦|普利|西林|霉素|冲剂))
wake_time|(?<v>${CHINESE_HOUR})(?:就)?起床
bedtime|(?<v>${CHINESE_HOUR})(?:就|才|才?能)?(?:睡|上床|躺下)
rent|(?:房租|租金)(?:一个?月|每个?月|月付|现在|从[^，。,\s]{1,8}|涨到了?|降到了?|涨成了?|要|才|是|到)* ?(?<v>${CHINESE_AMOUNT})(?=$|[^\d.%％点号日月~–—至到-])
salary|(?:工资|月薪|薪水|年薪)(?:一个?月|每个?月|现在|从[^，。,\s]{1,8}|涨到了?|降到了?|涨成了?|到手|税前|税后|才|是|有|到)* ?(?<v>${CHINESE_AMOUNT})(?=$|[^\d.%％点号日月~–—至到-])
editor|(?:用|换成|换到|转到|改用|迁到|切到)(?:的是|了)? ?(?<v>vim|neovim|emacs|vs ?code|intellij|idea|pycharm|webstorm|sublime|zed|helix|cursor|goland|xcode)(?![A-Za-z])
port|端口(?:是|为|改成|换成|改为|用)?:? ?(?<v>\d{2,5})
`

/** One way of stating an attribute. */
interface Form {
  readonly key: string
  readonly kind: Kind
  /** Whether it begins where a predicate does. */
  readonly atHead: boolean
  /** Reads it at one of these places. */
  readonly read: (clause: string, heads: readonly Head[]) => Stated | null
}

const TABLES = [
  tableOf(ENGLISH, /[A-Za-z]/, 'a', new RegExp(ENGLISH_VALUE, 'iy')),
  tableOf(CHINESE, /\p{Script=Han}/u, '一', new RegExp(CHINESE_VALUE, 'y')),
]

/** The attributes that a clause states, in its words and its forms' order. */
export function* formsIn(clause: string): Generator<Pick<Form, 'key' | 'kind'> & { readonly said: Stated }> {
  const heads = [...(hasHan(clause) ? hanHeads(clause) : englishHeads(clause))]
  for (const { script, forms } of TABLES) {
    if (!script.test(clause)) continue
    for (const { key, kind, atHead, read } of forms) {
      const said = read(clause, atHead ? heads : ANYWHERE)
      if (said !== null) yield { key, kind, said }
    }
  }
}

/** Makes the patterns of all forms, with pauses: they take a tenth of a second, most of it when they read a second time. */
export function* readyForms(): Generator<void, void> {
  for (const { forms, sample } of TABLES)
    for (const { read } of forms)
      for (let time = 0; time < 2; time += 1) {
        read(sample, ANYWHERE)
        yield
      }
}

/** The forms of a language, whose letters a clause must have; the sample reads like a clause and says nothing. */
function tableOf(table: string, script: RegExp, sample: string, value: RegExp) {
  const lines = table.trim().split('\n')
  const forms = lines.map((line): Form => {
    const [key = '', kind] = line.slice(0, line.indexOf('|')).split(':')
    const source = line.slice(line.indexOf('|') + 1)
    return {
      key,
      kind: (kind as Kind | undefined) ?? kindOf(key) ?? (source.includes('{v}') ? 'thing' : 'listed'),
      atHead: isAtHead(source),
      read: lazily(source, value),
    }
  })
  return { script, sample, forms }
}

/** Made when it is first asked for. A value that ends the form is read by one pattern that all forms share. */
function lazily(source: string, value: RegExp): Form['read'] {
  const atHead = isAtHead(source)
  const needsBe = source.includes('{be}')
  const endsInValue = source.endsWith('{v}')
  let pattern: RegExp | undefined
  return (clause, heads) => {
    for (const { at, subject } of heads) {
      pattern ??= patternOf(wholeOf(source), atHead ? 'y' : 'g')
      if (subject === undefined && needsBe && !BE.test(clause.slice(0, at))) continue
      pattern.lastIndex = at
      const found = pattern.exec(clause)
      if (found === null || (atHead && subject === undefined && ORDERS.test(found[0]))) continue
      value.lastIndex = pattern.lastIndex
      const said = (endsInValue ? value.exec(clause) : found)?.groups?.v
      if (said === undefined) continue
      const denied = DENIED.test(clause.slice(0, found.index + found[0].length).replace(said, ''))
      return { value: said, subject: found.groups?.s ?? subject, denied }
    }
    return null
  }
}

/** "Drink water": an order to somebody, and a statement of nobody. */
const ORDERS =
  /^(?:drink|drive|eat|play|use|take|live|work|join|speak|learn|study|get|go|have|keep|move|wake|attend|start|begin|buy|own|rent|share|be)\b/i
const DENIED =
  /\b(?:not(?! only)|never|no longer|\w{2,6}n['’]t)(?:\s{1,2}\w{1,12})?\s{1,2}(?:\w{1,12}\s{1,2})?(?:allerg|intoleran)\w{1,3}(?: to )?$|\b(?:not|never|no longer|\w{2,6}n['’]t)\s{1,2}(?:an?\s)?$|不过敏$|不是(?:对?过敏)?$/i
const BE = /(?:\b(?:am|is|are|was|im|became|been|gone|went|born)|['’](?:m|s|re)) (?:\w{1,40} )?$/i
const ANYWHERE = [{ at: 0, subject: undefined }]

function isAtHead(source: string): boolean {
  return source.startsWith('{s}')
}

/** A value that ends in a word of a list: another such word may follow, "two cats and a dog". */
const ENDS_LISTED = /\{([a-z-]{1,40})\}(\(\?:e\?s\)\?)?\)(?![?*])/g

/** A part that minds case, an escape, the head of a named group, a class, or a letter. */
const PIECES = /\(\?-i:(?:[^()[]|\[[^\]]{0,40}\]){0,200}\)|\\.|\(\?<\w{1,20}>|\[[^\]]{0,200}\]|[a-z]/gi

/** Reads without case but in `(?-i:…)`, which V8 may lose between alternatives: there all other letters stand in both cases. */
function patternOf(source: string, flag: 'y' | 'g'): RegExp {
  if (!source.includes('(?-i:')) return new RegExp(source, `i${flag}`)
  const inBothCases = source.replace(PIECES, (piece) => {
    if (piece.startsWith('(?-i:')) return piece.replace('-i', '')
    if (piece.startsWith('[')) return piece.replace(/\\.|[a-z]-[a-z]|[a-z]/gi, bothCases)
    return piece.length > 1 ? piece : `[${bothCases(piece)}]`
  })
  return new RegExp(inBothCases, flag)
}

function wholeOf(source: string): string {
  return source
    .replace(/^\{s\}|\{v\}$/g, '')
    .replace(
      ENDS_LISTED,
      (end, list: string, plural = '') =>
        `${end.slice(0, -1)}(?:(?:,? and |, |、|和)(?:an? |two |three |[\\d一两三四五]{1,2}[只条头匹]?)?{${list}}${plural}){0,3})`,
    )
    .replace(/\{([a-z][a-z-]{0,40})\}/g, (_, name: string) => (name === 'be' ? ENGLISH_BE : anyOf(name)))
}
