/** Stores conversations that were read: short ones share a transaction, a long one comes in parts once it was checked. */
import { createReadStream } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check } from '../../domain/checks.ts'
import { MnemeError, otherTurn } from '../../domain/errors.ts'
import { ifThere } from '../../domain/scheduling.ts'
import type { Conversation, Summary } from '../../domain/turn.ts'
import { isSameOrMasked } from '../../language/secrets/mask-secrets.ts'
import { listTurns, muteConversation } from '../../usecases/conversations.ts'
import type { Core } from '../../usecases/core.ts'
import type { RestoreCounts, RestoreInput } from '../../usecases/restore-conversation.ts'
import type { ExportedTurn } from './export-codec.ts'
import { decodeUtf8, readLines } from './read-stream.ts'

/** Turns of one conversation stored in one transaction: about 20 ms. */
const TURNS_A_CALL = 400
const CHARACTERS_TOGETHER = 1024 * 1024

export interface ReadConversation {
  readonly at: string
  readonly conversation: Conversation
  readonly turns: TurnSpool
  readonly summaries: Summary[]
}

export function isEnough(waiting: readonly ReadConversation[], turnsTogether: number): boolean {
  const sum = (of: 'turns' | 'characters'): number => waiting.reduce((total, { turns }) => total + turns[of], 0)
  return sum('turns') >= turnsTogether || sum('characters') >= CHARACTERS_TOGETHER
}

/** Stores short conversations in one transaction; when it is refused, each by itself, so that valid ones stay. */
export async function importTogether(importing: Importing, waiting: ReadConversation[]): Promise<void> {
  const { core, report } = importing
  const batch = waiting.splice(0)
  try {
    const inputs = batch.map((one) => ({
      ...conversationInput(importing, one.conversation),
      turns: one.turns.held().map(toRestored),
      summaries: one.summaries.map(toRestoredSummary),
    }))
    addCounts(report, await restoreAll(core, importing.userId, inputs))
    await noteStored(importing, ...batch)
  } catch (error) {
    if (!isRefusal(error)) throw error
    for (const one of batch) await importConversation(importing, one)
  }
}

/** Counts what was stored whole, and mutes what was muted. */
async function noteStored(
  { core, userId, report }: Importing,
  ...stored: readonly Pick<ReadConversation, 'conversation'>[]
): Promise<void> {
  report.conversations += stored.length
  for (const { conversation } of stored)
    if (conversation.isMuted === true) await muteConversation(core, userId, conversation.conversationId, true)
}

function addCounts(report: Importing['report'], { turnsAdded, turnsExisting, summariesAdded }: RestoreCounts): void {
  report.turnsAdded += turnsAdded
  report.turnsExisting += turnsExisting
  report.summariesAdded += summariesAdded
}

/** Restores conversations in one transaction, and queues embedding and, if requested, thinking for new turns. */
export async function restoreAll(core: Core, userId: string, inputs: readonly RestoreInput[]): Promise<RestoreCounts> {
  const { store, options } = core
  const { restoreConversations } = await import('../../usecases/restore-conversation.ts')
  const counts = await restoreConversations({ ...options, log: store.log }, userId, inputs)
  await core.restored(
    userId,
    inputs.some(({ think }) => think === true),
  )
  return counts
}

function conversationInput({ userId, think }: Importing, { conversationId, projectRoot, createdAt }: Conversation) {
  return {
    userId,
    think,
    conversationId,
    projectRoot: projectRoot === '' ? null : projectRoot,
    createdAt: new Date(createdAt),
  }
}

export async function importConversation(
  importing: Importing,
  { at, conversation, turns, summaries }: ReadConversation,
): Promise<void> {
  const { core, userId, report } = importing
  const { conversationId } = conversation
  const common = conversationInput(importing, conversation)
  let stored = 0
  const store = async (input: Pick<RestoreInput, 'turns' | 'summaries'>): Promise<void> => {
    const counts = await restoreAll(core, userId, [{ ...common, ...input }])
    stored += counts.turnsAdded
    addCounts(report, counts)
  }
  try {
    if (turns.takesSeveral) await checkConversation(importing, conversationId, turns)
    for await (const part of turns.parts()) await store({ turns: part.map(toRestored) })
    await store({ turns: [], summaries: summaries.map(toRestoredSummary) })
    await noteStored(importing, { conversation })
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({
      at,
      what: `conversation ${JSON.stringify(conversationId)}`,
      // Only a long conversation can be stored in part, when another process changes it meanwhile.
      reason: stored === 0 ? error.message : `${error.message} ${stored} of its turns had been stored before.`,
      remedy: error.remedy,
    })
  }
}

