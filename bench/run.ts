/**
 * `npm run bench -- <name> [--json] [--data DIR] [--option value]`: runs one bench and prints its figures. Without `--data`
 * the data sets are looked for in MNEME_BENCH_DATA, then in `../shared/data`.
 */
import type { BenchOptions, Figure } from './figure.ts'

type Bench = (options: BenchOptions) => Promise<readonly Figure[]>

const BENCHES: Readonly<Record<string, () => Promise<{ run: Bench }>>> = {
  evidence: () => import('./quality/evidence.ts'),
  'recall-quality': () => import('./quality/recall-quality.ts'),
  duplicates: () => import('./quality/duplicates.ts'),
  notes: () => import('./quality/notes.ts'),
  updates: () => import('./quality/updates.ts'),
  extraction: () => import('./quality/extraction.ts'),
  'model-answers': () => import('./quality/model-answers.ts'),
  recall: () => import('./speed/recall.ts'),
  store: () => import('./speed/store.ts'),
  import: () => import('./speed/import.ts'),
  exchange: () => import('./speed/exchange.ts'),
  'hook-tokens': () => import('./quality/hook-tokens.ts'),
  start: () => import('./speed/start.ts'),
  footprint: () => import('./speed/footprint.ts'),
  writers: () => import('./speed/writers.ts'),
  kill: () => import('./speed/kill.ts'),
  pack: () => import('./speed/pack.ts'),
  vectors: () => import('./speed/vectors.ts'),
  meaning: () => import('./speed/meaning.ts'),
  milvus: () => import('./speed/milvus.ts'),
  model: () => import('./speed/model.ts'),
  mcp: () => import('./speed/mcp.ts'),
  proxy: () => import('./speed/proxy.ts'),
  consolidate: () => import('./speed/consolidate.ts'),
  rest: () => import('./speed/rest.ts'),
  digest: () => import('./speed/digest.ts'),
  page: () => import('./speed/page.ts'),
  soak: () => import('./speed/soak.ts'),
  think: () => import('./speed/think.ts'),
  pairs: () => import('./quality/pairs.ts'),
}

// A reader of the first lines alone has seen enough.
process.stdout.on('error', () => process.exit(0))

const { name, json, options } = readArguments(process.argv.slice(2))
const load = name === undefined ? undefined : BENCHES[name]
if (load === undefined) {
  process.stderr.write(`Name a bench: ${Object.keys(BENCHES).join(', ')}\n`)
  process.exit(2)
}
try {
  print(await (await load()).run(options), json)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function readArguments(words: readonly string[]): { name?: string; json: boolean; options: BenchOptions } {
  const flags: Record<string, string> = {}
  const names: string[] = []
  let asJson = false
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    if (word === '--json') asJson = true
    else if (word.startsWith('--')) flags[word.slice(2)] = words[++at] ?? ''
    else names.push(word)
  }
  const data = flags.data ?? process.env.MNEME_BENCH_DATA ?? '../shared/data'
  return { ...(names[0] === undefined ? {} : { name: names[0] }), json: asJson, options: { data, flags } }
}

function print(figures: readonly Figure[], asJson: boolean): void {
  if (asJson) {
    for (const figure of figures) process.stdout.write(`${JSON.stringify(figure)}\n`)
    return
  }
  const width = Math.max(...figures.map(({ figure }) => figure.length))
  const inTable = figures.filter(({ column }) => column !== undefined)
  const columns = [...new Set(inTable.map(({ column }) => column!))]
  if (columns.length > 0)
    process.stdout.write(`${''.padEnd(width)}${columns.map((name) => name.padStart(18)).join('')}\n`)
  for (const [name, row] of Map.groupBy(inTable, ({ figure }) => figure)) {
    const cells = columns.map((column) => cellOf(row.find((one) => one.column === column)).padStart(18))
    process.stdout.write(`${name.padEnd(width)}${cells.join('')} ${row[0]!.unit.padEnd(6)} n=${row[0]!.n}\n`)
  }
  for (const { figure, column, value, unit, n, reference, ratio } of figures) {
    if (column !== undefined) continue
    const compared =
      reference === undefined ? '' : `  ${ratio === undefined ? '' : `${ratio.toFixed(2)} × `}${reference}`
    process.stdout.write(`${figure.padEnd(width)}  ${shortly(value).padStart(9)} ${unit.padEnd(8)} n=${n}${compared}\n`)
  }
}

function cellOf(figure: Figure | undefined): string {
  if (figure === undefined) return ''
  return figure.reference === undefined ? shortly(figure.value) : `${shortly(figure.value)} (${figure.reference})`
}

function shortly(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
