/** all-MiniLM-L6-v2 from a folder: its vectors of pieces and of texts, token by token; nothing is fetched. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const NAME = 'all-MiniLM-L6-v2'
const PACKAGE = '@huggingface/transformers'
const BATCH = 64
const [BEGIN, END] = ['[CLS]', '[SEP]']

interface Tensor {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

/** The part of @huggingface/transformers that is used here. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => object
  readonly AutoModel: { from_pretrained(name: string, options: { dtype: 'q8' }): Promise<Model> }
  readonly AutoTokenizer: { from_pretrained(name: string): Promise<{ encode(text: string): number[] }> }
}

interface Model {
  (inputs: Readonly<Record<string, object>>): Promise<{ readonly last_hidden_state: Tensor }>
  dispose(): Promise<unknown>
}

/** The model, opened. */
export interface SentenceModel {
  /** The vocabulary: a piece's place is its id. */
  readonly pieces: readonly string[]
  readonly dimensions: number
  /** The ids of a text between the two marks that every text has. */
  tokens(text: string): readonly number[]
  /** One row a piece: what stands at its place when nothing else is said. */
  pieceVectors(ids: readonly number[]): Promise<Float32Array>
  /** One row a text, of length 1: the mean over all its tokens, as the model is meant to be used. */
  textVectors(texts: readonly (readonly number[])[]): Promise<Float32Array>
  close(): Promise<void>
}

/** @param packages a folder in which the package is installed, where it is not beside this file */
export async function openSentenceModel(models: string, packages: string | undefined): Promise<SentenceModel> {
  const from = packages === undefined ? import.meta.filename : join(resolve(packages), 'package.json')
  const entry = createRequire(from).resolve(PACKAGE)
  const { env, AutoModel, AutoTokenizer, Tensor }: Transformers = await import(pathToFileURL(entry).href)
  env.allowRemoteModels = false
  env.localModelPath = resolve(models)
  const model = await AutoModel.from_pretrained(NAME, { dtype: 'q8' })
  const tokenizer = await AutoTokenizer.from_pretrained(NAME)
  const { vocab } = JSON.parse(readFileSync(join(models, NAME, 'tokenizer.json'), 'utf8')).model as {
    vocab: Record<string, number>
  }
  const { hidden_size: dimensions } = JSON.parse(readFileSync(join(models, NAME, 'config.json'), 'utf8')) as {
    hidden_size: number
  }
  const pieces = Object.entries(vocab)
    .sort(([, a], [, b]) => a - b)
    .map(([piece]) => piece)

  /** Texts of one length at a time: what one text gets filled up with would change the others' rounding. */
  async function states(texts: readonly (readonly number[])[]): Promise<Float32Array> {
    const length = texts[0]!.length + 2
    const ids = texts.flatMap((text) => [vocab[BEGIN]!, ...text, vocab[END]!]).map(BigInt)
    const tensor = (fill: (at: number) => bigint) =>
      new Tensor(
        'int64',
        BigInt64Array.from(ids, (_, at) => fill(at)),
        [texts.length, length],
      )
    const { last_hidden_state: rows } = await model({
      input_ids: tensor((at) => ids[at]!),
      attention_mask: tensor(() => 1n),
      token_type_ids: tensor(() => 0n),
    })
    return rows.data
  }

  return {
    pieces,
    dimensions,
    tokens: (text) => tokenizer.encode(text).slice(1, -1),
    async pieceVectors(ids) {
      const rows = new Float32Array(ids.length * dimensions)
      for (let from = 0; from < ids.length; from += BATCH) {
        const batch = ids.slice(from, from + BATCH)
        const found = await states(batch.map((id) => [id]))
        for (let at = 0; at < batch.length; at += 1) {
          const middle = (at * 3 + 1) * dimensions
          rows.set(found.subarray(middle, middle + dimensions), (from + at) * dimensions)
        }
      }
      return rows
    },
    async textVectors(texts) {
      const rows = new Float32Array(texts.length * dimensions)
      const byLength = Map.groupBy(texts.keys(), (text) => texts[text]!.length)
      for (const [length, all] of byLength)
        for (let from = 0; from < all.length; from += BATCH) {
          const batch = all.slice(from, from + BATCH)
          const found = await states(batch.map((text) => texts[text]!))
          for (const [at, text] of batch.entries()) {
            const row = rows.subarray(text * dimensions, (text + 1) * dimensions)
            const tokens = length + 2
            for (let token = 0; token < tokens; token += 1)
              for (let to = 0; to < dimensions; to += 1) row[to]! += found[(at * tokens + token) * dimensions + to]!
            const norm = Math.hypot(...row)
            for (let to = 0; to < dimensions; to += 1) row[to]! /= norm
          }
        }
      return rows
    },
    async close() {
      await model.dispose()
    },
  }
}
