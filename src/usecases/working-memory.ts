/** The live state of a conversation, gone 30 minutes after its last turn (000); on request it becomes one memory. */
import { check, defined, type InputOf, orElse } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { MemoryStore, WorkingMemoryStore } from '../domain/contracts/memory-store.ts'
import { invalid, notFound } from '../domain/errors.ts'
import { memoryId } from '../domain/ids.ts'
import { LIMITS, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import type { Logger } from '../domain/logger.ts'
import { freshMemory, type Memory, type WorkingMemory } from '../domain/memory.ts'
import { breathe } from '../domain/scheduling.ts'
import type { Metadata } from '../domain/turn.ts'
import { hasHan } from '../language/character-class.ts'
import type { Opened } from './open-options.ts'

const REMEDY = 'It exists from the first turn of a conversation until 30 minutes after its last.'

/** The working memory of one conversation; not_found when there is none or it has expired. */
export async function getWorkingMemory(
  { store, options: { clock } }: Opened,
  userId: string,
  conversationId: string,
): Promise<WorkingMemory> {
  const id = check.id('conversationId', conversationId)
  const found = await store.workingMemory.get(
    check.id('userId', userId),
    id,
    clock().getTime() - WORKING_MEMORY_IDLE_MS,
  )
  if (found === null) throw notFound('working memory of a conversation', id, REMEDY)
  return found
}

export async function listWorkingMemory({ store, options }: Opened, userId: string): Promise<readonly WorkingMemory[]> {
  return store.workingMemory.list(check.id('userId', userId), options.clock().getTime() - WORKING_MEMORY_IDLE_MS)
}

const PATCH_FIELDS = {
  currentTopic: orElse(undefined, checkStateText),
  contextVariables: orElse(undefined, checkVariables),
  lastEmotion: orElse(undefined, checkStateText),
}
/** The user's edit of a living one; absent fields stay, and the next turn may change it again. */
export type WorkingMemoryPatch = InputOf<typeof PATCH_FIELDS>

/** Changes the patch's fields; not_found when there is none or it has expired. */
export async function editWorkingMemory(
  opened: Opened,
  userId: string,
  conversationId: string,
  patch: WorkingMemoryPatch,
): Promise<WorkingMemory> {
  const changes = defined(check.fields('', patch, PATCH_FIELDS))
  const { updatedAt } = await getWorkingMemory(opened, userId, conversationId)
  if (Object.keys(changes).length === 0)
    throw invalid('patch', 'changes nothing', 'Name a topic, variables or an emotion.')
  // An edit is no activity in the conversation.
  await opened.store.workingMemory.update(userId, conversationId, changes, updatedAt, true)
  return getWorkingMemory(opened, userId, conversationId)
}

/** Removes one; not_found when there is none. */
export async function removeWorkingMemory({ store }: Opened, userId: string, conversationId: string): Promise<void> {
  const id = check.id('conversationId', conversationId)
  if (!(await store.workingMemory.remove(check.id('userId', userId), id)))
    throw notFound('working memory of a conversation', id, REMEDY)
}

function checkStateText(field: string, value: unknown): string | null {
  return value === null ? null : check.text(field, value, { maxBytes: LIMITS.metadataBytes })
}

function checkVariables(field: string, value: unknown): Metadata {
  return check.metadata(field, value) ?? {}
}

const REMOVED_A_PIECE = 100
/** The confidence of a memory worked out from one conversation, below that of a user's statement. */
const ARCHIVE_CONFIDENCE = 0.6

export interface ExpiryCounts {
  readonly removed: number
  readonly archived: number
}

interface ExpiryOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly archiveWorkingMemory: boolean
}

interface ExpiryStore {
  readonly workingMemory: Pick<WorkingMemoryStore, 'listIdle' | 'removeIdle'>
  readonly memories: Pick<MemoryStore, 'insert'>
}

