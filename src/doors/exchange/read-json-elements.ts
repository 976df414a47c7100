/** The elements of one long JSON array, one at a time, however long the array is: a library parses, this only waits for it. */
import { late } from '../../domain/late.ts'

// Late: only exports of others need it.
const parsing = late(() => import('@streamparser/json'))

/** An element with its number from 1; `null` in the place of the rest that could not be read. */
export interface JsonElement {
  readonly number: number
  readonly value: unknown
}

/**
 * Elements of the array that stands at `path` of the document (`$.*`: the document itself is the array). Ends with an element
 * `broken` where the text is no JSON from there on; what came before it is whole.
 */
export async function* readJsonElements(
  stream: AsyncIterable<Uint8Array>,
  path = '$.*',
): AsyncGenerator<JsonElement | { readonly number: number; readonly broken: string }> {
  const ready: unknown[] = []
  let broken: string | undefined
  const { JSONParser } = await parsing()
  const parser = new JSONParser({ paths: [path], keepStack: false })
  parser.onValue = ({ value }) => ready.push(value)
  parser.onError = (error) => {
    broken ??= error.message.slice(0, 120)
  }
  let number = 0
  for await (const chunk of stream) {
    parser.write(chunk)
    while (ready.length > 0) yield { number: ++number, value: ready.shift() }
    if (broken !== undefined) break
  }
  if (broken === undefined && !parser.isEnded) broken = 'the file ends in the middle'
  if (broken !== undefined) yield { number: number + 1, broken }
}
