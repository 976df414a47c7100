/** Which statements of these days may get a line in the file, in which words (004: importance 1 to 3)? */
import { basename } from 'node:path'
import type { ListedEntry } from '../domain/contracts/small-stores.ts'
import { reasonOf } from '../domain/errors.ts'
import { MOST_IMPORTANT } from '../domain/limits.ts'
import { type Memory, sourcesOf } from '../domain/memory.ts'
import { MEMORY_FILE_DEFAULTS, type SkippedEntry } from '../domain/memory-file.ts'
import { everyItem, fewAtATime, withBreath } from '../domain/scheduling.ts'
import type { AnsweredBy } from '../domain/thought.ts'
import type { Conversation, Turn } from '../domain/turn.ts'
import { splitSentences } from '../language/sentences.ts'
import { editSimilarity, foldedText, isMoreAlike } from '../language/spelling.ts'
import { withoutOrder } from '../thinking/write-decision/remember-orders.ts'
import { warmUp } from '../usecases/think/warm-up.ts'
import {
  isOrdered,
  NOTES_AT_A_TIME,
  type Notable,
  type Note,
  noteOf,
  tellsOfProblem,
  tellsOfRemedy,
} from './choose-notes.ts'
import type { Keeping, NotesDependencies, Stretch } from './dependencies.ts'
import { textHash } from './parse-notes.ts'

/** A memory that may come into the file; without an id it is not remembered yet. */
type CandidateMemory = Omit<Memory, 'id'> & { readonly id: string | null }

export interface Candidate {
  readonly memory: CandidateMemory
  readonly note: Note
}

export interface Candidates {
  readonly candidates: readonly Candidate[]
  /** Every memory that was looked at, with a line or without. */
  readonly judged: readonly Memory[]
  readonly answeredBy: AnsweredBy
}

const PAGE = 500
const MOST_TURNS = 2000
/** The most model calls for one digest; the rules answer for the rest. */
const MOST_CALLS = 10
/** Turns of one conversation between a problem and its solution: an answer, a try, and the news. */
const SOON = 6
/** As `SOON`, where only the solution tells that there was a problem: the message before it. */
const NEXT = 2
/** Turns of one memory that are looked at: a daily repeat need not be told each time. */
const MOST_REPEATS = 50
/** Characters of a turn whose sentences are compared with a memory that it told. */
const MOST_READ = 16_384

/** Hands the unthought part of the stretch to thinking, and waits for it. */
export async function thinkAboutStretch(
  { store, clock, thinkDue }: NotesDependencies,
  userId: string,
  stretch: Stretch,
): Promise<void> {
  for await (const { conversationId } of conversationsOf(store.log, userId, stretch))
    await store.log.thinkAboutUnthought(userId, { conversationId, limit: 1 }, clock().getTime())
  await thinkDue()
}

/** Memories of the stretch that hold, matter, and were not looked at before. `isSettled`: they come in or stand there anyway. */
export async function noteCandidates(
  keeping: Keeping,
  stretch: Stretch,
  isSettled: (memoryId: string) => boolean,
  dryRun: boolean,
): Promise<Candidates> {
  const { store, clock, userId, signal } = keeping
  const since = Math.min(stretch.from, stretch.changedSince ?? stretch.from)
  const newcomers = await store.memoryFile.newcomers(userId, since, clock().getTime())
  const passedOver = new Map(newcomers.map((one) => [one.id, one.passedOver]))
  const before: Memory[] = []
  const judged: Memory[] = []
  const known = await store.memories.getMany(userId, [...passedOver.keys()], {})
  for await (const memory of withBreath(known, lengthOf, signal))
    if (passedOver.get(memory.id) === textHash(memory.text)) before.push(memory)
    else if (isOf(memory, stretch) && !isSettled(memory.id)) judged.push(memory)
  if (judged.length > 0) await warmUp()
  const thoughts = dryRun ? await thoughtsOf(keeping, stretch) : []
  const pieces = await withProblems([...judged, ...thoughts], before, signal)
  // A dry run costs nothing.
  const { notes, answeredBy } = await notesOf(keeping, pieces, !dryRun)
  const candidates = pieces.flatMap(({ memory }, at) => {
    const note = notes[at]
    return note === null || note === undefined ? [] : [{ memory, note }]
  })
  const firstTurn = ({ sourceTurnIds }: CandidateMemory): number => sourceTurnIds[0] ?? 0
  candidates.sort(
    (a, b) =>
      b.note.importance - a.note.importance ||
      a.memory.createdAt - b.memory.createdAt ||
      firstTurn(a.memory) - firstTurn(b.memory),
  )
  return { candidates, judged, answeredBy }
}

