/**
 * Builds the kernel from its text: `node src/store/sqlite/vector-index/kernel/build.ts` writes kernel-bytes.ts.
 * A test builds it again and compares, so that the bytes never say anything else than the text.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import wabt from 'wabt'

/** The module in kernel.wat as base64. */
export async function buildKernel(): Promise<string> {
  const text = readFileSync(new URL('./kernel.wat', import.meta.url), 'utf8')
  const { parseWat } = await wabt()
  const module = parseWat('kernel.wat', text, { simd: true })
  const { buffer } = module.toBinary({})
  module.destroy()
  return Buffer.from(buffer).toString('base64')
}

/** The source of kernel-bytes.ts. */
export function kernelSource(base64: string): string {
  const lines = base64.match(/.{1,100}/g) ?? []
  return `/** The bytes of kernel.wat, written by build.ts. */\nexport const KERNEL_BASE64 =\n${lines.map((line) => `  '${line}'`).join(' +\n')}\n`
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(new URL('./kernel-bytes.ts', import.meta.url), kernelSource(await buildKernel()))
