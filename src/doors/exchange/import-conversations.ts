/**
 * How do conversations that were read come into the memory? Short ones share a transaction; a very long one is stored a
 * part at a time, once all of it has been checked.
 */

import { checkContent, checkMetadata } from '../../domain/checks.ts'
import { MnemeError } from '../../domain/errors.ts'
import type { Conversation, Summary, Turn } from '../../domain/turn.ts'
import { isSameOrMasked } from '../../language/secrets/mask-secrets.ts'
import { listTurns, muteConversation } from '../../usecases/conversations.ts'
import type { Core } from '../../usecases/core.ts'
import type { RestoreCounts, RestoreInput } from '../../usecases/restore-conversation.ts'
import type { ExportedTurn } from './export-record.ts'
import { type Importing, isRefusal } from './import-report.ts'
import type { TurnSpool } from './turn-spool.ts'

/** Turns of one conversation stored in one transaction: about 20 ms. */
const TURNS_A_CALL = 400
const CHARACTERS_TOGETHER = 1024 * 1024

/** A conversation, whole or up to the reader's position. */
export interface ReadConversation {
  readonly at: string
  readonly conversation: Conversation
  readonly turns: TurnSpool
  readonly summaries: Summary[]
}

/** Whether a conversation is too long for one call. */
export function takesSeveral({ turns }: ReadConversation): boolean {
  return turns.takesSeveral(TURNS_A_CALL)
}

/** Whether these conversations fill a transaction. */
export function isEnough(waiting: readonly ReadConversation[], turnsTogether: number): boolean {
  let turns = 0
  let characters = 0
  for (const one of waiting) {
    turns += one.turns.turns
    characters += one.turns.characters
  }
  return turns >= turnsTogether || characters >= CHARACTERS_TOGETHER
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
    const counts = await restoreAll(core, importing.userId, inputs)
    report.turnsAdded += counts.turnsAdded
    report.turnsExisting += counts.turnsExisting
    report.summariesAdded += counts.summariesAdded
    report.conversations += batch.length
    for (const one of batch) await keepMuted(importing, one.conversation)
  } catch (error) {
    if (!isRefusal(error)) throw error
    for (const one of batch) await importConversation(importing, one)
  }
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

/** Restores one conversation. */
function restore(core: Core, input: RestoreInput): Promise<RestoreCounts> {
  return restoreAll(core, input.userId, [input])
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

/** Stores one conversation, in several calls when it is long; refused parts are reported. */
export async function importConversation(
  importing: Importing,
  { at, conversation, turns, summaries }: ReadConversation,
): Promise<void> {
  const { core, report } = importing
  const { conversationId } = conversation
  const common = conversationInput(importing, conversation)
  let stored = 0
  try {
    if (turns.takesSeveral(TURNS_A_CALL)) await checkConversation(importing, conversationId, turns.parts(TURNS_A_CALL))
    for await (const part of turns.parts(TURNS_A_CALL)) {
      const counts = await restore(core, { ...common, turns: part.map(toRestored) })
      stored += counts.turnsAdded
      report.turnsAdded += counts.turnsAdded
      report.turnsExisting += counts.turnsExisting
    }
    const counts = await restore(core, { ...common, turns: [], summaries: summaries.map(toRestoredSummary) })
    report.summariesAdded += counts.summariesAdded
    report.conversations += 1
    await keepMuted(importing, conversation)
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

/**
 * Rejects with `conflict` or `invalid_input` when a turn of the parts would be refused, so that a refused turn late in a
 * long conversation leaves nothing behind.
 */
async function checkConversation(
  { core, userId }: Importing,
  conversationId: string,
  parts: AsyncIterable<readonly ExportedTurn[]>,
): Promise<void> {
  for await (const part of parts) {
    const numbers = part.map(({ turnId }) => turnId)
    const present = await turnsBetween(core, userId, conversationId, Math.min(...numbers), Math.max(...numbers))
    for (const { turnId, role, content, metadata } of part) {
      checkContent(`turn ${turnId}.content`, content, core.options.maxContentBytes)
      checkMetadata(`turn ${turnId}.metadata`, metadata)
      const there = present.get(turnId)
      if (there !== undefined && (there.role !== role || !isSameOrMasked(there.content, content)))
        throw new MnemeError(
          'conflict',
          `Turn ${turnId} of conversation ${JSON.stringify(conversationId)} is another turn here; nothing of the conversation was stored.`,
          { remedy: 'Import it under another conversation id, or remove the conversation that is here first.' },
        )
    }
  }
}

/** The turns that are here already by their numbers; none when the conversation is new. */
async function turnsBetween(
  core: Core,
  userId: string,
  conversationId: string,
  fromTurn: number,
  toTurn: number,
): Promise<ReadonlyMap<number, Turn>> {
  try {
    const { items } = await listTurns(core.store.log, userId, conversationId, { fromTurn, toTurn, limit: 10_000 })
    return new Map(items.map((turn) => [turn.turnId, turn]))
  } catch (error) {
    if (error instanceof MnemeError && error.code === 'not_found') return new Map()
    throw error
  }
}

async function keepMuted({ core, userId }: Importing, { conversationId, isMuted }: Conversation): Promise<void> {
  if (isMuted === true) await muteConversation(core.store.log, userId, conversationId, true)
}

function toRestored({ conversationId: _, createdAt, ...turn }: ExportedTurn): RestoreInput['turns'][number] {
  return { ...turn, createdAt: new Date(createdAt) }
}

function toRestoredSummary(summary: Summary): NonNullable<RestoreInput['summaries']>[number] {
  const { startTurn, endTurn, summary: text, keySymbols, keyDecisions, createdAt } = summary
  return { startTurn, endTurn, summary: text, keySymbols, keyDecisions, createdAt: new Date(createdAt) }
}
