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
import { type RestoreCounts, type RestoreInput, restoreConversations } from '../../usecases/restore-conversation.ts'
import type { ExportedTurn } from './export-codec.ts'
import { decodeUtf8, readLines } from './read-stream.ts'

/** Turns of one conversation stored in one transaction: about 20 ms. */
const TURNS_A_CALL = 400

export interface ReadConversation {
  readonly at: string
  readonly conversation: Conversation
  readonly turns: TurnSpool
  readonly summaries: Summary[]
}

/** Stores short conversations in one transaction; when it is refused, each by itself, so that valid ones stay. */
export function importTogether(importing: Importing, batch: readonly ReadConversation[]): Promise<void> {
  const whole = (some: readonly ReadConversation[]) => storeWhole(importing, some, ({ turns }) => turns.held())
  return togetherOrEach(batch, whole, ({ at, conversation }, error) =>
    refuse(importing.report, at, nameOf(conversation), error),
  )
}

/** Stores all at once; where that is refused, one by one, and tells which of them are. */
export async function togetherOrEach<T>(
  all: readonly T[],
  store: (some: readonly T[]) => Promise<void>,
  refused: (one: T, error: MnemeError) => void,
): Promise<void> {
  if (all.length === 0) return
  try {
    await store(all)
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (all.length === 1) refused(all[0]!, error)
    else for (const one of all) await togetherOrEach([one], store, refused)
  }
}

/** Stores a long conversation in parts once all of it was checked. */
export async function importConversation(importing: Importing, one: ReadConversation): Promise<void> {
  const { at, conversation, turns } = one
  await orRefused(importing, at, nameOf(conversation), async () => {
    await checkConversation(importing, conversation.conversationId, turns)
    for await (const part of turns.parts()) await store(importing, [inputOf(importing, conversation, part)])
    await storeWhole(importing, [one], () => [])
  })
}

export function nameOf({ conversationId }: Conversation): string {
  return `conversation ${JSON.stringify(conversationId)}`
}

/** Stores conversations with what is left of them, counts them, and mutes what was muted. */
async function storeWhole(
  importing: Importing,
  all: readonly ReadConversation[],
  turnsOf: (one: ReadConversation) => readonly ExportedTurn[],
): Promise<void> {
  const { core, userId, report } = importing
  await store(
    importing,
    all.map((one) => inputOf(importing, one.conversation, turnsOf(one), one.summaries)),
  )
  report.conversations += all.length
  for (const { conversation } of all)
    if (conversation.isMuted === true) await muteConversation(core, userId, conversation.conversationId, true)
}

async function store(importing: Importing, inputs: readonly RestoreInput[]): Promise<void> {
  const { core, userId, report } = importing
  const { turnsAdded, turnsExisting, summariesAdded } = await restoreAll(core, userId, inputs)
  report.turnsAdded += turnsAdded
  report.turnsExisting += turnsExisting
  report.summariesAdded += summariesAdded
}

/** Restores conversations in one transaction, and queues embedding and, if requested, thinking for new turns. */
export async function restoreAll(core: Core, userId: string, inputs: readonly RestoreInput[]): Promise<RestoreCounts> {
  const counts = await restoreConversations({ ...core.options, log: core.store.log }, userId, inputs)
  const thinks = inputs.some(({ think }) => think === true)
  await core.restored(userId, thinks)
  return counts
}

function inputOf(
  { userId, think }: Importing,
  { conversationId, projectRoot, createdAt }: Conversation,
  turns: readonly ExportedTurn[],
  summaries: readonly Summary[] = [],
): RestoreInput {
  return {
    userId,
    think,
    conversationId,
    projectRoot: projectRoot === '' ? null : projectRoot,
    createdAt: new Date(createdAt),
    turns: turns.map(({ conversationId: _, createdAt: at, ...turn }) => ({ ...turn, createdAt: new Date(at) })),
    summaries: summaries.map(({ conversationId: _, summaryId: __, createdAt: at, ...summary }) => ({
      ...summary,
      createdAt: new Date(at),
    })),
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

/** The report of an import, to be counted up. */
export const emptyReport = () => ({
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
})

type Counted = ReturnType<typeof emptyReport>
export type ImportReport = Readonly<Omit<Counted, 'refused'>> & { readonly refused: readonly Refusal[] }

export interface Importing {
  readonly core: Core
  readonly userId: string
  /** true: new turns are thought about in the background. */
  readonly think: boolean
  readonly report: Counted
}

/** Whether an error says that the content cannot be taken; a locked or full database is no refusal. */
function isRefusal(error: unknown): error is MnemeError {
  return error instanceof MnemeError && (error.code === 'invalid_input' || error.code === 'conflict')
}

function refuse(report: Counted, at: string, what: string, error: MnemeError, stored = 0): void {
  // Only a long conversation can be stored in part, when another process changes it meanwhile.
  const reason = stored === 0 ? error.message : `${error.message} ${stored} of its turns had been stored before.`
  report.refused.push({ at, what, reason, remedy: error.remedy })
}

/** Does one part of an import; where its content is refused, that is reported, and the import continues. */
export async function orRefused(
  { report }: Pick<Importing, 'report'>,
  at: string,
  what: string,
  task: () => Promise<void>,
): Promise<void> {
  const before = report.turnsAdded
  try {
    await task()
  } catch (error) {
    if (!isRefusal(error)) throw error
    refuse(report, at, what, error, report.turnsAdded - before)
  }
}
