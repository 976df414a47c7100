/** Options in the query string of a request, where everything is text. */
import { invalid } from '../../domain/errors.ts'
import { parseJson } from '../rest/read-body.ts'
import { queryParameters } from '../rest/read-request.ts'

const NUMBERS = ['page', 'page_size', 'top_k', 'limit', 'threshold']
const LISTS = ['fields', 'categories']
const OBJECTS = ['filters', 'metadata']
const FLAGS = ['show_expired', 'latest_only', 'delete_linked', 'explain', 'reveal_secrets', 'infer', 'async_mode']

/** The options by name; what is no number or no switch stays text, which the checks of the option refuse. */
export function readQuery(url: string): Readonly<Record<string, unknown>> {
  const options = new Map<string, unknown>()
  for (const [name, values] of queryParameters(url)) {
    if (LISTS.includes(name)) options.set(name, values.length === 1 ? values[0]?.split(',') : values)
    else if (values.length > 1) throw invalid(name, 'is given twice', 'Give it once.')
    else options.set(name, optionOf(name, values[0] ?? ''))
  }
  return Object.fromEntries(options)
}

function optionOf(name: string, text: string): unknown {
  if (NUMBERS.includes(name) && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  // Python writes its switches with a capital.
  if (FLAGS.includes(name) && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (OBJECTS.includes(name) && text.startsWith('{"')) return parseJson(text)
  return text
}
