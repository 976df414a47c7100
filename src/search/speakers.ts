/**
 * Whose turns does a query speak of? "What did Caroline research?" is more likely answered by Caroline.
 */

const SHORTEST_NAME = 2
/** Names by word, for as many speakers as the table had when it was made: an index appends to the same array. */
const known = new WeakMap<
  readonly string[],
  { readonly byWord: ReadonlyMap<string, readonly number[]>; readonly size: number }
>()

/** For each speaker of the view 1 when a word of the query is a word of the name, else 0; null when none is named. */
export function namedSpeakers(words: readonly string[], speakers: readonly string[]): Uint8Array | null {
  let table = known.get(speakers)
  if (table === undefined || table.size !== speakers.length) {
    table = { byWord: wordsOfNames(speakers), size: speakers.length }
    known.set(speakers, table)
  }
  let named: Uint8Array | null = null
  for (const word of words) {
    for (const speaker of table.byWord.get(word) ?? []) {
      named ??= new Uint8Array(speakers.length)
      named[speaker] = 1
    }
  }
  return named
}

function wordsOfNames(speakers: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const byWord = new Map<string, number[]>()
  speakers.forEach((name, index) => {
    for (const word of new Set(name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])) {
      if (word.length < SHORTEST_NAME) continue
      const list = byWord.get(word)
      if (list === undefined) byWord.set(word, [index])
      else list.push(index)
    }
  })
  return byWord
}
