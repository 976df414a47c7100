/**
 * Puts the sources into a few files, because a process that loads a hundred small modules starts twice as slowly.
 * All of them lie three folders below the package, like the sources, so that paths to `migrations` and `examples` hold.
 */
import { defineConfig } from 'rolldown'

export default defineConfig({
  input: {
    'library/index': 'src/doors/library/index.ts',
    'cli/main': 'src/doors/cli/main.ts',
    'mem0/index': 'src/doors/mem0/index.ts',
    'assistants/index': 'src/doors/assistants/index.ts',
    'assistants/ai-sdk': 'src/doors/assistants/ai-sdk.ts',
    'assistants/langgraph': 'src/doors/assistants/langgraph.ts',
    // A thread of its own loads it by this name.
    'http/reader': 'src/doors/http/reader.ts',
  },
  platform: 'node',
  // The tokenizer is a table of 2 MB out of a package of 50 MB; what is installed beside Mneme stays outside.
  external: (id) => /^[^./]/.test(id) && !id.startsWith('gpt-tokenizer'),
  output: {
    dir: 'dist/doors',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
})
