/** The storing of turns: one transaction takes all, and due rolling summaries are ordered. */
import { check, givenAs, type InputOf, orElse, orNull } from '../domain/checks.ts'
import { invalid } from '../domain/errors.ts'
import { conversationName } from '../domain/ids.ts'
import { LIMITS, SUMMARIZE_AT_TURNS } from '../domain/limits.ts'
import { atOnce, inPieces } from '../domain/pieces.ts'
import { type NewTurn, ROLES } from '../domain/turn.ts'
import { extractSymbols } from '../language/symbols/symbols.ts'
import type { Opened } from './options.ts'

/** The fields of one turn. `content` is checked against the bound of the database. */
export const TURN_FIELDS = {
  role: (field: string, value: unknown) => check.oneOf(field, value, ROLES),
  /** 1 byte to 1 MB, not only white space; stored as it is. */
  content: givenAs<string>(),
  /** The speaker, where the role does not say it. */
  speaker: orNull((field, value) => check.text(field, value, { maxBytes: LIMITS.idCharacters })),
  /** The time of its saying; default: now. */
  createdAt: check.optionalTime,
  /** The caller's own id: the same one is stored once in a conversation. */
  externalId: check.optionalId,
  metadata: check.metadata,
  /** The user's mark on it; default false. `collect` changes it later. */
  isCollected: orElse(false, check.boolean),
}
/** One turn as a caller hands it in. */
export type TurnInput = InputOf<typeof TURN_FIELDS, 'role' | 'content'>

const STORE_FIELDS = {
  userId: check.id,
  /** Default: a new conversation. */
  conversationId: check.optionalId,
  projectRoot: check.optionalId,
  turns: givenAs<readonly TurnInput[]>(),
}
/** The turns of one conversation that are to be stored. */
export type StoreInput = InputOf<typeof STORE_FIELDS, 'userId' | 'turns'>

/** The outcome for one turn, in the order of the call. */
export interface StoredTurn {
  readonly turnId: number
  readonly conversationId: string
  readonly symbolsExtracted: readonly string[]
  /** Milliseconds since the epoch. */
  readonly storedAt: number
  readonly externalId: string | null
  /** true when this externalId was stored before; nothing was written. */
  readonly existed: boolean
}

/** Turns that are checked before others get their turn: a few milliseconds of work. */
const TURNS_A_PIECE = 200

/**
 * Stores the turns of one conversation in one transaction, with a job to think about it. `rollSoon` is called, and not
 * waited for, when rolling summaries became due.
 */
export async function storeTurns(
  { store: { log }, options: { clock, maxContentBytes, thinking: think } }: Opened,
  rollSoon: (userId: string, conversationId: string, now: number) => void,
  input: StoreInput,
): Promise<readonly StoredTurn[]> {
  const { userId, projectRoot, ...given } = check.fields('', input, STORE_FIELDS)
  const now = clock().getTime()
  const conversationId = given.conversationId ?? conversationName(now)
  const turns = await inPieces(checkInPieces(given.turns, now, maxContentBytes))
  const appended = await log.append(userId, [{ conversationId, projectRoot: projectRoot ?? '', turns, think }], now)
  if (appended.some(({ existed, unsummarized }) => !existed && unsummarized >= SUMMARIZE_AT_TURNS))
    rollSoon(userId, conversationId, now)
  return appended.map(({ turnId, symbols, externalId, existed }) => ({
    turnId,
    conversationId,
    symbolsExtracted: symbols,
    storedAt: now,
    externalId,
    existed,
  }))
}

/** Checks every turn; `now` is when those without a time were said. */
export function checkTurns(turns: unknown, now: number, maxContentBytes: number): readonly NewTurn[] {
  return atOnce(checkInPieces(turns, now, maxContentBytes))
}

function* checkInPieces(turns: unknown, now: number, maxContentBytes: number): Generator<void, readonly NewTurn[]> {
  if (!Array.isArray(turns)) throw invalid('turns', 'must be a list', 'Pass a list of turns.')
  if (turns.length === 0) throw invalid('turns', 'is empty', 'Pass at least one turn.')
  if (turns.length > LIMITS.turnsPerCall)
    throw invalid('turns', `has ${turns.length} items; at most ${LIMITS.turnsPerCall} are taken`, 'Make several calls.')
  const checked: NewTurn[] = []
  // A copy, as the caller may change its list meanwhile.
  for (const [index, turn] of [...turns].entries()) {
    if (index > 0 && index % TURNS_A_PIECE === 0) yield
    checked.push(checkTurn(`turns[${index}]`, turn, now, maxContentBytes))
  }
  return checked
}

function checkTurn(at: string, turn: unknown, now: number, maxContentBytes: number): NewTurn {
  const said = check.fields(at, turn, TURN_FIELDS)
  const content = check.content(`${at}.content`, said.content, maxContentBytes)
  return { ...said, content, createdAt: said.createdAt ?? now, symbols: extractSymbols(content) }
}
