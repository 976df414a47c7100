/**
 * Would a careful person keep this text as it stands? A sentence may mean a thing that was named before it, and a short
 * message may answer the assistant's question.
 */
import { lazy } from '../../domain/scheduling.ts'
import type { DecisionReason } from '../../domain/thought.ts'
import { hasHan } from '../../language/character-class.ts'
import { isQuestion } from '../../language/questions.ts'
import { lastSentence } from '../../language/sentences.ts'
import { indexTerms } from '../../language/terms.ts'
import { weightFile } from '../../language/word-lists.ts'
import { type Features, featuresOf, HASHED_FEATURES } from './features.ts'
import { type Judgement, weightOf } from './linear-model.ts'
import { cutWords, normalizedText } from './word-meanings.ts'

/** Words that only open a sentence. */
const ENGLISH_OPENING =
  /^(?:(?:and|but|so|also|then|plus|because|cause|since|yes|yeah|yep|no|nah|nope|oh|ah|well|ok|okay|sure|right|actually|honestly|usually|maybe|however)\b[\s,.!…]*)+/i
const CHINESE_OPENING = /^(?:(?:而且|所以|但是?|不过|然后|于是|因此|因为|其实|是的|[也还嗯对哦啊])[\s，,]*)+/
/** "It's hard to say" and "pizza it is" mean nothing before them, and "this week" and "there are" are understood by themselves. */
const ANY_POINTER =
  "(?:it(?!(?:['’]?s)?(?: [\\w'’-]+){1,2} (?:to|that|when|since|how)\\b)(?! is\\s{0,3}(?:[.!,;]|$))(?:s|['’]\\w+)?|(?:he|she|they)(?:s|['’]\\w+)?|him|her|his|hers|them|theirs?|(?:these|those)(?! (?:past |last |coming )?(?:day|week|month|year|time)s\\b))\\b"
const FIRST_WORD = new RegExp(
  `^(?:${ANY_POINTER}|(?:this|that)(?! (?:past |last |coming )?(?:morning|afternoon|evening|week|weekend|month|year|spring|summer|autumn|fall|winter|semester|term|quarter|season|time|day)s?\\b)(?:s|['’]s)?\\b|(?:both|which)\\b|there\\b(?!['’]?s| (?:is|are|was|were|will|has|have|can|may|might|should|must)))`,
  'i',
)
/** "I think it …", "Sharing these stories": a few words in which nothing stands that could be meant. */
const LATER = new RegExp(
  `^(.{2,60}?)\\b(?:${ANY_POINTER}|(?:this|that)(?=\\s{0,4}(?:[,.;!?]|$))|this(?= (?:with|at|in|to|for|as)\\b))`,
  's',
)
const MEANT =
  /\b(?:an?|the|my|our|your|you|some|any|another|and|but|or|as|because|when|while|if|after|before|until|which|who|(?:this|that) [a-z]|[a-z]{3,40}s)\b|[,;:]|\d|(?<=[a-z] )(?!I\b)\p{Lu}|^(?!I\b|We\b|Let\b)\p{Lu}(?!\p{Ll}{1,20}(?:ing|ed) )/u
const CHINESE_POINTER =
  /^(?:我[也还都就真的很挺最]*(?:觉得|想|希望|认为|感觉|担心|打算|喜欢|计划|准备|知道|相信|发现|期待|考虑)[要把让将会能]*)?(?:[它他她]|这(?!周|个?月|年|[几两]天|阵|段时间|学期|个?周末|会儿)|那(?!么)|此(?!外)|其(?!实|中|他))/
const DEFINITE = /\b(?:the|this|that|these|those|my) ([a-z]{4,})/g
/** Four words or six Han characters: a shorter sentence names nothing. */
const NAMES_FROM = /(?:[\w'’-]{1,80}[^\w'’-]{1,80}){3}\w|(?:\p{Script=Han}[^\p{Script=Han}]{0,80}){6}/u

/** Characters of a sentence in which it names something. */
const LOOKED_AT = 2000

/** Whether a sentence is long enough to name what another one means. */
export function namesSomething(sentence: string): boolean {
  return NAMES_FROM.test(sentence.slice(0, LOOKED_AT))
}

