/**
 * Builds a kernel from its text: `node test/support/build-kernel.ts FOLDER` writes the kernel-bytes.ts beside kernel.wat.
 * Tests build it again and compare, so that the bytes never say anything else than the text.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import wabt from 'wabt'

/** The source of the kernel-bytes.ts that belongs to the kernel.wat of a folder. */
export async function kernelSource(folder: string): Promise<string> {
  const text = readFileSync(join(folder, 'kernel.wat'), 'utf8')
  const { parseWat } = await wabt()
  const module = parseWat('kernel.wat', text, { simd: true })
  const { buffer } = module.toBinary({})
  module.destroy()
  const lines = Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,100}/g)!
  return `/** The bytes of kernel.wat, written by test/support/build-kernel.ts. */\nexport const KERNEL_BASE64 =\n${lines.map((line) => `  '${line}'`).join(' +\n')}\n`
}

const [, script, folder] = process.argv
if (script === import.meta.filename && folder !== undefined)
  writeFileSync(join(folder, 'kernel-bytes.ts'), await kernelSource(folder))
