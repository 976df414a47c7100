/** Builds the page into `dist/web`: files with hashed names, each beside its compressed forms. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const OUT = fileURLToPath(new URL('../../../dist/web', import.meta.url))
/** Smallest file in bytes that is worth compressing. */
const LEAST_BYTES = 1024

let folder = OUT

const compress: Plugin = {
  name: 'compress',
  configResolved: ({ build }) => {
    folder = build.outDir
  },
  closeBundle: () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:html|js|css|svg)$/.test(name)) continue
      const body = readFileSync(join(folder, name))
      if (body.length < LEAST_BYTES) continue
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body))
      writeFileSync(join(folder, `${name}.gz`), gzipSync(body))
    }
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
  plugins: [compress],
})
