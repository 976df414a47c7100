/** How does a kept part of a message become the draft of a memory? Words stay the user's own; nothing is made up. */

import type { Category, MemorySource, MemoryType } from '../../domain/memory.ts'
import type { Fact, ThinkMessage } from '../../domain/thought.ts'
import { findDates, mayMentionDate } from '../../language/dates.ts'
import { splitSentences } from '../../language/sentences.ts'
import { plainTopics, topicsOf } from '../../thinking/facts/topics.ts'
import type { Draft, ThinkInput } from './thoughts.ts'

/** The facts about a part beside its text. */
export interface DraftParts {
  readonly text: string
  readonly memoryType: MemoryType
  readonly category: Category
  readonly importance: number
  readonly source: MemorySource
  /** 0 to 1. */
  readonly confidence: number
  readonly facts: readonly Fact[]
  /** The setting, '' when none is known. */
  readonly context: string
  /** The subject, in a few words. */
  readonly thing: string
  /** Milliseconds since the epoch; null: look for a date in the text. */
  readonly time: number | null
  readonly who: string | null
}

const THING_CHARACTERS = 80
const MOST_SUBJECTS = 12

/** The draft of one memory that comes from `message`. */
export async function draftOf(parts: DraftParts, message: ThinkMessage, input: ThinkInput): Promise<Draft> {
  const { facts, memoryType, category, importance, source, confidence } = parts
  const { createdAt, turnId } = message
  const text = wholeSentences(parts.text, input.maxCharacters)
  const occurredAt = parts.time ?? (await dateIn(text, createdAt)) ?? createdAt
  const who = parts.who ?? personOf(facts) ?? message.speaker ?? 'user'
  const owned = facts.filter(({ about }) => about !== 'someone')
  const main =
    owned.find(({ standing }) => standing === 'holds' || standing === 'corrects') ??
    owned.find(({ standing }) => standing === 'ended') ??
    owned[0]
  return {
    facts,
    memory: {
      memoryType,
      text,
      category,
      key: main?.key ?? null,
      value: main?.value ?? null,
      tags: [...new Set(facts.map(({ key }) => key))].slice(0, MOST_SUBJECTS),
      conversationId: input.conversationId,
      who,
      occurredAt,
      createdAt,
      updatedAt: createdAt,
      confidence,
      source,
      importance,
      accessCount: 0,
      lastAccessed: null,
      // A plan for next week is known, and so holds, from when it was said.
      validFrom: Math.min(occurredAt, createdAt),
      validTo: null,
      supersededBy: null,
      suspect: null,
      sourceTurnIds: turnId === null ? [] : [turnId],
      externalId: null,
      metadata: {
        context: parts.context,
        thing: parts.thing === '' ? wholeSentences(text, THING_CHARACTERS) : parts.thing,
        time: new Date(occurredAt).toISOString(),
        chatid: input.conversationId,
        who,
        ...subjectsBeside(text, facts),
      },
      projectRoot: null,
    },
  }
}

/** The attributes that it speaks of beside its facts, so that a question in other words finds it. */
function subjectsBeside(text: string, facts: readonly Fact[]): { readonly subjects?: readonly string[] } {
  const subjects = plainTopics(topicsOf(text)).filter((name) => !facts.some(({ key }) => key === name))
  return subjects.length === 0 ? {} : { subjects: subjects.slice(0, MOST_SUBJECTS) }
}

/** The day that a text names, when it names exactly one and no longer stretch; null otherwise. */
async function dateIn(text: string, saidAt: number): Promise<number | null> {
  if (!mayMentionDate(text)) return null
  const days = (await findDates(text, saidAt)).filter(({ grain }) => grain === 'day')
  return days.length === 1 ? days[0]!.from : null
}

/** The other person of all facts; null when they are about the user or several people. */
function personOf(facts: readonly Fact[]): string | null {
  const people = new Set(facts.map(({ about }) => about))
  const [only] = people
  return people.size === 1 && only !== undefined && only !== 'user' ? only : null
}

/** Whole sentences as far as they fit; a single sentence that is too long is cut and says so. */
function wholeSentences(text: string, most: number): string {
  if (text.length <= most) return text
  let kept = ''
  for (const sentence of splitSentences(text)) {
    const longer = kept === '' ? sentence : `${kept} ${sentence}`
    if (longer.length > most) break
    kept = longer
  }
  return kept === '' ? `${[...text].slice(0, most - 1).join('')}…` : kept
}