/** The words of an entry: of a project, or of one of several people, with the name of whose they are. */
export function withLabel(text: string, { projectRoot }: Pick<Notable, 'projectRoot'>, speaker?: string): string {
  const said = speaker === undefined ? text : `${speaker}: ${text}`
  const project = projectRoot === null ? '' : basename(projectRoot)
  return project === '' || said.toLowerCase().includes(project.toLowerCase()) ? said : `${project}: ${said}`
}

/** The words of an entry without the name that `withLabel` put in front. */
export function withoutLabel(text: string, { projectRoot, who }: Pick<Memory, 'projectRoot' | 'who'>): string {
  return [projectRoot === null ? '' : basename(projectRoot), who ?? ''].reduce(
    (said, name) => (name !== '' && said.startsWith(`${name}: `) ? said.slice(name.length + 2) : said),
    text,
  )
}

/** Sayings of the stretch that a line says already; those less alike than asked get lines of their own (004). */
export async function repeatsOf(
  { store, settings, userId }: Keeping,
  memories: readonly Memory[],
  { from, to, changedSince, conversationId }: Stretch,
): Promise<{ readonly skipped: readonly SkippedEntry[]; readonly near: readonly Omit<Memory, 'id'>[] }> {
  const skipped: SkippedEntry[] = []
  const near: Omit<Memory, 'id'>[] = []
  for await (const memory of withBreath(memories, () => MOST_READ)) {
    const turns: Turn[] = []
    for (const { conversation_id: id, turn_ids } of sourcesOf(memory))
      turns.push(...(await turnsOf(store.log, userId, id, turn_ids.slice(-MOST_REPEATS))))
    const again = turns
      .toSorted((a, b) => a.createdAt - b.createdAt || a.turnId - b.turnId)
      .slice(1)
      .filter(({ createdAt }) => createdAt >= Math.max(from, changedSince ?? from) && createdAt < to)
      .filter((turn) => conversationId === null || turn.conversationId === conversationId)
    for (const turn of again) {
      const { text, similarity } = mostAlike(turn.content, memory.text)
      const isTwin = isMoreAlike(similarity, settings.dedupThreshold)
      if (isTwin)
        skipped.push({ text, reason: similarity === 1 ? 'duplicate' : 'similar', twin: memory.text, similarity })
      else if (isMoreAlike(similarity, MEMORY_FILE_DEFAULTS.dedupThreshold)) near.push(saidIn(turn, memory, text))
    }
  }
  return { skipped, near }
}

/** A memory of its own for a turn's repeat in nearly the same words. */
function saidIn({ conversationId, turnId, createdAt }: Turn, memory: Memory, text: string): Omit<Memory, 'id'> {
  const { id: _, ...twin } = memory
  const { sources: _sources, ...metadata } = memory.metadata ?? {}
  const times = { occurredAt: createdAt, createdAt, updatedAt: createdAt, validFrom: createdAt }
  return { ...twin, ...times, text, conversationId, sourceTurnIds: [turnId], externalId: null, metadata }
}

/** The part of a message that is most like the text: all of it, or a sentence. */
function mostAlike(content: string, text: string): { readonly text: string; readonly similarity: number } {
  const wanted = foldedText(text)
  let best = { text: content, similarity: 0 }
  for (const said of [content, ...splitSentences(content.slice(0, MOST_READ))].map(withoutOrder)) {
    const folded = foldedText(said)
    // No two texts are more alike than their lengths.
    const most = Math.min(folded.length, wanted.length) / Math.max(folded.length, wanted.length)
    if (most <= best.similarity) continue
    const similarity = editSimilarity(folded, wanted)
    if (similarity > best.similarity) best = { text: said, similarity }
  }
  return best
}

