/**
 * Puts the sources into a few files, because a process that loads a hundred small modules starts twice as slowly.
 * All of them lie three folders below the package, like the sources, so that paths to `migrations` and `examples` hold.
 */
import { globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type ChunkingContext, defineConfig } from 'rolldown'

/**
 * Who loads the library with an older Node is told so in a sentence, and not which expression or module is missing there: a module
 * of its own looks before the others are even parsed.
 */
const start = (exports: readonly string[]): string => `import { createRequire } from 'node:module'
if (Number(process.versions.node.split('.')[0]) < 24)
  throw new Error('Mneme needs Node 24 or newer; this is Node ' + process.versions.node + '.')
export const { ${exports.join(', ')} } = createRequire(import.meta.url)('./index.js')
`

/** The beginnings of an answer in any process, and of a hook besides. */
const ANSWERING = ['doors/library/open-memory.ts', 'usecases/build-context.ts', 'usecases/briefing.ts']
const HOOKING = ['doors/cli/main.ts', 'doors/cli/commands/hook.ts']

const needed = new Map<readonly string[], ReadonlySet<string>>()

/** Whether one of the beginnings imports the module, or something that does. */
function isNeeded(id: string, begins: readonly string[], graph: ChunkingContext): boolean {
  let known = needed.get(begins)
  if (known === undefined) {
    const found = new Set(begins.map((file) => join(import.meta.dirname, 'src', file)))
    for (const one of found) for (const imported of graph.getModuleInfo(one)?.importedIds ?? []) found.add(imported)
    known = found
    needed.set(begins, known)
  }
  return known.has(id)
}

/** Deletes the declarations that no entry of the package leads to: two thirds of all that the compiler wrote, if it did. */
function deleteUnreachedDeclarations(entries: readonly string[]): void {
  const written = new Set(globSync('dist/**/*.d.ts').map((file) => resolve(file)))
  const reached = new Set(
    entries.map((entry) => resolve('dist/doors', `${entry}.d.ts`)).filter((file) => written.has(file)),
  )
  for (const file of reached)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/['"](\.{1,2}\/[^'"]+)\.[jt]s['"]/g)) {
      const next = resolve(dirname(file), `${path}.d.ts`)
      if (written.has(next)) reached.add(next)
    }
  for (const file of written.difference(reached)) rmSync(file)
}

export default defineConfig({
  plugins: [
    {
      name: 'declarations',
      writeBundle: (_, bundle) =>
        deleteUnreachedDeclarations(
          Object.values(bundle).flatMap((chunk) =>
            chunk.type === 'chunk' && chunk.isEntry && !/^(?:cli|http)\//.test(chunk.name) ? [chunk.name] : [],
          ),
        ),
    },
    {
      name: 'start',
      // An import of Node's own module reads all that it has, and so loads its streams and web cryptography, too.
      renderChunk: (code) =>
        code.replace(/^import \{([^}]*)\} from "(node:[^"]*)";$/gm, (_, names: string, from: string) => {
          const node = `process.getBuiltinModule("${from}")`
          if (from !== 'node:crypto' && from !== 'node:fs/promises')
            return `const {${names.replaceAll(' as ', ': ')}} = ${node};`
          // What is called of them is seldom called, and takes milliseconds to load.
          const called = names.split(',').map((name) => name.trim().split(' as '))
          return called.map(([its, ours = its]) => `const ${ours} = (...given) => ${node}.${its}(...given);`).join('\n')
        }),
      generateBundle(_, bundle) {
        for (const file of ['library/index.js', 'mem0/index.js', 'assistants/index.js']) {
          const entry = bundle[file]
          if (entry?.type !== 'chunk') throw new Error(`There is no ${file}.`)
          const fileName = file.replace('index', 'start')
          this.emitFile({ type: 'asset', fileName, source: start(entry.exports) })
        }
      },
    },
  ],
  input: {
    'library/index': 'src/doors/library/index.ts',
    'cli/main': 'src/doors/cli/main.ts',
    'mem0/index': 'src/doors/mem0/index.ts',
    'assistants/index': 'src/doors/assistants/index.ts',
    'assistants/ai-sdk': 'src/doors/assistants/ai-sdk.ts',
    'assistants/langgraph': 'src/doors/assistants/langgraph.ts',
    'assistants/openai-agents': 'src/doors/assistants/openai-agents.ts',
    // Threads load it by this name.
    'http/thread': 'src/doors/http/thread.ts',
  },
  platform: 'node',
  // What is installed beside Mneme stays outside.
  external: /^[^./]/,
  output: {
    dir: 'dist/doors',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Comments are read in the declarations; what a process loads goes without them.
    comments: { jsdoc: false },
    // What an answer takes is one file, which is read sooner than sixty; so is what the command line adds for a hook.
    codeSplitting: {
      groups: [
        { name: (id, graph) => (isNeeded(id, ANSWERING, graph) ? 'base' : null), priority: 2 },
        { name: (id, graph) => (isNeeded(id, HOOKING, graph) ? 'hook' : null), priority: 1 },
      ],
    },
  },
})
