/** The elements of long JSON arrays, one at a time, however long an array is: a library parses, this only waits for it. */
import { late } from '../../domain/late.ts'

// Late: only exports of others need it.
const parsing = late(() => import('@streamparser/json'))

/** An element with its number from 1; `null` in the place of the rest that could not be read. */
export interface JsonElement {
  readonly number: number
  /** Name of the list that it stands in; '' where the document is the list. */
  readonly list: string
  readonly value: unknown
}

/**
 * Elements of the arrays that stand at `paths` of the document (`$.*`: the document itself is the array). Ends with an element
 * `broken` where the text is no JSON from there on; what came before it is whole.
 */
export async function* readJsonElements(
  stream: AsyncIterable<Uint8Array>,
  paths: readonly string[],
): AsyncGenerator<JsonElement | { readonly number: number; readonly broken: string }> {
  const ready: { readonly list: string; readonly value: unknown }[] = []
  let broken: string | undefined
  const { JSONParser } = await parsing()
  const parser = new JSONParser({ paths: [...paths], keepStack: false })
  parser.onValue = ({ value, stack }) => ready.push({ value, list: String(stack.at(-1)?.key ?? '') })
  parser.onError = (error) => {
    broken ??= error.message.slice(0, 120)
  }
  let number = 0
  for await (const chunk of stream) {
    parser.write(chunk)
    for (const one of ready.splice(0)) yield { number: ++number, ...one }
    if (broken !== undefined) break
  }
  if (broken === undefined && !parser.isEnded) broken = 'the file ends in the middle'
  if (broken !== undefined) yield { number: number + 1, broken }
}