/** Rejects where a turn would be refused, so that a refused turn late in a long conversation leaves nothing behind. */
async function checkConversation({ core, userId }: Importing, conversationId: string, turns: TurnSpool): Promise<void> {
  for await (const part of turns.parts()) {
    const numbers = part.map(({ turnId }) => turnId)
    const span = { fromTurn: Math.min(...numbers), toTurn: Math.max(...numbers), limit: 10_000 }
    const here = await ifThere(listTurns(core, userId, conversationId, span))
    const present = new Map(here?.items.map((turn) => [turn.turnId, turn]))
    for (const { turnId, role, content, metadata } of part) {
      check.content(`turn ${turnId}.content`, content, core.options.maxContentBytes)
      check.metadata(`turn ${turnId}.metadata`, metadata)
      const there = present.get(turnId)
      if (there !== undefined && (there.role !== role || !isSameOrMasked(there.content, content)))
        throw otherTurn(conversationId, turnId)
    }
  }
}

function toRestored({ conversationId: _, createdAt, ...turn }: ExportedTurn): RestoreInput['turns'][number] {
  return { ...turn, createdAt: new Date(createdAt) }
}

function toRestoredSummary({ conversationId: _, summaryId: __, createdAt, ...summary }: Summary) {
  return { ...summary, createdAt: new Date(createdAt) }
}

/** UTF-16 units of content held in memory. */
const HELD_CHARACTERS = 8 * 1024 * 1024
const TURN_CHARACTERS = 200

export class TurnSpool {
  #held: ExportedTurn[] = []
  #characters = 0
  #folder: string | null = null

  async add(turn: ExportedTurn): Promise<void> {
    this.#held.push(turn)
    this.#characters += turn.content.length + TURN_CHARACTERS
    if (this.#characters > HELD_CHARACTERS) await this.#spill()
  }

  get turns(): number {
    return this.#held.length
  }

  get characters(): number {
    return this.#characters
  }

  /** true when `parts` gives more than one part, or may. */
  get takesSeveral(): boolean {
    return this.#folder !== null || this.#held.length > TURNS_A_CALL
  }

  /** The turns in order, in parts that one call takes and that fit into memory. */
  async *parts(): AsyncGenerator<readonly ExportedTurn[]> {
    let part: ExportedTurn[] = []
    let characters = 0
    for await (const turn of this.#all()) {
      part.push(turn)
      characters += turn.content.length + TURN_CHARACTERS
      if (part.length < TURNS_A_CALL && characters < HELD_CHARACTERS) continue
      yield part
      part = []
      characters = 0
    }
    if (part.length > 0) yield part
  }

  /** The turns, when none of them had to be written to the file. */
  held(): readonly ExportedTurn[] {
    return this.#held
  }

  async discard(): Promise<void> {
    this.#held = []
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true })
    this.#folder = null
  }

  async *#all(): AsyncGenerator<ExportedTurn> {
    const written = this.#folder === null ? [] : readLines(createReadStream(this.#file()), Number.POSITIVE_INFINITY)
    for await (const { bytes } of written) yield JSON.parse(decodeUtf8(bytes!)!)
    yield* this.#held
  }

  async #spill(): Promise<void> {
    // mkdtemp makes a folder that only its owner may enter.
    this.#folder ??= await mkdtemp(join(tmpdir(), 'mneme-import-'))
    if (this.#held.length > 0)
      await appendFile(this.#file(), `${this.#held.map((turn) => JSON.stringify(turn)).join('\n')}\n`)
    this.#held = []
    this.#characters = 0
  }

  #file(): string {
    return join(this.#folder ?? '', 'turns.jsonl')
  }
}

interface Refusal {
  readonly at: string
  /** The refused item: the id of a conversation or memory, or the rest of a broken file. */
  readonly what: string
  readonly reason: string
  readonly remedy: string
}

const nothingYet = {
  conversations: 0,
  turnsAdded: 0,
  turnsExisting: 0,
  summariesAdded: 0,
  memoriesAdded: 0,
  memoriesExisting: 0,
  /** New session summaries, or the user's own that replaced a generated one. */
  sessionSummariesAdded: 0,
  /** Already present, edited here, or removed here. */
  sessionSummariesExisting: 0,
  profileLinesAdded: 0,
  /** Already present, or skipped because the profile here is the user's own. */
  profileLinesExisting: 0,
  /** A conversation is imported whole or not at all. */
  refused: [] as Refusal[],
  /** false: the file ended early; everything complete before that was imported. */
  complete: false,
}

export type ImportReport = Readonly<Omit<typeof nothingYet, 'refused'>> & { readonly refused: readonly Refusal[] }

export const emptyReport = () => ({ ...nothingYet, refused: [] as Refusal[] })

export interface Importing {
  readonly core: Core
  readonly userId: string
  /** true: new turns are thought about in the background. */
  readonly think: boolean
  readonly report: typeof nothingYet
}

/** Whether an error says that the content cannot be taken; a locked or full database is no refusal. */
export function isRefusal(error: unknown): error is MnemeError {
  return error instanceof MnemeError && (error.code === 'invalid_input' || error.code === 'conflict')
}

/** Does one part of an import; where its content is refused, that is reported, and the import continues. */
export async function orRefused(
  { report }: Pick<Importing, 'report'>,
  at: string,
  what: string,
  task: () => Promise<void>,
): Promise<void> {
  try {
    await task()
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({ at, what, reason: error.message, remedy: error.remedy })
  }
}
