/**
 * Which sentences of an episode say something lasting about the user (SemanticWriter without a model, 002 R6)? Each is
 * judged for itself; one that may pass, be unreal, or be of somebody else gives nothing.
 */
import { DAY_MS } from '../../domain/clock.ts'
import type { Category, Memory } from '../../domain/memory.ts'
import type { DecisionReason } from '../../domain/thought.ts'
import { speaksOfPreference } from '../../language/preference.ts'
import { isQuestion } from '../../language/questions.ts'
import { maskSecrets } from '../../language/secrets/mask-secrets.ts'
import { splitSentences } from '../../language/sentences.ts'
import { tenseAt } from '../../language/tense.ts'
import { indexTerms, isGenericTerm } from '../../language/terms.ts'
import { clausesOf, standaloneClause, withoutUnreal } from '../facts/clauses.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { rarityOf, tellingWords } from '../topic/word-rarity.ts'
import { decideByRules } from '../write-decision/decide-by-rules.ts'
import { refersBack } from '../write-decision/self-contained.ts'
import type { SemanticAnswer, SemanticFact, SemanticGround, SemanticRefusal } from './semantic-fact.ts'

const SUBJECT = String.raw`(?:\b(?:i|we|(?:the )?user|he|she|they)(?:['’](?:m|ve|s|re))?|我们?|用户|本人)`
const OWN = String.raw`\b(?:i|we|(?:the )?user)\b|\b(?:my|our|(?:the )?user['’]s)\b|我|用户|本人`

/** The sentence speaks of the user, or leaves the subject out as notes do ("Works at …", 住在…). */
const OWN_SUBJECT = new RegExp(OWN, 'i')
const OMITTED_SUBJECT =
  /^(?:(?:also |still |now |currently )?(?:works?|lives?|studies|studying|majors?|majoring|speaks?|prefers?|likes?|loves?|hates?|enjoys?|plays?|uses?|drinks?|eats?|runs|goes|has been|owns?|researches|teaches|based in|born in|comes from)\b|(?:一直|平时|每[天周月]|经常|总是|从来|住在|在.{1,12}(?:工作|上班|上学|读书)|喜欢|偏好|讨厌|习惯|主修|专业是|从事|就读|毕业于|来自))/i
