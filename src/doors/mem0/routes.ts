/**
 * The table of routes under /mem0: those of mem0's self-hosted server, and those that its clients call. A trailing
 * slash is optional.
 */

import { DoorError } from '../http/problem.ts'
import type { OpenMemory } from '../library/index.ts'
import { ADD_FIELDS, addRecords, ownerOfAddition } from './add.ts'
import { BATCH_FIELDS, deleteBatch, updateBatch } from './batch.ts'
import {
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
import type { Access } from './scope.ts'

/** One request to a mem0 route. */
export interface RouteCall {
  readonly access: Access
  readonly memory: OpenMemory
  /** The options in query string and body together. */
  readonly fields: Fields
  /** Values of the names in braces. */
  readonly path: Readonly<Record<string, string>>
  /** The address without the query string. */
  readonly address: string
  /** true: the caller may see and change what belongs to all users. */
  readonly isOperator: boolean
  /** The user of the key or header; undefined without either. */
  readonly knownUser: string | undefined
  /** Milliseconds of waiting for a model before the answer is pending. */
  readonly patienceMs: number
}

/** One route. */
export interface Mem0Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/memories/{id}`, after /mem0 and without a slash at the end. */
  readonly path: string
  readonly scope: 'read' | 'write' | 'admin'
  readonly summary: string
  readonly fields: FieldTable
  readonly run: (call: RouteCall) => Promise<object>
  /** The user whose answer is stored for an Idempotency-Key; absent for routes that are safe to repeat. */
  readonly owner?: (call: RouteCall) => string
}

/** A route that adds memories, once for each Idempotency-Key. */
const adding = (path: string, summary: string): Mem0Route => ({
  ...route('POST', path, 'write', summary, ADD_FIELDS, ({ access, fields, patienceMs }) =>
    addRecords(access, fields, patienceMs),
  ),
  owner: ({ access, fields }) => ownerOfAddition(access, fields),
})

const route = (
  method: Mem0Route['method'],
  path: string,
  scope: Mem0Route['scope'],
  summary: string,
  fields: FieldTable,
  run: Mem0Route['run'],
): Mem0Route => ({ method, path, scope, summary, fields, run })

const NO_FIELDS: FieldTable = { known: [] }

const search: Mem0Route['run'] = async ({ access, fields }) => ({
  results: await searchRecords(access, fields),
  relations: [],
})
const get: Mem0Route['run'] = ({ access, fields, path }) => getRecord(access, path.id, fields)
const history: Mem0Route['run'] = ({ access, fields, path }) => historyRecords(access, path.id, fields)
const update: Mem0Route['run'] = async ({ access, fields, path }) => ({
  message: 'Memory updated successfully!',
  ...(await updateRecord(access, path.id, fields)),
})
const remove: Mem0Route['run'] = async ({ access, fields, path }) => {
  await deleteRecord(access, path.id, fields)
  return { message: 'Memory deleted successfully!' }
}
const removeAll: Mem0Route['run'] = async ({ access, fields }) => ({
  message: 'Memories deleted successfully!',
  deleted: await deleteScope(access, fields),
})
const removeEntity: Mem0Route['run'] = async ({ access, path }) => {
  await deleteEntity(access, path.type ?? '', path.name)
  return { message: 'Entity deleted successfully.' }
}

/** Every supported route. */
export const MEM0_ROUTES: readonly Mem0Route[] = [
  adding('/memories', 'Add memories, as mem0’s self-hosted server does.'),
  route('GET', '/memories', 'read', 'List memories.', LIST_FIELDS, async ({ access, fields }) => {
    const { results, total } = await listRecords(access, fields)
    return { results, relations: [], total }
  }),
  route('DELETE', '/memories', 'write', 'Delete all memories that the ids share.', DELETE_ALL_FIELDS, removeAll),
  route('GET', '/memories/{id}', 'read', 'Show one memory.', ONE_FIELDS, get),
  route('PUT', '/memories/{id}', 'write', 'Change a memory.', UPDATE_FIELDS, update),
  route('DELETE', '/memories/{id}', 'write', 'Delete a memory.', DELETE_FIELDS, remove),
  route('GET', '/memories/{id}/history', 'read', 'Tell the story of a memory.', ONE_FIELDS, history),
  route('POST', '/search', 'read', 'Search memories.', SEARCH_FIELDS, search),
  route(
    'POST',
    '/reset',
    'write',
    'Delete all memories of the user; of every user where none is named.',
    NO_FIELDS,
    reset,
  ),

  route('GET', '/v1/ping', 'read', 'Answer a client that asks who it is.', NO_FIELDS, async () => ({
    status: 'ok',
    org_id: 'mneme',
    project_id: 'mneme',
    user_email: null,
  })),
  adding('/v3/memories/add', 'Add memories, as mem0’s clients do.'),
  route('POST', '/v3/memories/search', 'read', 'Search memories, as mem0’s clients do.', SEARCH_FIELDS, search),
  route(
    'POST',
    '/v3/memories',
    'read',
    'List memories, as mem0’s clients do.',
    LIST_FIELDS,
    async ({ access, fields, address }) => pageOf(await listRecords(access, fields), address),
  ),
  route('GET', '/v1/memories/{id}', 'read', 'Show one memory, as mem0’s clients do.', ONE_FIELDS, get),
  route('PUT', '/v1/memories/{id}', 'write', 'Change a memory, as mem0’s clients do.', UPDATE_FIELDS, update),
  route('DELETE', '/v1/memories/{id}', 'write', 'Delete a memory, as mem0’s clients do.', DELETE_FIELDS, remove),
  route(
    'GET',
    '/v1/memories/{id}/history',
    'read',
    'Tell the story of a memory, as mem0’s clients do.',
    ONE_FIELDS,
    history,
  ),
  route(
    'DELETE',
    '/v1/memories',
    'write',
    'Delete all memories that the ids share, as mem0’s clients do.',
    DELETE_ALL_FIELDS,
    removeAll,
  ),
  route('PUT', '/v1/batch', 'write', 'Change several memories.', BATCH_FIELDS, async ({ access, fields }) => {
    const count = await updateBatch(access, fields)
    return { message: `Successfully updated ${count} memories` }
  }),
  route('DELETE', '/v1/batch', 'write', 'Delete several memories.', BATCH_FIELDS, async ({ access, fields }) => {
    const count = await deleteBatch(access, fields)
    return { message: `Successfully deleted ${count} memories` }
  }),
  route('GET', '/v1/entities', 'read', 'List users who have memories.', USERS_FIELDS, async (call) => {
    requireOperator(call)
    return pageOf(await userRecords(call.access, call.fields), call.address)
  }),
  route('DELETE', '/v1/entities/{type}/{name}', 'write', 'Delete all memories of somebody.', NO_FIELDS, removeEntity),
  route('DELETE', '/v2/entities/{type}/{name}', 'write', 'Delete all memories of somebody.', NO_FIELDS, removeEntity),
  route(
    'GET',
    '/v2/entities/user/{name}/profile',
    'read',
    'Show the profile of a user.',
    NO_FIELDS,
    ({ access, path }) => profileRecord(access, path.name),
  ),
]

async function reset(call: RouteCall): Promise<object> {
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

/** A page with links to the previous and next one. */
function pageOf({ results, total, page, pageSize }: Page, address: string): object {
  const at = (number: number): string => `${address}?page=${number}&page_size=${pageSize}`
  return {
    count: total,
    next: page * pageSize < total ? at(page + 1) : null,
    previous: page > 1 && total > 0 ? at(Math.min(page - 1, Math.ceil(total / pageSize))) : null,
    results,
  }
}
