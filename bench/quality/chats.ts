/**
 * Who said what when, and which turns answer a question? The development sets in our own form (`../shared/data/README.md`),
 * and how one chat is put into a memory: by the library's door, as any caller would.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenMemory, type OpenOptions, openMemory } from '../../src/doors/library/index.ts'
import type { BenchOptions } from '../figure.ts'
import { requireData } from './data-folder.ts'

/** One message; a speaker of null is nameless. */
export interface ChatTurn {
  readonly conversationId: string
  readonly externalId: string
  readonly speaker: string | null
  readonly role: 'user' | 'assistant'
  readonly content: string
  /** ISO 8601. */
  readonly createdAt: string
}

/** A question and the `externalId`s of the turns that answer it. */
export interface ChatQuestion {
  readonly q: string
  readonly gold: readonly string[]
  readonly category: string
}

/** All that one user said, and what is asked about it. */
export interface Chat {
  readonly userId: string
  readonly turns: readonly ChatTurn[]
  readonly questions: readonly ChatQuestion[]
  /** Questions reported by themselves: LoCoMo's unanswerable ones, with the turns that they allude to. */
  readonly apart?: readonly ChatQuestion[]
}

/** The sets of chats, with their files. */
export const CHAT_SETS: Readonly<Record<string, string>> = {
  locomo: 'locomo-turns-dev.json',
  realtalk: 'realtalk-dev.json',
  beam: 'beam-dev.json',
  lifebench: 'lifebench-dev.json',
}

/** Categories that ask for nearly everything, or that have no answer: they count in no sum. */
const NOT_CORE: ReadonlySet<string> = new Set(['event_ordering', 'summarization', 'adversarial'])

/** Whether questions of this category count in the sum of a set. */
export function isCore(category: string): boolean {
  return !NOT_CORE.has(category)
}

/** The sets that `--sets a,b` names, else all; throws for an unknown one. */
export function chosenSets(flags: BenchOptions['flags'], all: readonly string[]): readonly string[] {
  const chosen = flags.sets === undefined ? all : flags.sets.split(',')
  const unknown = chosen.find((set) => !all.includes(set))
  if (unknown !== undefined) throw new Error(`${unknown} is no set: use ${all.join(', ')}`)
  return chosen
}

/** The chats of a set; with `--every N` the first of each N. */
export async function readChats(set: string, { data, flags }: BenchOptions): Promise<readonly Chat[]> {
  const path = requireData(join(data, CHAT_SETS[set] ?? set))
  const { users } = JSON.parse(await readFile(path, 'utf8')) as { readonly users: readonly Chat[] }
  return users.filter((_, at) => at % Number(flags.every ?? 1) === 0)
}

/** The chat without what `[image: …]` says of pictures. */
export function withoutCaptions(chat: Chat): Chat {
  const turns = chat.turns.map((turn) => ({ ...turn, content: turn.content.replace(/(?<=\S) \[image: .*\]$/s, '') }))
  return { ...chat, turns }
}

/** "Now" of the questions: the moment of the last turn. */
export function lastSaid({ turns }: Chat): Date {
  return new Date(Math.max(...turns.map(({ createdAt }) => Date.parse(createdAt))))
}

/** Stores the turns, a conversation a call. */
export async function storeChat(memory: OpenMemory, { userId, turns }: Chat): Promise<void> {
  for (const [conversationId, said] of Map.groupBy(turns, (turn) => turn.conversationId))
    await memory.conversations.store({
      userId,
      conversationId,
      turns: said.map(({ conversationId: _, speaker, ...turn }) => ({
        ...turn,
        ...(speaker === null ? {} : { speaker }),
      })),
    })
}

/** Works with an empty memory, whose file is removed afterwards. */
export async function inFreshMemory<T>(options: OpenOptions, work: (memory: OpenMemory) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-bench-'))
  try {
    await using memory = await openMemory({ path: join(folder, 'memory.db'), ...options })
    return await work(memory)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
