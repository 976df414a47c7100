/**
 * Puts the sources into a few files, because a process that loads a hundred small modules starts twice as slowly.
 * All of them lie three folders below the package, like the sources, so that paths to `migrations` and `examples` hold.
 */
import { defineConfig } from 'rolldown'

export default defineConfig({
  input: {
    'library/index': 'src/interfaces/library/index.ts',
    'cli/main': 'src/interfaces/cli/main.ts',
  },
  platform: 'node',
  external: [/^node:/, /^[^./]/],
  output: {
    dir: 'dist/interfaces',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
})
