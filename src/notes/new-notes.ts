/** Which lines come into the file? Missing ones, successors of ended ones, and news that repeats none (004). */
import type { ListedEntry } from '../domain/contracts/small-stores.ts'
import { holdsAt, type Memory } from '../domain/memory.ts'
import type { SkippedEntry } from '../domain/memory-file.ts'
import { withBreath } from '../domain/scheduling.ts'
import type { AnsweredBy } from '../domain/thought.ts'
import { splitSentences } from '../language/sentences.ts'
import { editSimilarity, foldedText, isMoreAlike, sameEnd, sameStart } from '../language/spelling.ts'
import { inContrast, textProfile } from '../thinking/similarity/similarity.ts'
import { noteOf, standsAlone, withoutOpening } from './choose-notes.ts'
import { type Arrival, lineOf, type Merged, newRow } from './compose-notes.ts'
import type { Keeping, NotesDependencies, Stretch } from './dependencies.ts'
import { type Candidate, isToldAgain, noteCandidates, repeatsOf } from './note-candidates.ts'

const LONGEST_CHAIN = 50

/** The lines that come in without a search: missing ones, and successors of ended ones. */
export async function returningTo(
  { store, userId }: Keeping,
  { standing, wanted, superseded }: Merged,
  rows: readonly ListedEntry[],
  now: number,
): Promise<readonly Arrival[]> {
  const there = new Set(standing.map(({ memory }) => memory.id))
  const rowOf = new Map(rows.map(({ memory: _, ...row }) => [row.memoryId, row]))
  const arrivals: Arrival[] = []
  const arrive = (memory: Memory, note: ReturnType<typeof lineOf>, isNews: boolean): void => {
    if (there.has(memory.id)) return
    there.add(memory.id)
    arrivals.push({ memory, note, row: rowOf.get(memory.id) ?? newRow(memory, now), isNews })
  }
  for (const memory of wanted) arrive(memory, lineOf(memory), false)
  for (const memory of superseded) {
    const successor = await successorOf(store.memories, userId, memory, now)
    const state = successor === null ? null : rowOf.get(successor.id)?.state
    if (successor === null || (state !== undefined && state !== null && state !== 'struck')) continue
    // A successor may pass more easily than the rules allow, but must be one plain statement.
    const said = splitSentences(successor.text).map(withoutOpening)
    if (noteOf(successor, false) !== null || (said.length === 1 && standsAlone(said[0]!)))
      arrive(successor, lineOf(successor), true)
  }
  return arrivals
}

/** The last of the chain; null when nothing took its place, or that does not hold any more either. */
async function successorOf(
  memories: Pick<NotesDependencies['store']['memories'], 'get'>,
  userId: string,
  { supersededBy }: Memory,
  now: number,
): Promise<Memory | null> {
  let last: Memory | null = null
  let next = supersededBy
  for (let step = 0; next !== null && step < LONGEST_CHAIN; step += 1) {
    last = await memories.get(userId, next)
    next = last?.supersededBy ?? null
  }
  return last !== null && holdsAt(last, now) ? last : null
}

export interface News {
  readonly chosen: readonly Candidate[]
  readonly skipped: readonly SkippedEntry[]
  readonly judged: readonly Memory[]
  /** null: nothing new was looked for. */
  readonly answeredBy: AnsweredBy | null
}

export const NO_NEWS: News = {
  chosen: [],
  skipped: [],
  judged: [],
  answeredBy: null,
}

