/** A draft: a statement on its way to become a memory, from a thought or from news, and its outcome. */
import { type TimeZone, wallTime } from '../../domain/clock.ts'
import type { NewProfileLine } from '../../domain/contracts/small-stores.ts'
import { type Category, freshMemory, type Memory, type MemorySource, type MemoryType } from '../../domain/memory.ts'
import type { AnsweredBy, DecisionReason, Fact, ThinkMessage } from '../../domain/thought.ts'
import { type DateRange, findDates } from '../../language/dates.ts'
import { upToSecret } from '../../language/secrets/mask-secrets.ts'
import { splitSentences } from '../../language/sentences.ts'
import { spelledOut } from '../../language/spelling.ts'
import { beginsAt } from '../../language/tense.ts'
import type { ConversationAnalysis } from '../../thinking/conversation-analysis/analyze-by-rules.ts'
import { extractFacts } from '../../thinking/facts/extract-facts.ts'
import { plainTopics, topicsOf } from '../../thinking/facts/mentioned-attributes.ts'
import { withPersonNamed } from '../../thinking/facts/named-before.ts'
import type { SessionSummary } from '../../thinking/session-summary/title-and-snippet.ts'

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
  const { memoryType, category, importance, source, confidence } = parts
  const { createdAt, turnId } = message
  const text = wholeSentences(parts.text, input.maxCharacters)
  const saidAt = wallTime(createdAt, input.timeZone ?? null)
  const date = await dateIn(text, saidAt)
  const occurredAt = parts.time ?? date?.from ?? createdAt
  const facts = occurredAt > saidAt && date !== null ? parts.facts.map((fact) => asPlanned(fact, date)) : parts.facts
  const person = parts.who ?? personOf(facts)
  const who = person ?? message.speaker ?? 'user'
  // Of facts about several people those of the speaker alone are the memory's own.
  const owned = facts.filter(({ about }) => (person === null ? about === 'user' : about !== 'someone'))
  const main =
    owned.find(({ standing }) => standing === 'holds' || standing === 'corrects') ??
    owned.find(({ standing }) => standing === 'ended') ??
    owned[0]
  return {
    facts,
    memory: freshMemory({
      ...{ memoryType, text, category, conversationId: input.conversationId, who, occurredAt, createdAt },
      ...{ confidence, source, importance },
      key: main?.key ?? null,
      value: main === undefined || main.standing === 'ended' ? null : main.value,
      tags: [...new Set(facts.map(({ key }) => key))].slice(0, MOST_SUBJECTS),
      sourceTurnIds: turnId === null ? [] : [turnId],
      metadata: {
        context: parts.context,
        thing: parts.thing === '' ? wholeSentences(shortForm(text, main), THING_CHARACTERS) : parts.thing,
        time: new Date(occurredAt).toISOString(),
        chatid: input.conversationId,
        who,
        ...subjectsBeside(text, facts),
      },
    }),
  }
}

/** The sentence that states a fact behind others that state none, with the person whom it means by name; else the text. */
function shortForm(text: string, fact: Fact | undefined): string {
  const before = text.slice(0, Math.max(0, text.indexOf(fact?.text ?? '')))
  return fact === undefined || extractFacts(before).length > 0 ? text : withPersonNamed(fact.text, before)
}

/** The attributes that it speaks of beside its facts, so that a question in other words finds it. */
function subjectsBeside(text: string, facts: readonly Fact[]): { readonly subjects?: readonly string[] } {
  const subjects = plainTopics(topicsOf(spelledOut(text))).filter((name) => !facts.some(({ key }) => key === name))
  return subjects.length === 0 ? {} : { subjects: subjects.slice(0, MOST_SUBJECTS) }
}

/** The only day that a text names, or else the only other month or longer time to come: last week is near enough. */
async function dateIn(text: string, saidAt: number): Promise<DateRange | null> {
  const found = await findDates(text, saidAt, true)
  const days = found.filter(({ grain }) => grain === 'day')
  const isTold = ({ grain, from, to }: DateRange): boolean => from > saidAt || (grain === 'month' && to < saidAt)
  const [only, ...others] = days.length > 0 ? days : found.filter(isTold)
  return only === undefined || others.some(({ from }) => from !== only.from) ? null : only
}

/** "I start at Telia in June" holds from June on. */
function asPlanned(fact: Fact, { text }: DateRange): Fact {
  return fact.standing === 'holds' && beginsAt(fact.text, fact.value, text) ? { ...fact, standing: 'planned' } : fact
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
  return kept === '' ? `${upToSecret([...text].slice(0, most - 1).join(''), text)}…` : kept
}

