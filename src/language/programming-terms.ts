/** Programming and chat words in the other language widen a query, so that 缓存 finds CacheManager. */
import { lazy } from '../domain/scheduling.ts'
import { isSymbolTerm, queryTerms } from './terms.ts'
import { wordTable } from './word-lists.ts'

interface Row {
  /** Cut where a query asks for them: that takes longer than all the rest. */
  readonly chinese: readonly string[]
  readonly englishTerms: readonly string[]
}

/** A Chinese word with its row. */
interface Found {
  readonly word: string
  readonly row: Row
}

/** The table is cut on first use, so that a process that only stores need not wait for it. */
const table = lazy(() => {
  const byEnglishTerm = new Map<string, Row[]>()
  const byFirstCharacter = new Map<string, Found[]>()
  for (const line of wordTable('programming-terms')) {
    const [left, right] = line.split('|')
    const chinese = left!.split(' ')
    const englishTerms = right!.split(' ').flatMap((word) => queryTerms(word, 1))
    const row: Row = { chinese, englishTerms }
    for (const term of englishTerms) add(byEnglishTerm, term, row)
    for (const word of chinese) add(byFirstCharacter, word[0]!, { word, row })
  }
  return { byEnglishTerm, byFirstCharacter }
})

/** Index terms of the other language for the words of a query; none that the query already has. */
export function expandTerms(query: string): readonly string[] {
  return [...translationsIn(query).keys()]
}

/** As `expandTerms`, each with the terms of the query that it translates. */
export function translationsIn(query: string): ReadonlyMap<string, readonly string[]> {
  const own = queryTerms(query)
  const found = new Map<string, string[]>()
  for (const term of own)
    for (const row of table().byEnglishTerm.get(term) ?? [])
      for (const other of row.chinese.flatMap(chineseTerms)) add(found, other, term)
  for (const { word, row } of chineseRows(query))
    for (const other of row.englishTerms) for (const term of chineseTerms(word)) add(found, other, term)
  for (const term of found.keys()) if (own.includes(term) || isSymbolTerm(term)) found.delete(term)
  return found
}

/** The longest word of the table at each place: 数据库 is not also 数据. Words of one character never count inside others. */
function chineseRows(query: string): readonly Found[] {
  const found: Found[] = []
  let at = 0
  while (at < query.length) {
    let longest: Found | undefined
    for (const entry of table().byFirstCharacter.get(query[at]!) ?? []) {
      if (query.startsWith(entry.word, at) && entry.word.length > (longest?.word.length ?? 0)) longest = entry
    }
    if (longest !== undefined && (longest.word.length > 1 || standsAlone(query, at))) found.push(longest)
    at += longest?.word.length ?? 1
  }
  return found
}

function standsAlone(query: string, at: number): boolean {
  const han = /\p{Script=Han}/u
  return !han.test(query[at - 1] ?? '') && !han.test(query[at + 1] ?? '')
}

/** A word of several characters is found by its pairs; single characters would find too much. */
function chineseTerms(word: string): readonly string[] {
  const terms = queryTerms(word)
  return word.length === 1 ? terms : terms.filter((term) => term.length > 1)
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
