/**
 * Which statements of a model may become memories? Each needs a quote that was said; owner, dates, secrets, numbers and
 * names are checked besides, and nothing is rewritten.
 */
import { z } from 'zod'
import { check } from '../../domain/checks.ts'
import { MOST_IMPORTANT, STATED_CONFIDENCE } from '../../domain/limits.ts'
import { CATEGORIES, type MemorySource } from '../../domain/memory.ts'
import { PRONOUN_SUBJECT, peopleOf } from '../facts/people.ts'
import { boundedLine, boundedText, plainValue, snakeCase, wordsOfValue } from '../model-answers/bounded-text.ts'
import { holdsUnsaidDetail, shareFound, steersAssistant } from '../model-answers/grounding.ts'
import { KINDS, listSchema, looseBoolean, looseText, type StatementKind, statementSchema } from './exchange-schema.ts'
import {
  type ExchangeSources,
  quotedPieces,
  REPEATED,
  refuseText,
  repeatsRemembered,
  sentenceSaying,
  standsIn,
  steersUnasked,
  UNSAID,
  UNSAID_DETAIL,
  withoutOuterMarks,
} from './exchange-sources.ts'

/** One thing to remember, in the user's language. Times are milliseconds since the epoch. */
export interface ExchangeStatement {
  /** At most LONGEST_TEXT characters. */
  readonly text: string
  /** `user`, or the person or thing as the text names it. */
  readonly about: string
  /** With the user everywhere, or in the project at hand; null: not said. */
  readonly scope: 'user' | 'project' | null
  readonly kind: StatementKind
  /** The attribute in snake_case; null where there is none. */
  readonly attribute: string | null
  /** Any JSON; null when the text says it all. */
  readonly value: unknown
  readonly from: number | null
  /** The end, not before `from`. */
  readonly to: number | null
  /** Ids of memories. */
  readonly replaces: readonly string[]
  readonly quote: string
  readonly source: MemorySource
  readonly confidence: number
  /** 0 to 3 (004). */
  readonly importance: number
}

type By = 'said' | 'inferred' | 'heard'

const MOST_STATEMENTS = 25
const LONGEST_TEXT = 1200
const LONGEST_NAME = 100
const LONGEST_VALUE = 2000
/**
 * The highest confidence of statements not said by the user, below the user's own: inferred ones stand behind heard
 * ones.
 */
