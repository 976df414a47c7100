/** Does this run of characters look like a name of a program, an identifier or a path? A possible word of prose needs evidence around it. */
import { lazy } from '../../domain/scheduling.ts'
import type { SymbolKind } from '../../domain/turn.ts'
import { wordsOfKind } from '../word-lists.ts'

const named = (kind: string): Pick<ReadonlySet<string>, 'has'> => {
  const names = lazy(() => wordsOfKind('software', kind))
  return { has: (name) => names().has(name) }
}

/** Products, companies and units written with inner capitals, lowercase here; a plural `s` is taken off before asking. */
const BRAND_NAMES = named('brand names')

/** Libraries whose names look like files, such as node.js and socket.io, in lower case without the ending. */
const LIBRARIES_NAMED_LIKE_FILES = named('libraries named like files')

/** Endings of documents, pictures, recordings and archives: files of a project only inside one of its folders or in code. */
const DOCUMENT_ENDINGS = named('document endings')

/** Endings that make `name.ending` a file of a program: sources, settings, notes beside them, what they make. */
const FILE_ENDINGS = named('file endings')

/** Files without an ending, and dot files, that are known by their whole name. */
export const KNOWN_FILES = named('known files')

/** First segments that make a relative path without an ending a path: src/components. */
const KNOWN_FOLDERS = named('known folders')

/** Last labels that make a dotted name an address on the internet wherever it stands. */
const DOMAIN_ENDINGS = named('domain endings')

/** Last labels that make a dotted name in prose an address, but may be a member in code. */
const PROSE_DOMAIN_ENDINGS = named('prose domain endings')

/** Error numbers of POSIX as Node and C print them. */
const POSIX_ERRORS = named('posix errors')

/** Words of programming languages, their literals and types: never symbols, even between backticks. */
export const LANGUAGE_WORDS = named('language words')

/** Calls of every program, which say nothing about a block of code. */
export const EVERYDAY_CALLS = named('everyday calls')

/** Capital letters between backticks that are a protocol, a verb of HTTP, SQL or an everyday abbreviation. */
export const CAPITAL_WORDS = named('capital words')

/** Verbs that functions are named by: parse, load, retry. */
const FUNCTION_VERBS = named('verbs of functions')

/** Nouns that variables are named by: id, timeout, items. */
const VARIABLE_NOUNS = named('nouns of variables')

/** Last words of the names of classes: service, parser, order. */
const CLASS_NOUNS = named('nouns of classes')

/** Second halves of compound nouns, and words for what functions and variables do in a sentence. */
export const NO_NAMES = named('no names in phrases')

/** Longest identifier taken for a symbol, in characters. */
export const LONGEST_IDENTIFIER = 100

const CAMEL = /^[a-z][a-z0-9]*[A-Z][A-Za-z0-9$]*(?:_[A-Za-z0-9]+)*$/
/** A private name, or one of a framework: _loadAll, $emitChange. */
const MARKED = /^[_$]{1,2}([A-Za-z][a-z0-9]*[A-Z][A-Za-z0-9]*)$/
const PASCAL = /^(?:[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*|[A-Z]{2,}[a-z][a-z0-9]{2,}[A-Za-z0-9]{0,100})$/
const PASCAL_WITH_UNDERSCORE = /^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)*(?:_[A-Za-z0-9]+)+$/
const SNAKE = /^_{0,2}[a-z][a-z0-9]*(?:__?[a-z0-9]+)+_{0,2}$/
/** Dunder names of Python and JavaScript only, as Markdown writes __bold__ the same way. */
const DUNDER =
  /^__(?:init|name|main|str|repr|call|enter|exit|len|iter|next|getitem|setitem|delitem|contains|proto|dirname|filename|tests|mocks|all|version|dict|doc|new|del|eq|ne|lt|le|gt|ge|hash|add|sub|mul|bool|slots|file|class|module|getattr|setattr|aenter|aexit|import|typename|schema)__$/
const SCREAMING = /^_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/
const ERROR_CODE =
  /^(?:ERR_[A-Z0-9_]+|[A-Z0-9_]+_(?:ERROR|ERR|EXCEPTION|FAILURE)|EAI_[A-Z]+|SQLITE_(?!OK$|ROW$|DONE$|OPEN)[A-Z_]+)$/
const ERROR_TYPE = /^[A-Z][A-Za-z0-9]*(?:Error|Exception)s?$/
/** A hump of three letters or more, which NaN, GiB, GoT, IoT and HbA1c lack. */
const LONG_HUMP = /[A-Z][a-z]{2}/
/** Products and units with one small letter before a capital: iPhone, eBook, mRNA, kWh, tRNA. */
const SMALL_LETTER_NAME = /^[ekimt][A-Z]/
/** Names of persons like McDonald, LeBron, DeAndre, LaFarge. */
const NAME_OF_A_PERSON = /^(?:Mc|Fitz|Le|La|De)[A-Z][a-z]+$/

