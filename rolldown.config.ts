/**
 * Puts the sources into a few files, because a process that loads a hundred small modules starts twice as slowly.
 * All of them lie three folders below the package, like the sources, so that paths to `migrations` and `data` hold.
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
export const { ${exports.join(', ')} } = createRequire(import.meta.url)('./index.cjs')
`

/** The beginnings of an answer in any process, and of a hook besides. */
const ANSWERING = ['doors/library/open-memory.ts', 'usecases/message-context.ts', 'usecases/briefing.ts']
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

/** As ASCII, in half the memory. Nothing here is read raw but expressions, which know the escapes. */
function inAscii(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const ENTRIES = ['library/index', 'cli/main', 'mem0/index', 'assistants/index', 'http/thread']
/** They extend classes of packages that a program loads as modules. */
const FRAMEWORKS = ['assistants/ai-sdk', 'assistants/langgraph', 'assistants/openai-agents']

const common = {
  platform: 'node',
  // What is installed beside Mneme stays outside, but for a function that every answer needs: finding a package takes longer.
  external: /^(?!stemmer$)[^./]/,
} as const
const written = {
  dir: 'dist/doors',
  // Comments are read in the declarations; what a process loads goes without them.
  comments: { jsdoc: false },
} as const

/** Everything but the frameworks, as CommonJS: V8 then keeps of each file what a process ran, which it cannot for modules. */
export const program = defineConfig({
  ...common,
  plugins: [
    {
      name: 'start',
      // What is called of them is seldom called, and takes milliseconds to load.
      renderChunk: (code) =>
        code
          .replace(/^let \w+ = require\("node:(?:crypto|fs\/promises)"\);\n/gm, '')
          // Node warns of imports in what `bin/compiled.js` loads, which imports for it.
          .replace(/\bimport\(("[^"]*")\)/g, '(require.import?.($1) ?? import($1))')
          .replace(/\bnode_(crypto|fs_promises)\./g, (_, name: string) => `require("node:${name.replace('_', '/')}").`),
      generateBundle(_, bundle) {
        for (const file of ['library/index.cjs', 'mem0/index.cjs', 'assistants/index.cjs']) {
          const entry = bundle[file]
          if (entry?.type !== 'chunk') throw new Error(`There is no ${file}.`)
          this.emitFile({ type: 'asset', fileName: file.replace('.cjs', '.js'), source: start(entry.exports) })
        }
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && /^(?:base|hook)$/.test(chunk.name)) chunk.code = inAscii(chunk.code)
      },
    },
  ],
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, `src/doors/${entry}.ts`])),
  output: {
    ...written,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    // What an answer takes is one file, which is read sooner than sixty; so is what the command line adds for a hook.
    codeSplitting: {
      groups: [
        { name: (id, graph) => (isNeeded(id, ANSWERING, graph) ? 'base' : null), priority: 2 },
        { name: (id, graph) => (isNeeded(id, HOOKING, graph) ? 'hook' : null), priority: 1 },
      ],
    },
  },
})

const frameworks = defineConfig({
  ...common,
  plugins: [
    {
      name: 'declarations',
      writeBundle: () =>
        deleteUnreachedDeclarations([...ENTRIES, ...FRAMEWORKS].filter((entry) => !/^(?:cli|http)\//.test(entry))),
    },
  ],
  input: Object.fromEntries(FRAMEWORKS.map((entry) => [entry, `src/doors/${entry}.ts`])),
  output: { ...written, format: 'esm', chunkFileNames: 'assistants/[name]-[hash].js' },
})

export default [program, frameworks]
