/**
 * Which parts of a model's answer about an exchange can be used? Each is checked by itself; an unusable one is null
 * with a problem noted, and the rules answer for it alone.
 */
import type { NewProfileLine } from '../../domain/contracts/small-stores.ts'
import { type ConversationAnalysis, EMOTIONS, TOPIC_CHARACTERS } from '../conversation-analysis/analyze-by-rules.ts'
import { boundedLine } from '../model-answers/bounded-text.ts'
import { shareFound, tellingTerms } from '../model-answers/grounding.ts'
import { parseAnswer } from '../model-answers/parse-answer.ts'
import {
  type SessionSummary,
  SNIPPET_CHARACTERS,
  shortenToCharacters,
  TITLE_CHARACTERS,
} from '../session-summary/title-and-snippet.ts'
import { type ExchangeInput, withSecretsOf } from './exchange-prompt.ts'
import {
  endSchema,
  exchangeSchema,
  listSchema,
  namedSchema,
  profileLineSchema,
  titleSchema,
  workingMemorySchema,
} from './exchange-schema.ts'
import {
  type ExchangeSources,
  exchangeSources,
  FOREIGN,
  REPEATED,
  refuseText,
  saidByOthers,
  steersUnasked,
  UNSAID,
  UNSAID_DETAIL,
} from './exchange-sources.ts'
import { type ExchangeStatement, readStatements, spanOf } from './read-statements.ts'

/** The part for working memory; the fields of `ConversationAnalysis`, each null when the model gave no usable one. */
interface ExchangeWorkingMemory {
  readonly topic: string | null
  readonly contextVariables: Readonly<Record<string, unknown>>
  readonly emotion: ConversationAnalysis['emotion'] | null
}

/** The parts of an answer. A part that is null falls back to the rules. */
export interface ExchangeAnswer {
  readonly statements: readonly ExchangeStatement[] | null
  /** The words of the refused statements: the rules answer for them. */
  readonly refused: readonly string[]
  /** Whether the end is missing: then the rules answer for sentences without a statement. */
  readonly isCut: boolean
  /** Memories that are over, by id; `at` null: since now. */
  readonly ends: readonly { readonly id: string; readonly reason: string; readonly at: number | null }[]
  /** Ids of memories that hold. */
  readonly confirms: readonly string[]
  readonly doubts: readonly { readonly id: string; readonly reason: string }[]
  readonly profile: readonly NewProfileLine[] | null
  readonly workingMemory: ExchangeWorkingMemory | null
  /** null where none was asked for, too. */
  readonly title: SessionSummary | null
  /** The refused or repaired parts, one short line each, without people's words. */
  readonly problems: readonly string[]
}

const LONGEST_REASON = 200
const MOST_NAMED = 20
const MOST_PROFILE_LINES = 6
const LONGEST_PROFILE_LINE = 200
/** The share of its telling words from which a line says what a refused statement does. */
const UNTOLD_SHARE = 0.7
const MOST_VARIABLES = 20
const LONGEST_VARIABLE = 200
/** Lists and objects within one another, and the words in all of them. */
const DEEPEST_VARIABLE = 3
const MOST_VALUES = 100
const MOST_PROBLEMS = 40

/** Reads the text of an answer to `exchangeMessages(input)`. Never throws; all parts are null for a text of no use. */
export function readExchangeAnswer(text: string, input: ExchangeInput): ExchangeAnswer {
  const parsed = parseAnswer(text, exchangeSchema)
  const problems: string[] = []
  if (!parsed.ok) problems.push(parsed.error)
  const isCut = parsed.ok && parsed.isCut
  if (isCut) problems.push('the answer is cut off')
  const answer = parsed.ok ? withSecretsOf(input, parsed.value) : {}
  const sources = exchangeSources(input)
  const { statements, refused, untold } = readStatements(answer, sources, problems)
  const gone = new Set((statements ?? []).flatMap(({ replaces }) => replaces))
  const ends = readNamed(answer.ends, 'ends', sources, problems).flatMap(({ id, item }) => {
    const read = endSchema.safeParse(item)
    if (!read.success) problems.push('ends: one has no known reason')
    if (!read.success || gone.has(id)) return []
    return [{ id, reason: read.data.reason, at: spanOf(read.data.time, 'ends', problems)?.from ?? null }]
  })
  for (const { id } of ends) gone.add(id)
  const holding = readNamed(answer.confirms, 'confirms', sources, problems).filter(({ id }) => !gone.has(id))
  const doubts = readNamed(answer.doubts, 'doubts', sources, problems).filter(({ id }) => !gone.has(id))
  return {
    statements,
    refused,
    isCut,
    ends,
    confirms: holding.map(({ id }) => id),
    doubts: doubts.map(({ id, why }) => ({ id, reason: why })),
    profile: parsed.ok
      ? readProfile(answer.profile ?? (statements === null ? null : []), sources, untold, problems)
      : null,
    workingMemory: parsed.ok ? readWorkingMemory(answer.working_memory, sources, problems) : null,
    title: parsed.ok && input.untitled === true ? readTitle(answer.title, sources, problems) : null,
    problems: problems.slice(0, MOST_PROBLEMS),
  }
}

interface Named {
  readonly id: string
  readonly why: string
  readonly item: unknown
}