const MOST_CONFIDENCE = { inferred: 0.6, heard: 0.8 } as const
const DEFAULT_CONFIDENCE = 0.6
/** Fewer letters quote nothing. */
const LEAST_QUOTE = 2
/** The share of its telling words from which a sentence makes an unquoted statement. */
const SAID_SHARE = 0.5
/** The share of its telling words from which an unquoted conclusion is about the talk. */
const CONCLUDED_SHARE = 0.2
const OF_ANOTHER = 'is about another person'
const OF_ASSISTANT = 'is the word of the assistant'
const NOT_THEIRS: ReadonlySet<string> = new Set([OF_ANOTHER, OF_ASSISTANT])
const USER =
  /^(?:the )?(?:user|users|speaker|writer|author|me|myself|i|self|user's|owner)$|^(?:该|这位|本)?(?:用户|使用者)(?:本人|自己)?$|^(?:我|本人|自己)$/i

/**
 * The statements of an answer; null when the rules should answer. `refused`: words of those that they should answer for;
 * `untold`: texts that are not the user's to tell.
 */
export function readStatements(
  answer: Readonly<Record<string, unknown>>,
  sources: ExchangeSources,
  problems: string[],
): {
  readonly statements: readonly ExchangeStatement[] | null
  readonly refused: readonly string[]
  readonly untold: readonly string[]
} {
  const list = listSchema.safeParse(answer.statements).data ?? olderStatements(answer, sources)
  if (list === null) {
    if (problems.length === 0) problems.push('statements: missing or no list')
    return { statements: null, refused: [], untold: [] }
  }
  if (list.length > MOST_STATEMENTS)
    problems.push(`statements: ${list.length}, only the first ${MOST_STATEMENTS} are taken`)
  const statements: ExchangeStatement[] = []
  const refused: string[] = []
  const untold: string[] = []
  for (const [index, item] of list.slice(0, MOST_STATEMENTS).entries()) {
    const read = readStatement(item, sources, (problem) => problems.push(`statements[${index}]: ${problem}`))
    if ('refusal' in read) {
      problems.push(`statements[${index}]: ${read.refusal}`)
      if (read.refusal !== REPEATED) refused.push(read.words)
      if (NOT_THEIRS.has(read.refusal)) untold.push(read.text)
    } else if (!statements.some((one) => isSame(one, read))) statements.push(read)
  }
  return { statements, refused, untold }
}

/** Whether two statements of one answer are one. */
function isSame(one: ExchangeStatement, other: ExchangeStatement): boolean {
  const told = ({ about, attribute, value }: ExchangeStatement): string => JSON.stringify([about, attribute, value])
  const isNamed = one.attribute !== null && one.value !== null
  return told(one) === told(other) && (isNamed || withoutOuterMarks(one.text) === withoutOuterMarks(other.text))
}

function readStatement(
  item: unknown,
  sources: ExchangeSources,
  note: (problem: string) => void,
): ExchangeStatement | { readonly refusal: string; readonly words: string; readonly text: string } {
  const read = statementSchema.safeParse(item)
  if (!read.success) {
    const { quote, text } = Object(item)
    const wrong = read.error.issues[0]?.path.join('.') || 'it'
    const words = boundedLine(String(quote ?? text ?? ''), LONGEST_TEXT)
    return { refusal: `${wrong} is missing or not known`, words, text: '' }
  }
  const { data } = read
  const text = boundedText(data.text, LONGEST_TEXT)
  const given = boundedLine(data.quote, LONGEST_TEXT)
  const isQuote = isQuoteFrom(given, sources.exchangeFolded) || holdsUnsaidDetail(given, sources.details)
  // A quote that is left out or not to the letter is looked up: the sentence of the user's that says most of it.
  const quote = isQuote ? given : sentenceSaying(text, sources.userText, SAID_SHARE) || given
  const value = readValue(data.value, note)
  const said = value === null ? text : `${text}\n${wordsOfValue(value)}`
  const about = ownerOf(data.about, sources)
  const by = whoSaid(data.by, quote, said, sources)
  const isAnswer = !isQuoteFrom(quote, sources.userFolded) && isQuoteFrom(quote, sources.answerFolded)
  const refusal =
    (text === '' ? 'no text' : null) ??
    (about === null ? 'nobody spoke of its person' : null) ??
    (about === 'user' && isOfAnother(text, quote) ? OF_ANOTHER : null) ??
    refuseText(said, sources, REPEATED, UNSAID, UNSAID_DETAIL) ??
    (steersUnasked(given, sources) ? 'steers the assistant' : null) ??
    (by === null ? 'its quote was not said' : null) ??
    (by !== 'said' && repeatsRemembered(text, sources) ? REPEATED : null) ??
    (about === 'user' && by === 'heard' && data.by !== 'heard' && isAnswer ? OF_ASSISTANT : null) ??
    (holdsUnsaidDetail(said, sources.details) ? UNSAID_DETAIL : null)
  if (refusal !== null || about === null || by === null)
    return { refusal: refusal ?? '', words: quote === '' ? text : quote, text }
  const { from, to } = readTime(data.time, note)
  const kind = data.kind ?? (to === null ? 'fact' : 'event')
  return {
    text,
    about,
    scope: readScope(data.scope, sources),
    kind,
    attribute: snakeCase(data.attribute ?? '') || null,
    value,
    from,
    to,
    replaces: [...new Set(data.replaces)].flatMap((id) => {
      const known = sources.shown.get(id)
      if (known === undefined) note('replaces a memory that was not shown')
      return known === undefined ? [] : [known.id]
    }),
    quote,
    source: by === 'said' ? 'user_stated' : 'inferred',
    confidence: confidence(data.confidence, by),
    importance: Number.isFinite(data.importance)
      ? Math.min(MOST_IMPORTANT, Math.max(0, Math.round(data.importance)))
      : KINDS[kind].importance,
  }
}

/** Whether a quote tells of others alone, and a text about the user names neither them nor any relation. */
function isOfAnother(text: string, quote: string): boolean {
  if (quotedPieces(quote).length > 1) return false
  const subjects = new Set(peopleOf(quote).clauses.flatMap((clause) => [...clause.subjects]))
  if (subjects.size === 0 || subjects.has('user') || subjects.has(PRONOUN_SUBJECT)) return false
  const words = text.toLowerCase()
  return peopleOf(text).mentioned.size === 0 && ![...subjects].some((subject) => words.includes(subject))
}

/** The speaker, as far as the exchange shows: the user only if the quote is in the user's words. null: nobody. */
function whoSaid(by: By | undefined, quote: string, said: string, sources: ExchangeSources): By | null {
  const isOwn = isQuoteFrom(quote, sources.userFolded)
  if (!isOwn && !isQuoteFrom(quote, sources.exchangeFolded))
    // A conclusion may stand in nobody's words, but it must be about them.
    return by !== 'said' && by !== 'heard' && (shareFound(said, sources.allTerms) ?? 0) >= CONCLUDED_SHARE
      ? 'inferred'
      : null
  if (by === 'inferred' || by === 'heard') return by
  // A name or a number that only somebody else gave was not told by the user.
  return isOwn && !holdsUnsaidDetail(said, sources.ownDetails) ? 'said' : 'heard'
}

function isQuoteFrom(quote: string, text: string): boolean {
  return withoutOuterMarks(quote).length >= LEAST_QUOTE && standsIn(quote, text)
}

function confidence(given: number, by: By): number {
  const clamped = Number.isFinite(given) ? Math.min(1, Math.max(0, given)) : null
  if (by === 'said') return Math.max(STATED_CONFIDENCE, clamped ?? STATED_CONFIDENCE)
  return Math.min(MOST_CONFIDENCE[by], clamped ?? DEFAULT_CONFIDENCE)
}

/** `user`, or the person or thing as it was written; null for somebody who was not mentioned. */
function ownerOf(name: string | null | undefined, { namedTerms }: ExchangeSources): string | null {
  const given = boundedLine(name, LONGEST_NAME)
  if (given === '' || USER.test(given)) return 'user'
  return steersAssistant(given) || shareFound(given, namedTerms) === 0 ? null : given
}

/** The scope; null where the model gives none. Another project than the present one is known by the text alone. */
function readScope(scope: string | null | undefined, { project }: ExchangeSources): ExchangeStatement['scope'] {
  const given = boundedLine(scope, LONGEST_NAME).toLowerCase()
  if (project === null || !/^(?:user|project)\b/.test(given)) return null
  return ['project', `project:${project.toLowerCase()}`].includes(given) ? 'project' : 'user'
}

function readValue(value: unknown, note: (problem: string) => void): unknown {
  const given = typeof value === 'string' ? boundedText(value, LONGEST_VALUE) : (value ?? null)
  if (given === null || wordsOfValue(given).trim() === '') return null
  if (JSON.stringify(given).length <= LONGEST_VALUE) return given
  note('its value is too long')
  return null
}

function readTime(
  time: { readonly from?: string | null | undefined; readonly to?: string | null | undefined } | null | undefined,
  note: (problem: string) => void,
): Pick<ExchangeStatement, 'from' | 'to'> {
  const problems: string[] = []
  const from = spanOf(time?.from, 'time', problems)?.from ?? null
  const to = spanOf(time?.to, 'time', problems)?.to ?? null
  for (const problem of problems) note(problem)
  if (from === null || to === null || from <= to) return { from, to }
  note('its time ends before it begins')
  return { from: null, to: null }
}

/** The stretch of a year, a month, a day or a moment, in milliseconds since the epoch, both ends inside. */
export function spanOf(
  time: string | null | undefined,
  name: string,
  problems: string[],
): { readonly from: number; readonly to: number } | null {
  const given = boundedLine(time, 40)
  if (given === '' || /^(?:null|none|unknown|n\/a)$/i.test(given)) return null
  const [, year, month, day] = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(given) ?? []
  try {
    const from = check.time(name, year === undefined ? given : `${year}-${month ?? '01'}-${day ?? '01'}`)
    if (year === undefined) return { from, to: from }
    const end = new Date(from)
    if (day !== undefined) end.setUTCDate(end.getUTCDate() + 1)
    else if (month !== undefined) end.setUTCMonth(end.getUTCMonth() + 1)
    else end.setUTCFullYear(end.getUTCFullYear() + 1)
    return { from, to: end.getTime() - 1 }
  } catch {
    problems.push(`${name}: one is no ISO 8601`)
    return null
  }
}

const itemSchema = z.object({
  category: z.enum(CATEGORIES),
  key: z.string(),
  value: z.unknown(),
  about: looseText,
  standing: z.string().catch('holds'),
  single: looseBoolean,
  text: z.string().catch(''),
  confidence: z.unknown(),
  source: z.string().catch('inferred'),
})

/** The statements of such an answer, not checked yet; null when it has none of these parts, or not in their shape. */
function olderStatements(
  answer: Readonly<Record<string, unknown>>,
  sources: ExchangeSources,
): readonly unknown[] | null {
  const update = Object(answer.memory_update ?? answer) as Readonly<Record<string, unknown>>
  const records = listOf(answer.write_episodic, answer.records)
  const items = listOf(update.should_store, update.items)
  if (records === null && items === null) return null
  // A promise without anything that keeps it is no answer.
  if (records?.length === 0 && items === null && looseBoolean.parse(answer.write_episodic) !== false) return null
  const used = new Set<string>()
  return [
    ...(items ?? []).map((item) => ofItem(item, sources, used)),
    ...(records ?? []).map((record) => ofRecord(record, sources)),
  ]
}

/** The list, empty where the model decided against it; null where there is none. */
function listOf(decision: unknown, part: unknown): readonly unknown[] | null {
  return looseBoolean.parse(decision) === false ? [] : (listSchema.safeParse(part).data ?? null)
}

function ofRecord(record: unknown, sources: ExchangeSources): unknown {
  const { text, who, time, importance } = Object(typeof record === 'string' ? { text: record } : record)
  return { text, about: who, kind: 'event', time, by: 'said', quote: quoteFor(String(text), sources), importance }
}

/** The copied words are its text; a second value from the same words stands before them. */
function ofItem(item: unknown, sources: ExchangeSources, used: Set<string>): unknown {
  const read = itemSchema.safeParse(item)
  // An answer without a text is refused, and the rules answer for its words.
  if (!read.success) return { quote: Object(item).text }
  const { category, key, value, about, standing, single, text, confidence, source } = read.data
  const attribute = snakeCase(key)
  const words = plainValue(value)
  const quote = standsIn(text, sources.exchangeFolded) ? text : quoteFor(words, sources)
  const isUsed = used.has(quote)
  used.add(quote)
  const isOver = standing === 'ended'
  const replaces = [...sources.shown].filter(([, known]) => {
    const isSame = withoutOuterMarks(plainValue(known.value)) === withoutOuterMarks(words)
    return known.key === attribute && (known.who ?? 'user') === (about ?? 'user') && (isOver ? isSame : !isSame)
  })
  return {
    text: isUsed || quote === '' ? `${words} (${quote})` : quote,
    about,
    kind: category === 'preference' ? 'preference' : 'fact',
    // A past or ended state is told in words: as a value it would be taken for the present one.
    ...(isOver || standing === 'held' ? {} : { attribute, value }),
    replaces: isOver || (single === true && standing !== 'held') ? replaces.map(([id]) => id) : [],
    by: source === 'user_stated' ? 'said' : 'inferred',
    quote,
    confidence,
    importance: category === 'preference' ? 1 : 0,
  }
}

/** The sentence that says it: the user's own where there is one, else anybody's. */
function quoteFor(words: string, { userText, exchangeText }: ExchangeSources): string {
  return sentenceSaying(words, userText) || sentenceSaying(words, exchangeText)
}
