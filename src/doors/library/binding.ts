/** Common ground of the library: the user of a call, secrets that are masked, and records as callers see them. */
import { check } from '../../domain/checks.ts'
import { isoTime, isoTimeOrNull } from '../../domain/clock.ts'
import type { Page } from '../../domain/contracts/conversation-log.ts'
import { invalid } from '../../domain/errors.ts'
import type { Memory, MemoryEvent, WorkingMemory } from '../../domain/memory.ts'
import type { RecallAnswer, RecallResult } from '../../domain/recall.ts'
import { breathe } from '../../domain/scheduling.ts'
import type { Conversation, Summary, Turn } from '../../domain/turn.ts'
import { maskRepeats, maskSecretsIn, type OnMasked, readLongTexts } from '../../language/secrets/mask-secrets.ts'
import type { Core } from '../../usecases/core.ts'

/** Inputs that may leave the user to the default. */
export type WithUser = { readonly userId?: string | undefined }

/** Inputs for operators: one user as everywhere, or all of them when requested. */
export type WithUsers = WithUser & {
  /** true: of every user. Default false. */
  readonly allUsers?: boolean | undefined
}

export function chooseUsers(user: ChooseUser, input: WithUsers | undefined): string | null {
  if (input?.allUsers === undefined || !check.boolean('allUsers', input.allUsers)) return user(input)
  if (input.userId !== undefined) throw invalid('allUsers', 'is set, and a user too', 'Pass one of them.')
  return null
}

type ChooseUser = (input: WithUser | undefined) => string

export function userChooser(defaultUser: string | null): ChooseUser {
  return (input: unknown) => {
    if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input)))
      throw invalid('input', 'must be an object', 'Pass { userId } or nothing.')
    const userId = (input as WithUser | undefined)?.userId ?? defaultUser
    if (userId === null || userId === undefined)
      throw invalid('userId', 'is missing', 'Name a user, or open the memory with a default one.')
    return check.id('userId', userId)
  }
}

/** The context that every part of the library binds use cases to. */
export interface Binding {
  readonly core: Core
  readonly user: ChooseUser
  /** Removes deleted memories from the memory file and from the process's caches. */
  readonly forget: (userId: string) => Promise<void>
}

/** Input whose user may be left to the default. */
export type UserOptional<T extends { readonly userId: string }> = Omit<T, 'userId'> & WithUser

/** Inputs that may ask for secrets as they are; otherwise lists, searches and contexts mask them. */
export type WithReveal = {
  /** true: passwords and keys as they are. By default they look like `sk-…(masked, 51 characters)`. */
  readonly revealSecrets?: boolean | undefined
}

export type Show = <T>(view: T) => T

export type Secrets = Map<string, string>

/** The input without `revealSecrets`, and the function that shows its answer. */
export function splitReveal<T extends object>(
  input: (T & WithReveal) | undefined,
): { readonly asked: Omit<T, keyof WithReveal>; readonly show: Show } {
  const { revealSecrets, ...asked } = { ...input } as T & WithReveal
  const isRevealed = revealSecrets === undefined ? false : check.boolean('revealSecrets', revealSecrets)
  return { asked: asked as Omit<T, keyof WithReveal>, show: isRevealed ? (view) => view : masked }
}

export const masked: Show = (view) => maskSecretsIn(view)

/** A masked turn; symbols hidden by a mask are left out. */
export function shownTurn(turn: TurnView, show: Show): TurnView {
  const shown = show(turn)
  if (shown.content === turn.content) return shown
  return { ...shown, symbols: shown.symbols.filter((symbol) => shown.content.includes(symbol)) }
}

/** The view as it is shown; a long text in it is read with pauses. */
export async function shownOne<V>(view: V, show: Show): Promise<V> {
  await readLongTexts(view)
  return show(view)
}

const PIECE_MS = 20

