/** What should an assistant know when a session begins? Nothing of it counts as used. */
import { check, givenAs, type InputOf, orElse } from '../domain/checks.ts'
import { isoDay, type TimeZone } from '../domain/clock.ts'
import type { Store } from '../domain/contracts/store.ts'
import type { Memory } from '../domain/memory.ts'
import type { Turn } from '../domain/turn.ts'
import { type CountTokens, counterFor, type TokenCount } from '../language/count-tokens.ts'
import { withoutTakenBack } from '../language/forget-orders.ts'
import { quotedBlock } from '../language/quoted-block.ts'
import { maskSecretsIn } from '../language/secrets/mask-secrets.ts'
import { oneLine, profileText, sessionLine } from '../search/context/material.ts'
import { Shown } from '../search/evidence/excerpt.ts'
import { earlierSessions } from './context.ts'
import { conversationsTelling, leftOutOf } from './hidden-turns.ts'
import { projectOf } from './matching/filter.ts'
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
}

/** Newest memories, sessions and last turns that are looked at. */
const [MEMORIES, SESSIONS, LAST_TURNS] = [200, 50, 4]
/** Sessions told, and characters of each of the last turns. */
const [SESSIONS_TOLD, TURN_CHARACTERS] = [5, 300]

/** Makes the briefing. Rejects with `invalid` for bad input. */
export async function briefingFor({ store, options }: Opened, input: BriefingInput): Promise<Briefing> {
  const { userId, conversationId: current, projectRoot, tokenBudget, tokens } = check.fields('', input, FIELDS)
  const { timeZone } = options
  const project = await projectOf(store.log, userId, projectRoot)
  const profile = (await store.profiles.get(userId))?.text.trim() ?? ''
  const { memories, sessions, last } =
    project === null ? { memories: [], sessions: [], last: [] } : await ofProject(store, userId, project, current)
  const shown = new Shown()
  for (const text of [profile, ...last.map(turnLine)]) shown.add(text)
  const more = memories.filter(({ text }) => !shown.hasAll(text))
  const sections: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    ['What is remembered of this project, the newest first:', more.map((memory) => memoryLine(memory, timeZone))],
    ['Its last sessions:', sessions.map((session) => sessionLine(session, timeZone))],
    ['How the last one ended:', last.map(turnLine)],
  ]
  return packed(maskSecretsIn({ profile, sections }), tokenBudget, await counterFor(tokens))
}

/** Fills the budget: the profile whole or not at all, then lines from the last section on. */
function packed(
  { profile, sections }: { profile: string; sections: readonly (readonly [string, readonly string[]])[] },
  budget: number,
  count: CountTokens,
): Briefing {
  const parts: string[] = []
  let left = budget
  const take = (text: string): boolean => {
    const tokens = count(`${text}\n`, left)
    if (tokens > left) return false
    left -= tokens
    return true
  }
  if (profile !== '' && take(profileText(profile))) parts.push(profileText(profile))
  const blocks = sections.toReversed().flatMap(([heading, lines]) => {
    const taken = lines.length > 0 && take(quotedBlock(heading)) ? lines.filter(take) : []
    return taken.length === 0 ? [] : [quotedBlock([heading, ...taken].join('\n'))]
  })
  const text = [...parts, ...blocks.reverse()].join('\n')
  return { text, tokens: text === '' ? 0 : count(text) }
}

async function ofProject(store: Store, userId: string, project: string, current: string | null) {
  const { items } = await store.memories.list(userId, {
    limit: MEMORIES,
    offset: 0,
    filter: { projectRoot: project },
  })
  const { items: conversations } = await store.log.conversations(userId, {
    limit: SESSIONS,
    offset: 0,
    projectRoot: project,
  })
  const told = conversationsTelling(await leftOutOf(store, userId))
  const earlier = conversations.filter(({ conversationId: id }) => id !== current && !told.has(id))
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
  return {
    memories: items
      .filter((one) => one.projectRoot === project && one.suspect === null)
      .sort((a, b) => timeOf(b) - timeOf(a)),
    sessions,
    last: last.slice(-LAST_TURNS),
  }
}

function timeOf({ occurredAt, createdAt }: Memory): number {
  return occurredAt ?? createdAt
}

function memoryLine(memory: Memory, zone: TimeZone): string {
  return `- [${isoDay(timeOf(memory), zone)}] ${oneLine(memory.text)}`
}

function turnLine({ role, speaker, content }: Turn): string {
  const characters = [...oneLine(content)]
  const text = characters.slice(0, TURN_CHARACTERS).join('')
  return `- ${speaker ?? role}: ${text}${characters.length > TURN_CHARACTERS ? '…' : ''}`
}