/** Whether a row's memory was told in several turns, lately. */
export function isToldAgain({ memory }: ListedEntry, { from, changedSince }: Stretch): boolean {
  if (memory === null || memory.updatedAt < Math.min(from, changedSince ?? from)) return false
  return sourcesOf(memory).reduce((count, { turn_ids }) => count + turn_ids.length, 0) > 1
}

function isOf(
  { createdAt, updatedAt, conversationId: said }: Memory,
  { from, to, changedSince, conversationId }: Stretch,
): boolean {
  if (conversationId !== null && said !== conversationId) return false
  return (createdAt >= from && createdAt < to) || (changedSince !== null && updatedAt >= changedSince)
}

/** Characters that are read besides the words themselves. */
const ROW = 100
const lengthOf = ({ text }: Notable): number => ROW + text.length
/** To judge a memory is a hundred times the work of reading it. */
const workOf = ({ text }: Notable): number => 100 * text.length

/** A memory and its words: a solution together with the problem told soon before. */
interface Piece {
  readonly memory: CandidateMemory
  readonly told: CandidateMemory
}

async function withProblems(
  memories: readonly CandidateMemory[],
  before: readonly CandidateMemory[],
  signal: AbortSignal | undefined,
): Promise<readonly Piece[]> {
  const isRemedy = ({ text, sourceTurnIds }: CandidateMemory): boolean =>
    sourceTurnIds.length > 0 && tellsOfRemedy(text) && !tellsOfProblem(text)
  const unsolved = [...before, ...memories].filter(({ text }) => !tellsOfRemedy(text))
  const problems = unsolved.filter(({ text }) => tellsOfProblem(text))
  const open: CandidateMemory[] = []
  // Where nothing is a remedy, nobody asks for what it may be of.
  if (memories.some(isRemedy))
    for await (const one of withBreath(unsolved, workOf, signal)) {
      const section = noteOf(one, false)?.section
      // A matter of the person, or a decision, was no problem.
      if (section === undefined || section === 'configuration') open.push(one)
    }
  const taken = new Set<CandidateMemory>()
  const pieces = memories.map((memory): Piece => {
    const told = (some: readonly CandidateMemory[], turns: number): CandidateMemory | undefined =>
      some.findLast((one) => !taken.has(one) && isSoonBefore(one, memory, turns))
    const problem = isRemedy(memory) ? (told(problems, SOON) ?? told(open, NEXT)) : undefined
    if (problem === undefined) return { memory, told: memory }
    taken.add(problem)
    const isHan = /\p{Script=Han}[。！？]?$/u.test(problem.text)
    const end = /[.!?。！？…]$/.test(problem.text) ? '' : isHan ? '。' : '.'
    return { memory, told: { ...memory, text: `${problem.text}${end}${isHan ? '' : ' '}${memory.text}` } }
  })
  return pieces.filter(({ memory }) => !taken.has(memory))
}

function isSoonBefore(problem: Notable, remedy: Notable, turns: number): boolean {
  if (problem.conversationId === null || problem.conversationId !== remedy.conversationId) return false
  const [before, at] = [problem.sourceTurnIds.at(-1), remedy.sourceTurnIds[0]]
  return before !== undefined && at !== undefined && before <= at && at - before <= turns
}

