/** Bytes whose CRC-32 is known are mended where one bit of them has flipped; of more damage nothing is guessed. */
import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'

/** The separator of texts under one check value. */
export const BETWEEN = '\0'

/** The check value of texts together, a CRC-32 with a sign; null counts as no text. */
export function checkOf(...texts: readonly unknown[]): number {
  return crc32(texts.join(BETWEEN)) | 0
}

/** Whether bytes are texts; what is no bytes counts as none. */
export function isText(...parts: readonly unknown[]): boolean {
  return parts.every((part) => !(part instanceof Uint8Array) || isUtf8(part))
}

/** The polynomial of CRC-32, its lowest power in the highest bit. */
const POLYNOMIAL = 0xed_b8_83_20

/** The bytes with that one bit turned back which makes them whole; null: it is not one. Takes time as the bytes grow. */
export function withBitBack(bytes: Uint8Array, check: number): Buffer | null {
  const wrong = (crc32(bytes) ^ check) >>> 0
  // The change of the CRC by the flip of a bit, from the last bit to the first; no two change the same.
  let byBit = POLYNOMIAL
  for (let bit = 8 * bytes.length - 1; bit >= 0; bit -= 1) {
    if (byBit === wrong) {
      const mended = Buffer.from(bytes)
      mended[bit >> 3]! ^= 1 << (bit & 7)
      return mended
    }
    byBit = ((byBit & 1 ? POLYNOMIAL : 0) ^ (byBit >>> 1)) >>> 0
  }
  return null
}