/** The memories of the stretch that come in: no repeats of a line, and nothing that the person took out. */
export async function newNotes(
  keeping: Keeping,
  stretch: Stretch,
  dryRun: boolean,
  { merged, rows, returning }: { merged: Merged; rows: readonly ListedEntry[]; returning: readonly Arrival[] },
): Promise<News> {
  const { store, settings, newId, clock, userId, signal } = keeping
  const now = clock().getTime()
  const comingIds = new Set([...merged.standing, ...returning].map(({ memory }) => memory.id))
  const refused = new Set(merged.rows.flatMap(({ memoryId, state }) => (state === 'listed' ? [] : [memoryId])))
  const isSettled = (id: string): boolean => comingIds.has(id) || refused.has(id)
  const found = await noteCandidates(keeping, stretch, isSettled, dryRun)
  const { choose, chosen, skipped } = chooser(
    listedTexts(merged, returning, now),
    refusedTexts(rows, merged),
    settings.dedupThreshold,
  )
  const workOf = ({ note }: Candidate): number => note.text.length + COMPARED * (merged.standing.length + chosen.length)
  for await (const candidate of withBreath(found.candidates, workOf, signal)) choose(candidate)
  for (const { memory } of chosen) if (memory.id !== null) comingIds.add(memory.id)
  const again = [...found.judged, ...rows.flatMap((row) => (isToldAgain(row, stretch) ? (row.memory ?? []) : []))]
  const known = [...new Map(again.map((memory) => [memory.id, memory])).values()]
  const coming = known.filter(({ id }) => comingIds.has(id))
  const repeats = await repeatsOf(keeping, coming, stretch)
  for (const memory of repeats.near) {
    const id = newId()
    const isChosen = choose({ memory: { ...memory, id: dryRun ? null : id }, note: lineOf({ ...memory, id }) })
    if (isChosen && !dryRun) await store.memories.insert(userId, [{ ...memory, id }])
  }
  return {
    chosen,
    skipped: [...skipped, ...repeats.skipped],
    judged: found.judged,
    answeredBy: found.answeredBy,
  }
}

/** To compare a line with another is so many times the work of reading a character. */
const COMPARED = 8

/** Chooses candidates one by one: of two that say the same the first one comes in. */
function chooser(listed: readonly string[], refused: readonly { text: string; at: number }[], threshold: number) {
  const known = knownTexts()
  for (const text of listed) known.add(text)
  const refusals = knownTexts()
  const refusedAt = new Map<string, number>()
  for (const { text, at } of refused) {
    refusals.add(text)
    refusedAt.set(text, Math.max(at, refusedAt.get(text) ?? 0))
  }
  const chosen: Candidate[] = []
  const skipped: SkippedEntry[] = []
  const choose = (candidate: Candidate): boolean => {
    const { text } = candidate.note
    const refusal = refusals.twinOf(text, threshold, givesOtherValue)
    // A memory said again later is wanted again.
    const isRefused = refusal !== null && candidate.memory.createdAt <= (refusedAt.get(refusal.text) ?? 0)
    const twin = isRefused ? refusal : known.twinOf(text, threshold, givesOtherValue)
    if (twin === null) {
      chosen.push(candidate)
      known.add(text)
      return true
    }
    const reason = isRefused ? 'refused' : twin.similarity === 1 ? 'duplicate' : 'similar'
    skipped.push({ text, reason, twin: twin.text, similarity: twin.similarity })
    return false
  }
  return { choose, chosen, skipped }
}

/** The texts of the file's lines, and of those that come in anyway. */
function listedTexts({ standing }: Merged, returning: readonly Arrival[], now: number): readonly string[] {
  // A line that holds no longer says nothing against one that does, and a line of one project nothing of another.
  const said = standing
    .filter(({ memory }) => holdsAt(memory, now))
    .flatMap(({ entry, memory }) => (memory.projectRoot === null ? [entry.text, memory.text] : [entry.text]))
  return [...said, ...returning.map(({ note }) => note.text)]
}

/** The texts that the person took out or changed, in the words of the memory and of its entry. */
function refusedTexts(
  rows: readonly ListedEntry[],
  merged: Merged,
): readonly { readonly text: string; readonly at: number }[] {
  const changed = new Map(merged.rows.map((row) => [row.memoryId, row]))
  return rows.flatMap(({ memory, ...before }) => {
    const { state, changedAt: at } = changed.get(before.memoryId) ?? before
    if (memory === null || (state !== 'removed' && state !== 'replaced')) return []
    return [...new Set([memory.text, lineOf(memory).text])].map((text) => ({ text, at }))
  })
}

interface Twin {
  readonly text: string
  /** Threshold to 1. */
  readonly similarity: number
}