/** The lines of these memories, null where there is none: the model answers where there is one, and the rules for the rest. */
async function notesOf(
  keeping: Keeping,
  pieces: readonly Piece[],
  mayAsk: boolean,
): Promise<{ readonly notes: readonly (Note | null)[]; readonly answeredBy: AnsweredBy }> {
  const { store, userId, signal } = keeping
  const said: (readonly Turn[])[] = []
  for (const { told } of pieces) said.push(await turnsOf(store.log, userId, told.conversationId, told.sourceTurnIds))
  const speakers = new Set(said.flat().flatMap(({ speaker }) => speaker ?? []))
  const ordered = pieces.map(({ told }, at) => isAskedFor(told, said[at]!))
  const open = pieces.filter(({ told }, at) => told.sourceTurnIds.length > 0 && !ordered[at])
  const asked = mayAsk ? await askAll(keeping, open) : new Map<Piece, Note | null>()
  const notes: (Note | null)[] = []
  for await (const piece of withBreath(pieces, ({ told }) => workOf(told), signal)) {
    const at = notes.length
    const answer = asked.get(piece)
    const note = answer === undefined ? noteOf(piece.told, ordered[at]!) : answer
    const speaker = said[at]![0]?.speaker ?? userId
    const isOwn = speakers.size < 2 || speaker.toLowerCase() === userId.toLowerCase()
    notes.push(note && { ...note, text: withLabel(note.text, piece.told, isOwn ? undefined : speaker) })
  }
  return { notes, answeredBy: asked.size === 0 ? 'rules' : 'model' }
}

/** Importance alone may be the model's opinion: the message itself must ask for it (004). A turn that was erased cannot be asked. */
function isAskedFor({ importance }: Notable, said: readonly Turn[]): boolean {
  return importance >= MOST_IMPORTANT && (said.length === 0 || said.some(({ content }) => isOrdered(content)))
}

async function askAll(
  { notesByModel, logger, userId, signal }: Keeping,
  open: readonly Piece[],
): Promise<ReadonlyMap<Piece, Note | null>> {
  const answers = new Map<Piece, Note | null>()
  if (notesByModel === null) return answers
  for await (const some of fewAtATime(open.slice(0, MOST_CALLS * NOTES_AT_A_TIME), NOTES_AT_A_TIME, signal)) {
    try {
      const told = some.map((piece) => piece.told)
      const notes = await notesByModel(userId, told, signal)
      for (const [at, note] of (notes ?? []).entries()) if (note !== undefined) answers.set(some[at]!, note)
    } catch (error) {
      signal?.throwIfAborted()
      const reason = reasonOf(error)
      logger.warn('The model did not choose the notes; the rules do.', { operation: 'digest', user: userId, reason })
      break
    }
  }
  return answers
}

async function turnsOf(
  log: NotesDependencies['store']['log'],
  userId: string,
  conversationId: string | null,
  turnIds: readonly number[],
): Promise<readonly Turn[]> {
  const turns: Turn[] = []
  if (conversationId === null) return turns
  for (const turnId of turnIds) turns.push(...(await log.turns(userId, conversationId, { from: turnId, to: turnId })))
  return turns
}

/** The thoughts about turns of which nothing is remembered yet; for a dry run, which writes nothing. */
async function thoughtsOf(
  { store, clock, maxCharacters, byRules, userId }: Keeping,
  stretch: Stretch,
): Promise<readonly CandidateMemory[]> {
  const drafts: CandidateMemory[] = []
  for await (const { conversationId } of conversationsOf(store.log, userId, stretch)) {
    const thoughtTo = (await store.log.thoughtTo(userId, conversationId)) ?? 0
    const turns = await store.log.turns(userId, conversationId, { from: thoughtTo + 1, limit: MOST_TURNS })
    const messages = turns.filter(({ createdAt }) => createdAt >= stretch.from && createdAt < stretch.to)
    if (messages.length === 0) continue
    const asked = { userId, conversationId, messages, now: clock().getTime(), maxCharacters: await maxCharacters() }
    const thoughts = await byRules(asked)
    drafts.push(...thoughts.drafts.map(({ memory }) => ({ ...memory, id: null })))
  }
  return drafts
}

/** Conversations in which something may have been said in the stretch, the last active first. */
export async function* conversationsOf(
  log: NotesDependencies['store']['log'],
  userId: string,
  { from, to, conversationId }: Stretch,
): AsyncGenerator<Conversation> {
  if (conversationId !== null) {
    const one = await log.conversation(userId, conversationId)
    if (one !== null) yield one
    return
  }
  for await (const conversation of everyItem((page) => log.conversations(userId, page), PAGE)) {
    if (conversation.lastActive < from) return
    if (conversation.createdAt < to) yield conversation
  }
}
