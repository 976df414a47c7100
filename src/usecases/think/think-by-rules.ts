/** Which statements are worth remembering, without a model? Only the user's. */
import type { NewProfileLine } from '../../domain/contracts/small-stores.ts'
import { STATED_CONFIDENCE } from '../../domain/limits.ts'
import { breathe, inPieces, withBreath } from '../../domain/scheduling.ts'
import type { DecisionReason, KeptPart, ThinkMessage } from '../../domain/thought.ts'
import { forgetOrder, isTakenBack, takesBack, withoutTakenBack } from '../../language/forget-orders.ts'
import { findSecrets } from '../../language/secrets/find-secrets.ts'
import { readLongTexts, withoutSecretsNamedIn } from '../../language/secrets/mask-secrets.ts'
import { lastSentence, splitSentences, takingSentences } from '../../language/sentences.ts'
import { changesOrder, permits } from '../../thinking/change/corrections-and-orders.ts'
import { analyzeByRules } from '../../thinking/conversation-analysis/analyze-by-rules.ts'
import { extractFacts } from '../../thinking/facts/extract-facts.ts'
import { slotNamed } from '../../thinking/facts/mentioned-attributes.ts'
import { stanceOf } from '../../thinking/facts/stance.ts'
import { profileLinesByRules } from '../../thinking/profile-lines/profile-lines-by-rules.ts'
import { apartByScope, tellsRule } from '../../thinking/scope/scope-of.ts'
import { asSummarised, speaksForUser, withoutSecretsIn } from '../../thinking/summarizer/prose.ts'
import { decideByRules } from '../../thinking/write-decision/decide-by-rules.ts'
import { separateClauses } from '../../thinking/write-decision/message-parts.ts'
import { withoutRecalled } from '../../thinking/write-decision/own-words.ts'
import { type Draft, draftOf, type News, type Rejection, type ThinkInput, type Thoughts } from './draft.ts'

const CONTEXT_CHARACTERS = 160
/** To think about a message is so many times the work of reading it. */
const THOUGHT = 4
/** Characters of a message between whose steps others run. */
const LONG_MESSAGE = 32_768
/** Orders to forget that are followed in one message. */
const MOST_ORDERS = 40

