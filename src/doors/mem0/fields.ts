/**
 * The options of one call: mem0 writes them in camelCase and in snake_case, here they become snake_case. One that nobody
 * knows is an error; one that asks for what Mneme does not do is an error that names what to use.
 */
import { checkBoolean, checkInteger, checkRecord } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { snakeName } from '../operations/names.ts'

/** Options by name in snake_case; none is undefined or null. */
export type Fields = Readonly<Record<string, unknown>>

/** Which options a call takes. */
export interface FieldTable {
  readonly known: readonly string[]
  /** Those without which a call means nothing. */
  readonly needed?: readonly string[]
  /** Those that mean something as null; of all others it counts as not given. */
  readonly clearable?: readonly string[]
  /** Names of mem0 that ask for something else, each with what to use instead; passed over while they are false. */
  readonly unsupported?: Readonly<Record<string, string>>
}

/** Options that change nothing here: versions of mem0's answers, accounts of its platform, ways to search. */
export const WITHOUT_EFFECT: readonly string[] = [
  'api_version',
  'async_mode',
  'enable_graph',
  'keyword_search',
  'org_id',
  'org_name',
  'output_format',
  'project_id',
  'project_name',
  'rerank',
  'source',
  'version',
]

/** Reads options; throws `invalid` or `unsupported` naming the one at fault. */
export function readFields(given: unknown, { known, clearable = [], unsupported = {} }: FieldTable): Fields {
  const fields: Record<string, unknown> = {}
  for (const [written, value] of Object.entries(checkRecord('options', given ?? {}))) {
    const name = snakeName(written)
    if (value === undefined || (value === null && !clearable.includes(name))) continue
    const remedy = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined
    if (remedy !== undefined) {
      if (value !== false) throw new MnemeError('unsupported', `${name}: is not done here`, { field: name, remedy })
      continue
    }
    if (WITHOUT_EFFECT.includes(name) && !known.includes(name)) continue
    if (!known.includes(name)) throw invalid(written, 'is not known here', remedyFor(name, known))
    if (fields[name] !== undefined && fields[name] !== value)
      throw invalid(name, 'is given twice, differently', 'Give it once.')
    fields[name] = value
  }
  return fields
}

/** Options together with what the call takes beside them. Throws `invalid` where they are no object. */
export function optionsWith(options: unknown, own: Fields): Fields {
  return { ...checkRecord('options', options ?? {}), ...own }
}

function remedyFor(name: string, known: readonly string[]): string {
  if (known.length > 0) return `Use one of: ${known.join(', ')}.`
  return name === 'user_id' ? 'Name the user by the header X-User-Id.' : 'Leave it out.'
}

/** true or false; false when it is not given. */
export function flag(fields: Fields, name: string): boolean {
  return fields[name] === undefined ? false : checkBoolean(name, fields[name])
}

/** `top_k`, which older calls name `limit`: 1 to 10,000. */
export function mostOf(fields: Fields, usually: number): number {
  const { top_k: most, limit } = fields
  if (most !== undefined && limit !== undefined && most !== limit)
    throw invalid('top_k', 'and limit are two numbers', 'Give one of them.')
  const name = most === undefined ? 'limit' : 'top_k'
  const value = most ?? limit
  return value === undefined ? usually : checkInteger(name, value, 1, 10_000)
}
