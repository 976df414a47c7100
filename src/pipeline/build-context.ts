/**
 * What does a model get to see for this message? Fetches what could be shown, lets the room `context` choose, and counts
 * as accessed what was really put in (000): nothing else counts. Used episodes are queued for reconsolidation (002 R4).
 */

import type { Store } from '../contracts/store.ts'
import {
  checkBoolean,
  checkContent,
  checkId,
  checkInteger,
  checkOptionalId,
  checkOptionalTime,
  checkRecord,
  queryPart,
} from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import { LIMITS, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import { buildContext } from '../search/context/build-context.ts'
import type { BuiltContext } from '../search/context/built-context.ts'
import type { ContextMaterial, RecalledMemory, RecalledTurn, WindowTurn } from '../search/context/material.ts'
import { tokenCounter } from '../text/count-tokens.ts'
import { withoutInjectedBlocks } from '../text/injected-block.ts'
import { maskSecretsIn } from '../text/secrets/mask-secrets.ts'
import { namesSecret } from '../text/secrets/secret-names.ts'
import { countUse } from './count-use.ts'
import type { MemorySearchAnswer } from './memories-search.ts'
import type { SearchMemoriesInput } from './memories-search-input.ts'
import { EMPTY_WINDOW, readWindow } from './read-window.ts'
import { recall } from './recall-turns.ts'
import { type SettingsDependencies, settingValues } from './settings.ts'

/** What the context is for; everything but the user has a default. */
export interface ContextInput {
  readonly userId: string
  /** The running conversation; without one there is no window and no working memory. */
  readonly conversationId?: string | null | undefined
  /** Only recall turns of this project; default: of all. */
  readonly projectRoot?: string | null | undefined
  /** Most tokens of everything together; default 8,000. */
  readonly tokenBudget?: number | undefined
  readonly now?: Date | string | null | undefined
  /** The caller's own instructions, put before ours. */
  readonly system?: string | null | undefined
  /** false: nothing counts as accessed, nothing is queued: a look only. Default true. */
  readonly count?: boolean | undefined
  /** true: passwords, keys and other secrets are shown as they are. Default false: they are masked in every layer. */
  readonly revealSecrets?: boolean | undefined
}

/** What building a context needs. */
export interface ContextDependencies extends SettingsDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly search: (query: string, input: SearchMemoriesInput) => Promise<MemorySearchAnswer>
  /** Told when jobs were queued. */
  readonly wake: () => void
}

/** Tokens of a context when nothing else is said. */
export const DEFAULT_TOKEN_BUDGET = 8000
/** A turn is recalled when at least this share of the message, by rarity of its words, stands in it. */
const TURN_COVERAGE = 0.5
const FIELDS = ['userId', 'conversationId', 'projectRoot', 'tokenBudget', 'now', 'system', 'count', 'revealSecrets']

