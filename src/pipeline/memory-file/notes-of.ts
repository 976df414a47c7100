/**
 * Which of these memories get a line in the file, in which words? The model answers where there is one, and the rules for
 * whatever it leaves open. What was asked for or handed in comes in as it is. In a chat of several people a line says whose
 * words it holds.
 */
import { NOTES_AT_A_TIME } from '../../cognition/notes/batch.ts'
import { isOrdered } from '../../cognition/notes/ordered.ts'
import { noteOf } from '../../cognition/notes/rules.ts'
import { tellsOfProblem, tellsOfRemedy } from '../../cognition/notes/section-of.ts'
import type { Notable, Note } from '../../cognition/notes/types.ts'
import { MOST_IMPORTANT } from '../../domain/limits.ts'
import type { AnsweredBy } from '../../domain/thought.ts'
import type { Turn } from '../../domain/turn.ts'
import type { MemoryFileDependencies } from './dependencies.ts'

/** Calls of a model for one digest; the rules answer for what is left. */
const MOST_CALLS = 10

/** A memory with its line. */
export interface Noted<T> {
  readonly memory: T
  readonly note: Note
}

/** The memories that get a line, in order. */
export async function notesOf<T extends Notable>(
  dependencies: Pick<MemoryFileDependencies, 'store' | 'notesByModel' | 'logger'>,
  userId: string,
  found: readonly T[],
  mayAsk: boolean,
  signal?: AbortSignal,
): Promise<{ readonly noted: readonly Noted<T>[]; readonly answeredBy: AnsweredBy }> {
  const pieces = withProblems(found)
  const memories = pieces.map(({ told }) => told)
  const turns = await sourcesOf(dependencies.store.log, userId, memories)
  const speakers = new Set([...turns.values()].flatMap(({ speaker }) => (speaker === null ? [] : [speaker])))
  const isOpen = (memory: T): boolean => memory.sourceTurnIds.length > 0 && !isAskedFor(memory, turns)
  const open = memories.filter(isOpen)
  const asked = mayAsk ? await askAll(dependencies, userId, open, signal) : null
  const noted = pieces.flatMap(({ memory, told }): readonly Noted<T>[] => {
    const answer = isOpen(told) ? asked?.get(told) : undefined
    const note = answer === undefined ? noteOf(told, isAskedFor(told, turns)) : answer
    return note === null ? [] : [{ memory, note: withSpeaker(note, speakerOf(told, turns), speakers, userId) }]
  })
  return { noted, answeredBy: asked === null || asked.size === 0 ? 'rules' : 'model' }
}

/** Turns of one conversation between a problem and what solved it: its answer, a try, and the news. */
const SOON = 6

/** A memory, and what is told of it: what solved a problem together with the problem that was told soon before. */
interface Piece<T> {
  readonly memory: T
  readonly told: T
}

function withProblems<T extends Notable>(memories: readonly T[]): readonly Piece<T>[] {
  const problems = memories.filter(({ text }) => tellsOfProblem(text) && !tellsOfRemedy(text))
  const taken = new Set<T>()
  const pieces = memories.map((memory) => {
    const problem = isRemedy(memory)
      ? problems.findLast((one) => !taken.has(one) && isSoonBefore(one, memory))
      : undefined
    if (problem === undefined) return { memory, told: memory }
    taken.add(problem)
    const gap = /\p{Script=Han}[。！？]?$/u.test(problem.text) ? '' : ' '
    return { memory, told: { ...memory, text: `${ended(problem.text)}${gap}${memory.text}` } }
  })
  return pieces.filter(({ memory }) => !taken.has(memory))
}

function isRemedy({ text, sourceTurnIds }: Notable): boolean {
  return sourceTurnIds.length > 0 && tellsOfRemedy(text) && !tellsOfProblem(text)
}

