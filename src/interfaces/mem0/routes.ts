/**
 * The table of routes under /mem0: those of mem0's self-hosted server, and those that mem0's own clients call when they are
 * pointed here. A path takes a slash at its end or none.
 */
import type { OpenMemory } from '../library/index.ts'
import { DoorError } from '../rest/problem.ts'
import type { Access } from './access.ts'
import { ADD_FIELDS, addRecords, ownerOfAddition } from './add.ts'
import { BATCH_FIELDS, deleteBatch, updateBatch } from './batch.ts'
import {
  CLEARABLE,
  DELETE_ALL_FIELDS,
  DELETE_FIELDS,
  deleteEverything,
  deleteRecord,
  deleteScope,
  UPDATE_FIELDS,
  updateRecord,
} from './change.ts'
import type { Fields, FieldTable } from './fields.ts'
import { deleteEntity, profileRecord, USERS_FIELDS, userRecords } from './people.ts'
import {
  getRecord,
  historyRecords,
  LIST_FIELDS,
  listRecords,
  ONE_FIELDS,
  SEARCH_FIELDS,
  searchRecords,
} from './read.ts'

/** One request of mem0's. */
export interface RouteCall {
  readonly access: Access
  readonly memory: OpenMemory
  /** The options in query string and body together. */
  readonly fields: (table: FieldTable, keepNull?: readonly string[]) => Fields
  /** Values of the names in braces. */
  readonly path: Readonly<Record<string, string>>
  /** The address without the query string. */
  readonly address: string
  /** true: the caller may see and change what belongs to all users. */
  readonly isOperator: boolean
  /** The user of the key or the header; undefined: neither says. */
  readonly knownUser: string | undefined
  /** Milliseconds until what a model is asked for is answered as pending. */
  readonly patienceMs: number
}

