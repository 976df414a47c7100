/** The few bytes between the fields of a protobuf message. https://protobuf.dev/programming-guides/encoding/ */

/** Wire types. */
export const VARINT = 0
export const LENGTH = 2

/** Number and wire type of a field. */
export function tag(field: number, wire: number): readonly number[] {
  return varint(field * 8 + wire)
}

/** Seven bits a byte, the lowest first; all but the last have the eighth bit set. */
export function varint(value: number): readonly number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return [...bytes, rest]
}
