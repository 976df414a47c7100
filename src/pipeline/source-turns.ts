/** Which turns are taken back or removed? Their numbers, and the statements about the user that the profile took from them. */
import type { Store } from '../contracts/store.ts'
import { breathe } from '../domain/pieces.ts'
import type { Turn } from '../domain/turn.ts'
import { linesIn } from './thinking/profile-lines.ts'

/** The turns of a source. */
export interface SourceTurns {
  /** By conversation. */
  readonly turns: ReadonlyMap<string, ReadonlySet<number>>
  /** Conversations that are meant as a whole, also what names no turn of them. */
  readonly whole: ReadonlySet<string>
  /** Lines of the profile that came from these turns. */
  readonly profileTexts: readonly string[]
}

/** Which turns are meant: of one conversation, one turn of it, or all said before a moment that the user did not collect. */
export type SourceScope =
  | { readonly kind: 'conversation'; readonly conversationId: string }
  | { readonly kind: 'turn'; readonly conversationId: string; readonly turnId: number }
  | { readonly kind: 'older'; readonly before: number }

const TURNS_A_PIECE = 200
const CONVERSATIONS_A_PIECE = 200

/** Reads the turns of the scope, in pieces. */
export async function readSourceTurns(
  store: Pick<Store, 'log' | 'profiles'>,
  userId: string,
  scope: SourceScope,
): Promise<SourceTurns> {
  const { lines } = await store.profiles.get(userId)
  const written = new Set(lines.filter(({ source }) => source === 'machine').map(({ text }) => text))
  const turns = new Map<string, Set<number>>()
  const profileTexts = new Set<string>()
  const take = (turn: Turn): void => {
    const numbers = turns.get(turn.conversationId) ?? new Set()
    turns.set(turn.conversationId, numbers.add(turn.turnId))
    if (written.size > 0 && turn.role === 'user')
      for (const { text } of linesIn(turn.content, turn.createdAt)) if (written.has(text)) profileTexts.add(text)
  }
  const isMeant = (turn: Turn): boolean =>
    scope.kind !== 'older' || (turn.createdAt < scope.before && !turn.isCollected)
  const read = async (conversationId: string, from: number, to: number): Promise<void> => {
    for (let first = from; first <= to; first += TURNS_A_PIECE) {
      const range = { from: first, to: Math.min(to, first + TURNS_A_PIECE - 1) }
      for (const turn of await store.log.turns(userId, conversationId, range)) if (isMeant(turn)) take(turn)
      await breathe()
    }
  }
  if (scope.kind === 'older')
    for (const { conversationId, lastTurnId } of await startedBefore(store, userId, scope.before))
      await read(conversationId, 1, lastTurnId)
  else {
    const known = await store.log.conversation(userId, scope.conversationId)
    const [from, to] = scope.kind === 'turn' ? [scope.turnId, scope.turnId] : [1, known?.lastTurnId ?? 0]
    await read(scope.conversationId, from, to)
  }
  return {
    turns,
    whole: new Set(scope.kind === 'conversation' ? [scope.conversationId] : []),
    profileTexts: [...profileTexts],
  }
}

async function startedBefore({ log }: Pick<Store, 'log'>, userId: string, before: number) {
  const started = []
  for (let offset = 0; ; offset += CONVERSATIONS_A_PIECE) {
    const { items } = await log.conversations(userId, { limit: CONVERSATIONS_A_PIECE, offset })
    started.push(...items.filter(({ createdAt }) => createdAt < before))
    if (items.length < CONVERSATIONS_A_PIECE) return started
    await breathe()
  }
}
