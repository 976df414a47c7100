/**
 * What is worth remembering in these messages, without a model? Only what the user said is taken; an answer is read
 * together with the question before it. The same messages always give the same thoughts.
 */
import { analyzeByRules } from '../../cognition/conversation-analysis/rules.ts'
import { extractFacts } from '../../cognition/facts/extract-facts.ts'
import { slotNamed } from '../../cognition/facts/topics.ts'
import { profileLinesByRules } from '../../cognition/profile-lines/rules.ts'
import { stripInjected } from '../../cognition/write-decision/injected.ts'
import { decideByRules } from '../../cognition/write-decision/rules.ts'
import { STATED_CONFIDENCE } from '../../domain/limits.ts'
import type { KeptPart, ThinkMessage } from '../../domain/thought.ts'
import { splitSentences } from '../../text/sentences.ts'
import { draftOf } from './draft.ts'
import { groupParts } from './group-parts.ts'
import type { Draft, Rejection, ThinkInput, Thoughts } from './thoughts.ts'

/** Characters of a question that are kept as the context of its answer. */
const CONTEXT_CHARACTERS = 160

/** Thinks about the messages; `analyse` also looks at topic, variables and emotion. */
export async function thinkByRules(input: ThinkInput, analyse: boolean): Promise<Thoughts> {
  const drafts: Draft[] = []
  const rejected: Rejection[] = []
  const profile: Thoughts['profile'][number][] = []
  for (const [index, message] of input.messages.entries()) {
    if (message.role !== 'user') continue
    const content = stripInjected(message.content, input.injected).trim()
    if (content === '') {
      rejected.push({ text: message.content, reason: 'recalled' })
      continue
    }
    const question = questionBefore(input.messages[index - 1] ?? input.earlier?.at(-1))
    const decision = decideByRules({ ...message, content }, question === '' ? {} : { previous: question })
    if (decision.reason !== 'forbidden') profile.push(...profileLinesByRules(content, decision))
    if (!decision.store) {
      rejected.push({ text: message.content, reason: decision.reason })
      continue
    }
    for (const part of groupParts(decision.parts, message.createdAt))
      drafts.push(await draftOfPart(part, message, question, input))
  }
  return {
    answeredBy: 'rules',
    drafts,
    rejected,
    profile,
    analysis: analyse && input.messages.length > 0 ? analyzeByRules(input.messages) : null,
  }
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
  return /[?？]["'”’)）]*$/u.test(last) ? [...last].slice(0, CONTEXT_CHARACTERS).join('') : ''
}