/** Answers remembered before the memory is started afresh. */
const REMEMBERED_NAMES = 5_000
const remembered = new Map<string, SymbolKind | null>()

/** The kind that the spelling alone proves, or null for what may be prose, a brand or noise. */
export function kindBySpelling(name: string): SymbolKind | null {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const kind = judgeSpelling(name)
  if (remembered.size >= REMEMBERED_NAMES) remembered.clear()
  // A slice would keep the whole text in memory; this is a copy.
  if (name.length <= LONGEST_IDENTIFIER) remembered.set(` ${name}`.slice(1), kind)
  return kind
}

function judgeSpelling(name: string): SymbolKind | null {
  if (name.length < 3 || name.length > LONGEST_IDENTIFIER) return null
  const marked = MARKED.exec(name)?.[1]
  if (marked !== undefined) return judgeSpelling(marked)
  if (name.includes('_')) return kindWithUnderscore(name)
  if (POSIX_ERRORS.has(name)) return 'error'
  if (!/[a-z][A-Z]|[A-Z]{2}[a-z]{2}|\d[A-Z][a-z]/.test(name)) return null
  if (isNoise(name) || isBrand(name)) return null
  if (ERROR_TYPE.test(name)) return 'error'
  if (PASCAL.test(name)) return NAME_OF_A_PERSON.test(name) || !LONG_HUMP.test(name) ? null : 'class'
  if (!CAMEL.test(name) || SMALL_LETTER_NAME.test(name)) return null
  return functionOrVariable(name.split(/(?=[A-Z])/))
}

/** The kind by its words: functions begin with a verb, variables end in a thing; a function where neither shows. */
function functionOrVariable(words: readonly string[]): 'function' | 'variable' {
  const first = words[0]?.toLowerCase() ?? ''
  const last = words.at(-1)?.toLowerCase() ?? ''
  if (FUNCTION_VERBS.has(first)) return 'function'
  return VARIABLE_NOUNS.has(last) || first === 'max' || first === 'min' ? 'variable' : 'function'
}

/** true for a verb that functions are named by: parse, load, retry. */
export function isVerbOfCode(word: string): boolean {
  return FUNCTION_VERBS.has(word)
}

/** true for a word that names of classes end in: service, order, parser. */
export function isClassWord(word: string): boolean {
  return CLASS_NOUNS.has(word) || VARIABLE_NOUNS.has(word)
}

/** true for a noun that variables are named by: id, timeout, items. */
export function isCommonInNames(word: string): boolean {
  return VARIABLE_NOUNS.has(word)
}

/** true for the usual forms of brands and units: GitHub, iPhones, McDonald's. */
export function isBrand(name: string): boolean {
  const [folded = ''] = name.toLowerCase().split(/\d/, 1)
  return BRAND_NAMES.has(folded) || (folded.endsWith('s') && BRAND_NAMES.has(folded.slice(0, -1)))
}

/** true for what no person writes by hand: base64, identifiers of videos, keys. */
export function isNoise(name: string): boolean {
  const humps = (name.match(/[A-Z]+[a-z]*|[a-z]+|\d+/g) ?? []).length
  const mean = name.length / Math.max(1, humps)
  return (name.length >= 10 && mean < 1.9) || (name.length >= 16 && mean < 2.4 && /\d/.test(name)) || name.length > 80
}

function kindWithUnderscore(name: string): SymbolKind | null {
  if (/^x86_64$/i.test(name)) return null
  if (ERROR_CODE.test(name)) return 'error'
  if (SCREAMING.test(name)) return 'variable'
  if (DUNDER.test(name)) return 'function'
  if (SNAKE.test(name)) return functionOrVariable(name.split('_').filter((word) => word !== ''))
  if (CAMEL.test(name)) return isNoise(name) ? null : 'function'
  return PASCAL_WITH_UNDERSCORE.test(name) && !isNoise(name) ? 'class' : null
}

/** Longest path taken for a symbol, in characters. */
const LONGEST_PATH = 260

const SEGMENT = /^[\p{L}\w.@~+$%()[\]-]+$/u
const MEDIA_TYPE = /^(?:application|text|image|audio|video|multipart|font|message|model)\//
const GIT_REFERENCE = /^(?:origin|upstream|refs|heads|feature|feat|fix|bugfix|hotfix|release|chore)\//
/** Endings that are also everyday members: console.log, response.json. */
const MEMBER_NOT_FILE =
  /^(?:this|self|console|logger|math|np)\.|^(?:res|resp|response|req|request|r|ctx|c|body)\.(?:json|html|text|log|env)$|^(?:process|import\.meta)\.env/i

