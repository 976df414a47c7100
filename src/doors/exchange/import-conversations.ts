/**
 * How do conversations that were read come into the memory? Short ones share a transaction; a very long one is stored a
 * part at a time, once all of it has been checked.
 */

import type { Conversation, Summary } from '../../domain/turn.ts'
import { muteConversation } from '../../usecases/conversations.ts'
import type { Core } from '../../usecases/core.ts'
import type { RestoreCounts, RestoreInput } from '../../usecases/restore-conversation.ts'
import { checkConversation } from './check-conversation.ts'
import type { ExportedTurn } from './export-record.ts'
import type { GrowingReport } from './import-report.ts'
import { isRefusal } from './is-refusal.ts'
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
export async function importTogether(
  core: Core,
  userId: string,
  waiting: ReadConversation[],
  think: boolean,
  report: GrowingReport,
): Promise<void> {
  const batch = waiting.splice(0)
  try {
    const inputs = batch.map((one) => ({
      ...conversationInput(userId, one.conversation, think),
      turns: one.turns.held().map(toRestored),
      summaries: one.summaries.map(toRestoredSummary),
    }))
    const counts = await restoreAll(core, userId, inputs)
    report.turnsAdded += counts.turnsAdded
    report.turnsExisting += counts.turnsExisting
    report.summariesAdded += counts.summariesAdded
    report.conversations += batch.length
    for (const one of batch) await keepMuted(core, userId, one.conversation)
  } catch (error) {
    if (!isRefusal(error)) throw error
    for (const one of batch) await importConversation(core, userId, one, think, report)
  }
}

/** Restores conversations in one transaction, and queues embedding and, if requested, thinking for new turns. */
async function restoreAll(core: Core, userId: string, inputs: readonly RestoreInput[]): Promise<RestoreCounts> {
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
export function restore(core: Core, input: RestoreInput): Promise<RestoreCounts> {
  return restoreAll(core, input.userId, [input])
}

function conversationInput(userId: string, { conversationId, projectRoot, createdAt }: Conversation, think: boolean) {
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
  core: Core,
  userId: string,
  { at, conversation, turns, summaries }: ReadConversation,
  think: boolean,
  report: GrowingReport,
): Promise<void> {
  const { conversationId } = conversation
  const common = conversationInput(userId, conversation, think)
  let stored = 0
  try {
    if (turns.takesSeveral(TURNS_A_CALL))
      await checkConversation(core, userId, conversationId, turns.parts(TURNS_A_CALL))
    for await (const part of turns.parts(TURNS_A_CALL)) {
      const counts = await restore(core, { ...common, turns: part.map(toRestored), summarize: false })
      stored += counts.turnsAdded
      report.turnsAdded += counts.turnsAdded
      report.turnsExisting += counts.turnsExisting
    }
    const counts = await restore(core, {
      ...common,
      turns: [],
      summaries: summaries.map(toRestoredSummary),
    })
    report.summariesAdded += counts.summariesAdded
    report.conversations += 1
    await keepMuted(core, userId, conversation)
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

async function keepMuted(core: Core, userId: string, { conversationId, isMuted }: Conversation): Promise<void> {
  if (isMuted === true) await muteConversation(core.store.log, userId, conversationId, true)
}

function toRestored({ conversationId: _, createdAt, ...turn }: ExportedTurn): RestoreInput['turns'][number] {
  return { ...turn, createdAt: new Date(createdAt) }
}

function toRestoredSummary(summary: Summary): NonNullable<RestoreInput['summaries']>[number] {
  const { startTurn, endTurn, summary: text, keySymbols, keyDecisions, createdAt } = summary
  return { startTurn, endTurn, summary: text, keySymbols, keyDecisions, createdAt: new Date(createdAt) }
}
