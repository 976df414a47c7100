/** The words that reading knows lie in `data/words`, one list a kind, read when first asked for and kept. */
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { MnemeError } from '../domain/errors.ts'

let home: string | undefined
const tables = new Map<string, readonly string[]>()
const lists = new Map<string, ReadonlySet<string>>()

/** The lines of a table, without the comment at its head. Throws `not_found` when the file is missing. */
export function wordTable(name: string): readonly string[] {
  let lines = tables.get(name)
  if (lines === undefined) {
    lines = read('words', `${name}.txt`)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    tables.set(name, lines)
  }
  return lines
}

/** The words of a list, as written. */
export function wordList(name: string): ReadonlySet<string> {
  let words = lists.get(name)
  if (words === undefined) {
    words = new Set(wordTable(name).flatMap((line) => line.split(', ')))
    lists.set(name, words)
  }
  return words
}

/** A source of a regular expression that matches any word of a list, the longest first. */
export function anyOf(name: string): string {
  const words = [...wordList(name)].toSorted((a, b) => b.length - a.length)
  return `(?:${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`
}

/** The weights of a model, as its trainer in `bench/training` wrote them. Throws `not_found` when the file is missing. */
export function weightFile<T>(name: string): T {
  return JSON.parse(read('weights', `${name}.json`))
}

function read(folder: string, name: string): string {
  // Sources and built files lie in different depths below the package.
  home ??= dirname(findPackageJSON('.', import.meta.url) ?? '.')
  const file = join(home, 'data', folder, name)
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new MnemeError('not_found', `data/${folder}/${name} cannot be read.`, {
      remedy: 'Install Mneme anew: its folder data is missing.',
      place: file,
      cause,
    })
  }
}
