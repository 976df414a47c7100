/**
 * Is a short message the answer to the assistant's question about the user ("Where do you live?" "Porto")? Offers
 * ("Shall I …?"), tasks and mere agreement are no such answers.
 */
import type { DecisionReason } from '../../domain/thought.ts'
import { isQuestion } from '../../language/questions.ts'
import { lastSentence } from '../../language/sentences.ts'
import { indexTerms } from '../../language/tokens.ts'
import { refersBack } from './refers-back.ts'
import { cutWords, plain } from './words.ts'

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
  const question = plain(lastSentence(previous))
  return isQuestion(question) && ABOUT_USER.test(question) && !ASKS_FOR_WORK.test(question)
}

/** Whether it says too little to be weighed without its question. */
export function isShort(answer: string): boolean {
  return cutWords(plain(answer)).words.length <= (/[\u3400-\u9fff]/.test(answer) ? MOST_HAN : MOST_WORDS)
}

/** Whether a sentence answers the question at the end of these words: it takes up a word of it, or means a thing in it. */
export function answers(sentence: string, previous: string): boolean {
  if (!asksAboutUser(previous)) return false
  const asked = indexTerms(previous)
  return refersBack(sentence) || [...indexTerms(sentence).keys()].some((term) => term.length > 1 && asked.has(term))
}

/**
 * The statement of a message as the answer to the last sentence before it; null when it is no answer about the user.
 */
export function answerKind(message: string, previous: string): AnswerKind | null {
  const question = plain(lastSentence(previous))
  if (!asksAboutUser(previous) || !ASKS_FOR.test(question)) return null
  const answer = plain(message).trim()
  if (!/[\p{L}\p{N}]/u.test(answer) || NOTHING_SAID.test(answer) || isQuestion(answer) || answer.includes('\n'))
    return null
  if (!isShort(answer)) return null
  return ASKED_KINDS.find(([asks]) => asks.test(question))?.[1] ?? WHO
}