/** Whether the sentence is understood by one before it. */
export function refersBack(sentence: string): boolean {
  const said = sentence.trim()
  if (/^\p{Script=Han}/u.test(said)) return CHINESE_POINTER.test(said.replace(CHINESE_OPENING, ''))
  const bare = said.replace(ENGLISH_OPENING, '')
  const head = LATER.exec(bare)?.[1]
  return FIRST_WORD.test(bare) || (head !== undefined && !MEANT.test(head))
}

/**
 * The place of the sentence before `at` that names its referent, preferably a statement; -1 where none does or need.
 * With `definite` also for "the plan".
 */
export function namedAt(sentences: readonly string[], at: number, definite: boolean): number {
  const sentence = sentences[at]!
  const before = sentences.slice(0, at)
  if (refersBack(sentence)) {
    const stated = before.findLastIndex((one) => namesSomething(one) && !isQuestion(one))
    return stated >= 0 ? stated : before.findLastIndex(namesSomething)
  }
  if (!definite) return -1
  const said = before.map((one) => one.toLowerCase())
  for (const [, noun = ''] of sentence.toLowerCase().matchAll(DEFINITE)) {
    // Few nouns stand in an earlier sentence at all, and a new expression costs more than a look.
    if (!said.some((one) => one.includes(noun))) continue
    const introduces = new RegExp(`\\b(?:an?|the|this|that) (?:[\\w-]+ ){0,5}${noun}\\b`)
    const found = before.findLastIndex((one, at) => introduces.test(said[at]!) && !isQuestion(one))
    if (found >= 0) return found
  }
  return -1
}

/** The file that bench/training/standing.ts writes. */
export interface StandingWeights {
  /** The weight of each of `standingInputs`. */
  readonly inputs: readonly number[]
  /** The largest weight of a letter or word. */
  readonly scale: number
  /** One character for each hashed feature. */
  readonly weights: string
}

const NAME = /(?<=[\p{Ll},] )(?!I\b)\p{Lu}/gu
const MOST_NAMES = 3

const model = lazy(() => {
  const { inputs, scale, weights } = weightFile<StandingWeights>('standing')
  return { inputs, table: Float32Array.from({ length: HASHED_FEATURES }, (_, at) => weightOf(weights, at, scale)) }
})

/**
 * Its language, log-odds of being worth storing and of lasting, share of words not just heard, names, and whether it
 * points back.
 */
export function standingInputs(
  text: string,
  { chinese }: Features,
  { store, semantic }: Judgement,
  heard: string,
): readonly number[] {
  const known = heard.toLowerCase()
  const words = [...indexTerms(text).keys()].filter((term) => term.length > 1 || !hasHan(term))
  const news = words.filter((word) => !known.includes(word)).length
  const names = Math.min(MOST_NAMES, text.match(NAME)?.length ?? 0)
  const [storing, lasting] = [Math.min(8, Math.max(-3, store)), Math.min(2, Math.max(-3, semantic))]
  return [1, chinese ? 1 : 0, storing, lasting, Math.log1p(news), names, refersBack(text) ? 1 : 0]
}

/** The log-odds that it would be kept. */
export function standingOf(text: string, judgement: Judgement, heard: string): number {
  const { inputs, table } = model()
  const features = featuresOf(text)
  const numbers = standingInputs(text, features, judgement, heard)
  const sum = numbers.reduce((sum, input, at) => sum + input * inputs[at]!, 0)
  return sum + weighHashed(table, features)
}

/** The sum of the weights of a text's letters and words. */
export function weighHashed(table: Float32Array, { at, value, hashedFrom }: Features): number {
  let sum = 0
  for (let position = hashedFrom; position < at.length; position++) sum += table[at[position]!]! * value[position]!
  return sum
}

/** The kind of statement that an answer makes. */
export interface AnswerKind {
  readonly reason: DecisionReason
  readonly semantic: boolean
}

/** The most words of a message that needs its question; Han characters count as words. */
const MOST_WORDS = 12
const MOST_HAN = 16
/** A question about the user: it asks for something (not whether) and it is about them or theirs. */
const ASKS_FOR =
  /\b(?:what|what's|where|where's|which|who|who's|whom|when|when's|how (?:old|many|much|long|tall|often|big|far))\b|什么|哪|谁|几|多大|多少|多高|多久|多长|怎么称呼|何时|啥/
