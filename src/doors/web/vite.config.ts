/** Builds the page into `dist/web`: files with hashed names, each beside its compressed forms. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const OUT = fileURLToPath(new URL('../../../dist/web', import.meta.url))
/** Smallest file in bytes that is worth compressing. */
const LEAST_BYTES = 1024

const compress: Plugin = {
  name: 'compress',
  writeBundle: ({ dir = OUT }, bundle) => {
    for (const name of Object.keys(bundle)) {
      if (!/\.(?:html|js|css|svg)$/.test(name)) continue
      const body = readFileSync(join(dir, name))
      if (body.length < LEAST_BYTES) continue
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(body))
      writeFileSync(join(dir, `${name}.gz`), gzipSync(body))
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
