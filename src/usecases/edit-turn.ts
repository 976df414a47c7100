/**
 * What happens when a turn is given other words? Results of the old ones are taken back, texts written from the turn
 * are written anew, and the new words are thought about.
 */

import { checkContent, checkId, checkRecord } from '../domain/checks.ts'
import type { Store } from '../domain/contracts/store.ts'
import type { Turn } from '../domain/turn.ts'
import { extractSymbols } from '../language/symbols.ts'
import { getTurn } from './conversations.ts'
import { projectOfConversation } from './memories/projects.ts'
import type { Addition } from './memories-add-inferred.ts'
import { renewSessionSummaries } from './think/summarize-session.ts'
import { messagesUpTo, renewAnalysis, sourceTurns, takeBack, type UndoDependencies } from './undo.ts'
import { renewDerived } from './upkeep/cleanup.ts'

/** New words of one turn. */
export interface EditTurnInput {
  readonly userId: string
  readonly conversationId: string
  readonly turnId: number
  readonly content: string
}

/** The dependencies of editing. */
export interface EditTurnDependencies extends UndoDependencies {
  readonly store: Store
  readonly maxContentBytes: number
  /** Whether stored turns are thought about. */
  readonly thinks: boolean
}

/** The turn with its new words; not_found when the user has none of this number. */
export async function editTurn(dependencies: EditTurnDependencies, input: EditTurnInput): Promise<Turn> {
  const { store, clock, maxContentBytes, thinks, newId } = dependencies
  checkRecord('', input, ['userId', 'conversationId', 'turnId', 'content'])
  const userId = checkId('userId', input.userId)
  const conversationId = checkId('conversationId', input.conversationId)
  const content = checkContent('content', input.content, maxContentBytes)
  const turn = await getTurn(store.log, userId, conversationId, input.turnId)
  if (turn.content === content) return turn
  const { turnId } = turn
  const sources = await sourceTurns(store, userId, { kind: 'turn', conversationId, turnId })
  await takeBack(dependencies, userId, sources)
  await renewAnalysis(dependencies, userId, conversationId, sources)
  const now = clock().getTime()
  const messages = await messagesUpTo(store.log, userId, conversationId, turnId)
  const addition: Addition = {
    messages: messages.map((message) => (message.turnId === turnId ? { ...message, content } : message)),
    said: {},
    conversationId,
    projectRoot: await projectOfConversation(store.log, userId, conversationId),
  }
  const removed = await store.log.rewrite(
    userId,
    turn,
    {
      content,
      symbols: extractSymbols(content),
      think: thinks ? { kind: 'add', subject: newId(), payload: addition } : null,
    },
    now,
  )
  if (removed !== null) await renewDerived(store.log, userId, removed, now)
  // What was being thought about the old words meanwhile may have come to something, and so may the new ones.
  const late = await takeBack(dependencies, userId, sources)
  if (thinks && late.removed + late.profileLines > 0)
    await store.jobs.enqueue(userId, [{ kind: 'add', subject: newId(), payload: addition }], clock().getTime())
  await renewSessionSummaries(store, userId, [conversationId], now)
  await renewAnalysis(dependencies, userId, conversationId, { turns: new Map(), whole: new Set() })
  return getTurn(store.log, userId, conversationId, turnId)
}
