/**
 * What is worth remembering in these messages, without a model? Only what the user said is taken; an answer is read
 * together with the question before it. The same messages always give the same thoughts.
 */

import type { NewProfileLine } from '../../domain/contracts/profile-store.ts'
import { STATED_CONFIDENCE } from '../../domain/limits.ts'
import type { DecisionReason, KeptPart, ThinkMessage } from '../../domain/thought.ts'
import { splitSentences } from '../../language/sentences.ts'
import { toForget } from '../../thinking/change/forget.ts'
import { analyzeByRules } from '../../thinking/conversation-analysis/rules.ts'
import { extractFacts } from '../../thinking/facts/extract-facts.ts'
import { stanceOf } from '../../thinking/facts/stance.ts'
import { slotNamed } from '../../thinking/facts/topics.ts'
import { profileLinesByRules } from '../../thinking/profile-lines/rules.ts'
import { speaksForUser } from '../../thinking/summarizer/prose.ts'
import { stripInjected } from '../../thinking/write-decision/injected.ts'
import { decideByRules } from '../../thinking/write-decision/rules.ts'
import { draftOf } from './draft.ts'
import { separateClauses } from './separate-clauses.ts'
import type { Draft, News, Rejection, ThinkInput, Thoughts } from './thoughts.ts'

/** Characters of a question that are kept as the context of its answer. */
const CONTEXT_CHARACTERS = 160

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
  // Where several people write as the user, nobody knows whose profile it is; a wish told to a person is none of the assistant's.
  const speaksAlone = new Set(around.flatMap(({ role, speaker }) => (role === 'user' ? [speaker] : []))).size <= 1
  const amongPeople = around.some(({ role, speaker }) => role === 'assistant' && speaker !== null)
  const linesOf = (...said: Parameters<typeof profileLinesByRules>): readonly NewProfileLine[] =>
    speaksAlone ? profileLinesByRules(...said).filter(({ section }) => section !== 'reply_style' || !amongPeople) : []
  for (const [index, message] of input.messages.entries()) {
    if (message.role !== 'user') continue
    const content = stripInjected(message.content, input.injected ?? []).trim()
    if (content === '') {
      rejected.push({ text: message.content, reason: 'recalled' })
      continue
    }
    const question = questionBefore(input.messages[index - 1] ?? input.earlier?.at(-1))
    const isOwn = speaksForUser(content)
    const decision = decideByRules({ ...message, content }, question === '' ? {} : { previous: question })
    if (!decision.store) {
      const lines = decision.reason === 'forbidden' || !isOwn ? [] : linesOf(content, decision)
      const refusal: Rejection = { text: message.content, reason: decision.reason }
      rejected.push(refusal)
      const kind = newsIn(content, decision.reason)
      if (kind === null) profile.push(...lines.map((line) => told(line, message)))
      else news.push({ ...(await newsOf(kind, content, message, input)), lines, refusal })
      continue
    }
    for (const part of separateClauses(decision.parts)) {
      const lines = isOwn ? linesOf(part.text, decision) : []
      drafts.push({ ...(await draftOfPart(part, message, question, input)), lines })
    }
    const texts = decision.parts.map(({ text }) => text)
    if (isOwn) profile.push(...linesOf(content, decision, texts).map((line) => told(line, message)))
  }
  return {
    answeredBy: 'rules',
    drafts,
    rejected,
    ...(news.length === 0 ? {} : { news }),
    profile,
    analysis: analyse && input.messages.length > 0 ? analyzeByRules(input.messages) : null,
  }
}

/** What is refused for these is no statement of the user's own, or none of what is so. */
const NO_NEWS: ReadonlySet<DecisionReason> = new Set(['recalled', 'hypothetical', 'style_wish'])
/** Pasted lines, and no sentence that only speaks of programs. */
const CODE = /[{}()<>=;|]|\n/
/** A longer message was weighed for what it is. */
const LONGEST_NEWS = 200

/** Whether a refused message may change what is known all the same: it tells of a change, or orders to forget. */
function newsIn(content: string, reason: DecisionReason): News['kind'] | null {
  if (reason === 'forbidden') return toForget(content) === null ? null : 'forget'
  if (NO_NEWS.has(reason) || content.length > LONGEST_NEWS) return null
  if (reason === 'code_paste' && CODE.test(content)) return null
  const { begins, ends, corrects, past, unreal } = stanceOf(content)
  return (begins || ends || corrects) && !past && !unreal ? 'change' : null
}

function newsOf(
  kind: News['kind'],
  content: string,
  message: ThinkMessage,
  input: ThinkInput,
): Promise<Omit<News, 'refusal'>> {
  const text = kind === 'forget' ? (toForget(content) ?? content) : content
  const part: KeptPart = { text, semantic: false, category: 'fact', importance: 0 }
  return draftOfPart(part, message, '', input).then((draft) => ({ ...draft, kind }))
}

/** One memory a part, with all facts that it states. */
async function draftOfPart(part: KeptPart, message: ThinkMessage, question: string, input: ThinkInput): Promise<Draft> {
  const facts = extractFacts(part.text, { who: 'user', now: message.createdAt })
  const hedged = facts.length > 0 && facts.every(({ source }) => source === 'inferred')
  return draftOf(
    {
      text: part.text,
      memoryType: part.semantic ? 'semantic' : 'episodic',
      category: slotNamed(facts[0]?.key ?? '')?.category ?? part.category,
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

/** What the message answers: the last question of the assistant's turn right before it; '' when it asked nothing. */
function questionBefore(before: ThinkMessage | undefined): string {
  if (before?.role !== 'assistant') return ''
  const last = splitSentences(before.content).at(-1) ?? ''
  return /[?？]["'”’)）]{0,40}$/u.test(last) ? [...last].slice(0, CONTEXT_CHARACTERS).join('') : ''
}