/** The messages to think about, in order, with their surroundings. */
export interface ThinkInput {
  readonly userId: string
  readonly conversationId: string | null
  readonly messages: readonly ThinkMessage[]
  /** Whether a caller chose them to be remembered. Default false: they were said in a conversation. */
  readonly isChosen?: boolean
  /** Messages before them, thought about already: only to understand these. Default none. */
  readonly earlier?: readonly ThinkMessage[]
  /** Texts that were recalled and put into the context: not news when they come back. Default none. */
  readonly injected?: readonly string[]
  /** Memories that speak of the same, best first; only a model is shown them. Default none. */
  readonly known?: readonly Memory[]
  /** Name of the project at hand. Default none. */
  readonly project?: string | null
  /** The conversation has no title yet; only a model writes one along with its thoughts. Default false. */
  readonly untitled?: boolean
  /** Whether topic, variables and emotion are wanted too. Default true for messages of a conversation. */
  readonly analyse?: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Longest text of one memory, in characters. */
  readonly maxCharacters: number
  /** The zone of the days that a text names. Default UTC. */
  readonly timeZone?: TimeZone
}

/** A memory that may be stored, with the facts that its text states. */
export interface Draft {
  readonly memory: Omit<Memory, 'id'>
  readonly facts: readonly Fact[]
  /** Lines of the profile that it says; absent: none. */
  readonly lines?: readonly NewProfileLine[]
  /** The fields that the caller of `add` gave: null where none. Absent: heard in a conversation. */
  readonly said?: Pick<Memory, 'metadata' | 'validTo'>
  /** Memories whose place it takes, as a model said. Present: it is compared with others for sameness only. */
  readonly replaces?: readonly string[]
  /** The scope by a model: with the user everywhere, or in the project at hand. Absent: the rules decide. */
  readonly scope?: 'user' | 'project'
  /** The fields of memories that are compared with it (`conversationId`, `metadata.NAME`); absent: all memories. */
  readonly among?: Readonly<Record<string, string>>
}

/** A message that is not worth keeping by itself but may change a memory. */
export interface News extends Draft {
  /** A `change` is kept if it ends a memory ("土豆没了"); a `forget` ends and buries what is meant and is never kept. */
  readonly kind: 'change' | 'forget'
  /** The refusal of the message, the same object as in `rejected`. */
  readonly refusal: Rejection
  /** The turn whose memories are all to be forgotten; absent: those that the text names. */
  readonly turnId?: number
}

/** A message that is not kept. */
export interface Rejection {
  readonly text: string
  /** `model_declined`: the model wrote nothing down and gave no ground. */
  readonly reason: DecisionReason | 'model_declined'
}

/** The outcome of thinking. */
export interface Thoughts {
  readonly answeredBy: AnsweredBy
  readonly drafts: readonly Draft[]
  readonly rejected: readonly Rejection[]
  /** The refused messages that may change a memory; absent: none. */
  readonly news?: readonly News[]
  /** Lines of the profile that no draft says. */
  readonly profile: readonly NewProfileLine[]
  /** null when nothing was analysed. */
  readonly analysis: ConversationAnalysis | null
  /** Title and snippet that a model gave; absent: it gave none of use, or was not asked. */
  readonly title?: SessionSummary
  /** Ids of memories whose doubt the messages take back, as a model found; absent: none. */
  readonly holding?: readonly string[]
  /** Memories that a model found to be over, with the time `at` in milliseconds since the epoch. Absent: none. */
  readonly ends?: readonly { readonly id: string; readonly reason: string; readonly at: number }[]
  /** Memories that may no longer hold, as a model found; absent: none. */
  readonly doubts?: readonly { readonly id: string; readonly reason: string }[]
}

/** The outcome for one draft. */
export interface Outcome {
  /** The memory that now says it: the new one, the one that said it before, or the one that was forgotten. */
  readonly memory: Memory
  readonly event: 'ADD' | 'SUPERSEDE' | 'UPDATE' | 'NONE'
  /** Ids of the memories whose place it took, or which it ended. */
  readonly superseded: readonly string[]
  /** Ids of the memories that it made doubtful. */
  readonly doubted: readonly string[]
  /** The words that it puts right, with the right value in them; absent: it puts none right. */
  readonly restated?: string
  /** The refusal of its message that no longer stands, because the message changed a memory. */
  readonly lifted?: Rejection
}