/** The memories that a list names, by their real ids. */
function readNamed(part: unknown, name: string, sources: ExchangeSources, problems: string[]): readonly Named[] {
  const list = listSchema.safeParse(part).data ?? []
  const found = new Map<string, Named>()
  for (const item of list.slice(0, MOST_NAMED)) {
    const read = namedSchema.safeParse(item)
    const known = read.success ? sources.shown.get(read.data.id) : undefined
    if (!read.success || known === undefined) problems.push(`${name}: one names no memory that was shown`)
    else {
      const why = boundedLine(read.data.why, LONGEST_REASON)
      found.set(known.id, { id: known.id, why: steersUnasked(why, sources) ? '' : why, item })
    }
  }
  return [...found.values()]
}

function readProfile(
  part: unknown,
  sources: ExchangeSources,
  untold: readonly string[],
  problems: string[],
): readonly NewProfileLine[] | null {
  const list = listSchema.safeParse(part).data
  if (list === undefined) {
    problems.push('profile: missing or no list')
    return null
  }
  const untoldTerms = untold.map((text) => tellingTerms(text))
  const isUntold = (text: string): boolean =>
    untoldTerms.some((terms) => (shareFound(text, terms) ?? 0) >= UNTOLD_SHARE)
  const lines = list.slice(0, MOST_PROFILE_LINES).flatMap((item, index): NewProfileLine[] => {
    const { data } = profileLineSchema.safeParse(item)
    const text = boundedLine(data?.text, LONGEST_PROFILE_LINE)
    const refusal =
      data === undefined || text === ''
        ? 'no known section, or no text'
        : isUntold(text)
          ? 'is not the word of the user'
          : refuseLine({ ...data, text }, sources)
    if (data !== undefined && refusal === null)
      return [{ section: data.section, text, ...(data.replaces.length === 0 ? {} : { replaces: data.replaces }) }]
    problems.push(`profile[${index}]: ${refusal}`)
    return []
  })
  return lines.length === 0 && list.length > 0 ? null : lines
}

/** How somebody writes, in which languages, and wants to be answered can be seen without being said; a background cannot. */
function refuseLine({ section, text }: NewProfileLine, sources: ExchangeSources): string | null {
  if (saidByOthers(text, sources)) return 'is not the word of the user'
  const seen = { background: [], reply_style: [UNSAID], language: [UNSAID, UNSAID_DETAIL] }
  return refuseText(text, sources, ...seen[section])
}

function readWorkingMemory(part: unknown, sources: ExchangeSources, problems: string[]): ExchangeWorkingMemory | null {
  const read = workingMemorySchema.safeParse(part)
  if (!read.success) {
    problems.push('working_memory: missing or of another shape')
    return null
  }
  const { current_topic: topic, context_variables: variables, emotion } = read.data
  /** The line where it is trusted, or refused for one of the grounds that do not matter here. */
  const trusted = (line: string, name: string, ...grounds: readonly string[]): string | null => {
    const refusal = line === '' ? null : refuseText(line, sources, ...grounds)
    if (refusal !== null) problems.push(`working_memory.${name}: ${refusal}`)
    return line === '' || refusal !== null ? null : line
  }
  let values = 0
  /** The value with its type, as far as it is trusted; of a list or an object what is; undefined: nothing. */
  const keptValue = (value: unknown, deep = 0): unknown => {
    // A yes or no has no words that somebody could have said.
    if (typeof value === 'boolean') return value
    if (typeof value !== 'object') {
      values += 1
      if (values > MOST_VALUES) return undefined
      const line = trusted(boundedLine(`${value}`, LONGEST_VARIABLE), 'context_variables', FOREIGN)
      return line === null ? undefined : typeof value === 'number' ? value : line
    }
    if (value === null || deep === DEEPEST_VARIABLE) return undefined
    if (Array.isArray(value)) {
      const items = value.slice(0, MOST_VARIABLES).map((item) => keptValue(item, deep + 1))
      return nonEmpty(items.filter((item) => item !== undefined))
    }
    return nonEmpty(keptFields(value, deep + 1))
  }
  const keptFields = (fields: object, deep = 0): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(fields)
        .slice(0, MOST_VARIABLES)
        .map(([name, value]) => [boundedLine(name, 64), value] as const)
        .filter(([name]) => name !== '' && !steersUnasked(name, sources))
        .map(([name, value]) => [name, keptValue(value, deep)])
        .filter(([, value]) => value !== undefined),
    )
  const felt = EMOTIONS.find((known) => known === emotion?.trim().toLowerCase()) ?? null
  if (felt === null && boundedLine(emotion, 40) !== '') problems.push('working_memory.emotion: not known')
  return {
    // A topic may be a word that nobody said, or one that is known.
    topic: trusted(boundedLine(topic, TOPIC_CHARACTERS), 'current_topic', UNSAID, REPEATED),
    contextVariables: keptFields(variables ?? {}),
    emotion: felt,
  }
}

function nonEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value
}

const LONGEST_READ = 2000

/** Title and snippet of a conversation that had none (001); null when there is none of use, so that the rules write it. */
function readTitle(part: unknown, sources: ExchangeSources, problems: string[]): SessionSummary | null {
  const read = titleSchema.safeParse(part)
  const title = boundedLine(read.data?.title, LONGEST_READ)
  const snippet = boundedLine(read.data?.snippet, LONGEST_READ)
  const fault =
    title === '' || snippet === ''
      ? 'missing or of another shape'
      : (refuseText(title, sources, REPEATED) ?? refuseText(snippet, sources, REPEATED))
  if (fault === null)
    return {
      title: shortenToCharacters(title, TITLE_CHARACTERS),
      snippet: shortenToCharacters(snippet, SNIPPET_CHARACTERS),
    }
  problems.push(`title: ${fault}`)
  return null
}