/** Builds the context for a message. Rejects with `invalid` for bad input. */
export async function contextFor(
  dependencies: ContextDependencies,
  message: string,
  input: ContextInput,
): Promise<BuiltContext> {
  const { store, clock } = dependencies
  checkRecord('', input, FIELDS)
  checkContent('message', message, LIMITS.contentBytes)
  const userId = checkId('userId', input.userId)
  const conversationId = checkOptionalId('conversationId', input.conversationId)
  const now = checkOptionalTime('now', input.now) ?? clock().getTime()
  const tokenBudget =
    input.tokenBudget === undefined
      ? DEFAULT_TOKEN_BUDGET
      : checkInteger('tokenBudget', input.tokenBudget, 1, 10_000_000)
  const system =
    input.system === undefined || input.system === null
      ? null
      : checkContent('system', input.system, LIMITS.contentBytes)
  const counts = input.count === undefined ? true : checkBoolean('count', input.count)
  const isRevealed = input.revealSecrets === undefined ? false : checkBoolean('revealSecrets', input.revealSecrets)
  const settings = await settingValues(dependencies)
  const topN = settings['memory.rag_top_n']
  const query = queryPart(withoutInjectedBlocks(message))
  const warnings: string[] = []

  const window =
    conversationId === null
      ? EMPTY_WINDOW
      : await readWindow(store, userId, conversationId, message, settings.context_limit)
  const memories =
    topN === 0 || query.trim() === ''
      ? []
      : await relevantMemories(dependencies, query, { userId, conversationId, topN, now }, warnings)
  const turns =
    memories.length >= topN || query.trim() === ''
      ? []
      : await relevantTurns(dependencies, query, {
          userId,
          conversationId,
          projectRoot: input.projectRoot ?? null,
          limit: topN - memories.length,
          now,
          window: window.turns,
          told: memories,
        })
  const profile = settings['memory.enable_user_profile'] ? await store.profiles.get(userId) : null
  const sessions = await otherSessions(store, userId, conversationId, settings['memory.session_summary_limit'])
  const spans = conversationId === null ? [] : await store.log.summaries(userId, conversationId)
  const material: ContextMaterial = {
    message,
    now,
    system,
    profile: profile === null || profile.text.trim() === '' ? null : profile.text,
    workingMemory:
      conversationId === null
        ? null
        : await store.workingMemory.get(userId, conversationId, now - WORKING_MEMORY_IDLE_MS),
    memories,
    turns,
    sessions,
    spans: spans.map(({ startTurn, endTurn, summary }) => ({ startTurn, endTurn, text: summary })),
    window: window.turns,
    turnsBefore: window.before,
    contextLimit: settings.context_limit,
    tokenBudget,
  }
  // The caller's own instructions are no memory: they stay as they are.
  // Who asks for a code by its name wants the answer to have it; a key that a provider issued is still none of the model's
  // business.
  const masks = { said: !namesSecret(message) }
  const shown = isRevealed ? material : { ...maskSecretsIn(material, undefined, masks), system }
  const built = buildContext(shown, await tokenCounter())
  if (counts) await countUse(dependencies, built, { userId, conversationId, message: query, memories, now }, warnings)
  return { ...built, warnings }
}

async function relevantMemories(
  { search }: ContextDependencies,
  query: string,
  { userId, conversationId, topN, now }: { userId: string; conversationId: string | null; topN: number; now: number },
  warnings: string[],
): Promise<readonly RecalledMemory[]> {
  const answer = await search(query, { userId, conversationId, limit: topN, now: new Date(now) })
  warnings.push(...answer.warnings)
  return answer.results.map(({ memory, score }) => ({ memory, score }))
}

interface TurnQuestion {
  readonly userId: string
  readonly conversationId: string | null
  readonly projectRoot: string | null
  readonly limit: number
  readonly now: number
  readonly window: readonly WindowTurn[]
  readonly told: readonly RecalledMemory[]
}

/** Turns that answer and that the model does not see anyway: in the window, or in a memory made from them. */
async function relevantTurns(
  { store, clock }: ContextDependencies,
  query: string,
  { userId, conversationId, projectRoot, limit, now, window, told }: TurnQuestion,
): Promise<readonly RecalledTurn[]> {
  const shown = new Set(window.map(({ turnId }) => `${conversationId} ${turnId}`))
  for (const { memory } of told)
    for (const turnId of memory.sourceTurnIds) shown.add(`${memory.conversationId} ${turnId}`)
  const { results } = await recall({ store, clock }, query, {
    userId,
    projectRoot,
    limit: limit + shown.size,
    kinds: ['turn'],
    now: new Date(now),
    explain: true,
  })
  return results
    .flatMap((result) => {
      const { turnId, role, speaker, text, createdAt, relevance, explanation } = result
      const covered = explanation?.features.find(({ feature }) => feature === 'coverage')?.value ?? 0
      if (turnId === null || covered < TURN_COVERAGE) return []
      // What a user asked before is no news; what they or anyone said is.
      if (shown.has(`${result.conversationId} ${turnId}`) || text === query) return []
      return [
        {
          conversationId: result.conversationId,
          turnId,
          role,
          speaker,
          text: withoutInjectedBlocks(text),
          createdAt,
          score: relevance,
        },
      ]
    })
    .slice(0, limit)
}

async function otherSessions(store: Store, userId: string, conversationId: string | null, limit: number) {
  if (limit === 0) return []
  const { items } = await store.sessionSummaries.list(userId, { limit: limit + 1, offset: 0 })
  return items.filter((item) => item.conversationId !== conversationId).slice(0, limit)
}
