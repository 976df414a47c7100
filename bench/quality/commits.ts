/**
 * Does recall find code talk? Commit messages of two TypeScript projects, each body a turn of one user:
 * a title must find its own body, and an identifier asked as spaced words ("use ref") the bodies that hold it.
 */
import { readFile } from 'node:fs/promises'
import type { PlainTurn } from '../../test/support/in-memory-view.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { asker } from './ask.ts'
import { requireData } from './data-folder.ts'
import { type Measures, means, measure } from './retrieval-metrics.ts'

interface RawCommit {
  readonly repo: string
  readonly date: string
  readonly title: string
  readonly body: string
}

/** camelCase, PascalCase with an inner capital, and snake_case; dotted names are taken apart at the dots first. */
const IDENTIFIER =
  /(?<![\w$])(?:[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)(?![\w$])/g

/** An identifier that more bodies hold than this is no question for five places. */
const MOST_BODIES = 5

/** Flags: `--file NAME` in the data folder. */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  const path = requireData(`${data}/${flags.file ?? 'commits-dev.json'}`)
  const commits = JSON.parse(await readFile(path, 'utf8')) as readonly RawCommit[]
  const turns: PlainTurn[] = commits.map(({ repo, date, body }, index) => ({
    conversationId: `${repo}/${index}`,
    content: body,
    createdAt: Date.parse(date),
  }))
  const now = Math.max(...turns.map(({ createdAt }) => createdAt))
  const ask = asker(turns)
  const figures: Figure[] = []
  const report = (group: string, measures: readonly Measures[]): void => {
    for (const [name, value] of means(measures)) {
      figures.push({ bench: 'commits', figure: `${group}, ${name}`, value, unit: '%', n: measures.length })
    }
  }
  const byTitle: Measures[] = []
  for (const [index, { title }] of commits.entries()) byTitle.push(measure(await ask(title, now), [index]))
  report('title → its body', byTitle)
  const spaced: Measures[] = []
  const asWritten: Measures[] = []
  for (const [identifier, gold] of identifiers(commits)) {
    spaced.push(measure(await ask(spacedWords(identifier), now), gold))
    asWritten.push(measure(await ask(identifier, now), gold))
  }
  report('identifier as spaced words → bodies', spaced)
  report('identifier as written → bodies', asWritten)
  return figures
}

/** Identifiers with the positions of the bodies that hold them. */
function identifiers(commits: readonly RawCommit[]): ReadonlyMap<string, readonly number[]> {
  const bodies = new Map<string, Set<number>>()
  commits.forEach(({ body }, index) => {
    for (const [identifier] of body.matchAll(IDENTIFIER)) {
      bodies.set(identifier, (bodies.get(identifier) ?? new Set()).add(index))
    }
  })
  return new Map([...bodies].filter(([, gold]) => gold.size <= MOST_BODIES).map(([name, gold]) => [name, [...gold]]))
}

/** "HonoRequest" → "hono request", "error_description" → "error description". */
function spacedWords(identifier: string): string {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}
