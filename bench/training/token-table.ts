/**
 * `node bench/training/token-table.ts`: writes `data/tokens-o200k.bin` from the encoding's own list of tokens, as the
 * package gpt-tokenizer has it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/esm/encodingParams/constants'
import { writeTokenTable } from './tables.ts'

const list = createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken')
const tokens: Uint8Array[] = []
for (const line of readFileSync(list, 'utf8').split('\n')) {
  const [token = '', rank] = line.split(' ')
  if (rank !== undefined) tokens[Number(rank)] = Buffer.from(token, 'base64')
}
writeFileSync(
  new URL('../../data/tokens-o200k.bin', import.meta.url),
  writeTokenTable(tokens, O200K_TOKEN_SPLIT_REGEX.source),
)
