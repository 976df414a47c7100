/** How are many texts spread over requests? In batches bounded by number and by bytes, each text once. */

/** Positions of the texts of each batch; texts of like length share one, since a batch costs as much as its longest. */
export function batches(texts: readonly string[], most: number, mostBytes: number): readonly (readonly number[])[] {
  const order = texts.map((_, at) => at).sort((a, b) => texts[a]!.length - texts[b]!.length || a - b)
  const all: number[][] = []
  let batch: number[] = []
  let bytes = 0
  for (const at of order) {
    const size = Buffer.byteLength(texts[at]!)
    if (batch.length > 0 && (batch.length === most || bytes + size > mostBytes)) {
      all.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(at)
    bytes += size
  }
  if (batch.length > 0) all.push(batch)
  return all
}