/** Thinks about the messages; `analyse` also looks at topic, variables and emotion. */
export async function thinkByRules(input: ThinkInput, analyse: boolean): Promise<Thoughts> {
  const drafts: Draft[] = []
  const rejected: Rejection[] = []
  const news: News[] = []
  const profile: Thoughts['profile'][number][] = []
  const told = (line: NewProfileLine, { turnId }: ThinkMessage): NewProfileLine =>
    input.conversationId === null || turnId === null
      ? line
      : { ...line, telling: { conversationId: input.conversationId, turnIds: [turnId] } }
  const around = [...(input.earlier ?? []), ...input.messages]
  // Read with pauses here, so that all who ask for their secrets find them read.
  await readLongTexts(around.map(({ content }) => content))
  // Where several people write as the user, nobody knows whose profile it is; a wish told to a person is none of the assistant's.
  const speaksAlone = new Set(around.flatMap(({ role, speaker }) => (role === 'user' ? [speaker] : []))).size <= 1
  const amongPeople = around.some(({ role, speaker }) => role === 'assistant' && speaker !== null)
  const linesOf = (...said: Parameters<typeof profileLinesByRules>): readonly NewProfileLine[] =>
    speaksAlone ? profileLinesByRules(...said).filter(({ section }) => section !== 'reply_style' || !amongPeople) : []
  for await (const [index, message] of withBreath(
    input.messages.entries(),
    ([, { content }]) => THOUGHT * content.length,
  )) {
    if (message.role !== 'user') continue
    const said = withoutRecalled(message.content, input.injected ?? []).trim()
    if (said === '') {
      rejected.push({ text: message.content, reason: 'recalled' })
      continue
    }
    const before = around.slice(0, around.length - input.messages.length + index)
    if (takesBack(said) || isTakenBack(input.messages, index)) {
      const refusal: Rejection = { text: message.content, reason: 'forbidden' }
      rejected.push(refusal)
      const meant = takesBack(said) ? before.findLast(({ role }) => role === 'user') : undefined
      const turnId = meant?.turnId ?? null
      if (meant !== undefined && turnId !== null)
        news.push({ ...(await newsOf('forget', meant.content, meant, input)), lines: [], refusal, turnId })
      continue
    }
    const orders: { readonly text: string; readonly named: readonly string[] }[] = []
    let isForbidden = false
    const isToGo = (text: string): boolean => {
      const order = forgetOrder(text)
      // Sentences behind the order on its matter go with it.
      isForbidden = order !== null || (isForbidden && POINTS_BACK.test(text))
      if (order !== null) orders.push({ text, named: order.named })
      return isForbidden
    }
    let content = (await inPieces(takingSentences(said, isToGo, ''))).trim()
    for (const { text, named } of orders.slice(0, MOST_ORDERS)) {
      const refusal: Rejection = { text, reason: 'forbidden' }
      rejected.push(refusal)
      for (const what of named) news.push({ ...(await newsOf('forget', what, message, input)), lines: [], refusal })
    }
    if (orders.some(({ named }) => named.length === 0)) content = ''
    if (content === '') continue
    // A secret that was named before could not be masked where nothing names it.
    content = await withoutSecretsNamedIn(
      before.map((one) => one.content),
      content,
    )
    await readLongTexts(content)
    if (content.length > LONG_MESSAGE) await breathe()
    const last = input.messages[index - 1] ?? input.earlier?.at(-1)
    const heard = last?.role === 'assistant' ? last.content : ''
    const question = questionIn(heard)
    const isOwn = speaksForUser(content)
    const decision = decideByRules(
      { ...message, content },
      { ...(question === '' ? {} : { previous: question }), heard, isChosen: input.isChosen === true },
    )
    if (!decision.store) {
      const lines = decision.reason === 'forbidden' || !isOwn ? [] : linesOf(content, decision)
      const refusal: Rejection = { text: message.content, reason: decision.reason }
      rejected.push(refusal)
      if (tellsOfChange(content, decision.reason))
        news.push({ ...(await newsOf('change', content, message, input)), lines, refusal })
      // A line of a passing message is a statement like any other, and a line points to its statement.
      else
        for (const line of lines) {
          const part = { text: line.text, semantic: true, category: 'preference', importance: 1 } as const
          drafts.push({ ...(await draftOfPart(part, message, question, input)), lines: [line] })
        }
      continue
    }
    if (content.length > LONG_MESSAGE) await breathe()
    const parts = separateClauses(await withNamesOfSecrets(decision.parts, content))
    const apart = (part: KeptPart): readonly KeptPart[] =>
      input.project == null ? [part] : apartByScope(part.text).map((text) => ({ ...part, text }))
    for (const part of parts.flatMap(apart)) {
      const lines = isOwn ? linesOf(part.text, decision) : []
      drafts.push({ ...(await draftOfPart(part, message, question, input)), lines })
    }
    const texts = decision.parts.map(({ text }) => text)
    // "No wait, blue." beside a kept sentence says too little to be kept, and puts right what was said before.
    for (const text of correctionsBeside(content, texts))
      news.push({ ...(await newsOf('change', text, message, input)), lines: [], refusal: { text, reason: 'fragment' } })
    if (isOwn) profile.push(...linesOf(content, decision, texts).map((line) => told(line, message)))
  }
  return {
    answeredBy: 'rules',
    drafts,
    rejected,
    ...(news.length === 0 ? {} : { news }),
    profile,
    analysis: analyse ? await analysisOf(around, input.messages.length) : null,
  }
}

/** The analysis of the last messages, none of which was taken back; null where none is left. */
async function analysisOf(around: readonly ThinkMessage[], last: number): Promise<Thoughts['analysis']> {
  await readLongTexts(around.map(asSummarised))
  const heard = withoutSecretsIn(around)
  const kept = new Set(withoutTakenBack(heard))
  const analysed = heard.slice(-last).filter((message) => kept.has(message))
  return analysed.length > 0 ? analyzeByRules(analysed) : null
}

