/**
 * Memories for tests of thinking, opened by the library's own door: with the rules alone, or with a scripted model behind
 * real HTTP. Every log line is kept, and the time can be moved by hand.
 */
import { onTestFinished } from 'vitest'
import { type OpenMemory, type OpenOptions, openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from './folder.ts'
import { type ModelServer, type Reply, type Script, type SeenRequest, startModelServer } from './model-server.ts'

/** The key that must never be seen anywhere. */
export const SECRET_KEY = 'sk-test-3f1c9a77b2e84d05'
export const START = new Date('2026-05-07T09:30:00Z')
export const MINUTE = 60_000
export const DAY = 1440 * MINUTE

/** The two ways of thinking. */
export const THINKERS = ['rules', 'model'] as const
export type Thinker = (typeof THINKERS)[number]

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface ThinkingMemory {
  readonly memory: OpenMemory
  /** Questions to the model; empty without one. */
  readonly requests: readonly SeenRequest[]
  readonly log: readonly LogLine[]
  readonly path: string
  /** Answers the requests to come in another way. */
  play(script: Script): void
  /** The clock goes on. */
  pass(milliseconds: number): void
}

/** The answer about an exchange; absent parts are empty. */
export interface ExchangeScript {
  readonly statements?: readonly object[]
  readonly ends?: readonly object[]
  readonly confirms?: readonly string[]
  readonly doubts?: readonly object[]
  /** These two answer in the shapes of 002 and 000, which are still understood. */
  readonly records?: readonly object[]
  readonly items?: readonly object[]
  readonly profile?: readonly object[]
  readonly topic?: string
  readonly variables?: Readonly<Record<string, string>>
  readonly emotion?: string
}

/** The answer of a model to an exchange, in the shape that it is asked for unless it has records or items. */
export function exchangeReply({ records, items, topic, variables, emotion, ...parts }: ExchangeScript): Reply {
  const older = {
    write_episodic: (records?.length ?? 0) > 0,
    records: records ?? [],
    memory_update: { should_store: (items?.length ?? 0) > 0, items: items ?? [] },
  }
  return {
    content: JSON.stringify({
      ...(records === undefined && items === undefined ? { statements: [] } : older),
      ...parts,
      working_memory: {
        current_topic: topic ?? '',
        context_variables: variables ?? {},
        emotion: emotion ?? 'neutral',
      },
    }),
  }
}

/** The id under which the memory with this phrase was shown to the model; `none` when it was not. */
export function shownId(request: SeenRequest, phrase: string): string {
  const data = askedData(request)
  const { known = [] } = JSON.parse(data.slice(data.indexOf('{'))) as { known?: { id: string; text: string }[] }
  return known.find(({ text }) => text.includes(phrase))?.id ?? 'none'
}

/** Answers each exchange by the first phrase that stands in what the user said; any other with nothing to remember. */
export function byPhrase(answers: Readonly<Record<string, ExchangeScript | Reply>>): Script {
  return (request) => {
    const said = exchangeOf(request)
    const found = Object.entries(answers).find(([phrase]) => said.includes(phrase))?.[1] ?? {}
    return isReply(found) ? found : exchangeReply(found)
  }
}

function isReply(answer: ExchangeScript | Reply): answer is Reply {
  return ['content', 'status', 'hang', 'body', 'events'].some((name) => name in answer)
}

/** Words that the model was given to read. */
export function askedData(request: SeenRequest): string {
  return request.body.messages?.at(-1)?.content ?? ''
}

/** The turns that are to be thought about, without those before them; all that it reads where it is no exchange. */
function exchangeOf(request: SeenRequest): string {
  const data = askedData(request)
  const { exchange } = JSON.parse(data.slice(data.indexOf('{'))) as { exchange?: readonly { text: string }[] }
  return exchange === undefined ? data : exchange.map(({ text }) => text).join('\n')
}

export interface ThinkingOptions extends OpenOptions {
  /** For the model; default: nothing is worth remembering. */
  readonly script?: Script
  /** Milliseconds that one call may take. */
  readonly timeoutMs?: number
  readonly retries?: number
}

/** Opens a memory of the user `one`; all of it goes away with the test. */
export async function openThinking(
  by: Thinker,
  { script = exchangeReply({}), timeoutMs = 5000, retries = 1, ...options }: ThinkingOptions = {},
): Promise<ThinkingMemory> {
  let now = START.getTime()
  const log: LogLine[] = []
  const line =
    (level: LogLine['level']) =>
    (message: string, details: Record<string, unknown> = {}): void => {
      log.push({ level, message, details })
    }
  const server: ModelServer | null = by === 'model' ? await startModelServer(script) : null
  const path = options.path ?? freshDatabase()
  const memory = await openMemory({
    userId: 'one',
    clock: () => new Date(now),
    logger: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    ...(server === null ? {} : { llm: scriptedLlm(server.url, timeoutMs, retries) }),
    ...options,
    path,
  })
  onTestFinished(async () => {
    await memory.close()
    await server?.close()
  })
  return {
    memory,
    requests: server?.requests ?? [],
    log,
    path,
    play: (next) => server?.play(next),
    pass: (milliseconds) => {
      now += milliseconds
    },
  }
}

/** The option `llm` for a scripted server. */
export function scriptedLlm(baseUrl: string, timeoutMs = 5000, retries = 1): NonNullable<OpenOptions['llm']> {
  return { provider: 'openai', baseUrl, apiKey: SECRET_KEY, model: 'scripted', timeoutMs, retries }
}

/** Stores a round, or as many messages as are given, users and assistants in turn; each in a transaction of its own. */
export async function tell(memory: OpenMemory, conversationId: string, ...messages: readonly string[]): Promise<void> {
  for (const [at, content] of messages.entries())
    await memory.conversations.store({
      conversationId,
      turns: [{ role: at % 2 === 0 ? 'user' : 'assistant', content }],
    })
}

/** Every memory that holds or held, oldest first. */
export async function allMemories(memory: OpenMemory) {
  const { items } = await memory.getAll({ limit: 1000, includePast: true })
  return items.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
}
