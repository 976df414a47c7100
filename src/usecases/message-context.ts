/** The context of a message; only what is put in counts as accessed (000) and is reconsolidated (002 R4). */
import { check, givenAs, type InputOf, orElse, orNull } from '../domain/checks.ts'
import type { ActiveSession, Profile, ProfileLine, Telling } from '../domain/contracts/small-stores.ts'
import type { Store } from '../domain/contracts/store.ts'
import { MnemeError } from '../domain/errors.ts'
import { LIMITS, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import type { Memory } from '../domain/memory.ts'
import { breathe, within } from '../domain/scheduling.ts'
import { SETTINGS } from '../domain/settings.ts'
import { counterFor, type TokenCount } from '../language/count-tokens.ts'
import { withoutStatements } from '../language/profile-document.ts'
import { maskSecretsPatiently } from '../language/secrets/mask-secrets.ts'
import { namesSecret } from '../language/secrets/secret-names.ts'
import { wordTable } from '../language/word-lists.ts'
import { beginContext } from '../search/context/build-context.ts'
import type { BuiltContext, ContextMaterial, EarlierSession, RecalledItem } from '../search/context/context-layers.ts'
import { plainTopics, topicsOf } from '../thinking/facts/mentioned-attributes.ts'
import { rollOverdue } from './conversations.ts'
import { evidenceFor } from './find-evidence.ts'
import { conversationsTelling, leftOutOf } from './hidden-turns.ts'
import { projectOf } from './matching/filter.ts'
import { type Opened, settingValues } from './open-options.ts'
import type { EvidenceSources } from './query-vector.ts'
import { readWindow } from './read-window.ts'
import { reconsolidationJob } from './think/reconsolidation-job.ts'

export type { BuiltContext, ContextMessage } from '../search/context/context-layers.ts'

/** `wake` is called when jobs were queued. */
type ContextCore = Opened & EvidenceSources & { readonly thinking: { readonly worker: { readonly wake: () => void } } }

/** Tokens of a context when nothing else is said. */
export const DEFAULT_TOKEN_BUDGET = 8000
const SESSIONS_LOOKED_AT = 50
const FIELDS = {
  userId: check.id,
  /** The running conversation; without one there is no window and no working memory. */
  conversationId: check.optionalId,
  /** Only recall memories and turns of this project, or of the one that this path lies in; default: everywhere. */
  projectRoot: check.optionalId,
  /** Most tokens of everything together; default 8,000. */
  tokenBudget: orElse(null, check.integer, 1, 10_000_000),
  /** Most tokens of the recalled texts. Default: `tokenBudget` if named, else `memory.evidence_tokens`. */
  evidenceTokens: orElse(null, check.integer, ...SETTINGS['memory.evidence_tokens'].bounds),
  /** `estimated`: tokens are counted a little too high, without the encoding's table, which takes a moment to load. Default exact. */
  tokens: givenAs<TokenCount>(),
  /** false: found by words alone, without the table of word vectors, which takes a moment to load. Default true. */
  meaning: orElse(true, check.boolean),
  now: check.optionalTime,
  /** As it would have been at this moment, `now` too: without what was told, learnt or ended later. Default: today. */
  asOf: check.optionalTime,
  /** The model itself holds the running conversation from this turn on: none of it is recalled. Default: it holds the window. */
  holdsFrom: orElse(null, check.integer, 1, Number.MAX_SAFE_INTEGER),
  /** Recalled texts of which it says true stay out, as the model was shown them. Default: none does. */
  wasShown: givenAs<((item: RecalledItem) => boolean) | undefined>(),
  /** The caller's own instructions, put before ours. */
  system: orNull((field, value) => check.content(field, value, LIMITS.contentBytes)),
  /** true: recalled texts say why they were chosen. Default false. */
  explain: orElse(false, check.boolean),
  /** false: nothing counts as accessed, nothing is queued: a look only. Default true. */
  count: orElse(true, check.boolean),
  /** true: passwords, keys and other secrets are shown as they are. Default false: they are masked in every layer. */
  revealSecrets: orElse(false, check.boolean),
  /** Ids of memories that are left out, with the turns, titles and profile lines that tell them. */
  without: orElse([], check.list<string>, check.id),
}

/** The input of a context; everything but the user has a default. */
export type ContextInput = InputOf<typeof FIELDS, 'userId'>

/** Characters of a message from which others run between finding the evidence and packing it. */
const LONG_MESSAGE = 65_536

/** Builds the context for a message. Rejects with `invalid` for bad input. */
export async function contextFor(core: ContextCore, message: string, input: ContextInput): Promise<BuiltContext> {
  const { store, options } = core
  const { clock, timeZone } = options
  const given = check.fields('', input, FIELDS)
  check.content('message', message, LIMITS.contentBytes)
  const { userId, conversationId, system, explain, asOf, holdsFrom } = given
  const projectRoot = await projectOf(store.log, userId, given.projectRoot)
  const now = given.now ?? asOf ?? clock().getTime()
  const without = new Set(given.without)
  const tokenBudget = given.tokenBudget ?? DEFAULT_TOKEN_BUDGET
  const settings = await settingValues(core)
  const evidenceTokens = given.evidenceTokens ?? given.tokenBudget ?? settings['memory.evidence_tokens']

  const mostMemories = settings['memory.rag_top_n']
  const leftOut = await leftOutOf(store, userId, given.without)
  const window = await readWindow(store, userId, conversationId, message, settings.context_limit)
  const profile = settings['memory.enable_user_profile'] ? await profileOf(store, userId, asOf, without) : null
  // The title of a conversation may tell what is left out.
  const told = conversationsTelling(leftOut)
  if (conversationId !== null) await rollOverdue(store.log, userId, [conversationId], clock().getTime())
  const spans = conversationId === null ? [] : await store.log.summaries(userId, conversationId)
  const material: ContextMaterial = {
    message,
    now,
    timeZone,
    projectRoot,
    system,
    profile: profile === null || profile.text.trim() === '' ? null : profile.text,
    machineLines: profile === null ? [] : await machineLines(store, userId, profile),
    workingMemory:
      conversationId === null
        ? null
        : await store.workingMemory.get(userId, conversationId, now - WORKING_MEMORY_IDLE_MS),
    mostMemories,
    sessions: await earlierSessions(
      store,
      userId,
      { running: conversationId, limit: settings['memory.session_summary_limit'] },
      // Statements of no project may be about the user.
      ({ conversationId: id, projectRoot: root, lastActive }) =>
        !told.has(id) &&
        (projectRoot === null || root === '' || root === projectRoot) &&
        (asOf === null || lastActive <= asOf),
    ),
    spans: spans.map(({ startTurn, endTurn, summary }) => ({ startTurn, endTurn, text: summary })),
    window: window.turns,
    turnsBefore: window.before,
    contextLimit: settings.context_limit,
    tokenBudget,
  }
  // The caller's own instructions are no memory and stay as they are. A question for a secret by name wants it in the
  // answer; a provider's key is still hidden.
  const masks = { said: !namesSecret(message) }
  const masked = async <T>(data: T): Promise<T> =>
    given.revealSecrets ? data : await maskSecretsPatiently(data, masks)
  const count = await counterFor(input.tokens)
  const begun = beginContext({ ...(await masked(material)), system }, count)
  // A turn of the running conversation for which the window has no room may be evidence.
  const { pieces, gains, room, warnings, query } = await evidenceFor(given.meaning ? core : { store }, message, {
    ...{ userId, conversationId, projectRoot, now, timeZone, explain, asOf, since: null, until: asOf, window, leftOut },
    seen: begun.turns,
    holds: holdsFrom === null || conversationId === null ? null : { conversationId, from: holdsFrom },
    kinds: mostMemories === 0 ? ['turn'] : ['turn', 'memory'],
    tokens: Math.min(evidenceTokens, tokenBudget),
    limit: Number.POSITIVE_INFINITY,
  })
  if (message.length > LONG_MESSAGE) await breathe()
  // A secret that one text names may stand bare in another.
  const shown = await masked({ material, pieces })
  const all = shown.material === material ? begun : beginContext({ ...shown.material, system }, count)
  const bounded = Math.min(evidenceTokens, room)
  const { used, ...built } = all.withEvidence({
    ...{ pieces: shown.pieces, gains, evidenceTokens: bounded, wasShown: given.wasShown },
  })
  const memories = pieces.flatMap((piece) => piece.memories)
  const notes = [...warnings]
  if (given.count) await countUse(core, new Set(used), { userId, conversationId, message: query, now }, memories, notes)
  return { ...built, warnings: notes }
}

/** The profile without lines of the machine's that nothing tells at a moment (null: now) where these memories are left out. */
async function profileOf(
  { profiles, memories }: Pick<Store, 'profiles' | 'memories'>,
  userId: string,
  asOf: number | null,
  without: ReadonlySet<string>,
): Promise<Pick<Profile, 'text' | 'lines'>> {
  const profile = await profiles.get(userId, { muted: false })
  if (asOf === null && without.size === 0) return profile
  const ids = profile.lines.flatMap(({ tellings = [] }) => tellings.flatMap(idsOf))
  const told = await memories.getMany(userId, ids, asOf === null ? {} : { asOf })
  const held = new Set(told.filter(({ createdAt }) => asOf === null || createdAt <= asOf).map(({ id }) => id))
  const isTold = ({ source, updatedAt, tellings = [] }: ProfileLine): boolean =>
    source === 'user' ||
    tellings.some(
      (telling) => 'memoryIds' in telling && telling.memoryIds.every((id) => held.has(id) && !without.has(id)),
    ) ||
    (tellings.every((telling) => !('memoryIds' in telling)) && (asOf === null || updatedAt <= asOf))
  const leftOut = new Set(profile.lines.filter((line) => !isTold(line)).map(({ text }) => text))
  return {
    text: withoutStatements(profile.text, leftOut),
    lines: profile.lines.filter(({ text }) => !leftOut.has(text)),
  }
}

/**
 * Lines that the machine wrote. What has to be minded stands before who somebody is, how they live and the rest, the
 * last said first.
 */
async function machineLines(
  { memories }: Pick<Store, 'memories'>,
  userId: string,
  { lines }: Pick<Profile, 'lines'>,
): Promise<ContextMaterial['machineLines']> {
  const own = lines.filter(({ source }) => source === 'machine')
  const idsOfLine = ({ tellings = [] }: ProfileLine): readonly string[] => tellings.flatMap(idsOf)
  const told = new Map((await memories.getMany(userId, own.flatMap(idsOfLine), {})).map((one) => [one.id, one]))
  return own
    .map((line) => {
      const tellers = idsOfLine(line).flatMap((id) => told.get(id) ?? [])
      const last = tellers.length === 0 ? null : Math.max(...tellers.map(({ createdAt }) => createdAt))
      const isOrder = line.section === 'reply_style' || line.section === 'language'
      const rank = isOrder ? 0 : rankOf(line.text, tellers)
      // "I love chocolate" speaks of a diet, and states none.
      const isToMind = rank === 0 && tellers.some(({ key }) => key !== null)
      const kind = isOrder ? 'order' : isToMind ? 'mind' : 'about'
      return {
        text: line.text,
        kind,
        rank,
        last: last ?? line.updatedAt,
        saidAt: kind === 'about' ? last : null,
      } as const
    })
    .sort((a, b) => a.rank - b.rank || b.last - a.last)
}

/** The row of the first attributes of `lasting-attributes` that a line or its memories speak of; behind all rows for none. */
function rankOf(text: string, tellers: readonly Memory[]): number {
  const topics = [...plainTopics(topicsOf(text)), ...tellers.map(({ key }) => key)]
  const rows = wordTable('lasting-attributes').map((row): readonly (string | null)[] => row.split(', '))
  const rank = rows.findIndex((names) => topics.some((topic) => names.includes(topic)))
  return rank < 0 ? rows.length : rank
}

function idsOf(telling: Telling): readonly string[] {
  return 'memoryIds' in telling ? telling.memoryIds : []
}

/** The sessions that were active last, but the running one, muted ones and those of other projects. */
export async function earlierSessions(
  { sessionSummaries }: Pick<Store, 'sessionSummaries'>,
  userId: string,
  { running, limit, ...of }: { readonly running: string | null; readonly limit: number; readonly projectRoot?: string },
  fits: (session: ActiveSession) => boolean = () => true,
): Promise<readonly EarlierSession[]> {
  if (limit === 0) return []
  const active = await sessionSummaries.latest(userId, { ...of, most: Math.max(limit + 1, SESSIONS_LOOKED_AT) })
  return active
    .filter((session) => session.conversationId !== running && fits(session))
    .slice(0, limit)
    .map(({ conversationId, title, snippet, lastActive }) => ({ conversationId, title, snippet, saidAt: lastActive }))
}

/** The longest wait of a caller for counting; it goes on behind the answer. */
const PATIENCE_MS = 200

/** Counts and queues; a failure is told in `warnings`, as the recalled texts are there all the same. */
async function countUse(
  { store, thinking: { worker } }: ContextCore,
  used: ReadonlySet<string>,
  {
    userId,
    conversationId,
    message,
    now,
  }: { userId: string; conversationId: string | null; message: string; now: number },
  memories: readonly Memory[],
  warnings: string[],
): Promise<void> {
  if (used.size === 0) return
  try {
    await within(store.memories.touch(userId, [...used], now), PATIENCE_MS)
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    warnings.push(`The use of what was recalled is not counted: ${error.message}`)
    return
  }
  const episodes = memories.filter(({ id, memoryType }) => used.has(id) && memoryType === 'episodic')
  if (conversationId === null || episodes.length === 0) return
  const jobs = episodes.map(({ id }) => reconsolidationJob(id, conversationId, message))
  try {
    await within(store.jobs.enqueue(userId, jobs, now).then(worker.wake), PATIENCE_MS)
  } catch (error) {
    // The context is there: that one memory learns nothing from it is no reason to withhold it.
    if (!(error instanceof MnemeError)) throw error
    warnings.push(`What was recalled is not reconsolidated: ${error.message}`)
  }
}
