/** What should an assistant know when a session begins? Nothing of it counts as used. */
import { check, givenAs, type InputOf, orElse } from '../domain/checks.ts'
import { isoDay, type TimeZone } from '../domain/clock.ts'
import type { StoredCondition } from '../domain/contracts/memory-store.ts'
import type { Store } from '../domain/contracts/store.ts'
import type { Memory } from '../domain/memory.ts'
import { SAID_BEFORE, type Turn } from '../domain/turn.ts'
import { type CountTokens, counterFor, type TokenCount } from '../language/count-tokens.ts'
import { withoutTakenBack } from '../language/forget-orders.ts'
import { statesTaste } from '../language/preference.ts'
import { quotedBlock } from '../language/quoted-block.ts'
import { maskSecrets, maskSecretsIn } from '../language/secrets/mask-secrets.ts'
import { indexTerms } from '../language/terms.ts'
import { oneLine, profileText, sessionLine } from '../search/context/context-layers.ts'
import { Shown } from '../search/evidence/excerpt.ts'
import { associativeFeatures, sumOf } from '../search/ranking-formulas.ts'
import { conversationsTelling, leftOutOf } from './hidden-turns.ts'
import { projectOf } from './matching/filter.ts'
import { earlierSessions } from './message-context.ts'
import type { Opened } from './open-options.ts'

const DEFAULT_BUDGET = 1500
const FIELDS = {
  userId: check.id,
  /** The project of the session; null or absent: none, so only memories about the user. */
  projectRoot: check.optionalId,
  /** A conversation that is left out, as it is the one that begins or goes on. */
  conversationId: check.optionalId,
  /** Most tokens of the text, 50 to 100,000; default 1,500. */
  tokenBudget: orElse(DEFAULT_BUDGET, check.integer, 50, 100_000),
  /** As of a context. Default exact. */
  tokens: givenAs<TokenCount | undefined>(),
}
/** The user and project of a briefing. */
export type BriefingInput = InputOf<typeof FIELDS, 'userId'>

/** The text for a model; '' where nothing is known. Recalled text is quoted as data, secrets are masked. */
export interface Briefing {
  readonly text: string
  readonly tokens: number
  /** The texts of memories and turns that it shows whole. */
  readonly told: readonly string[]
}

/** Memories of a kind, sessions and last turns that are looked at. */
const [MEMORIES, SESSIONS, LAST_TURNS] = [200, 50, 4]
/** Sessions told, and characters of each of the last turns. */
const [SESSIONS_TOLD, TURN_CHARACTERS] = [5, 300]
/** The share of the budget behind the profile that rules and wishes may take. */
const STANDING_SHARE = 0.6
/** Facts that are compared with those before them. */
const COMPARED = 64
/** The part of its worth that a fact loses whose words were all told. */
const TOLD = 0.5

/** The importance of what was asked to be remembered (004). */
const ORDERED = 3

/** Orders to remember, rules, wishes, preferences and habits: whatever their age, they hold. */
const STANDS: StoredCondition = {
  any: [{ field: 'importance', is: '>=', value: ORDERED }, { not: { field: 'category', is: '=', value: 'fact' } }],
}
const OF_USER: StoredCondition = { field: 'projectRoot', is: '=', value: null }

interface Line {
  readonly text: string
  /** The text of the memory or turn that it tells whole; absent: none. */
  readonly told?: string
  /** The time by which the lines of a section are ordered, the newest first; absent: as they come. */
  readonly at?: number
}
interface Section {
  readonly heading: string
  /** The best first. */
  readonly lines: readonly Line[]
  /** The part of what is left that it may take; absent: all. */
  readonly share?: number
}

/** Makes the briefing. Rejects with `invalid` for bad input. */
export async function briefingFor({ store, options }: Opened, input: BriefingInput): Promise<Briefing> {
  const { userId, conversationId: current, projectRoot, tokenBudget, tokens } = check.fields('', input, FIELDS)
  const { timeZone } = options
  const project = await projectOf(store.log, userId, projectRoot)
  const profile = (await store.profiles.get(userId, { muted: false })).text.trim() ?? ''
  const standing = await memoriesOf(store, userId, project, project === null ? { all: [OF_USER, STANDS] } : STANDS)
  const known = new Set(standing.map(({ id }) => id))
  const newest = project === null ? [] : await memoriesOf(store, userId, project)
  const facts = newest.filter(({ id, projectRoot: root }) => root === project && !known.has(id))
  const { sessions, last } =
    project === null ? { sessions: [], last: [] } : await ofProject(store, userId, project, current)
  const shown = new Shown()
  shown.add(profile)
  const lineOf = (memory: Memory): Line => memoryLine(memory, timeZone)
  const isNew = ({ text }: Memory): boolean => !shown.hasAll(text)
  const rules = standing.filter(isNew).sort(byWeight).map(lineOf)
  const ending = last.map(turnLine)
  for (const { text } of ending) shown.add(text)
  const sections: readonly Section[] = [
    { heading: 'Rules, wishes and preferences, the newest first:', lines: rules, share: STANDING_SHARE },
    { heading: 'How the last one ended:', lines: ending },
    { heading: 'Its last sessions:', lines: sessions.map((session) => ({ text: sessionLine(session, timeZone) })) },
    {
      heading: 'What is remembered of this project, the newest first:',
      lines: mostUseful(facts.filter(isNew)).map(lineOf),
    },
  ]
  return packed(maskSecretsIn({ profile, sections }), tokenBudget, await counterFor(tokens))
}