/** One route. */
export interface Mem0Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/memories/{id}`, after /mem0 and without a slash at the end. */
  readonly path: string
  readonly scope: 'read' | 'write' | 'admin'
  readonly summary: string
  readonly run: (call: RouteCall) => Promise<object>
  /** Whose answer is kept for an Idempotency-Key; absent: asking twice does nothing twice. */
  readonly owner?: (call: RouteCall) => string
}

/** Adding, which is done once for an Idempotency-Key. */
const adding = (path: string, summary: string): Mem0Route => ({
  ...route('POST', path, 'write', summary, add),
  owner: ({ access, fields }) => ownerOfAddition(access, fields(ADD_FIELDS)),
})

const route = (
  method: Mem0Route['method'],
  path: string,
  scope: Mem0Route['scope'],
  summary: string,
  run: Mem0Route['run'],
): Mem0Route => ({ method, path, scope, summary, run })

const add: Mem0Route['run'] = ({ access, fields, patienceMs }) => addRecords(access, fields(ADD_FIELDS), patienceMs)
const search: Mem0Route['run'] = async ({ access, fields }) => ({
  results: await searchRecords(access, fields(SEARCH_FIELDS)),
  relations: [],
})
const get: Mem0Route['run'] = ({ access, fields, path }) => getRecord(access, path.id, fields(ONE_FIELDS))
const history: Mem0Route['run'] = ({ access, fields, path }) => historyRecords(access, path.id, fields(ONE_FIELDS))
const update: Mem0Route['run'] = async ({ access, fields, path }) => ({
  message: 'Memory updated successfully!',
  ...(await updateRecord(access, path.id, fields(UPDATE_FIELDS, CLEARABLE))),
})
const remove: Mem0Route['run'] = async ({ access, fields, path }) => {
  await deleteRecord(access, path.id, fields(DELETE_FIELDS))
  return { message: 'Memory deleted successfully!' }
}
const removeAll: Mem0Route['run'] = async ({ access, fields }) => ({
  message: 'Memories deleted successfully!',
  deleted: await deleteScope(access, fields(DELETE_ALL_FIELDS)),
})
const removeEntity: Mem0Route['run'] = async ({ access, fields, path }) => {
  fields({ known: [] })
  await deleteEntity(access, path.type ?? '', path.name)
  return { message: 'Entity deleted successfully.' }
}

/** Every route that has a meaning here. */
export const MEM0_ROUTES: readonly Mem0Route[] = [
  adding('/memories', 'Add memories, as mem0’s self-hosted server does.'),
  route('GET', '/memories', 'read', 'List memories.', async ({ access, fields }) => {
    const { results, total } = await listRecords(access, fields(LIST_FIELDS))
    return { results, relations: [], total }
  }),
  route('DELETE', '/memories', 'write', 'Delete all memories that the ids share.', removeAll),
  route('GET', '/memories/{id}', 'read', 'Show one memory.', get),
  route('PUT', '/memories/{id}', 'write', 'Change a memory.', update),
  route('DELETE', '/memories/{id}', 'write', 'Delete a memory.', remove),
  route('GET', '/memories/{id}/history', 'read', 'Tell the story of a memory.', history),
  route('POST', '/search', 'read', 'Search memories.', search),
  route('POST', '/reset', 'write', 'Delete all memories of the user; of every user where none is named.', reset),

  route('GET', '/v1/ping', 'read', 'Answer a client that asks who it is.', async ({ fields }) => {
    fields({ known: [] })
    return { status: 'ok', org_id: 'mneme', project_id: 'mneme', user_email: null }
  }),
  adding('/v3/memories/add', 'Add memories, as mem0’s clients do.'),
  route('POST', '/v3/memories/search', 'read', 'Search memories, as mem0’s clients do.', search),
  route('POST', '/v3/memories', 'read', 'List memories, as mem0’s clients do.', async ({ access, fields, address }) =>
    pageOf(await listRecords(access, fields(LIST_FIELDS)), address),
  ),
  route('GET', '/v1/memories/{id}', 'read', 'Show one memory, as mem0’s clients do.', get),
  route('PUT', '/v1/memories/{id}', 'write', 'Change a memory, as mem0’s clients do.', update),
  route('DELETE', '/v1/memories/{id}', 'write', 'Delete a memory, as mem0’s clients do.', remove),
  route('GET', '/v1/memories/{id}/history', 'read', 'Tell the story of a memory, as mem0’s clients do.', history),
  route('DELETE', '/v1/memories', 'write', 'Delete all memories that the ids share, as mem0’s clients do.', removeAll),
  route('PUT', '/v1/batch', 'write', 'Change several memories.', async ({ access, fields }) => {
    const count = await updateBatch(access, fields(BATCH_FIELDS))
    return { message: `Successfully updated ${count} memories` }
  }),
  route('DELETE', '/v1/batch', 'write', 'Delete several memories.', async ({ access, fields }) => {
    const count = await deleteBatch(access, fields(BATCH_FIELDS))
    return { message: `Successfully deleted ${count} memories` }
  }),
  route('GET', '/v1/entities', 'read', 'List users who have memories.', async (call) => {
    const fields = call.fields(USERS_FIELDS)
    requireOperator(call)
    return pageOf(await userRecords(call.access, fields), call.address)
  }),
  route('DELETE', '/v1/entities/{type}/{name}', 'write', 'Delete all memories of somebody.', removeEntity),
  route('DELETE', '/v2/entities/{type}/{name}', 'write', 'Delete all memories of somebody.', removeEntity),
  route(
    'GET',
    '/v2/entities/user/{name}/profile',
    'read',
    'Show the profile of a user.',
    ({ access, fields, path }) => {
      fields({ known: [] })
      return profileRecord(access, path.name)
    },
  ),
]

async function reset(call: RouteCall): Promise<object> {
  call.fields({ known: [] })
  const { memory, knownUser } = call
  if (knownUser === undefined) requireOperator(call)
  const deleted =
    knownUser === undefined ? await deleteEverything(memory) : (await memory.reset({ userId: knownUser })).deleted
  return { message: 'All memories reset', deleted }
}

function requireOperator({ isOperator }: RouteCall): void {
  if (!isOperator)
    throw new DoorError('forbidden', 403, 'This is about every user.', 'Use a key of the scope admin for all users.')
}

interface Page {
  readonly results: readonly unknown[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

/** A page with the addresses of its neighbours. */
function pageOf({ results, total, page, pageSize }: Page, address: string): object {
  const at = (number: number): string => `${address}?page=${number}&page_size=${pageSize}`
  return {
    count: total,
    next: page * pageSize < total ? at(page + 1) : null,
    previous: page > 1 && total > 0 ? at(Math.min(page - 1, Math.ceil(total / pageSize))) : null,
    results,
  }
}