function isSoonBefore(problem: Notable, remedy: Notable): boolean {
  if (problem.conversationId === null || problem.conversationId !== remedy.conversationId) return false
  const [before, at] = [problem.sourceTurnIds.at(-1), remedy.sourceTurnIds[0]]
  return before !== undefined && at !== undefined && before <= at && at - before <= SOON
}

function ended(text: string): string {
  if (/[.!?。！？…]$/.test(text)) return text
  return `${text}${/\p{Script=Han}$/u.test(text) ? '。' : '.'}`
}

/** What the model says, by memory; null when there is none or it failed. */
async function askAll<T extends Notable>(
  { notesByModel, logger }: Pick<MemoryFileDependencies, 'notesByModel' | 'logger'>,
  userId: string,
  open: readonly T[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<T, Note | null> | null> {
  if (notesByModel === null || open.length === 0) return null
  const answers = new Map<T, Note | null>()
  for (let from = 0; from < Math.min(open.length, MOST_CALLS * NOTES_AT_A_TIME); from += NOTES_AT_A_TIME) {
    const some = open.slice(from, from + NOTES_AT_A_TIME)
    try {
      const notes = await notesByModel(userId, some, signal)
      for (const [at, note] of (notes ?? []).entries()) if (note !== undefined) answers.set(some[at]!, note)
    } catch (error) {
      signal?.throwIfAborted()
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn('The model did not choose the notes; the rules do.', { operation: 'digest', user: userId, reason })
      break
    }
  }
  return answers
}

/** Importance alone may be the model's opinion: the message itself must ask for it (004). */
function isAskedFor(memory: Notable, turns: ReadonlyMap<string, Turn>): boolean {
  if (memory.importance < MOST_IMPORTANT) return false
  const said = memory.sourceTurnIds.flatMap((turnId) => turns.get(nameOf(memory.conversationId, turnId)) ?? [])
  // A turn that was erased cannot be asked.
  return said.length === 0 || said.some(({ content }) => isOrdered(content))
}

function speakerOf(memory: Notable, turns: ReadonlyMap<string, Turn>): string | null {
  const [first] = memory.sourceTurnIds
  return first === undefined ? null : (turns.get(nameOf(memory.conversationId, first))?.speaker ?? null)
}

function withSpeaker(note: Note, speaker: string | null, speakers: ReadonlySet<string>, userId: string): Note {
  const isOwn = speaker === null || speakers.size < 2 || speaker.toLowerCase() === userId.toLowerCase()
  return isOwn ? note : { ...note, text: `${speaker}: ${note.text}` }
}

/** The turns that the memories come from, by conversation and number. */
async function sourcesOf(
  log: MemoryFileDependencies['store']['log'],
  userId: string,
  memories: readonly Notable[],
): Promise<ReadonlyMap<string, Turn>> {
  const wanted = new Map<string, Set<number>>()
  for (const { conversationId, sourceTurnIds } of memories) {
    if (conversationId === null || sourceTurnIds.length === 0) continue
    const ids = wanted.get(conversationId) ?? new Set<number>()
    for (const id of sourceTurnIds) ids.add(id)
    wanted.set(conversationId, ids)
  }
  const found = new Map<string, Turn>()
  for (const [conversationId, ids] of wanted) {
    const order = [...ids].sort((a, b) => a - b)
    for (let at = 0; at < order.length; ) {
      // Neighbours are read together.
      let end = at
      while (end + 1 < order.length && order[end + 1]! - order[end]! <= NEAR) end += 1
      const limit = order[end]! - order[at]! + 1
      for (const turn of await log.turns(userId, conversationId, { from: order[at]!, limit }))
        if (ids.has(turn.turnId)) found.set(nameOf(conversationId, turn.turnId), turn)
      at = end + 1
    }
  }
  return found
}

/** Turns further apart than this are read by themselves. */
const NEAR = 20

function nameOf(conversationId: string | null, turnId: number): string {
  return `${turnId} ${conversationId ?? ''}`
}
