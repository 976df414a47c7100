/** The local model itself. It runs where the optional package is installed and the model lies beside the repository. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { importTransformers, openEmbedder } from './open-embedder.ts'

const MODELS = fileURLToPath(new URL('../../../../shared/models', import.meta.url))
const isInstalled = await importTransformers().then(
  () => true,
  () => false,
)
const reason = !isInstalled
  ? '@huggingface/transformers is not installed'
  : existsSync(MODELS)
    ? null
    : 'there is no model beside the repository'

describe.skipIf(reason !== null)(`all-MiniLM-L6-v2 on this computer${reason === null ? '' : ` (${reason})`}`, () => {
  const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0)

  test('other words for the same thing are nearer than the same words for another thing', async () => {
    const embedder = await openEmbedder({ provider: 'local', modelsDir: MODELS })
    expect(await embedder.dimension()).toBe(384)
    const [question] = await embedder.embed(['Who in the family is a musician?'], { kind: 'query' })
    const [near, far] = await embedder.embed(
      ['My sister plays the cello in an orchestra.', 'The family tax return is due in April.'],
      { kind: 'document' },
    )
    expect(cosine(question!, near!)).toBeGreaterThan(cosine(question!, far!) + 0.1)
    for (const vector of [question!, near!, far!]) expect(Math.hypot(...vector)).toBeCloseTo(1, 4)
    await embedder.close()
    await expect(embedder.embed(['late'], { kind: 'document' })).rejects.toMatchObject({ code: 'closed' })
  })

  test('a long text and many short ones come back in order', async () => {
    const embedder = await openEmbedder({ provider: 'local', modelsDir: MODELS })
    const texts = [
      'word '.repeat(3000),
      ...Array.from({ length: 40 }, (_, at) => `Item ${at} is a ${at % 2 ? 'boat' : 'cake'}.`),
    ]
    const vectors = await embedder.embed(texts, { kind: 'document' })
    const [again] = await embedder.embed([texts[17]!], { kind: 'document' })
    expect(vectors).toHaveLength(texts.length)
    expect(cosine(vectors[17]!, again!)).toBeCloseTo(1, 5)
    expect(cosine(vectors[18]!, again!)).toBeLessThan(0.97)
    await embedder.close()
  })
})
