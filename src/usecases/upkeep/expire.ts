/** Working memory is removed after 30 idle minutes (000); on request it becomes one memory first. */
import type { Clock } from '../../domain/clock.ts'
import type { MemoryStore, WorkingMemoryStore } from '../../domain/contracts/memory-store.ts'
import type { Store } from '../../domain/contracts/store.ts'
import { memoryId } from '../../domain/ids.ts'
import { WORKING_MEMORY_IDLE_MS } from '../../domain/limits.ts'
import type { Logger } from '../../domain/logger.ts'
import { freshMemory, type WorkingMemory } from '../../domain/memory.ts'
import { breathe } from '../../domain/pieces.ts'

const REMOVED_A_PIECE = 100
/** The confidence of a memory worked out from one conversation, below that of a user's statement. */
const ARCHIVE_CONFIDENCE = 0.6

export interface ExpiryCounts {
  readonly removed: number
  readonly archived: number
}

/** Removes the working memories, of every user, that were idle for more than 30 minutes at `now`. */
export async function expireWorkingMemory(
  store: Pick<WorkingMemoryStore, 'listIdle' | 'removeIdle'>,
  memories: Pick<MemoryStore, 'insert'>,
  now: number,
  { archive, newId = memoryId }: { readonly archive: boolean; readonly newId?: () => string },
): Promise<ExpiryCounts> {
  const activeSince = now - WORKING_MEMORY_IDLE_MS
  let removed = 0
  let archived = 0
  for (;;) {
    // Archived before it is removed, so that a crash in between loses nothing; the external id keeps it from doubling.
    const idle = archive ? await store.listIdle(activeSince, REMOVED_A_PIECE) : []
    for (const working of idle) archived += await archiveOne(memories, working, now, newId)
    const gone = await store.removeIdle(activeSince, REMOVED_A_PIECE)
    // A conversation that woke up meanwhile gave its place to another one.
    for (const working of archive ? gone : [])
      if (!idle.some((known) => known.userId === working.userId && known.sessionId === working.sessionId))
        archived += await archiveOne(memories, working, now, newId)
    removed += gone.length
    if (gone.length < REMOVED_A_PIECE) return { removed, archived }
    await breathe()
  }
}

async function archiveOne(
  memories: Pick<MemoryStore, 'insert'>,
  { userId, ...working }: WorkingMemory & { readonly userId: string },
  now: number,
  newId: () => string,
): Promise<number> {
  const text = archiveSentence(working)
  if (text === null) return 0
  const memory = freshMemory({
    id: newId(),
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
  const [stored] = await memories.insert(userId, [memory])
  return stored?.existed === false ? 1 : 0
}

const SWEEP_EVERY_MS = 5 * 60_000

interface ExpiryOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly archiveWorkingMemory: boolean
  readonly background: boolean
}

/** Removes the idle ones of every user now; with the option their topic and variables are kept as a memory. */
export function expireNow(store: Store, { clock, logger, archiveWorkingMemory }: ExpiryOptions): Promise<ExpiryCounts> {
  const archiving: Pick<Store['memories'], 'insert'> = {
    insert: async (user, archived) => {
      const stored = await store.memories.insert(user, archived)
      const count = stored.filter(({ existed }) => !existed).length
      logger.info('a memory operation is done', { operation: 'archive', user, count })
      return stored
    },
  }
  return expireWorkingMemory(store.workingMemory, archiving, clock().getTime(), { archive: archiveWorkingMemory })
}

/** Sweeps by itself, and soon after a turn was stored if the last sweep was a while ago. */
export function sweeping(store: Store, options: ExpiryOptions) {
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
  const chinese = /\p{Script=Han}/u.test(topic + named.map(({ name, said }) => name + said).join(''))
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
