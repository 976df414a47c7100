/**
 * The routes under /mem0, as one table: those of mem0's self-hosted server, and those that its clients call. A trailing
 * slash is optional.
 */
import type { Caller } from '../http/caller.ts'
import { DoorError } from '../http/problem.ts'
import { addRecords, ownerOfAddition } from './add.ts'
import {
  deleteBatch,
  deleteEntity,
  deleteEverything,
  deleteRecord,
  deleteScope,
  updateBatch,
  updateRecord,
} from './change.ts'
import { FIELDS, type Fields, type FieldTable } from './fields.ts'
import { getRecord, historyRecords, listRecords, type Page, profileRecord, searchRecords, userRecords } from './read.ts'
import type { Access } from './scope.ts'

/** One request to a mem0 route. */
export interface RouteCall {
  readonly access: Access
  /** The options in query string and body together. */
  readonly fields: Fields
  /** Values of the names in braces. */
  readonly path: Readonly<Record<string, string>>
  /** The address without the query string. */
  readonly address: string
  readonly caller: Pick<Caller, 'isOperator'>
  /** The user of the key or header; undefined without either. */
  readonly knownUser: string | undefined
  /** Milliseconds of waiting for a model before the answer is pending. */
  readonly patienceMs: number
}

type Run = (call: RouteCall) => Promise<object>

