/**
 * What if an endpoint embeds every text but one? Then that one must not keep the others from being embedded: a batch that
 * is refused is halved until the text is found, which is tried shortened and at last gets a vector that is like no other.
 */
import { createHash } from 'node:crypto'
import { CallFailure } from '../http/call-failure.ts'
import { unitVector } from './unit-vector.ts'

/** Embeds some texts, in order; rejects with an error whose cause is the CallFailure. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Float32Array[]>

/** What embedding apart needs. */
export interface EmbedApart {
  readonly embed: EmbedTexts
  /** A text that every endpoint takes: refused too, it is not the text that is refused. */
  readonly probe: string
  /** Hears of each text that nothing could be made of, with the error. */
  readonly onRefused: (text: string, error: unknown) => void
}

/** The server found fault with what was sent: malformed, too large, not to be processed. */
const FAULT_IN_TEXT: readonly number[] = [400, 413, 422]
/** Characters of a text that is too long for the model, as the usual limits of 2,048 and 512 tokens leave room for. */
const SHORTER = [2_000, 500] as const

/** One vector a text, in order. Rejects as `embed` where it is not for a text that nothing comes. */
export async function embedEach(texts: readonly string[], apart: EmbedApart): Promise<readonly Float32Array[]> {
  try {
    return await apart.embed(texts)
  } catch (error) {
    if (!isFaultOfText(error)) throw error
    await apart.embed([apart.probe]).catch(() => {
      throw error
    })
    return embedHalves(texts, error, apart)
  }
}

/** Of texts that were refused together. */
async function embedHalves(
  texts: readonly string[],
  refusal: unknown,
  apart: EmbedApart,
): Promise<readonly Float32Array[]> {
  if (texts.length === 1) return [await embedAlone(texts[0]!, refusal, apart)]
  const middle = Math.ceil(texts.length / 2)
  const vectors: Float32Array[] = []
  for (const half of [texts.slice(0, middle), texts.slice(middle)])
    try {
      vectors.push(...(await apart.embed(half)))
    } catch (error) {
      if (!isFaultOfText(error)) throw error
      vectors.push(...(await embedHalves(half, error, apart)))
    }
  return vectors
}

async function embedAlone(text: string, refusal: unknown, { embed, probe, onRefused }: EmbedApart) {
  // Once more as it is, because the endpoint may have been at fault for a moment.
  for (const tried of [text, ...SHORTER.filter((length) => length < text.length).map((length) => cut(text, length))])
    try {
      return (await embed([tried]))[0]!
    } catch (error) {
      if (!isFaultOfText(error)) throw error
    }
  const [accepted] = await embed([probe])
  onRefused(text, refusal)
  return vectorLikeNoOther(text, accepted!.length)
}

/** Refused, or answered by what is no vector, as zeros; the same text would fare no better later. */
function isFaultOfText(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  if (!(cause instanceof CallFailure) || cause.transient) return false
  return cause.status === null || FAULT_IN_TEXT.includes(cause.status)
}

function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed()
}

/**
 * A unit vector in a direction that the text's hash draws: its cosine with any other vector is 0 but for about
 * 1 / √dimension, so that nothing is taken for alike. The same text gives the same vector.
 */
export function vectorLikeNoOther(text: string, dimension: number): Float32Array {
  const values = new Float32Array(dimension)
  for (let at = 0; at < dimension; at += 8) {
    const hash = createHash('sha256').update(`${at}\0${text}`).digest()
    for (let place = 0; place < Math.min(8, dimension - at); place += 1)
      values[at + place] = hash.readInt32LE(place * 4) / 2 ** 31
  }
  return unitVector(values, dimension)
}
