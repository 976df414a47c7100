/** A turn is given other words: a job takes back what came from the old ones, also after a crash. */
import { check, givenAs, type InputOf } from '../domain/checks.ts'
import { SECOND_MS } from '../domain/clock.ts'
import { memoryId } from '../domain/ids.ts'
import { breathe } from '../domain/scheduling.ts'
import type { Turn, TurnReference } from '../domain/turn.ts'
import { extractSymbols } from '../language/symbols/symbols.ts'
import { getTurn } from './conversations.ts'
import { projectOfConversation } from './matching/filter.ts'
import type { Addition } from './memories-add-inferred.ts'
import { renewSessionSummaries } from './think/summarize-session.ts'
import { renewAnalysis } from './think/take-back-turns.ts'
import { messagesUpTo, sourceTurns, takeBack, type UndoDependencies } from './undo.ts'
import { renewDerived } from './upkeep/rolling-summary.ts'

const FIELDS = { userId: check.id, conversationId: check.id, turnId: check.ordinal, content: givenAs<string>() }
/** New words of one turn. */
export type EditTurnInput = InputOf<typeof FIELDS, keyof typeof FIELDS>

/** How long the job of an edit leaves the rest to the edit itself; after a crash it does that. */
const SETTLE_MS = 30 * SECOND_MS

/** The turn with its new words; not_found when the user has none of this number. */
export async function editTurn(core: UndoDependencies, input: EditTurnInput): Promise<Turn> {
  const { store, options } = core
  const { clock, maxContentBytes, thinking: thinks } = options
  const { userId, conversationId, turnId, content } = check.fields('', input, FIELDS)
  check.content('content', content, maxContentBytes)
  const turn = await getTurn(store.log, userId, conversationId, turnId)
  if (turn.content === content) return turn
  const now = clock().getTime()
  const messages = (await messagesUpTo(store.log, userId, conversationId, turnId)).map((message) =>
    message.turnId === turnId ? { ...message, content } : message,
  )
  const payload: Addition = {
    messages: thinks ? messages : [],
    said: {},
    conversationId,
    projectRoot: await projectOfConversation(store.log, userId, conversationId),
    edited: turnId,
  }
  const job = { kind: 'add' as const, subject: memoryId() }
  const symbols = await extractSymbols.patiently(content)
  const words = { content, symbols, job: { ...job, payload, dueAt: now + SETTLE_MS } }
  await store.log.rewrite(userId, turn, words, now)
  await settleEdit(core, userId, turn)
  if (thinks) await store.jobs.enqueue(userId, [job], now)
  else await store.jobs.remove(userId, job)
  return getTurn(store.log, userId, conversationId, turnId)
}

/** Makes everything from the new words, repeatably. `content`: the words before; `analyses`: the working memory is read from the turns anew. */
export async function settleEdit(
  dependencies: UndoDependencies,
  userId: string,
  { conversationId, turnId, content: gone = '' }: TurnReference & Partial<Pick<Turn, 'content'>>,
  analyses = true,
): Promise<void> {
  const { store, options } = dependencies
  await takeBack(dependencies, userId, await sourceTurns(store, userId, { kind: 'turn', conversationId, turnId }))
  const now = options.clock().getTime()
  const stale = (await store.log.summaries(userId, conversationId)).filter(({ summary }) => summary === '')
  await renewDerived(store.log, userId, { stale, shortened: [conversationId] }, now)
  await breathe()
  await renewSessionSummaries(store, userId, [conversationId], now, { gone })
  await breathe()
  if (analyses) await renewAnalysis(dependencies, userId, conversationId, { turns: new Map(), whole: new Set() })
}