/** One route. */
export interface Mem0Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/memories/{id}`, after /mem0 and without a slash at the end. */
  readonly path: string
  readonly scope: 'read' | 'write'
  readonly summary: string
  readonly fields: FieldTable
  readonly run: Run
  /** The user whose answer is stored for an Idempotency-Key; absent for routes that are safe to repeat. */
  readonly owner?: (call: RouteCall) => string
}

const reading = (address: `${'GET' | 'POST'} ${string}`, summary: string, fields: FieldTable, run: Run): Mem0Route =>
  route(address, 'read', summary, fields, run)
const writing = (
  address: `${'POST' | 'PUT' | 'DELETE'} ${string}`,
  summary: string,
  fields: FieldTable,
  run: Run,
): Mem0Route => route(address, 'write', summary, fields, run)

function route(address: string, scope: Mem0Route['scope'], summary: string, fields: FieldTable, run: Run): Mem0Route {
  const [method, path = ''] = address.split(' ')
  return { method: method as Mem0Route['method'], path, scope, summary, fields, run }
}

/** A route that adds memories, once for each Idempotency-Key. */
const adding = (path: string, summary: string): Mem0Route => ({
  ...writing(`POST ${path}`, summary, FIELDS.add, ({ access, fields, patienceMs }) =>
    addRecords(access, fields, patienceMs),
  ),
  owner: ({ access, fields }) => ownerOfAddition(access, fields),
})

const search: Run = async ({ access, fields }) => ({ results: await searchRecords(access, fields), relations: [] })
const get: Run = ({ access, fields, path }) => getRecord(access, path.id, fields)
const history: Run = ({ access, fields, path }) => historyRecords(access, path.id, fields)
const update: Run = async ({ access, fields, path }) => ({
  message: 'Memory updated successfully!',
  ...(await updateRecord(access, path.id, fields)),
})
const remove: Run = async ({ access, fields, path }) => {
  await deleteRecord(access, path.id, fields)
  return { message: 'Memory deleted successfully!' }
}
const removeAll: Run = async ({ access, fields }) => ({
  message: 'Memories deleted successfully!',
  deleted: await deleteScope(access, fields),
})
const removeEntity: Run = async ({ access, path }) => {
  await deleteEntity(access, path.type ?? '', path.name)
  return { message: 'Entity deleted successfully.' }
}
const list: Run = async ({ access, fields }) => {
  const { results, total } = await listRecords(access, fields)
  return { results, relations: [], total }
}
const reset: Run = async (call) => {
  const { access, knownUser } = call
  if (knownUser === undefined) requireOperator(call)
  const deleted =
    knownUser === undefined
      ? await deleteEverything(access.memory)
      : (await access.memory.reset({ userId: knownUser })).deleted
  return { message: 'All memories reset', deleted }
}
const ping: Run = async () => ({ status: 'ok', org_id: 'mneme', project_id: 'mneme', user_email: null })
const users: Run = async (call) => {
  requireOperator(call)
  return linked(await userRecords(call.access, call.fields), call.address)
}

const { none, one, list: listed } = FIELDS

/** Every supported route. */
export const MEM0_ROUTES: readonly Mem0Route[] = [
  adding('/memories', 'Add memories, as mem0’s self-hosted server does.'),
  reading('GET /memories', 'List memories.', listed, list),
  writing('DELETE /memories', 'Delete all memories that the ids share.', FIELDS.deleteAll, removeAll),
  reading('GET /memories/{id}', 'Show one memory.', one, get),
  writing('PUT /memories/{id}', 'Change a memory.', FIELDS.update, update),
  writing('DELETE /memories/{id}', 'Delete a memory.', FIELDS.delete, remove),
  reading('GET /memories/{id}/history', 'Tell the story of a memory.', one, history),
  reading('POST /search', 'Search memories.', FIELDS.search, search),
  writing('POST /reset', 'Delete all memories of the user; of every user where none is named.', none, reset),

  reading('GET /v1/ping', 'Answer a client that asks who it is.', none, ping),
  adding('/v3/memories/add', 'Add memories, as mem0’s clients do.'),
  reading('POST /v3/memories/search', 'Search memories, as mem0’s clients do.', FIELDS.search, search),
  reading('POST /v3/memories', 'List memories, as mem0’s clients do.', listed, async ({ access, fields, address }) =>
    linked(await listRecords(access, fields), address),
  ),
  reading('GET /v1/memories/{id}', 'Show one memory, as mem0’s clients do.', one, get),
  writing('PUT /v1/memories/{id}', 'Change a memory, as mem0’s clients do.', FIELDS.update, update),
  writing('DELETE /v1/memories/{id}', 'Delete a memory, as mem0’s clients do.', FIELDS.delete, remove),
  reading('GET /v1/memories/{id}/history', 'Tell the story of a memory, as mem0’s clients do.', one, history),
  writing(
    'DELETE /v1/memories',
    'Delete all memories that the ids share, as mem0’s clients do.',
    FIELDS.deleteAll,
    removeAll,
  ),
  writing('PUT /v1/batch', 'Change several memories.', FIELDS.batch, async ({ access, fields }) => ({
    message: `Successfully updated ${await updateBatch(access, fields)} memories`,
  })),
  writing('DELETE /v1/batch', 'Delete several memories.', FIELDS.batch, async ({ access, fields }) => ({
    message: `Successfully deleted ${await deleteBatch(access, fields)} memories`,
  })),
  reading('GET /v1/entities', 'List users who have memories.', FIELDS.users, users),
  writing('DELETE /v1/entities/{type}/{name}', 'Delete all memories of somebody.', none, removeEntity),
  writing('DELETE /v2/entities/{type}/{name}', 'Delete all memories of somebody.', none, removeEntity),
  reading('GET /v2/entities/user/{name}/profile', 'Show the profile of a user.', none, ({ access, path }) =>
    profileRecord(access, path.name),
  ),
]

function requireOperator({ caller }: RouteCall): void {
  if (!caller.isOperator)
    throw new DoorError('forbidden', 403, 'This is about every user.', 'Use a key of the scope admin for all users.')
}

/** A page with links to the previous and next one. */
function linked({ results, total, page, pageSize }: Page<unknown>, address: string): object {
  const at = (number: number): string => `${address}?page=${number}&page_size=${pageSize}`
  return {
    count: total,
    next: page * pageSize < total ? at(page + 1) : null,
    previous: page > 1 && total > 0 ? at(Math.min(page - 1, Math.ceil(total / pageSize))) : null,
    results,
  }
}

/** Routes of mem0's platform without a counterpart here, each with its alternative. */
export const WITHOUT_MEANING: readonly { readonly path: RegExp; readonly remedy: string }[] = [
  { path: /^\/v1\/feedback$/, remedy: 'Set confidence or importance with PATCH /memory/long-term/{id}, or delete it.' },
  {
    path: /^\/v1\/exports(?:\/get)?$/,
    remedy: 'GET /export, or the command mneme export, gives everything of a user.',
  },
  { path: /^\/v1\/summary$/, remedy: 'GET /profile tells what is known; POST /context what a model would see.' },
  { path: /^\/v2\/profiles\/settings$/, remedy: 'PATCH /settings has memory.enable_user_profile.' },
  { path: /^\/v2\/profiles\/jobs(?:\/[^/]+)?$/, remedy: 'Profiles are kept as people talk; GET or PUT /profile.' },
  {
    path: /^\/api\/v1\/orgs(?:\/.*)?$/,
    remedy: 'There are no projects: GET and PATCH /settings, and mneme keys for keys.',
  },
  { path: /^\/api\/v1\/webhooks(?:\/.*)?$/, remedy: 'Nothing is sent anywhere; GET /jobs tells what was done.' },
  { path: /^\/configure$/, remedy: 'A server is configured when it starts; see docs/configuration.md.' },
  {
    path: /^\/v[12]\/memories(?:\/search)?$/,
    remedy: 'These are calls of older clients: use mem0ai 3 of npm or mem0ai 2 of PyPI, or POST /mem0/memories.',
  },
]