/** Removes those, of every user, that were idle for 30 minutes; with the option their topic and variables are kept. */
export async function expireNow(
  { workingMemory, memories }: ExpiryStore,
  options: ExpiryOptions,
): Promise<ExpiryCounts> {
  const { clock, logger, archiveWorkingMemory } = options
  const now = clock().getTime()
  const activeSince = now - WORKING_MEMORY_IDLE_MS
  let removed = 0
  let archived = 0
  for (;;) {
    // Archived before it is removed, so that a crash in between loses nothing; the external id keeps it from doubling.
    const idle = await workingMemory.listIdle(activeSince, REMOVED_A_PIECE)
    for (const { userId: user, ...working } of archiveWorkingMemory ? idle : []) {
      const memory = archiveOf(working, now)
      if (memory === null) continue
      const count = (await memories.insert(user, [memory])).filter(({ existed }) => !existed).length
      archived += count
      logger.info('a memory operation is done', { operation: 'archive', user, count })
    }
    removed += await workingMemory.removeIdle(idle, activeSince)
    if (idle.length < REMOVED_A_PIECE) return { removed, archived }
    await breathe()
  }
}

/** null when it has neither a topic nor a variable that says something. */
function archiveOf(working: WorkingMemory, now: number): Memory | null {
  const text = archiveSentence(working)
  if (text === null) return null
  return freshMemory({
    id: memoryId(),
    memoryType: 'episodic',
    text,
    conversationId: working.sessionId,
    occurredAt: working.updatedAt,
    createdAt: now,
    confidence: ARCHIVE_CONFIDENCE,
    source: 'system',
    importance: 0,
    externalId: `working-memory:${working.createdAt}:${working.sessionId}`,
  })
}

const SWEEP_EVERY_MS = 5 * 60_000

/** Sweeps by itself, and soon after a turn was stored if the last sweep was a while ago. */
export function createSweeper(store: ExpiryStore, options: ExpiryOptions & { readonly background: boolean }) {
  const { clock, logger, background } = options
  let last = Number.NEGATIVE_INFINITY
  let running = Promise.resolve()
  const sweep = async (): Promise<void> => {
    try {
      await breathe()
      // A look takes no lock: mostly nothing is idle.
      const idle = await store.workingMemory.listIdle(clock().getTime() - WORKING_MEMORY_IDLE_MS, 1)
      if (idle.length > 0) await expireNow(store, options)
    } catch (error) {
      logger.warn('Idle working memory stays for now.', { operation: 'expire', reason: String(error) })
    }
  }
  const soon = (): void => {
    const now = clock().getTime()
    if (now - last < SWEEP_EVERY_MS) return
    last = now
    running = running.then(sweep)
  }
  const timer = background ? setInterval(soon, SWEEP_EVERY_MS).unref() : undefined
  return {
    soon,
    idle: () => running,
    close: () => {
      clearInterval(timer)
      return running
    },
  }
}

const LONGEST_VALUE = 200
const MOST_VARIABLES = 50

/** null when it has neither a topic nor a variable that says something. */
export function archiveSentence({ currentTopic, contextVariables }: WorkingMemory): string | null {
  const topic = currentTopic?.trim() ?? ''
  const variables = Object.entries(contextVariables).flatMap(([name, value]) => {
    const said = plainValue(value)
    return said === '' ? [] : [{ name, said }]
  })
  if (topic === '' && variables.length === 0) return null
  const named = variables.slice(0, MOST_VARIABLES)
  const chinese = hasHan(topic + named.map(({ name, said }) => name + said).join(''))
  return chinese ? chineseSentence(topic, named) : englishSentence(topic, named)
}

interface Variable {
  readonly name: string
  readonly said: string
}

function englishSentence(topic: string, variables: readonly Variable[]): string {
  const known = variables.map(({ name, said }) => `${name} = ${said}`).join(', ')
  if (topic === '') return `In this conversation it was noted that ${known}.`
  return known === '' ? `This conversation was about ${topic}.` : `This conversation was about ${topic}, with ${known}.`
}

function chineseSentence(topic: string, variables: readonly Variable[]): string {
  const known = variables.map(({ name, said }) => `${name}为${said}`).join('，')
  if (topic === '') return `这次对话中记下了：${known}。`
  return known === '' ? `这次对话谈的是${topic}。` : `这次对话谈的是${topic}，其中${known}。`
}

function plainValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  const said = typeof value === 'string' ? value.trim() : JSON.stringify(value)
  if (said === '{}' || said === '[]') return ''
  const characters = [...said]
  return characters.length > LONGEST_VALUE ? `${characters.slice(0, LONGEST_VALUE - 1).join('')}…` : said
}
