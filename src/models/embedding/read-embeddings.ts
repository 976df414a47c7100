/** What does a response of an endpoint for embeddings hold? Exactly one good vector a text, or it is a failure. */
import { z } from 'zod'
import { CallFailure } from '../http/call-failure.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { readJson } from '../http/read-json.ts'
import { unitVector } from './unit-vector.ts'

/** 64 vectors of 16,384 numbers, and some. */
const LARGEST_BODY_BYTES = 32 * 1024 * 1024

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()) })),
})

/**
 * Unit vectors in the order of the texts. Rejects with CallFailure. A wrong number or a wrong dimension is not worth
 * another request; what may be a bad moment of the server is.
 */
export async function readEmbeddings(
  response: Response,
  endpoint: Endpoint,
  count: number,
  dimension: number | null,
): Promise<readonly Float32Array[]> {
  const { body, quoted } = await readJson(response, endpoint, LARGEST_BODY_BYTES)
  const read = answerSchema.safeParse(body)
  if (!read.success) throw new CallFailure('the answer holds no embeddings', { transient: true, said: quoted })
  return inOrder(read.data.data, count, dimension)
}

function inOrder(
  items: z.infer<typeof answerSchema>['data'],
  count: number,
  dimension: number | null,
): readonly Float32Array[] {
  if (items.length !== count) throw failure(`it answered ${items.length} embeddings for ${count} texts`)
  const vectors: Float32Array[] = []
  let length = dimension
  for (const [place, { index = place, embedding }] of items.entries()) {
    if (index < 0 || index >= count || index in vectors)
      throw failure(`the answer numbers its embeddings wrongly (${index} of ${count})`)
    try {
      vectors[index] = unitVector(embedding, length)
    } catch (error) {
      throw failure(`embedding ${index} is unusable: ${error instanceof Error ? error.message : error}`)
    }
    length = embedding.length
  }
  return vectors
}

function failure(message: string): CallFailure {
  return new CallFailure(message, { transient: false })
}
