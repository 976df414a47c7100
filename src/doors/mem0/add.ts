/** mem0's `add`: uses the same addition as every door, and answers in both of mem0's shapes. */
import { checkBoolean, checkMetadata, checkRecord } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import type { MessageInput } from '../../usecases/memories-add.ts'
import { endOfDay, type Fields, flag, readMoment } from './fields.ts'
import {
  type Access,
  isEntityName,
  joinScopes,
  readFilters,
  type Scope,
  scopeConditions,
  scopeOf,
  userOf,
} from './filters.ts'
import { type AddedRecord, addedRecord } from './read.ts'

/** The answer to `add`. */
export interface AddRecord {
  readonly results: readonly AddedRecord[]
  /** mem0's graph, always empty: here relations are ordinary memories. */
  readonly relations: readonly never[]
  /** Texts that were not kept, with reasons. */
  readonly rejected: readonly { readonly text: string; readonly reason: string }[]
  readonly job_id?: string
  readonly status?: 'PENDING'
}

/**
 * Adds memories. With a model it waits for the result, unless `async_mode` is true or `patienceMs` pass: then the
 * status is PENDING and the work continues.
 */
export async function addRecords(access: Access, fields: Fields, patienceMs?: number): Promise<AddRecord> {
  const infer = fields.infer === undefined ? true : checkBoolean('infer', fields.infer)
  const messages = readMessages(fields.messages, !infer)
  const scope = scopeOfAddition(fields)
  // A run is a mark although it is the conversation, so that memories of different runs are not merged.
  const { user_id: _, ...marks } = scope
  const metadata = { ...ownMetadata(fields.metadata, scope), ...marks }
  // mem0 separates memories by ids, so each is compared only with those of the same ids.
  const among: Readonly<Record<string, string>> = Object.assign({}, ...scopeConditions(scope))
  const { results, rejected, jobId } = await access.memory.add(messages, {
    userId: userOf(access, scope),
    infer,
    wait: !flag(fields, 'async_mode'),
    ...(patienceMs === undefined ? {} : { waitMs: patienceMs }),
    ...(Object.keys(among).length === 0 ? {} : { among }),
    ...(scope.run_id === undefined ? {} : { conversationId: scope.run_id }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(fields.timestamp === undefined ? {} : { createdAt: readMoment('timestamp', fields.timestamp) }),
    ...(fields.expiration_date === undefined ? {} : { validTo: endOfDay('expiration_date', fields.expiration_date) }),
  })
  return {
    results: results.map(addedRecord),
    relations: [],
    rejected,
    ...(jobId === undefined ? {} : { job_id: jobId }),
    ...(results.some(({ event }) => event === 'PENDING') ? { status: 'PENDING' as const } : {}),
  }
}

/** The user whose memory is extended. */
export function ownerOfAddition(access: Access, fields: Fields): string {
  return userOf(access, scopeOfAddition(fields))
}

/** The ids of an addition; its filters allow nothing else. */
function scopeOfAddition(fields: Fields): Scope {
  const { scope, conditions } = readFilters(fields.filters)
  if (conditions.length > 0)
    throw invalid('filters', 'can only name ids where something is added', 'Put the rest into metadata.')
  return joinScopes(scopeOf(fields), scope)
}

/** The caller's metadata. Throws `invalid` where it names other ids than the call. */
export function ownMetadata(given: unknown, scope: Scope): Readonly<Record<string, unknown>> {
  const metadata = checkMetadata('metadata', given) ?? {}
  for (const [name, value] of Object.entries(metadata))
    if (isEntityName(name) && scope[name] !== value)
      throw invalid(`metadata.${name}`, 'is a name of its own', `Pass ${name} beside metadata.`)
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !isEntityName(name)))
}

/** Roles of other vendors mapped to ours. */
const ROLES = new Map<unknown, MessageInput['role']>([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
  ['developer', 'system'],
  ['function', 'tool'],
])

/**
 * The messages of a call, role and content only. Messages without text (tool calls) are left out, and with `verbatim`
 * so are instructions to the model, which are no memories.
 */
function readMessages(given: unknown, verbatim: boolean): string | readonly MessageInput[] {
  if (given === undefined) throw invalid('messages', 'is missing', 'Pass a text, or a list of messages.')
  if (typeof given === 'string') return given
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  const messages = list.flatMap((message, index) => readMessage(`messages[${index}]`, message))
  const kept = verbatim ? messages.filter(({ role }) => role !== 'system') : messages
  if (kept.length === 0) throw invalid('messages', 'say nothing', 'Pass a message of a user or an assistant.')
  return kept
}

function readMessage(at: string, message: unknown): readonly MessageInput[] {
  const { role = 'user', content } = checkRecord(at, message)
  const known = ROLES.get(role)
  if (known === undefined) throw invalid(`${at}.role`, 'is not known', `Use one of: ${[...ROLES.keys()].join(', ')}.`)
  if (content === undefined || content === null) return []
  return [{ role: known, content: textOf(`${at}.content`, content) }]
}

/** The text of a message; its parts are joined line by line. */
function textOf(at: string, content: unknown): string {
  if (typeof content === 'string') return content
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  return parts
    .map((part, index) => {
      const place = `${at}[${index}]`
      const { type, text } = checkRecord(place, part)
      if (type !== 'text')
        throw new MnemeError('unsupported', `${place}: only texts are remembered`, {
          field: place,
          remedy: 'Say in words what an image or a file shows.',
        })
      if (typeof text !== 'string') throw invalid(`${place}.text`, 'must be text', 'Pass a string.')
      return text
    })
    .join('\n')
}