/** The path in a run of path characters, without line numbers and closing marks; null when it is none. */
export function pathIn(run: string, inCode: boolean): string | null {
  if (run.length > LONGEST_PATH) return null
  const path = run
    // linear: the run is no longer than a path.
    .replace(/#.*$/, '')
    .replace(/(?::\d{1,40}){1,2}(?:-\d{1,40})?:?$/, '')
    .replace(/[.:+-]{1,40}$/, '')
  if (path.length < 3) return null
  return /[/\\]/.test(path) ? slashedPath(path, inCode) : fileName(path, inCode)
}

/** true for host names with or without a path: example.com, docs.rs/serde, www.bing.com. */
export function isDomain(run: string, inCode: boolean): boolean {
  const host = run.split(/[/:?#]/, 1)[0]!
  const labels = host.split('.')
  if (labels.length < 2 || !labels.every((label) => /^[A-Za-z0-9-]+$/.test(label))) return false
  const last = labels.at(-1)!
  if (last !== last.toLowerCase() && last !== last.toUpperCase()) return false
  const ending = last.toLowerCase()
  if (DOMAIN_ENDINGS.has(ending))
    return !(inCode && /^(?:this|self|process|config|options|req|res|ctx)$/.test(labels[0]!))
  if (labels[0]!.toLowerCase() === 'www') return true
  return (
    !inCode &&
    PROSE_DOMAIN_ENDINGS.has(ending) &&
    !/^(?:this|self|config|options|process|req|res|ctx|props)$/.test(labels[0]!)
  )
}

function slashedPath(path: string, inCode: boolean): string | null {
  if (path.includes('//') || MEDIA_TYPE.test(path) || isDomain(path, false)) return null
  const windows = /^[A-Za-z]:\\/.test(path)
  const rooted = windows || /^(?:\.{1,2}|~)?[/\\]/.test(path)
  const segments = (windows ? path.slice(3) : path).split(/[/\\]/).filter((segment) => segment !== '')
  if (segments.length === 0 || !segments.every((segment) => segment === '.' || SEGMENT.test(segment))) return null
  if (!segments.some((segment) => /[A-Za-z]{2}|^[A-Za-z]$/.test(segment))) return null
  const last = segments.at(-1)!
  if (!inCode && isDocument(last)) return isInProject(path, segments) ? path : null
  if (KNOWN_FILES.has(last) || hasFileEnding(last, inCode)) return path
  if (windows) return path
  if (path.includes('\\')) return null
  if (rooted)
    return segments.length > 1 && (path[0] !== '.' || segments[0] !== '..' || segments.length > 2) ? path : null
  if (segments.length < 2 && !path.endsWith('/')) return null
  return KNOWN_FOLDERS.has(segments[0]!) && !GIT_REFERENCE.test(path) ? path : null
}

/** true for resume.pdf and photo.jpg: a document, neither a path of a program nor a member of an object. */
export function isDocument(name: string): boolean {
  return (
    !KNOWN_FILES.has(name) &&
    /\w\.\w/.test(name) &&
    DOCUMENT_ENDINGS.has(
      name
        .replace(/[.:]{1,40}$/, '')
        .replace(/^.*\./, '')
        .toLowerCase(),
    )
  )
}

/** ./logo.png and src/assets/logo.png belong to a program, ~/Documents/resume.pdf does not. */
function isInProject(path: string, segments: readonly string[]): boolean {
  return /^\.{1,2}[/\\]/.test(path) || segments.some((segment) => KNOWN_FOLDERS.has(segment))
}

function hasFileEnding(name: string, inCode: boolean): boolean {
  const dot = name.lastIndexOf('.')
  if (dot < 0) return false
  const ending = name.slice(dot + 1)
  if (FILE_ENDINGS.has(ending.toLowerCase()) || DOCUMENT_ENDINGS.has(ending.toLowerCase())) return true
  return !inCode && dot > 0 && /^[a-z][a-z0-9]{1,3}$/.test(ending)
}

/** true for Node.js, Three.js, Socket.io and their like, which are products. */
export function isLibraryNamedLikeFile(run: string): boolean {
  const match = /^([A-Za-z0-9]+)\.(?:js|io|NET)[.:]?$/i.exec(run)
  return match !== null && (LIBRARIES_NAMED_LIKE_FILES.has(match[1]!.toLowerCase()) || /^asp$/i.test(match[1]!))
}

function fileName(name: string, inCode: boolean): string | null {
  if (KNOWN_FILES.has(name) || /^\.env\.[a-z]+$/.test(name)) return name
  const dot = name.lastIndexOf('.')
  if (dot < 1 || !/^[\w@$+-][\w.@$+-]*$/.test(name)) return null
  const stem = name.slice(0, dot)
  const ending = name.slice(dot + 1)
  const known = FILE_ENDINGS.has(ending.toLowerCase()) || (inCode && DOCUMENT_ENDINGS.has(ending.toLowerCase()))
  if (!known || MEMBER_NOT_FILE.test(name)) return null
  if (LIBRARIES_NAMED_LIKE_FILES.has(stem.toLowerCase()) && ending.toLowerCase() === 'js') return null
  if (ending.length === 1 && !/^[A-Za-z_][\w-]+$/.test(stem)) return null
  if (/^v?\d+(?:\.\d+)+$/.test(name)) return null
  return name
}
