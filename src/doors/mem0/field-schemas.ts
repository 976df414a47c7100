/** mem0's options as JSON Schema, for the OpenAPI document. Values are checked where they are read. */
import type { Schema } from '../http/openapi.ts'
import { PART_FIELDS } from './batch.ts'
import { type FieldTable, WITHOUT_EFFECT } from './fields.ts'

/** Any text. */
export const TEXT: Schema = { type: 'string', minLength: 1 }
const RECORD: Schema = { type: 'object' }
const FLAG: Schema = { type: 'boolean' }
const WORDS: Schema = { type: 'array', items: TEXT, minItems: 1 }
const MOST: Schema = { type: 'integer', minimum: 1, maximum: 10_000 }
const MOMENT: Schema = {
  description: 'ISO 8601, or seconds since the epoch.',
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
    { type: 'number', minimum: 0 },
  ],
}
const DAY: Schema = { type: 'string', format: 'date', description: 'The last day (UTC) on which it holds.' }
const PART: Schema = {
  type: 'object',
  properties: { type: { const: 'text' }, text: { type: 'string' } },
  required: ['type', 'text'],
}
const MESSAGE: Schema = {
  type: 'object',
  properties: {
    role: { type: 'string', enum: ['user', 'assistant', 'system', 'tool', 'developer', 'function'] },
    content: { anyOf: [{ type: 'string' }, PART, { type: 'array', items: PART }, { type: 'null' }] },
  },
}
const MESSAGES: Schema = { anyOf: [TEXT, MESSAGE, { type: 'array', items: MESSAGE, minItems: 1 }] }

const SCHEMAS: Readonly<Record<string, Schema>> = {
  agent_id: TEXT,
  app_id: TEXT,
  async_mode: { ...FLAG, description: 'true: a model is not waited for.' },
  categories: WORDS,
  data: { ...TEXT, description: 'The older name of text.' },
  delete_linked: { ...FLAG, description: 'true: those whose place it took are deleted, too.' },
  end_date: MOMENT,
  expiration_date: DAY,
  explain: FLAG,
  fields: WORDS,
  filters: { ...RECORD, description: 'Conditions as mem0 writes them, joined by AND, OR and NOT.' },
  infer: { ...FLAG, description: 'false: what is passed is kept as it is.' },
  latest_only: { ...FLAG, description: 'false: memories that others took the place of, too.' },
  limit: { ...MOST, description: 'The older name of top_k.' },
  memory: { ...TEXT, description: 'The same as text.' },
  memory_id: TEXT,
  messages: MESSAGES,
  metadata: RECORD,
  page: { type: 'integer', minimum: 1 },
  page_size: MOST,
  query: TEXT,
  reference_date: MOMENT,
  reveal_secrets: FLAG,
  run_id: TEXT,
  show_expired: { ...FLAG, description: 'true: memories that have expired, too.' },
  start_date: MOMENT,
  text: TEXT,
  threshold: { type: 'number', minimum: 0, maximum: 1 },
  timestamp: MOMENT,
  top_k: MOST,
  user_id: TEXT,
}

/** The schema of an option. Throws TypeError for one without a description. */
export function fieldSchema(name: string, { clearable = [] }: FieldTable): Schema {
  const schema = name === 'memories' ? parts() : SCHEMAS[name]
  if (schema === undefined) throw new TypeError(`mem0's option ${name} has no schema`)
  return clearable.includes(name) ? { anyOf: [schema, { type: 'null' }] } : schema
}

/** `type` of an option's schema; undefined when it has several types or is unknown. */
export function kindOf(name: string): unknown {
  return Object.hasOwn(SCHEMAS, name) ? SCHEMAS[name]?.type : undefined
}

const IDLE: Schema = { description: 'Changes nothing here.' }

/** The options of a table as one object, in snake_case. */
export function recordSchema(table: FieldTable): Schema {
  const idle = WITHOUT_EFFECT.filter((name) => !table.known.includes(name))
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...table.known.map((name) => [name, fieldSchema(name, table)]),
      ...idle.map((name) => [name, IDLE]),
    ]),
    ...(table.needed === undefined ? {} : { required: table.needed }),
    additionalProperties: false,
  }
}

/** The memories of a batch. */
function parts(): Schema {
  return { type: 'array', items: { anyOf: [TEXT, recordSchema(PART_FIELDS)] }, minItems: 1, maxItems: 1000 }
}
