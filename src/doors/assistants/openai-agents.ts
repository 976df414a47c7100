/** The package `mneme/openai-agents`: a session of OpenAI's Agents SDK in the conversation log, which is append-only. */
import { createHash, randomUUID } from 'node:crypto'
import {
  type AgentInputItem,
  applySessionHistoryMutations,
  MemorySession,
  type SessionHistoryRewriteArgs,
  type SessionHistoryRewriteAwareSession,
  type SessionHistoryTransactionArgs,
  type SessionHistoryTransactionAwareSession,
  UserError,
} from '@openai/agents-core'
import { ifThere, inTurns } from '../../domain/scheduling.ts'
import type { Role } from '../../domain/turn.ts'
import type { OpenMemory } from '../library/open-memory.ts'

export interface SessionOptions {
  readonly userId?: string
  readonly sessionId?: string
  readonly projectRoot?: string
}

interface History {
  readonly items: ReadonlyMap<number, AgentInputItem>
  readonly operations: ReadonlyMap<string, string>
}

interface Note {
  /** The item as JSON; absent where the turn only takes items back. */
  readonly item?: string
  /** Numbers of turns whose items are no longer part of the session. */
  readonly drops?: readonly number[]
  readonly operation?: readonly [id: string, hash: string]
}

const PAGE = 5000
/** UTF-16 units of a tool call's arguments that the turn's text keeps; the item keeps all. */
const CALL_CHARACTERS = 300
const inTurn = inTurns()

export class MnemeSession implements SessionHistoryRewriteAwareSession, SessionHistoryTransactionAwareSession {
  readonly #memory: OpenMemory
  readonly #user: { readonly userId: string | undefined }
  readonly #conversation: { readonly conversationId: string; readonly projectRoot: string | undefined }

  constructor(memory: OpenMemory, { userId, sessionId = randomUUID(), projectRoot }: SessionOptions = {}) {
    this.#memory = memory
    this.#user = { userId }
    this.#conversation = { conversationId: sessionId, projectRoot }
  }

  async getSessionId(): Promise<string> {
    return this.#conversation.conversationId
  }

  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const all = [...(await this.#read()).items.values()]
    return limit === undefined ? all : all.slice(Math.max(0, all.length - Math.max(0, limit)))
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    if (items.length > 0) await this.#alone(() => this.#append(items))
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    return this.#alone(async () => {
      const [turn, item] = [...(await this.#read()).items].at(-1) ?? []
      if (turn !== undefined) await this.#append([], { drops: [turn] })
      return item
    })
  }

  async clearSession(): Promise<void> {
    await this.#alone(() =>
      this.#memory.conversations.delete({ ...this.#user, conversationId: this.#conversation.conversationId }),
    )
  }

  async applyHistoryMutations({ mutations }: SessionHistoryRewriteArgs): Promise<void> {
    await this.#alone(async () => {
      const { items } = await this.#read()
      await this.#become(items, applySessionHistoryMutations([...items.values()], mutations))
    })
  }

  async applyHistoryTransaction(args: SessionHistoryTransactionArgs): Promise<void> {
    const { operationId, transaction } = readOnce(args)
    await this.#alone(async () => {
      const { items, operations } = await this.#read()
      const known = operations.get(operationId)
      // OpenAI's own session validates the transaction and computes the resulting items.
      const suffix = transaction.type === 'replace_suffix' ? transaction.expectedSuffix : []
      const trial = new MemorySession({ initialItems: known === undefined ? [...items.values()] : suffix })
      await trial.applyHistoryTransaction({ operationId, transaction })
      const done = createHash('sha256').update(written(transaction)).digest('hex')
      if (known === undefined) await this.#become(items, await trial.getItems(), [operationId, done])
      else if (known !== done)
        throw new UserError('Session history operation was already applied with a different transaction.')
    })
  }

  async #become(
    items: History['items'],
    next: readonly AgentInputItem[],
    operation?: NonNullable<Note['operation']>,
  ): Promise<void> {
    const before = [...items]
    const isOther = (item: AgentInputItem, index: number): boolean =>
      next[index] === undefined || written(item) !== written(next[index])
    const at = before.findIndex(([, item], index) => isOther(item, index))
    const same = at === -1 ? before.length : at
    const drops = before.slice(same).map(([turn]) => turn)
    if (operation === undefined && drops.length === 0 && next.length === same) return
    await this.#append(next.slice(same), { drops, ...(operation === undefined ? {} : { operation }) })
  }

  async #append(items: readonly AgentInputItem[], first: Note = {}): Promise<void> {
    const name = first.operation?.[0] ?? randomUUID()
    const notes: readonly (readonly [words: readonly [Role, string], Note])[] =
      items.length === 0
        ? [[['system', '[session]'], first]]
        : items.map((item, index) => [wordsOf(item), { ...(index === 0 ? first : {}), item: written(item) }])
    await this.#memory.conversations.store({
      ...this.#user,
      ...this.#conversation,
      turns: notes.map(([[role, content], agents], index) => ({
        role,
        content,
        externalId: `agents:${name}:${index}`,
        metadata: { agents },
      })),
    })
  }

  async #read(): Promise<History> {
    const items = new Map<number, AgentInputItem>()
    const operations = new Map<string, string>()
    for (let from = 1; ; from += PAGE) {
      const turns = await this.#page(from)
      for (const { turnId, metadata } of turns) {
        const { item, drops = [], operation } = (metadata?.agents ?? {}) as Note
        for (const drop of drops) items.delete(drop)
        if (item !== undefined) items.set(turnId, read(item))
        if (operation !== undefined) operations.set(...operation)
      }
      if (turns.length < PAGE) return { items, operations }
    }
  }

  /** A page of turns; empty when the conversation does not exist yet. */
  async #page(fromTurn: number) {
    const asked = { ...this.#user, fromTurn, limit: PAGE, revealSecrets: true }
    return (await ifThere(this.#memory.conversations.turns(this.#conversation.conversationId, asked)))?.items ?? []
  }

  /** Runs one piece of work at a time, so that the session does not change between read and write. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    return inTurn(this.#memory, JSON.stringify([this.#user, this.#conversation.conversationId]), work)
  }
}

/** Both arguments, each read once: an error of an accessor could contain conversation text. */
function readOnce(args: SessionHistoryTransactionArgs): SessionHistoryTransactionArgs {
  try {
    const { operationId, transaction } = args
    return { operationId, transaction }
  } catch {
    throw new UserError('Session history transaction arguments are invalid.')
  }
}

/** Canonical JSON: names of an object sorted, bytes as base64. */
function written(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Uint8Array) return { $bytes: Buffer.from(part).toString('base64') }
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

function read(item: string): AgentInputItem {
  return JSON.parse(item, (_, part) =>
    typeof part?.$bytes === 'string' ? new Uint8Array(Buffer.from(part.$bytes, 'base64')) : part,
  )
}

function wordsOf(item: AgentInputItem): readonly [Role, string] {
  const { role, content, output, name, arguments: asked, type = 'message' } = item as Readonly<Record<string, unknown>>
  const words =
    type === 'function_call' ? `${name}: ${asked}`.slice(0, CALL_CHARACTERS).toWellFormed() : textOf(content ?? output)
  const said: Role =
    type === 'message' && (role === 'user' || role === 'assistant' || role === 'system') ? role : 'tool'
  return [said, words.trim() === '' ? `[${type}]` : words]
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content : [content]
  return parts.flatMap((part) => [part?.text, part?.refusal].filter((text) => typeof text === 'string')).join('\n')
}