const ABOUT_USER = /\b(?:you|your|yours|you're|you've)\b|你|您/
/** Whether it asks about the assistant's task, or for material to work on. */
const ASKS_FOR_WORK =
  /\b(?:shall i|should i|can i|could i|may i|do you want|would you like|would you prefer|you'd like|you would like|want me|like me|need me|me to|help you|for you|let me know|do you mean|did you mean|(?:error|message|output|file|snippet|topic|tone|text|line|function|log|question|format)s?)\b|我(?:来|先|帮|给|可以|应该|需要)|要我|让我|帮你|帮您|为你|为您|给你|给您|你(?:是)?指|您(?:是)?指|你想要我|报错|错误|文件|代码|主题|语气|格式|问题|日志|需要什么/
/** "…, right?", 对吗？: what the other said is to be agreed with, so the question tells less than any answer. */
const ASKS_TO_AGREE =
  /[对是好行][吗吧][？?]|(?:对不对|是不是)[？?]|, (?:right|correct|(?:is|are|do|does|did|was|were|have|has|would|ca|wo)n['’]t (?:i|you|he|she|it|we|they)(?: (?:agree|think|say))?)\?/i
/** Agreement, refusal, thanks and not knowing state nothing by themselves. */
const NOTHING_SAID =
  /^(?:yes|yep|yeah|yup|no|nope|nah|ok|okay|sure|fine|thanks|thank you|cheers|maybe|perhaps|dunno|idk|(?:i )?(?:do not|don't|dont) know|not sure|no idea|never ?mind|forget it|skip|pass|nothing|none of your business|why|both|either|neither|whatever|any|the (?:first|second|last|other)(?: one)?|好|好的|好吧|嗯+|哦+|对|是|是的|不|不是|不用|没|没有|行|可以|谢谢|不知道|不清楚|不确定|随便|都行|都可以|算了|保密|不告诉你|没什么|跳过|无所谓|哈+)[\s.,!。，！～~…]*$/

/** The kind of answer by question: the first match, else identity. */
const ASKED_KINDS: readonly (readonly [RegExp, AnswerKind])[] = [
  [
    /\b(?:born|grow up|raised|stud(?:y|ied)|graduate|go to (?:school|university|college))\b|出生|长大|毕业|祖籍|老家/,
    { reason: 'identity', semantic: true },
  ],
  [
    /\b(?:will|going to|plan(?:s|ning)?|next)\b|打算|准备|计划|要去|明天|下[周个次]/,
    { reason: 'plan', semantic: false },
  ],
  [/\b(?:did|have|had|were) you\b|过|了/, { reason: 'event', semantic: false }],
  [
    /\bare you (?!from\b)(?:up to|(?!using|running|living|working (?:as|in|for|at))\w{1,40}ing)\b|在(?:做|干|忙|想|看)/,
    { reason: 'state', semantic: false },
  ],
  [/\b(?:like|love|prefer|enjoy|hate|favou?rite)\b|喜欢|爱|讨厌/, { reason: 'preference', semantic: true }],
]
const WHO: AnswerKind = { reason: 'identity', semantic: true }

/** Whether these words end in a question about the user, not about the assistant's task. */
function asksAboutUser(previous: string): boolean {
  const question = normalizedText(lastSentence(previous))
  return (
    isQuestion(question) && ABOUT_USER.test(question) && !ASKS_FOR_WORK.test(question) && !ASKS_TO_AGREE.test(question)
  )
}

/** Whether it says too little to be weighed without its question. */
export function isShort(answer: string): boolean {
  return cutWords(normalizedText(answer)).words.length <= (/[\u3400-\u9fff]/.test(answer) ? MOST_HAN : MOST_WORDS)
}

/** Whether a sentence answers the question at the end of these words: it takes up a word of it, or means a thing in it. */
export function answersQuestion(sentence: string, previous: string): boolean {
  if (!asksAboutUser(previous)) return false
  const asked = indexTerms(previous)
  return refersBack(sentence) || [...indexTerms(sentence).keys()].some((term) => term.length > 1 && asked.has(term))
}

/**
 * The statement of a message as the answer to the last sentence before it; null when it is no answer about the user.
 */
export function answerKind(message: string, previous: string): AnswerKind | null {
  const question = normalizedText(lastSentence(previous))
  if (!asksAboutUser(previous) || !ASKS_FOR.test(question)) return null
  const answer = normalizedText(message).trim()
  if (!/[\p{L}\p{N}]/u.test(answer) || NOTHING_SAID.test(answer) || isQuestion(answer) || answer.includes('\n'))
    return null
  if (!isShort(answer)) return null
  return ASKED_KINDS.find(([asks]) => asks.test(question))?.[1] ?? WHO
}
