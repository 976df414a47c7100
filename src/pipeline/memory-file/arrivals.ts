/** What comes into the file: what took the place of something that was struck, what is missing there, and what is new. */
import { noteOf } from '../../cognition/notes/rules.ts'
import { isMood, standsAlone, withoutOpening } from '../../cognition/notes/stands-alone.ts'
import type { Memory } from '../../domain/memory.ts'
import type { SkippedEntry } from '../../domain/memory-file.ts'
import type { AnsweredBy } from '../../domain/thought.ts'
import { textHash } from '../../text/memory-file/entry-line.ts'
import { splitSentences } from '../../text/sentences.ts'
import type { AppliedEdits } from './apply-edits.ts'
import { type Candidate, candidatesOf } from './candidates.ts'
import { chooseEntries } from './choose.ts'
import type { Finding } from './compare.ts'
import { type Arrival, arrivalOf, lineOf } from './compose.ts'
import type { Stretch } from './days.ts'
import type { MemoryFileDependencies } from './dependencies.ts'
import type { HeldRows } from './held-rows.ts'
import type { ListedTexts } from './listed-texts.ts'
import { repeatsOf } from './repeats.ts'
import { successorOf } from './successor.ts'

/** Memories that come in without being news: what took the place of a struck one, and what is missing. */
export async function replacements(
  { store }: MemoryFileDependencies,
  userId: string,
  findings: readonly Finding[],
  { there, wanted }: Pick<AppliedEdits, 'there' | 'wanted'>,
  rows: Pick<HeldRows, 'get'>,
  now: number,
): Promise<readonly Arrival[]> {
  const struck = findings.filter((finding) => finding.kind === 'struck')
  if (wanted.length + struck.length === 0) return []
  const arrived = new Set<string>()
  const arrivals: Arrival[] = []
  const arrive = (memory: Memory, isNews: boolean): void => {
    const row = rows.get(memory.id)
    const isKept = row !== undefined && (row.state === 'removed' || row.state === 'replaced' || row.state === 'left')
    if (there.has(memory.id) || arrived.has(memory.id) || isKept) return
    arrived.add(memory.id)
    arrivals.push(arrivalOf(memory, now, isNews, row))
  }
  for (const memory of wanted) arrive(memory, false)
  for (const finding of struck) {
    if (finding.memory === null) continue
    const successor = await successorOf(store.memories, userId, finding.memory, now)
    if (successor !== null && isWorthALine(successor)) arrive(successor, true)
  }
  return arrivals
}

/** What took the place of an entry may pass sooner than the rules would let in, but it must be one plain statement. */
function isWorthALine(successor: Memory): boolean {
  const sentences = splitSentences(successor.text).map(withoutOpening)
  const plain = sentences.length === 1 && standsAlone(sentences[0]!) && !isMood(sentences[0]!)
  return plain || noteOf(successor, false) !== null
}

/** What of the stretch comes in. */
export async function chooseNews(
  dependencies: MemoryFileDependencies,
  userId: string,
  { stretch, dryRun }: { readonly stretch: Stretch | null; readonly dryRun: boolean },
  { standing, there }: Pick<AppliedEdits, 'standing' | 'there'>,
  arrivals: readonly Arrival[],
  rows: HeldRows,
  texts: ListedTexts,
  signal: AbortSignal | undefined,
): Promise<{
  readonly chosen: readonly Candidate[]
  readonly skipped: readonly SkippedEntry[]
  readonly answeredBy: AnsweredBy | null
  readonly effort: { readonly compared: number; readonly pairs: number }
}> {
  if (stretch === null) return { chosen: [], skipped: [], answeredBy: null, effort: { compared: 0, pairs: 0 } }
  // What stands in the file is no news, even if the person wrote it a moment ago.
  const arriving = new Set(arrivals.map(({ memory }) => memory.id))
  const isComing = (id: string): boolean => there.has(id) || arriving.has(id)
  // Its story in the file was told before, unless what had ended it was taken back.
  const isSettled = (id: string): boolean => isComing(id) || (rows.get(id)?.state ?? 'struck') !== 'struck'
  const { candidates, toldAgain, answeredBy } = await candidatesOf(
    dependencies,
    userId,
    stretch,
    isSettled,
    dryRun,
    signal,
  )
  const choice = chooseEntries({
    candidates,
    listed: texts.of(standing),
    coming: arrivals.map(({ note }) => note.text),
    refused: await refusedBy(dependencies, userId, rows),
    threshold: dependencies.settings.dedupThreshold,
  })
  for (const { memory } of choice.chosen) if (memory.id !== null) arriving.add(memory.id)
  const known = toldAgain.filter(({ id }) => isComing(id))
  const repeats = await repeatsOf(dependencies, userId, known, stretch)
  return { ...choice, skipped: [...choice.skipped, ...repeats], answeredBy }
}

/** What the person took out or changed, in the words of the memory and in those that stood in the file. */
async function refusedBy(
  { store }: MemoryFileDependencies,
  userId: string,
  rows: HeldRows,
): Promise<readonly { readonly text: string; readonly at: number }[]> {
  const refused: { readonly text: string; readonly at: number }[] = []
  for (const { memoryId, changedAt, hashes } of rows.refusing()) {
    const memory = rows.memoryOf(memoryId)
    if (memory === null) continue
    refused.push({ text: memory.text, at: changedAt })
    if (hashes.includes(textHash(memory.text))) continue
    const whole = await store.memories.get(userId, memoryId)
    if (whole !== null) refused.push({ text: lineOf(whole).text, at: changedAt })
  }
  return refused
}

/** What the entries of reworded memories are to say. */
export async function linesOf(
  { store }: MemoryFileDependencies,
  userId: string,
  findings: readonly Finding[],
): Promise<ReadonlyMap<string, string>> {
  const lines = new Map<string, string>()
  for (const finding of findings) {
    const memory = finding.kind === 'reworded' ? await store.memories.get(userId, finding.memory.id) : null
    if (memory !== null) lines.set(memory.id, lineOf(memory).text)
  }
  return lines
}