/** Shows each item of a list, with pauses so that other work can run; what is a secret in one is masked in all. */
export async function shownList<T, V>(
  items: readonly T[],
  show: Show,
  view: (item: T, show: Show, secrets: Secrets) => V,
): Promise<readonly V[]> {
  const secrets = new Map<string, string>()
  const keep: OnMasked = (secret, mask) => void secrets.set(secret, mask)
  const hide: Show = show === masked ? (one) => maskSecretsIn(one, keep) : show
  const shown: V[] = []
  let begun = performance.now()
  for (const item of items) {
    if (performance.now() - begun > PIECE_MS) {
      await breathe()
      begun = performance.now()
    }
    await readLongTexts(item)
    shown.push(view(item, hide, secrets))
  }
  return secrets.size === 0 ? shown : maskRepeats(shown, secrets)
}

export async function shownPage<T, V>(
  { items, total }: Page<T>,
  show: Show,
  view: (item: T, show: Show) => V,
): Promise<Page<V>> {
  return { items: await shownList(items, show, view), total }
}

/** A record of the engine with its times as text. */
export type Rendered<T, Times extends keyof T> = Omit<T, Times> & {
  readonly [Name in Times]: null extends T[Name] ? string | null : string
}

/** The record with these times as text. */
export function rendered<T extends object, Times extends keyof T>(
  record: T,
  ...times: readonly Times[]
): Rendered<T, Times> {
  const view = { ...record } as Record<PropertyKey, unknown>
  for (const name of times) view[name] = isoTimeOrNull(record[name] as number | null)
  return view as Rendered<T, Times>
}

export type ConversationView = Rendered<Conversation, 'createdAt' | 'lastActive'>
export type TurnView = Rendered<Turn, 'createdAt'>
export type SummaryView = Rendered<Summary, 'createdAt'>
export type WorkingMemoryView = Rendered<WorkingMemory, 'createdAt' | 'updatedAt'>
export type MemoryEventView = Rendered<MemoryEvent, 'createdAt'>
export type MemoryView = Omit<
  Rendered<Memory, 'occurredAt' | 'createdAt' | 'updatedAt' | 'lastAccessed' | 'validFrom' | 'validTo' | 'buriedAt'>,
  'suspect' | 'buriedAt'
> & { readonly buriedAt: string | null; readonly suspect: { readonly reason: string; readonly since: string } | null }

/** One recalled turn or summary. A turn has `content`, a summary has `summary`. */
export interface RecallResultView extends Omit<RecallResult, 'text' | 'createdAt' | 'explanation'> {
  readonly content?: string
  readonly summary?: string
  readonly createdAt: string
  readonly explanation?: NonNullable<RecallResult['explanation']>
}

/** The answer to a recall. */
export interface RecallView {
  readonly results: readonly RecallResultView[]
  readonly totalSearched: number
  readonly latencyMs: number
  /** Notes for the caller about the answer, as sentences; absent when there are none. */
  readonly warnings?: readonly string[]
}

export function renderMemory(memory: Memory): MemoryView {
  const { suspect } = memory
  return {
    ...rendered(memory, 'occurredAt', 'createdAt', 'updatedAt', 'lastAccessed', 'validFrom', 'validTo'),
    suspect: suspect === null ? null : rendered(suspect, 'since'),
    buriedAt: isoTimeOrNull(memory.buriedAt ?? null),
  }
}

/** Rounds scores for people, who need no 16 digits. */
function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/** The answer as it is shown, its results one by one as by `shownList`. */
export async function shownRecall(
  { results, totalSearched, latencyMs, warnings }: RecallAnswer,
  show: Show,
): Promise<RecallView> {
  return {
    results: await shownList(results, show, (one, hide) => hide(renderResult(one))),
    totalSearched,
    latencyMs: rounded(latencyMs, 2),
    ...(warnings.length === 0 ? {} : { warnings: show(warnings) }),
  }
}

function renderResult({ text, createdAt, explanation, ...result }: RecallResult): RecallResultView {
  return {
    ...result,
    ...(result.isSummary ? { summary: text } : { content: text }),
    relevance: rounded(result.relevance, 4),
    createdAt: isoTime(createdAt),
    ...(explanation === null ? {} : { explanation }),
  }
}
