/**
 * EpisodicReconsolidator without a model (002 R4): the user's last message adds statements about the same event to a
 * used memory. Questions, guesses and known things are left out; original words, time, chat and person stay.
 */
import { isoDay } from '../../domain/clock.ts'
import type { MemoryPatch } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { DecisionReason, ThinkMessage } from '../../domain/thought.ts'
import type { Metadata } from '../../domain/turn.ts'
import { hasHan } from '../../language/character-class.ts'
import { asksOrOrders } from '../../language/questions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { tenseAt } from '../../language/tense.ts'
import { clausesOf } from '../facts/clauses.ts'
import { clip, isMostlyHan, metadataRecords, metadataText } from '../merge/episode-metadata.ts'
import { separatorOf, statementsInOrder, withEndMark } from '../merge/join-statements.ts'
import { SPECULATION, STYLE } from '../semantic-facts/semantic-facts-by-rules.ts'
import { tellingWords, weightOf } from '../topic/word-rarity.ts'
import { decideByRules } from '../write-decision/decide-by-rules.ts'

/** Least weight of the telling words that a sentence shares with the memory when it speaks of the same event. */
const SHARED_WEIGHT = 2
/** And least share of the weight of the shorter of the two: a common matter is no event. */
const SHARE_OF_SHORTER = 0.4
/** Least weight of what the user named of the memory just before, as "my apple trees", and the share of it that is enough. */
const NAMED_WEIGHT = 1
const NAMED_SHARE = 0.6
/** The words of things that both know of, as "the drill" and "my two drills", but "a drill" and "his sister's drill" not. */
const DEFINITE = /\b(?:the|my|our|this|that|these|those)((?:\s{1,4}[\p{L}\p{N}-]{1,40}(?!['’])){1,3})/giu
/** The kinds of sentence that are no news of an event, whatever words they share with it. */
const NO_NEWS: ReadonlySet<DecisionReason> = new Set([
  'chitchat',
  'style_wish',
  'preference',
  'habit',
  'problem_solution',
])
const TURNS_BEFORE = 2
/** A sentence with this share of its words in the memory says nothing new. */
const KNOWN_SHARE = 0.85
const MOST_STATEMENTS = 4
const SHORTEST = 2
const LONGEST_STATEMENT = 300
/** Characters of a message, and of a memory, that are read. */
const MOST_READ = 8_192

const POINTS_BACK =
  /^(?:(?:and|but|so|well|update|ps)[,:\s]+)*(?:it|s?he|they|turns? out|in the end|finally|since then)\b|^(?:后来|结果|最后|最终|原来|[它他她])/i
const POLITE =
  /^(?:thanks?|thank you|ok(?:ay)?|great|perfect|nice|cool|got it|hi|hello|hey|bye|yes|no|right|sure|谢谢|多谢|好的?|嗯|行|可以|没错|对的?|是的|你好|再见)[\s,.!。！，~]*$/i

/** true for a message that goes on about the talk just before: "It was cancelled.", 后来……. */
export function pointsBack(message: string): boolean {
  return splitSentences(message.slice(0, MOST_READ)).some((text) => POINTS_BACK.test(text))
}

/**
 * Statements about the event that the memory does not hold yet, in order. `own`: its words before any addition;
 * `before`: the turns before the message.
 */
function newStatements(
  memory: string,
  own: string,
  message: string,
  before: readonly ThinkMessage[],
): readonly string[] {
  const event = tellingWords(own)
  const eventWeight = weightOf(event)
  const asked = tellingWords(before.findLast(({ role }) => role === 'user')?.content.slice(0, MOST_READ) ?? '')
  const named = asked.filter((word) => isIn(word, own, event))
  const namedWeight = Math.max(NAMED_WEIGHT, weightOf(named))
  const isAbout = (text: string): boolean => {
    const words = tellingWords(text)
    const meant = hasHan(text) ? words : tellingWords(Array.from(text.matchAll(DEFINITE), ([, said]) => said).join(' '))
    if (weightOf(named.filter((word) => isIn(word, text, meant))) >= NAMED_SHARE * namedWeight) return true
    const shared = weightOf(words.filter((word) => isIn(word, own, event)))
    return shared >= SHARED_WEIGHT && shared >= SHARE_OF_SHORTER * Math.min(eventWeight, weightOf(words))
  }
  const known = tellingWords(memory)
  const earlier = before.slice(-TURNS_BEFORE).flatMap(({ content }) => splitSentences(content.slice(0, MOST_READ)))
  // A sentence belongs to the event when it tells of it or goes on from one that does.
  let about = earlier.some(isAbout)
  const statements: string[] = []
  for (const text of splitSentences(message.slice(0, MOST_READ))) {
    const isDirect = isAbout(text)
    about = isDirect || (about && POINTS_BACK.test(text))
    if (!about || text.length > LONGEST_STATEMENT || !isNews(text, isDirect)) continue
    const words = tellingWords(text)
    const said = words.filter((word) => isIn(word, memory, known)).length
    if (words.length < SHORTEST || said >= KNOWN_SHARE * words.length) continue
    statements.push(text)
    if (statements.length === MOST_STATEMENTS) break
  }
  return statements
}

/** Chinese is cut into words differently in two sentences, so that there a word is looked for in the text. */
function isIn(word: string, text: string, words: readonly string[]): boolean {
  return words.includes(word) || (/^\p{Script=Han}/u.test(word) && text.includes(word))
}

/** News has happened; a sentence that only goes on tells how it went, or is kept: not "It is a pity." */
function isNews(text: string, isDirect: boolean): boolean {
  if (asksOrOrders(text) || [POLITE, SPECULATION, STYLE].some((pattern) => pattern.test(text))) return false
  const { store, reason } = decideByRules({ content: text })
  // "She is well, they took the bandage off": the clause that tells may be the second.
  return ((isDirect || store) && !NO_NEWS.has(reason)) || clausesOf(text).some((one) => tenseAt(one, 0, 0) === 'past')
}

/** A later telling about an episode. */
interface ToldUpdate {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly update: string
}

/** An update as an episode records it (002 R4.4), and its teller. */
interface RecordedUpdate extends ToldUpdate {
  readonly record: Metadata
  /** The piece as it stands in the text. */
  readonly piece: string
  readonly conversationId: string
  /** null for a message that was not stored. */
  readonly turnId: number | null
}

const LONGEST_THING = 120
const LONGEST_STEP = 60
const STEP = ' → '
const LAST_TOLD = / ?(?:\(last told \d{4}-\d{2}-\d{2}\)|（最近提到 \d{4}-\d{2}-\d{2}）)$/

/** An update as it stands in a text: its day and its words. */
function pieceOf({ at, update }: ToldUpdate): string {
  return isMostlyHan(update) ? `${isoDay(at)}：${withEndMark(update)}` : `${isoDay(at)}: ${withEndMark(update)}`
}

/** The text with a piece behind it, and the separator between them. */
function appended(text: string, piece: string): string {
  const before = withEndMark(text)
  return before + separatorOf(before, piece) + piece
}

/** metadata.context with the day of the last update at its end; without one, as it was before the first. */
function contextAfter(context: string, last: ToldUpdate | null): string {
  const before = context.replace(LAST_TOLD, '')
  if (last === null) return before.trim()
  const day = isoDay(last.at)
  return `${before}${isMostlyHan(last.update) ? `（最近提到 ${day}）` : ` (last told ${day})`}`.trim()
}

/** The value of metadata.thing: its beginning and its latest; `begun` is its value before any update. */
function thingAfter(thing: string, last: ToldUpdate | null): string {
  const begun = thing.includes(STEP) ? thing.slice(0, thing.indexOf(STEP)) : thing
  if (last === null) return begun
  return begun === ''
    ? clip(last.update, LONGEST_THING)
    : clip(begun, LONGEST_STEP) + STEP + clip(last.update, LONGEST_STEP)
}

/** The updates that an episode records, oldest first. */
export function updatesOf(metadata: Metadata | null): readonly RecordedUpdate[] {
  return metadataRecords(metadata).map((record) => {
    const { chat_id: chat, turn_id: turn, time, update: said } = record
    const at = typeof time === 'string' ? Date.parse(time) : Number.NaN
    const told = { at: Number.isNaN(at) ? 0 : at, update: typeof said === 'string' ? said : '' }
    const conversationId = typeof chat === 'string' ? chat : ''
    return { ...told, record, piece: pieceOf(told), conversationId, turnId: typeof turn === 'number' ? turn : null }
  })
}

/**
 * The episode without some of its updates. `before` is its text before the first of them, by its history, or null; it
 * counts for texts that a model rewrote.
 */
export function withoutUpdates(
  { text, metadata }: Pick<Memory, 'text' | 'metadata'>,
  taken: readonly RecordedUpdate[],
  before: string | null,
): { readonly text: string; readonly metadata: Metadata } {
  const left = updatesOf(metadata).filter(({ record }) => !taken.some((one) => one.record === record))
  const last = left.at(-1) ?? null
  const { updates: _, ...rest } = metadata ?? {}
  const updates = left.length === 0 ? {} : { updates: left.map(({ record }) => record) }
  const isWhole = before === null || taken.every(({ piece }) => text.includes(piece))
  const since = Math.min(...taken.map(({ at }) => at))
  const said = isWhole
    ? taken.reduce(withoutPiece, text)
    : left.filter(({ at }) => at >= since).reduce((words, { piece }) => appended(words, piece), before)
  const context = contextAfter(isWhole ? metadataText(metadata, 'context') : '', last)
  const thing = thingAfter(isWhole ? metadataText(metadata, 'thing') : clip(before, LONGEST_THING), last)
  return { text: said, metadata: { ...rest, context, thing, ...updates } }
}

function withoutPiece(text: string, { piece }: RecordedUpdate): string {
  const at = text.lastIndexOf(piece)
  if (at === -1) return text
  const [head, tail] = [text.slice(0, at).trimEnd(), text.slice(at + piece.length).trimStart()]
  return head === '' || tail === '' ? head + tail : appended(head, tail)
}

/** The conversation in which the memory was used. */
export interface CurrentContext {
  readonly conversationId: string
  /** The last turns, oldest first; the current exchange at the end. */
  readonly turns: readonly ThinkMessage[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** The fields of a memory that reconsolidation may change: never time, chat, who (002 R4.2). */
export type ReconsolidationPatch = Required<Pick<MemoryPatch, 'text' | 'metadata'>>

/** Longest text; the oldest additions make room, they stay in metadata.updates. */
export const RECONSOLIDATED_CHARACTERS = 2000
/** Updates that are kept, the latest. */
const MOST_UPDATES = 50
const LONGEST_UPDATE = 400

/** The fields of a memory that reconsolidation reads. */
export type ReconsolidationSide = Pick<Memory, 'text' | 'metadata' | 'memoryType' | 'category' | 'validTo'>

/** The change, or null when the conversation adds nothing to this memory. A turn adds at most once. */
export function reconsolidateByRules(
  memory: ReconsolidationSide,
  context: CurrentContext,
): ReconsolidationPatch | null {
  const last = context.turns.findLastIndex(({ role }) => role === 'user')
  const message = context.turns[last]
  // A wish or an order is no event that goes on.
  const isEvent = memory.memoryType === 'episodic' && memory.category === 'fact'
  if (!isEvent || memory.validTo !== null || message === undefined) return null
  const isTold = ({ conversationId, turnId }: RecordedUpdate): boolean =>
    turnId !== null && turnId === message.turnId && conversationId === context.conversationId
  if (updatesOf(memory.metadata).some(isTold)) return null
  const [text, own] = [memory.text, ownWords(memory)].map((words) => words.slice(0, MOST_READ)) as [string, string]
  const statements = newStatements(text, own, message.content, context.turns.slice(0, last))
  if (statements.length === 0) return null
  return reconsolidationPatch(memory, statementsInOrder(statements).slice(0, LONGEST_UPDATE).toWellFormed(), context)
}

/**
 * The patch with this update, by rules or model: a piece of the text and a record; everything else of the metadata
 * stays.
 */
export function reconsolidationPatch(
  memory: ReconsolidationSide,
  update: string,
  { conversationId, turns, now }: CurrentContext,
): ReconsolidationPatch {
  const { metadata } = memory
  const told = { at: now, update }
  const record = {
    time: new Date(now).toISOString(),
    update,
    chat_id: conversationId,
    /** null when it was no stored turn. */
    turn_id: turns.findLast(({ role }) => role === 'user')?.turnId ?? null,
  }
  return {
    text: extended(memory, told),
    metadata: {
      ...metadata,
      context: contextAfter(metadataText(metadata, 'context'), told),
      thing: thingAfter(metadataText(metadata, 'thing'), told),
      updates: [...metadataRecords(metadata), record].slice(-MOST_UPDATES),
    },
  }
}

/** The text before the first update in it. */
export function ownWords({ text, metadata }: Pick<Memory, 'text' | 'metadata'>): string {
  const places = updatesOf(metadata).map(({ piece }) => text.indexOf(piece))
  return text.slice(0, Math.min(text.length, ...places.filter((place) => place > 0)))
}

/** The text with the update behind it; while that is too long, without the oldest ones. */
function extended({ text, metadata }: ReconsolidationSide, told: ToldUpdate): string {
  let before = text
  for (const { piece } of updatesOf(metadata)) {
    if (before.length + pieceOf(told).length < RECONSOLIDATED_CHARACTERS) break
    before = before.replace(piece, () => '').trimEnd()
  }
  return appended(before, pieceOf(told))
}
