/** Options in the query string of a request, where everything is text. */
import { invalid } from '../../domain/errors.ts'
import { parseJson } from '../http/read-body.ts'
import { queryParameters } from '../http/read-request.ts'
import { snakeName } from '../operations/names.ts'
import { kindOf } from './field-schemas.ts'

/** The options by name; what is no number or no switch stays text, which the checks of the option refuse. */
export function readQuery(url: string): Readonly<Record<string, unknown>> {
  const options = new Map<string, unknown>()
  for (const [name, values] of queryParameters(url)) {
    const kind = kindOf(snakeName(name))
    if (kind === 'array') options.set(name, values.length === 1 ? values[0]?.split(',') : values)
    else if (values.length > 1) throw invalid(name, 'is given twice', 'Give it once.')
    else options.set(name, optionOf(kind, values[0] ?? ''))
  }
  return Object.fromEntries(options)
}

function optionOf(kind: unknown, text: string): unknown {
  if ((kind === 'number' || kind === 'integer') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  // Python writes its switches with a capital.
  if (kind === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (kind === 'object' && text.startsWith('{"')) return parseJson(text)
  return text
}
