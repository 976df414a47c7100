/**
 * The package `mneme/langgraph`: LangGraph's long-term store, with one memory an item, found by words and by meaning.
 */
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import type { MemoryView } from '../library/binding.ts'
import type { OpenMemory } from '../library/open-memory.ts'
import { documents } from '../library/tool-documents.ts'

const TAG = 'langgraph'
const [DEFAULT_LIMIT, MOST_FOUND] = [10, 1000]

/** A store for `compile({ store })`. A batch runs in order, and its writes are one transaction. */
export class MnemeStore extends BaseStore {
  readonly #memory: OpenMemory
  readonly #userId: string | undefined

  constructor(memory: OpenMemory, { userId }: { readonly userId?: string } = {}) {
    super()
    this.#memory = memory
    this.#userId = userId
  }

  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const { read, change } = documents(this.#memory, this.#userId)
    // The last put of an item counts.
    const puts = new Map(operations.filter(isPut).map((put) => [idOf(put.namespace, put.key), put]))
    // All reads of a batch happen before its writes.
    const answers: unknown[] = []
    for (const operation of operations) {
      if (isPut(operation)) answers.push(undefined)
      else if (isSearch(operation)) answers.push(await this.#search(operation, read))
      else if (isList(operation)) answers.push(namespacesOf(operation, await read({ tag: TAG })))
      else answers.push(await get(operation, read))
    }
    if (puts.size > 0)
      await change(async () => {
        const before = (await Promise.all([...puts.keys()].map((externalId) => read({ externalId })))).flat()
        const createdAt = new Map(before.map((one) => [one.externalId ?? '', one.createdAt]))
        const add = [...puts].flatMap(([id, put]) => (put.value === null ? [] : [memoryOf(id, put, createdAt.get(id))]))
        return { remove: before, add, answer: undefined }
      })
    return answers as OperationResults<Op>
  }

  async #search(operation: SearchOperation, read: ReturnType<typeof documents>['read']): Promise<SearchItem[]> {
    const { namespacePrefix, query, filter = {}, limit = DEFAULT_LIMIT, offset = 0 } = operation
    const filters = { tag: tagOf(namespacePrefix) }
    const asked = { userId: this.#userId, filters, limit: MOST_FOUND, revealSecrets: true }
    const found: readonly (MemoryView & { readonly score?: number })[] =
      query === undefined || query.trim() === ''
        ? (await read(filters)).toReversed()
        : (await this.#memory.search(query, asked)).results
    return found
      .flatMap((one) => {
        const item = itemOf(one)
        return item === null ? [] : [one.score === undefined ? item : { ...item, score: one.score }]
      })
      .filter(({ value }) => Object.entries(filter).every(([field, wanted]) => passes(value[field], wanted)))
      .slice(offset, offset + limit)
  }
}

const isPut = (operation: Operation): operation is PutOperation => 'value' in operation
const isSearch = (operation: Operation): operation is SearchOperation => 'namespacePrefix' in operation
const isList = (operation: Operation): operation is ListNamespacesOperation =>
  !('namespace' in operation) && !('namespacePrefix' in operation)

async function get({ namespace, key }: GetOperation, read: ReturnType<typeof documents>['read']): Promise<Item | null> {
  const [one] = await read({ externalId: idOf(namespace, key) })
  return one === undefined ? null : itemOf(one)
}

function idOf(namespace: readonly string[], key: string): string {
  return `${TAG}:${JSON.stringify([namespace, key])}`
}

function tagOf(namespace: readonly string[]): string {
  return namespace.length === 0 ? TAG : `${TAG}:${namespace.map(encodeURIComponent).join('/')}`
}

function memoryOf(externalId: string, { namespace, key, value }: PutOperation, createdAt: string | undefined) {
  const words = wordsOf(value).join('\n')
  return {
    text: words.trim() === '' ? key : words,
    externalId,
    memoryType: 'semantic' as const,
    category: 'fact' as const,
    source: 'inferred' as const,
    key,
    value,
    tags: [TAG, ...namespace.map((_, depth) => tagOf(namespace.slice(0, depth + 1)))],
    metadata: { namespace },
    ...(createdAt === undefined ? {} : { createdAt }),
  }
}

function itemOf({ key, value, metadata, createdAt, updatedAt }: MemoryView): Item | null {
  const namespace = metadata?.namespace
  if (key === null || typeof value !== 'object' || value === null || !Array.isArray(namespace)) return null
  return {
    value: value as Record<string, unknown>,
    key,
    namespace: namespace.map(String),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }
}

function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsOf) : []
}

function namespacesOf(operation: ListNamespacesOperation, all: readonly MemoryView[]): string[][] {
  const { matchConditions = [], maxDepth, limit = all.length, offset = 0 } = operation
  const namespaces = new Map<string, string[]>()
  for (const one of all) {
    const full = itemOf(one)?.namespace
    if (full === undefined || !matchConditions.every((condition) => matches(full, condition))) continue
    const shown = full.slice(0, maxDepth)
    namespaces.set(JSON.stringify(shown), shown)
  }
  return [...namespaces.values()].sort((a, b) => (a.join('\0') < b.join('\0') ? -1 : 1)).slice(offset, offset + limit)
}

function matches(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length
  return from >= 0 && path.every((label, index) => label === '*' || label === namespace[from + index])
}

const COMPARISONS: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  $eq: (value, operand) => equal(value, operand),
  $ne: (value, operand) => !equal(value, operand),
  $gt: (value, operand) => compared(value, operand, (sign) => sign > 0),
  $gte: (value, operand) => compared(value, operand, (sign) => sign >= 0),
  $lt: (value, operand) => compared(value, operand, (sign) => sign < 0),
  $lte: (value, operand) => compared(value, operand, (sign) => sign <= 0),
  $in: (value, operand) => Array.isArray(operand) && operand.some((one) => equal(value, one)),
  $nin: (value, operand) => Array.isArray(operand) && !operand.some((one) => equal(value, one)),
  $exists: (value, operand) => (value !== undefined) === operand,
}

function passes(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return equal(value, wanted)
  const entries = Object.entries(wanted)
  if (!entries.some(([name]) => name.startsWith('$'))) return equal(value, wanted)
  return entries.every(([name, operand]) => {
    const compare = Object.hasOwn(COMPARISONS, name) ? COMPARISONS[name] : undefined
    if (compare === undefined)
      throw new Error(`Unknown filter operator ${name}. Use one of: ${Object.keys(COMPARISONS).join(', ')}`)
    return compare(value, operand)
  })
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function compared(a: unknown, b: unknown, holds: (sign: number) => boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return holds(a - b)
  return typeof a === 'string' && typeof b === 'string' && holds(a < b ? -1 : a > b ? 1 : 0)
}