export function knownTexts() {
  /** Texts by their folded form, with their pairs of letters. */
  const texts = new Map<string, { readonly known: string; readonly pairs: Uint32Array }>()
  let compared = 0
  return {
    /** How many texts were compared letter by letter. */
    get compared() {
      return compared
    },
    add: (text: string): void => {
      const folded = foldedText(text)
      if (!texts.has(folded)) texts.set(folded, { known: text, pairs: letterPairs(folded) })
    },
    /** The most alike text above this similarity, 0 to 1, or null. `saysOther` parts them however alike. */
    twinOf: (
      text: string,
      threshold: number,
      saysOther: (text: string, known: string) => boolean = () => false,
    ): Twin | null => {
      const folded = foldedText(text)
      const same = texts.get(folded)
      if (same !== undefined) return { text: same.known, similarity: 1 }
      const mine = letterPairs(folded)
      let best: Twin | null = null
      for (const [other, { known, pairs }] of texts) {
        // Rounding is for (1 - 0.8) × 10, which is a little less than 2.
        const allowed = Math.floor((1 - threshold) * Math.max(other.length, folded.length) + 1e-9)
        if (Math.abs(other.length - folded.length) > allowed || leastEdits(mine, pairs) > allowed) continue
        compared += 1
        const similarity = editSimilarity(folded, other)
        if (!isMoreAlike(similarity, threshold) || similarity < (best?.similarity ?? 0)) continue
        if (best !== null && similarity === best.similarity && known >= best.text) continue
        if (!saysOther(text, known)) best = { text: known, similarity }
      }
      return best
    },
  }
}

/** Places among which the pairs of letters of a text are counted. */
const PAIRS = 128

function letterPairs(text: string): Uint32Array {
  const pairs = new Uint32Array(PAIRS)
  for (let at = 1; at < text.length; at += 1) pairs[(text.charCodeAt(at - 1) * 31 + text.charCodeAt(at)) % PAIRS]! += 1
  return pairs
}

/** Edits that lie between two texts at the least: each takes away two pairs of one, or brings two of the other. */
function leastEdits(one: Uint32Array, other: Uint32Array): number {
  let [only, added] = [0, 0]
  for (let at = 0; at < PAIRS; at += 1) {
    const more = one[at]! - other[at]!
    if (more > 0) only += more
    else added -= more
  }
  return Math.max(only, added) / 2
}

/** Pairs of opposite words, too common elsewhere to count as content. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\bon\b/i, /\boff\b/i],
  [/\bin\b/i, /\bout\b/i],
  [/\bup\b/i, /\bdown\b/i],
  [/\bbefore\b/i, /\bafter\b/i],
  [/\bwith\b/i, /\bwithout\b/i],
  [/\bmore\b/i, /\bless\b/i],
  [/\balways\b/i, /\bnever\b/i],
  [/(?<!不)(?:要|得|必须)/, /不用|不必|无需|无须|不要|别/],
]
/** Characters of two lines that are compared, around their first difference. */
const MOST_COMPARED = 8192
const DIGITS = /\d+(?:[.:]\d{1,40})*/g
/** Whether `text` gives a value that `known` does not give: a number, a name, a word in one place, or a denial. */
export function givesOtherValue(text: string, known: string): boolean {
  if (Math.max(text.length, known.length) > MOST_COMPARED) {
    const from = Math.max(0, sameStart(text, known) - MOST_COMPARED / 2)
    const [part, knownPart] = [text, known].map((one) => one.slice(from, from + MOST_COMPARED))
    return givesOtherValue(part!, knownPart!)
  }
  const numbers = new Set(known.match(DIGITS) ?? [])
  if ((text.match(DIGITS) ?? []).some((number) => !numbers.has(number))) return true
  return areOpposite(text, known) || namesOther(text, known) || inContrast(textProfile(text), textProfile(known))
}

/** 腾讯云 and 阿里云: where the lines part stands another word of two or three characters, and nothing else differs. */
function namesOther(a: string, b: string): boolean {
  const from = sameStart(a, b)
  const [one, other] = [a.slice(from), b.slice(from)]
  const end = sameEnd(one, other)
  return [one, other].every((rest) => HAN_NAME.test(rest.slice(0, rest.length - end)))
}

const HAN_NAME = /^\p{Script=Han}{2,3}$/u

function areOpposite(a: string, b: string): boolean {
  const only = (one: RegExp, other: RegExp, text: string): boolean => one.test(text) && !other.test(text)
  return OPPOSITES.some(
    ([one, other]) => (only(one, other, a) && only(other, one, b)) || (only(other, one, a) && only(one, other, b)),
  )
}
