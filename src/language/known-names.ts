/** Names that every programmer knows (`data/words/software.txt`) are no symbols of the program at hand. */
import { late } from '../domain/pieces.ts'
import { wordTable } from './word-lists.ts'

const named = (kind: string): Pick<ReadonlySet<string>, 'has'> => {
  const lines = () => wordTable('software').filter((line) => line.startsWith(`${kind}|`))
  const names = late(() => new Set(lines().flatMap((line) => line.slice(kind.length + 1).split(' '))))
  return { has: (name) => names().has(name) }
}

/** Products, companies and units written with inner capitals, lowercase here; a plural `s` is taken off before asking. */
export const BRAND_NAMES = named('brand names')

/** Libraries whose names look like files, such as node.js and socket.io, in lower case without the ending. */
export const LIBRARIES_NAMED_LIKE_FILES = named('libraries named like files')

/** Endings of documents, pictures, recordings and archives: files of a project only inside one of its folders or in code. */
export const DOCUMENT_ENDINGS = named('document endings')

/** Endings that make `name.ending` a file of a program: sources, settings, notes beside them, what they make. */
export const FILE_ENDINGS = named('file endings')

/** Files without an ending, and dot files, that are known by their whole name. */
export const KNOWN_FILES = named('known files')

/** First segments that make a relative path without an ending a path: src/components. */
export const KNOWN_FOLDERS = named('known folders')

/** Last labels that make a dotted name an address on the internet wherever it stands. */
export const DOMAIN_ENDINGS = named('domain endings')

/** Last labels that make a dotted name in prose an address, but may be a member in code. */
export const PROSE_DOMAIN_ENDINGS = named('prose domain endings')

/** Error numbers of POSIX as Node and C print them. */
export const POSIX_ERRORS = named('posix errors')

/** Words of programming languages, their literals and types: never symbols, even between backticks. */
export const LANGUAGE_WORDS = named('language words')

/** Calls of every program, which say nothing about a block of code. */
export const EVERYDAY_CALLS = named('everyday calls')

/** Capital letters between backticks that are a protocol, a verb of HTTP, SQL or an everyday abbreviation. */
export const CAPITAL_WORDS = named('capital words')