/** The whole message where a part has a secret without its name, as it could not be masked later. */
async function withNamesOfSecrets(parts: readonly KeptPart[], content: string): Promise<readonly KeptPart[]> {
  const secrets = (await findSecrets.patiently(content)).map(({ from, to }) => content.slice(from, to))
  const isBare = ({ text }: KeptPart): boolean =>
    secrets.some((secret) => text.includes(secret)) && findSecrets(text).length === 0
  if (secrets.length === 0 || !parts.some(isBare)) return parts
  return content.length > LONGEST_NEWS ? parts.filter((part) => !isBare(part)) : [{ ...parts[0]!, text: content }]
}

/** A sentence with such a word may go on about the thing to be forgotten. */
const POINTS_BACK = /\b(?:he|him|his|she|hers?|it|its|they|them|theirs?|this|that)\b|[他她它这那這]/iu
/** Reasons of refusal for sentences that are no statement of the user's own, or not real. */
const NO_NEWS: ReadonlySet<DecisionReason> = new Set(['recalled', 'hypothetical', 'forbidden'])
/** Pasted lines, and no sentence that only speaks of programs. */
const CODE = /[{}()<>=;|]|\n/
/** The longest news, in characters; a longer message was weighed by itself. */
const LONGEST_NEWS = 200

/** Whether a refused message tells of a change, and so may change a memory all the same. */
function tellsOfChange(content: string, reason: DecisionReason): boolean {
  if (NO_NEWS.has(reason) || content.length > LONGEST_NEWS) return false
  // A wish for one answer leaves those for all as they are; nobody permits for one.
  if (reason === 'style_wish' && !permits(content)) return false
  if (reason === 'code_paste' && CODE.test(content)) return false
  const { begins, ends, corrects, past, unreal } = stanceOf(content)
  return (begins || ends || corrects || changesOrder(content)) && !past && !unreal
}

/** The sentences that put something right, and stand in none of the kept texts. */
function correctionsBeside(content: string, texts: readonly string[]): readonly string[] {
  if (content.length > LONGEST_NEWS || !stanceOf(content).corrects) return []
  return splitSentences(content).filter(
    (sentence) => !texts.some((text) => text.includes(sentence)) && stanceOf(sentence).corrects,
  )
}

function newsOf(
  kind: News['kind'],
  text: string,
  message: ThinkMessage,
  input: ThinkInput,
): Promise<Omit<News, 'refusal'>> {
  const part: KeptPart = { text, semantic: false, category: 'fact', importance: 0 }
  return draftOfPart(part, message, '', input).then((draft) => ({ ...draft, kind }))
}

/** One memory a part, with all its facts. */
function draftOfPart(part: KeptPart, message: ThinkMessage, question: string, input: ThinkInput): Promise<Draft> {
  const facts = speaksForUser(message.content) ? extractFacts(part.text) : []
  const hedged = facts.length > 0 && facts.every(({ source }) => source === 'inferred')
  const isRule = part.category === 'fact' && input.project != null && tellsRule(part.text)
  return draftOf(
    {
      text: part.asked === true && question !== '' ? `“${question}” ${part.text}` : part.text,
      memoryType: part.semantic ? 'semantic' : 'episodic',
      category: slotNamed(facts[0]?.key ?? '')?.category ?? (isRule ? 'preference' : part.category),
      importance: part.importance,
      source: hedged ? 'inferred' : 'user_stated',
      confidence: hedged ? Math.max(...facts.map(({ confidence }) => confidence)) : STATED_CONFIDENCE,
      facts,
      context: question,
      thing: '',
      time: null,
      who: null,
    },
    message,
    input,
  )
}

/** The question at the end of the assistant's turn right before the message; '' when it asked nothing. */
function questionIn(heard: string): string {
  const last = lastSentence(heard)
  return /[?？]["'”’)）]{0,40}$/u.test(last) ? [...last].slice(0, CONTEXT_CHARACTERS).join('') : ''
}
