/** Streams the elements of long JSON arrays one at a time, through a parser library. */
import { late } from '../../domain/pieces.ts'

// Late: only exports of others need it.
const parsing = late(() => import('@streamparser/json'))

/** An element with its number from 1; `null` stands for the unreadable rest. */
export interface JsonElement {
  readonly number: number
  /** Name of the enclosing list; '' where the document is the list. */
  readonly list: string
  readonly value: unknown
}

/**
 * Elements of the arrays at `paths` of the document (`$.*`: the document itself). Ends with a `broken` element at
 * invalid JSON; earlier ones are complete.
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