/** Fills the budget: the profile whole or not at all, then lines of one section after the other; the newest sessions stand last. */
function packed(
  { profile, sections }: { profile: string; sections: readonly Section[] },
  budget: number,
  count: CountTokens,
): Briefing {
  const parts: string[] = []
  const told: string[] = []
  let left = budget
  const take = (text: string, least = 0): boolean => {
    const tokens = count(`${text}\n`, left)
    if (tokens > left - least) return false
    left -= tokens
    return true
  }
  if (profile !== '' && take(profileText(profile))) parts.push(profileText(profile))
  const blocks = sections.map(({ heading, lines, share = 1 }) => {
    const least = left * (1 - share)
    const taken = lines.length > 0 && take(quotedBlock(heading)) ? lines.filter(({ text }) => take(text, least)) : []
    told.push(...taken.flatMap((line) => line.told ?? []))
    const texts = taken.sort((a, b) => (b.at ?? 0) - (a.at ?? 0)).map(({ text }) => text)
    return texts.length === 0 ? [] : [quotedBlock([heading, ...texts].join('\n'))]
  })
  const [standing = [], ending = [], sessions = [], facts = []] = blocks
  const text = [...parts, ...standing, ...facts, ...sessions, ...ending].join('\n')
  return { text, tokens: text === '' ? 0 : count(text), told }
}

/** The memories that hold undoubted, of the user and of the project, but those of muted conversations. */
async function memoriesOf(
  { memories, log }: Store,
  userId: string,
  project: string | null,
  where: StoredCondition | null = null,
): Promise<readonly Memory[]> {
  const filter = project === null ? {} : { projectRoot: project }
  const { items } = await memories.list(userId, { limit: MEMORIES, offset: 0, filter, where })
  const muted = new Set<string | null>()
  for (const id of new Set(items.map(({ conversationId }) => conversationId)))
    if (id !== null && (await log.conversation(userId, id))?.isMuted === true) muted.add(id)
  return items.filter(({ suspect, conversationId }) => suspect === null && !muted.has(conversationId))
}

async function ofProject(store: Store, userId: string, project: string, current: string | null) {
  const { items: conversations } = await store.log.conversations(userId, {
    limit: SESSIONS,
    offset: 0,
    projectRoot: project,
  })
  const told = conversationsTelling(await leftOutOf(store, userId))
  const earlier = conversations.filter(
    ({ conversationId: id, isMuted }) => id !== current && isMuted !== true && !told.has(id),
  )
  const sessions = await earlierSessions(
    store,
    userId,
    { running: current, limit: SESSIONS_TOLD, projectRoot: project },
    ({ conversationId: id }) => !told.has(id),
  )
  let last: readonly Turn[] = []
  for (const { conversationId: id, lastTurnId } of earlier) {
    const turns = withoutTakenBack(
      await store.log.turns(userId, id, { from: Math.max(1, lastTurnId - 2 * LAST_TURNS) }),
    )
    // An assistant's talk with its own helpers is no session of the person's.
    last = turns.filter(
      ({ role, metadata }) => (role === 'user' || role === 'assistant') && metadata?.sidechain !== true,
    )
    if (last.length > 0) break
  }
  return { sessions, last: last.slice(-LAST_TURNS) }
}

/** The project's own before the user's, what was ordered before what was wished, tastes last; then the newest first. */
function byWeight(a: Memory, b: Memory): number {
  const rank = ({ projectRoot, importance, text }: Memory): number =>
    (projectRoot === null ? 0 : 4) + (importance >= ORDERED ? 2 : 0) + (statesTaste(text) ? 0 : 1)
  return rank(b) - rank(a) || timeOf(b) - timeOf(a)
}

/**
 * Facts by their worth: how important, lasting, fresh and often used each is (004, 002 R3.4). A fact counts less, the
 * more of its words the facts before it tell.
 */
function mostUseful(facts: readonly Memory[]): readonly Memory[] {
  const now = Math.max(...facts.map(({ createdAt }) => createdAt))
  let left = facts.map((memory) => ({
    memory,
    terms: new Set(indexTerms(memory.text).keys()),
    worth: sumOf(associativeFeatures(memory, memory.importance / ORDERED, now)),
    told: 0,
  }))
  const chosen: Memory[] = []
  while (left.length > 0 && chosen.length < COMPARED) {
    const value = ({ worth, told }: (typeof left)[number]): number => worth * (1 - TOLD * told)
    const best = left.reduce((a, b) => (value(b) > value(a) ? b : a))
    chosen.push(best.memory)
    left = left.filter((one) => one !== best)
    for (const one of left) one.told = Math.max(one.told, one.terms.intersection(best.terms).size / one.terms.size || 0)
  }
  return [...chosen, ...left.map(({ memory }) => memory)]
}

/** When it was told; an event has its own day. */
function timeOf({ memoryType, occurredAt, createdAt }: Memory): number {
  return memoryType === 'episodic' ? occurredAt : createdAt
}

function memoryLine(memory: Memory, zone: TimeZone): Line {
  const at = timeOf(memory)
  return { text: `- [${isoDay(at, zone)}] ${oneLine(memory.text)}`, at, told: memory.text }
}

function turnLine({ role, speaker, content: said, [SAID_BEFORE]: after }: Turn): Line {
  const content = maskSecrets(said, undefined, { after })
  const characters = [...oneLine(content)]
  const text = characters.slice(0, TURN_CHARACTERS).join('')
  const line = `- ${speaker ?? role}: ${text}`
  return characters.length > TURN_CHARACTERS ? { text: `${line}…` } : { text: line, told: content }
}
