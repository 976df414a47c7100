/**
 * Handles a hook call of an assistant. It briefs a new session on its project, adds recalled context to a message, and
 * stores each exchange once; another process does the thinking.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '../../domain/ids.ts'
import { makeFolder } from '../../domain/make-folder.ts'
import { readPlain, replaceFile } from '../../domain/plain-file.ts'
import { ifThere } from '../../domain/scheduling.ts'
import type { LogTurn } from '../import-export/log-item.ts'
import type { OpenMemory } from '../library/open-memory.ts'
import { answerWith, comesAlone, type HookEvent, type Tool, takesText } from './event.ts'
import { isPaused, type Pause, projectOfFolder, readPauses } from './project.ts'

/** Most tokens, as estimated, for the start of a session and for a message: 1,500 and 800 are never passed. */
const [BRIEFING_TOKENS, EVIDENCE_TOKENS] = [1500, 760]
const TURNS_AT_ONCE = 1000

export interface HookDependencies {
  readonly database: string
  /** Opens the database, creating it if needed; not called for an ignored event. */
  readonly memory: () => Promise<OpenMemory>
  /** Starts thinking about the stored turns in another process. */
  readonly think: () => Promise<void> | void
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Handles an event and resolves to the JSON for the tool, or to null when there is nothing to say. Rejects on any
 * failure.
 */
export async function handleEvent(
  tool: Tool,
  event: HookEvent,
  dependencies: HookDependencies,
): Promise<object | null> {
  const { root, ignored } = event.folder === '' ? { root: '', ignored: false } : projectOfFolder(event.folder)
  const pauses = readPauses(dependencies.database)
  if (ignored || isPaused(pauses, root, dependencies.now)) return null
  const memory = await dependencies.memory()
  const projectRoot = root === '' ? undefined : root
  if (event.kind === 'session-start') {
    if (!takesText(tool, event.kind)) return null
    const { text, told } = await memory.context.briefing({
      conversationId: event.sessionId,
      projectRoot,
      tokenBudget: BRIEFING_TOKENS,
      tokens: 'estimated',
    })
    const { id, from } = sessionGiven(dependencies.database, event.sessionId)
    noteGiven(dependencies.database, { id, from, given: told.map((one) => keyOf(one)) })
    return text === '' ? null : answerWith(event, text)
  }
  if (event.kind === 'prompt') {
    if (comesAlone(tool, event)) await storeSaid(memory, event, root)
    if (event.prompt === undefined || !takesText(tool, event.kind)) return null
    const text = await evidenceFor(memory, dependencies.database, event.prompt, event.sessionId, projectRoot)
    return text === '' ? null : answerWith(event, text)
  }
  const stored =
    event.transcript !== undefined
      ? await storeTranscript(memory, event, event.transcript, root, pauses)
      : event.kind === 'answered'
        ? await storeSaid(memory, event, root)
        : 0
  if (event.kind === 'compact') {
    const newest = await newestTurn(memory, event.sessionId)
    noteGiven(dependencies.database, { id: event.sessionId, from: (newest?.turnId ?? 0) + 1, given: [] })
  }
  if (stored > 0) await dependencies.think()
  return null
}

/** The evidence for a prompt, without the session's own words and those that it was given before. */
async function evidenceFor(
  memory: OpenMemory,
  database: string,
  prompt: string,
  conversationId: string,
  projectRoot: string | undefined,
): Promise<string> {
  const session = sessionGiven(database, conversationId)
  const given = new Set(session.given)
  const { layers } = await memory.context.build(prompt, {
    conversationId,
    projectRoot,
    evidenceTokens: EVIDENCE_TOKENS,
    tokens: 'estimated',
    meaning: false,
    holdsFrom: session.from,
    wasShown: ({ text, marks }) => {
      const key = keyOf(text, marks)
      const wasGiven = given.has(key)
      given.add(key)
      return wasGiven
    },
  })
  if (given.size > session.given.length) noteGiven(database, { ...session, given: [...given] })
  return layers.find(({ level }) => level === 3)?.text ?? ''
}

/** Stores what the transcript holds since the newest stored turn and outside of pauses; resolves to the number of turns. */
async function storeTranscript(
  memory: OpenMemory,
  event: HookEvent,
  path: string,
  root: string,
  pauses: readonly Pause[],
): Promise<number> {
  const { turnsSince } = await import('./transcript.ts')
  let stored = 0
  let waiting: LogTurn[] = []
  const flush = async (): Promise<void> => {
    for (const [conversationId, said] of Map.groupBy(waiting, (turn) => turn.conversationId)) {
      const turns = said.map(({ conversationId: _, projectRoot: __, createdAt, ...turn }) => {
        return { ...turn, createdAt: new Date(createdAt) }
      })
      stored += await store(memory, conversationId, root, turns)
    }
    waiting = []
  }
  const newest = (await newestTurn(memory, event.sessionId))?.createdAt ?? ''
  const removed = (await memory.conversations.removedTo(event.sessionId)) ?? ''
  for await (const turn of turnsSince(path, (newest > removed ? newest : removed) || undefined)) {
    // The tool's own transcript still holds what was deleted here.
    const isRemoved = turn.conversationId === event.sessionId && turn.createdAt <= Date.parse(removed)
    if (!isRemoved && !isPaused(pauses, root, turn.createdAt) && waiting.push(turn) === TURNS_AT_ONCE) await flush()
  }
  await flush()
  return stored
}

/** The newest stored turn of the session; undefined: none is stored. */
async function newestTurn({ conversations }: OpenMemory, session: string) {
  const first = await ifThere(conversations.turns(session, { limit: 1 }))
  if (first === null) return undefined
  const { items } = await conversations.turns(session, { limit: 1, offset: Math.max(0, first.total - 1) })
  return items[0]
}

/** Stores the messages in the event itself; a repeated message at one point of a session is stored once. */
async function storeSaid(memory: OpenMemory, event: HookEvent, root: string): Promise<number> {
  const parts = [['user', event.prompt] as const, ['assistant', event.answer] as const]
  const said = parts.flatMap(([role, content]) => {
    const externalId = `hook:${hashOf([event.turn, event.prompt ?? '', role, content ?? ''])}`
    return content === undefined ? [] : [{ role, content, externalId }]
  })
  return said.length === 0 ? 0 : store(memory, event.sessionId, root, said)
}

type StoredTurns = Parameters<OpenMemory['conversations']['store']>[0]['turns']

async function store(memory: OpenMemory, conversationId: string, root: string, turns: StoredTurns): Promise<number> {
  const stored = await memory.conversations.store({ conversationId, projectRoot: root || undefined, turns })
  return stored.filter(({ existed }) => !existed).length
}

interface Session {
  readonly id: string
  /** The first turn that the model holds: those before were compacted. */
  readonly from: number
  /** Keys of the texts that it was given since. */
  readonly given: readonly string[]
}

/** Sessions and texts of one that are kept, the newest; what is older may be given again. */
const [SESSIONS, TEXTS] = [50, 2000]
const KEY_LENGTH = 16

/** The key of a text with its marks: with other marks it is something new. */
function keyOf(text: string, marks: readonly string[] = []): string {
  return hashOf([text, ...marks], KEY_LENGTH)
}

/** A session as it was noted; of an unknown one, or where its file is absent or damaged, nothing was given. */
function sessionGiven(database: string, id: string): Session {
  try {
    const { from, given } = JSON.parse(String(readPlain(fileOf(database, id))))
    if (typeof from === 'number' && Array.isArray(given)) return { id, from, given }
  } catch {
    // As unknown.
  }
  return { id, from: 1, given: [] }
}

/** Notes a session in the place of what was known of it. A file that cannot be written loses the note alone. */
function noteGiven(database: string, { id, from, given }: Session): void {
  const file = fileOf(database, id)
  try {
    makeFolder(folderOf(database))
    replaceFile(file, JSON.stringify({ from, given: given.slice(-TEXTS) }), 0o600)
    dropOldest(folderOf(database))
  } catch {
    // The evidence matters more.
  }
}

function dropOldest(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name))
  if (files.length <= SESSIONS) return
  const aged = files.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => b.at - a.at)
  for (const { file } of aged.slice(SESSIONS)) rmSync(file, { force: true })
}

/** With the first deletion it goes like copies of the database (`dropCopies`): a hash tells who guesses that he is right. */
function folderOf(database: string): string {
  return `${database}.given`
}

function fileOf(database: string, id: string): string {
  return join(folderOf(database), hashOf(id))
}
