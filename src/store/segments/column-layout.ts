/** How do columns of a segment lie in one blob? One typed array behind the other, the widest first, so that each is aligned. */

const ARRAYS = { f64: Float64Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array } as const

/** Names of columns and what each holds, widest first. */
export type ColumnLayout = Readonly<Record<string, keyof typeof ARRAYS>>

export type ColumnArrays<Layout extends ColumnLayout> = {
  readonly [Name in keyof Layout]: InstanceType<(typeof ARRAYS)[Layout[Name]]>
}

/** Bytes of one document. */
function documentBytes(layout: ColumnLayout): number {
  return Object.values(layout).reduce((sum, kind) => sum + ARRAYS[kind].BYTES_PER_ELEMENT, 0)
}

/** Room for the columns of `count` documents in one blob. */
export function newColumns<Layout extends ColumnLayout>(
  layout: Layout,
  count: number,
): { readonly blob: Uint8Array; readonly columns: ColumnArrays<Layout> } {
  const blob = new Uint8Array(count * documentBytes(layout))
  return { blob, columns: readColumns(layout, blob) }
}

/** The columns in a blob, without a copy where the blob is aligned. */
export function readColumns<Layout extends ColumnLayout>(layout: Layout, blob: Uint8Array): ColumnArrays<Layout> {
  // Typed arrays need an aligned start; a driver may hand out a slice.
  const aligned = blob.byteOffset % 8 === 0 ? blob : blob.slice()
  const count = aligned.byteLength / documentBytes(layout)
  let at = aligned.byteOffset
  const columns: Record<string, ArrayLike<number>> = {}
  for (const [name, kind] of Object.entries(layout)) {
    columns[name] = new ARRAYS[kind](aligned.buffer as ArrayBuffer, at, count)
    at += count * ARRAYS[kind].BYTES_PER_ELEMENT
  }
  return columns as unknown as ColumnArrays<Layout>
}

/** The columns of neighbouring segments, one behind the other. */
export function joinColumns<Layout extends ColumnLayout>(
  layout: Layout,
  blobs: readonly Uint8Array[],
): { readonly blob: Uint8Array; readonly columns: ColumnArrays<Layout> } {
  const parts = blobs.map((blob) => readColumns(layout, blob))
  const names = Object.keys(layout)
  const lengthOf = (part: ColumnArrays<Layout>): number => part[names[0]!]!.length
  const joined = newColumns(
    layout,
    parts.reduce((sum, part) => sum + lengthOf(part), 0),
  )
  let at = 0
  for (const part of parts) {
    for (const name of names) joined.columns[name]!.set(part[name]!, at)
    at += lengthOf(part)
  }
  return joined
}

type NumberArray = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array

/** Extends every array to this length; contents stay. */
export function growColumns(columns: Record<string, NumberArray>, capacity: number): void {
  for (const [name, old] of Object.entries(columns)) {
    const longer = new (old.constructor as new (length: number) => NumberArray)(capacity)
    longer.set(old)
    columns[name] = longer
  }
}

/** Copies the columns that both have, from `start` to `end`, to where `at` says. */
export function copyColumns(
  from: Readonly<Record<string, NumberArray>>,
  start: number,
  end: number,
  to: Readonly<Record<string, NumberArray>>,
  at: number,
): void {
  for (const [name, column] of Object.entries(from)) to[name]?.set(column.subarray(start, end), at)
}