/** Clauses with somebody else as the subject: "My sister works at …", 我妈妈在…, 老周是…. */
const OTHER_SUBJECT =
  /^(?:(?:and|but|so|also)\s+)?(?:my|our|the user['’]s)\s+(?:\w+\s+)?(?:sister|brother|mother|mom|mum|father|dad|parents?|son|daughter|wife|husband|partner|girlfriend|boyfriend|friend|colleague|coworker|boss|manager|neighbou?r|cousin|aunt|uncle|grand\w+|roommate|teacher|doctor|team|company|client)s?\s+(?!name|is called|'s name)|^(?:我|用户)的?(?:姐姐|妹妹|哥哥|弟弟|妈妈?|母亲|爸爸?|父亲|爷爷|奶奶|外公|外婆|老婆|老公|妻子|丈夫|女儿|儿子|朋友|同事|老板|领导|邻居|室友|同学|老师|女朋友|男朋友|对象)(?!叫|是我|的?名字)/i

/** R6.2: major, job, place, field of research, and traits of a person. */
const IDENTITY = new RegExp(
  [
    String.raw`\bmy (?:full |first |last )?(?:name|job|profession|occupation|major|minor|field|degree|research|thesis|birthday|hometown|home town|native language|mother tongue|nationality|age|pronouns|employer|wife|husband|partner|daughter|son|sister|brother|dog|cat)(?:['’]s name)?(?: (?:area|direction|topic|focus))? (?:is|are|was on)\b`,
    String.raw`${SUBJECT}\s*(?:(?:am|is|are)\s+)?(?:(?:also|still|currently|now|actually|originally|both)\s+)*(?:(?:work(?:s|ing)?|worked) (?:as|at|for|in|on the|from)|liv(?:e|es|ing) (?:in|at|near|on|with)|based in|located in|reside|come(?:s)? from|from\b|stud(?:y|ies|ying)\b|major(?:s|ing)? in|research(?:es|ing)?\b|teach(?:es|ing)?\b|speak(?:s)?\b|grew up|(?:was )?born|married|called|named|own(?:s)?\b|have (?:a|an|two|three|four|five|\d+) (?:\w+ )?(?:kids?|child(?:ren)?|sons?|daughters?|dogs?|cats?|sisters?|brothers?|degree|ph\.?d)|(?:have|has) been (?:working|living|studying|teaching)|allergic to|(?:a |an )?(?:vegetarian|vegan|left-handed|colou?r-?blind|diabetic))`,
    String.raw`${SUBJECT}\s*(?:am|is|are|['’]m)?\s*(?:a|an|the)\s+(?:\w+[\s-]){0,3}(?:engineer|developer|programmer|designer|teacher|student|nurse|doctor|lawyer|scientist|researcher|manager|analyst|writer|artist|musician|accountant|consultant|architect|chef|pilot|freelancer|founder|professor|postdoc|graduate|undergraduate|sophomore|freshman|junior|senior|therapist|pharmacist|dentist|electrician|plumber|carpenter|farmer|translator|editor|journalist|photographer|administrator|lead|director|officer|mechanic|vet|biologist|chemist|physicist|economist|mathematician|historian|librarian|midwife|paramedic|surgeon|\w{3,}(?:ist|ician))\b`,
    String.raw`(?:moved to|relocated to|started (?:working|a (?:new )?job|my (?:phd|degree|job)) (?:as|at|for|in)|joined \p{Lu}[\p{L}\p{N}]+)`,
    String.raw`(?:我|用户|本人|^)(?:现在|目前|一直|本来|其实|也|还)?(?:是(?:一?[名个位])?[^，。不说想要在否]{0,16}(?:员|师|生|家|医|工|者|人|长|经理|教授|博士|硕士|总监|主管|老师|律师|护士|司机|妈妈|爸爸)|叫|名叫|姓|住在?|来自|毕业于|就读于?|在[^，。]{1,20}(?:工作|上班|读书|上学|念书|任职|读研|读博|教书|当|做[^，。]{1,10}(?:师|员|工|手|家|开发|研究|设计|运营|销售))|在[^，。]{0,16}(?:公司|厂|店|医院|学校|大学|中学|小学|银行|单位|机构|集团|研究所|局|馆|工作室|事务所)里?(?:做|当|任)|的?(?:专业|职业|工作|老家|家乡|籍贯|生日|母语|研究方向|名字|公司|单位|岗位|学校)(?:是|在|叫)|主修|专攻|研究(?!一下|了一下|研究|看)|从事|担任|出生|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|今年\d+岁|\d+岁|入职|搬到|定居|养了|有[一两三四五六\d]+[个只条位](?:孩子|儿子|女儿|猫|狗|哥哥|姐姐|弟弟|妹妹)|对[^，。]{1,8}过敏|吃素|左撇子|色盲)`,
  ].join('|'),
  'iu',
)

/** R6.3: likes and repeated acts. */
const HABIT =
  /\b(?:every|each) (?:\w{1,40} )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|spring|autumn|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|\b(?:always|usually|generally|regularly|daily|weekly|typically|as a rule|rarely|never (?:eat|drink|use|work|watch|miss)\w{0,40})\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:hobby|hobbies|habit|routine|favou?rites?)\b|\bfor \w{1,40} years\b|\bsince (?:19|20)\d\d\b|\b(?:i|user|we)(?: (?:really|much|still|generally|strongly|absolutely|do)){0,40} (?:prefers?|likes?|loves?|hates?|dislikes?|enjoys?|adores?|collects?|plays?|practi[cs]es?)\b(?! to (?:know|ask|see|book|order|thank)\b)|^(?:prefers?|likes|loves|hates|dislikes|enjoys|collects)\b|\b(?:can['’]?t stand|fond of|interested in|passionate about|big fan of)\b|每[天周月年晚早]|每个?(?:周末|星期|礼拜|早上|晚上|月)|(?:经常|总是|一直|平时|通常|从不|从来不|几乎不|坚持|习惯|爱好|兴趣是|最爱|最喜欢|喜欢|喜爱|偏好|偏爱|更愿意|热爱|讨厌|反感|受不了|不吃|不喝|爱吃|爱喝|爱看|爱听|感兴趣|多年|[一二三四五六七八九十几\d]{1,40}年了)/i

/** R6.5: states that pass by themselves. */
const TEMPORARY =
  /\b(?:feel(?:s|ing)?|felt|(?:am|is|['’]m|was|were|been) (?:\w{1,40} )?(?:tired|exhausted|sleepy|hungry|sick|ill|busy|stressed|bored|sad|happy|upset|anxious|nervous|stuck|late|drunk|hung ?over|in a (?:good|bad) mood|jet-?lagged)|headache|a cold|the flu|fever|right now|at the moment|today|tonight|this (?:morning|afternoon|evening|week)|just now|these days|lately|for now|temporarily|currently (?:debugging|reading|watching|waiting|stuck|out)|yesterday|last (?:night|week))\b|今天|今晚|今早|昨天|昨晚|刚才|刚刚|这会儿|此刻|这两天|这几天|这周|本周|暂时|临时|最近有?点|有点(?:累|困|烦|饿|难受)|好累|好困|很累|很困|头疼|头痛|感冒|发烧|拉肚子|心情|没睡好|加班到|上周/i

/** R6.5: plans that will be over soon. */
const PLAN =
  /\b(?:will|['’]ll|going to|gonna|plan(?:s|ning)? (?:to|on)|tomorrow|next (?:week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|this (?:coming )?weekend|want(?:s)? to|wants?|hopes? to|intend(?:s)? to|need(?:s)? to|have to|has to|must|about to|deadline|due (?:on|by)|booked|scheduled|appointment|reminder|let['’]s)\b|明天|后天|明早|明晚|下周|下个?月|下个?星期|明年|周末(?:要|去|想)|打算|准备(?:去|要|在|把|买|换|考)|计划|要去|想去|想要|想换|想学|将要|即将|快要|预约|预定|订了|截止|记得提醒|提醒我|得去/i

/** R6.5: wishes about how the assistant should talk, which belong into the profile. */
export const STYLE =
  /\b(?:answers?|repl(?:y|ies)|respond|response|responses|explain|explanation|summari[sz]e|format|tone|wording|bullet points?|markdown|tables?|verbose|concise|brief|emoji|call me|address me|write (?:it|this|that|your|everything|back))\b.{0,40}\b(?:short|shorter|brief|concise|detailed?|polite|formal|informal|casual|english|chinese|french|german|spanish|japanese|simple|simpler|bullet|table|me|please|always|emoji|word|words|sentences?)|\b(?:keep|make) (?:it|your|the|all) (?:answers?|replies|responses?|explanations?)|(?:回答|回复|答复|解释|说明|输出|总结|语气|格式|措辞).{0,12}(?:简短|简洁|详细|中文|英文|口语|正式|礼貌|表格|列表|markdown|要点|一点|一些|用|别|不要)|(?:用|以)(?:中文|英文|英语|表格|列表|大白话).{0,6}(?:回答|回复|说|解释|写)|称呼我|别用表情/i

/** R6.5: guesses. */
export const SPECULATION =
  /\b(?:maybe|perhaps|possibly|probably|might|may (?:be|have|move|change|become|switch|take)|could be|would|not sure|unsure|uncertain|i guess|i suppose|i think i|seems?|apparently|supposedly|wonder(?:ing)?|thinking (?:of|about)|considering|if (?:i|we|the)|what if|suppose|imagine|hypothetical\w{0,40}|rumou?r|unless|in case)\b|可能|也许|大概|或许|好像|似乎|说不定|不确定|没准|估计|应该(?:是|会|能)|听说|据说|考虑(?:换|去|要|一下)|在想|如果|要是|假如|假设|万一|猜/i

/** R6.4: a statement that begins with the user, or with what is the user's. */
const OF_USER = new RegExp(String.raw`^(?:[\w'’]{1,20},? )?(?:${OWN})`, 'i')
/** Where somebody is, waits for or has just done, an hour, and a wish: over soon, though told in the present. */
const OF_THE_MOMENT =
  /\b(?:has|have|['’]ve) (?:just |already |not |never )?(?:been|gone|lost|made|told|sold|\w{1,20}(?:ed|ought|aught|tten|oken|aken|osen|dden|llen|iven))\b|\b(?:am|is|are|['’][ms]) (?:at|in|on|near) (?:the|an?|my|his|her)\b|\bat (?:\d|noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|\b(?:i|we|user) (?:may|could|should)\b|(?:我|用户)(?:正|还)?在|想(?!象|法)/i

/** R6.3: one time that something pleased or displeased; repeated on another day it is a taste. */
const TASTE_ONCE =
  /\b(?:loved|liked|enjoyed|hated|disliked|adored|(?:was|were|is) (?:delicious|great|wonderful|amazing|awful|terrible|fantastic|so good|lovely)|so much fun|had fun|great time|again)\b|(?:很?好吃|好喝|真香|好玩|开心|过瘾|太爽|难吃|难喝|真不错|又去|又吃|又喝|又玩|又点了)/i

/** 002 R6.4: used more often than this, a stable attribute is a fact. */
export const OFTEN_USED = 10
/** Facts taken from one episode at most, and the longest sentence that is one. */
const MOST_FACTS = 5
const LONGEST_FACT = 400
/** The confidence of an episode's fact, below that of a stated fact. */
const CONFIDENCE: Readonly<Record<SemanticGround, number>> = {
  identity: 0.9,
  habit: 0.85,
  often_used: 0.8,
  ordered: 0.95,
}
/** The decider knows more words than the rules, and errs more often. */
const CONFIDENCE_OF_DECIDER = 0.75
/** Reasons of the decider that are grounds of R6. */
const GROUNDS: Readonly<Partial<Record<DecisionReason, SemanticGround>>> = {
  identity: 'identity',
  habit: 'habit',
  preference: 'habit',
  explicit_remember: 'ordered',
}
/** "…, where I live", "…, who teaches me": the clause says nothing without the one before it. */
const RELATIVE = /^(?:where|who|whose|whom|when)\b/i
/** Which refusal is told when sentences were refused for several reasons. */
const REFUSALS: readonly SemanticRefusal[] = [
  'speculation',
  'short_term_plan',
  'temporary_state',
  'style_preference',
  'about_other',
]

/** An episode as far as its facts are concerned. */
export type Episode = Pick<
  Memory,
  'id' | 'text' | 'who' | 'conversationId' | 'occurredAt' | 'accessCount' | 'confidence'
>

/** The lasting facts of an episode. `others`: similar episodes, for facts that only count when repeated. */
export function semanticFactsByRules(episode: Episode, others: readonly Episode[] = []): SemanticAnswer {
  // Another person's acts and words are no fact about the user.
  if (episode.who !== null && episode.who.toLowerCase() !== 'user') return { facts: [], refusal: 'about_other' }
  const facts: SemanticFact[] = []
  const refused = new Set<SemanticRefusal>()
  const open: string[] = []
  for (const sentence of splitSentences(episode.text).flatMap(unmixed)) {
    if (facts.length >= MOST_FACTS || sentence.length > LONGEST_FACT || isQuestion(sentence)) continue
    // A password tells nothing about its owner, and changes.
    if (maskSecrets(sentence) !== sentence) continue
    const ground = groundOf(sentence, episode.accessCount)
    const repeat = ground === null ? repeatOf(sentence, episode, others) : undefined
    if (ground !== null) facts.push(factOf(sentence, ground, [episode]))
    else if (repeat !== undefined) facts.push(factOf(sentence, 'habit', [episode, repeat]))
    else {
      const refusal = refusalOf(sentence)
      refused.add(refusal ?? 'nothing_lasting')
      // One pleasure is no taste yet, in any sentence (R6.3: repeated preferences).
      if (refusal === null && !TASTE_ONCE.test(sentence) && isOwn(sentence)) open.push(sentence)
    }
  }
  for (const { text, ground } of lastingParts(open).slice(0, MOST_FACTS - facts.length))
    facts.push(factOf(text, ground, [episode], CONFIDENCE_OF_DECIDER))
  if (facts.length > 0) return { facts, refusal: null }
  return { facts, refusal: REFUSALS.find((reason) => refused.has(reason)) ?? 'nothing_lasting' }
}

/** "I work as a diver, and this week is hectic": the clause that lasts beside one that passes is judged for itself. */
function unmixed(sentence: string): readonly string[] {
  if (!isPassing(sentence)) return [sentence]
  return clausesOf(sentence, (next, before, mark) => {
    // "Sales and marketing this week" are one clause: what a word joins has a verb of its own.
    if (/[a-z]/i.test(mark) && tenseAt(next, 0, 0) === null) return false
    if (isPassing(next)) return !isPassing(before) && saysMoreThanWhen(next)
    const isUnderstood = isOwn(next) && !RELATIVE.test(next) && !refersBack(next)
    return isUnderstood && isPassing(before) && saysMoreThanWhen(before)
  }).map(standaloneClause)
}

function isPassing(text: string): boolean {
  const refusal = refusalOf(standaloneClause(text))
  return refusal === 'temporary_state' || refusal === 'short_term_plan'
}

function saysMoreThanWhen(text: string): boolean {
  return tenseAt(text, 0, 0) !== null || tellingWords(text.replace(TEMPORARY, ' ')).length > 0
}

/** The ground on which one sentence is a lasting fact about the user; null when it is none. */
function groundOf(sentence: string, accessCount = 0): SemanticGround | null {
  if (sentence.length > LONGEST_FACT || refusalOf(sentence) !== null) return null
  const { text } = withoutUnreal(sentence)
  if (!isOwn(text)) return null
  if (IDENTITY.test(text)) return 'identity'
  if (HABIT.test(text)) return 'habit'
  return accessCount > OFTEN_USED && isStable(text) ? 'often_used' : null
}

/** R6.4: a plain statement about the user, neither past nor to come. */
function isStable(text: string): boolean {
  // 会 tells what somebody can do here, not what will be.
  const tense = tenseAt(text.replace(/会(?=\p{Script=Han})/gu, ''), 0, 0)
  const isPlain = tense !== 'past' && tense !== 'future' && !OF_THE_MOMENT.test(text)
  return isPlain && (OF_USER.test(text) || OMITTED_SUBJECT.test(text))
}

/** The user is spoken of, in the first person or as notes do. */
function isOwn(sentence: string): boolean {
  return OWN_SUBJECT.test(sentence) || OMITTED_SUBJECT.test(sentence)
}

/** The reason to refuse a sentence (R6.5); null when no rule refuses it. */
export function refusalOf(sentence: string): SemanticRefusal | null {
  if (STYLE.test(sentence)) return 'style_preference'
  // A dream, a song, a story or a quotation is no more than a maybe.
  if (!/[\p{L}\p{N}]/u.test(withoutUnreal(sentence).text)) return 'speculation'
  if (SPECULATION.test(sentence)) return 'speculation'
  if (OTHER_SUBJECT.test(sentence)) return 'about_other'
  if (PLAN.test(sentence)) return 'short_term_plan'
  return TEMPORARY.test(sentence) ? 'temporary_state' : null
}

/** The parts that the write decider takes for lasting, among sentences that no rule here refuses or knows. */
function lastingParts(open: readonly string[]): readonly { text: string; ground: SemanticGround }[] {
  return open.flatMap((text) => {
    const { store, reason, parts } = decideByRules({ content: text })
    const ground = GROUNDS[reason]
    return store && ground !== undefined && parts.some(({ semantic }) => semantic) ? [{ text, ground }] : []
  })
}

/** An episode of another day with this taste (R6.3: repeated preferences). */
function repeatOf(sentence: string, episode: Episode, others: readonly Episode[]): Episode | undefined {
  if (!showsTaste(sentence)) return undefined
  const about = contentTerms(sentence)
  return others.find(
    (other) =>
      other.id !== episode.id &&
      other.who === episode.who &&
      Math.floor(other.occurredAt / DAY_MS) !== Math.floor(episode.occurredAt / DAY_MS) &&
      splitSentences(other.text).some((text) => showsTaste(text) && isAbout(contentTerms(text), about)),
  )
}

function showsTaste(sentence: string): boolean {
  return (
    (TASTE_ONCE.test(sentence) || speaksOfPreference(sentence)) && !STYLE.test(sentence) && !SPECULATION.test(sentence)
  )
}

/** The terms of a sentence's subject, without the words of liking. */
function contentTerms(sentence: string): readonly string[] {
  const bare = sentence
    .replace(new RegExp(TASTE_ONCE.source, 'gi'), ' ')
    .replace(new RegExp(TEMPORARY.source, 'gi'), ' ')
  return [...indexTerms(bare).keys()].filter((term) => !isGenericTerm(term) && term.length > 1)
}

/** The share of the shorter sentence's subject from which two are about one taste: "happy" and 今天 weigh nothing. */
const SAME_TASTE = 0.3

function isAbout(a: readonly string[], b: readonly string[]): boolean {
  const weightOf = (terms: readonly string[]): number => terms.reduce((sum, term) => sum + rarityOf(term), 0)
  const shared = weightOf(a.filter((term) => b.includes(term)))
  return shared >= 1 && shared >= SAME_TASTE * Math.min(weightOf(a), weightOf(b))
}

function factOf(
  text: string,
  ground: SemanticGround,
  sources: readonly Episode[],
  confidence: number = CONFIDENCE[ground],
): SemanticFact {
  return sourcedFact(
    { text, category: categoryOf(text, ground, sources.length), ...keyed(text), confidence, ground },
    sources,
  )
}

/** The fact with its first source, and no surer than that. */
export function sourcedFact(
  fact: Omit<SemanticFact, 'metadata' | 'sourceIds'>,
  sources: readonly Episode[],
): SemanticFact {
  const inOrder = sources.toSorted((a, b) => a.occurredAt - b.occurredAt)
  const { conversationId, occurredAt } = inOrder[0]!
  return {
    ...fact,
    confidence: Math.min(fact.confidence, ...sources.map(({ confidence }) => confidence)),
    metadata: { fact: fact.text, source_chatid: conversationId, first_seen: new Date(occurredAt).toISOString() },
    sourceIds: inOrder.map(({ id }) => id),
  }
}

/** Key and value when the sentence states exactly one fact of the user's that holds. */
function keyed(text: string): Pick<SemanticFact, 'key' | 'value'> {
  const facts = extractFacts(text).filter(({ about }) => about === 'user')
  const [fact] = facts
  return facts.length === 1 && fact?.standing === 'holds'
    ? { key: fact.key, value: fact.value }
    : { key: null, value: null }
}

/** A pattern is what repeats: by its own words, or since it was told on two days. */
function categoryOf(text: string, ground: SemanticGround, tellings: number): Category {
  if (ground === 'identity') return 'fact'
  if (speaksOfPreference(text)) return 'preference'
  return ground === 'habit' && (tellings > 1 || HABIT.test(text)) ? 'pattern' : 'fact'
}
