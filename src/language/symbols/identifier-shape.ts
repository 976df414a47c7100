/** Does this name look like an identifier by itself? A possible word of prose needs evidence around it. */
import type { SymbolKind } from '../../domain/turn.ts'
import { BRAND_NAMES, POSIX_ERRORS } from '../known-names.ts'

/** Longest identifier taken for a symbol, in characters. */
export const LONGEST_IDENTIFIER = 100

const CAMEL = /^[a-z][a-z0-9]*[A-Z][A-Za-z0-9$]*(?:_[A-Za-z0-9]+)*$/
const PASCAL = /^(?:[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*|[A-Z]{2,}[a-z][a-z0-9]{2,}[A-Za-z0-9]*)$/
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

const VERBS = new Set(
  `abort accept acquire activate add allow append apply assert assign attach authenticate authorize await batch begin
  bind block bootstrap broadcast build bulk calc calculate call can cancel capture change check clamp clean clear clone
  close collect combine commit compare compile compress compute configure confirm connect consume contains convert copy
  count create deactivate debounce decode decrement decrypt deduplicate delete deploy dequeue derive deserialize destroy
  detach detect did disable discard disconnect dispatch dispose do download draw drop emit enable encode encrypt enqueue
  ensure erase escape evict exec execute expand expire export extract fetch fill filter find finish fire flatten flush
  force format free from generate get grant group guess handle has hash hide hydrate ignore import increment index infer
  init initialize inject insert inspect install invalidate invoke is join keep kill launch list listen load lock log
  login logout lookup make map mark match measure memoize merge migrate mock modify mount move navigate normalize notify
  observe on open pack paginate parse patch pause perform persist pick ping poll pop populate prepare preload print
  process profile prune publish pull purge push put query queue raise read rebuild receive recompute record recover
  reduce refresh register reject release reload remove rename render reopen reorder replace report request require
  reserve reset resize resolve restart restore resume retry return revert revoke rollback rotate run sample sanitize
  save scan schedule search seed select send serialize serve set setup shift should show shuffle shutdown sign skip sleep
  slice sort split start stop store stream strip submit subscribe sum summarize swap sync tear test throttle throw to
  toggle tokenize trace track transform translate traverse trigger trim truncate try unlock unmount unregister unsubscribe
  update upload upsert use validate verify visit wait walk warm watch will with wrap write`.split(/\s+/),
)
const NOUNS = new Set(
  `id ids name names count counts list map data info config configs options opts result results value values key keys url
  urls uri path paths dir size length index type types state status flag flags token tokens timeout client items item
  total date time timestamp ms seconds minutes hours days error errors code codes user users order orders config settings
  setting limit max min rate ratio price amount balance email password secret number num text message messages body
  header headers params args props ref refs cache buffer queue stack node nodes element elements enabled disabled
  retries attempts interval delay port host env version label title color width height offset page pages row rows column
  columns field fields table schema model set array object instance file files folder address phone score scores weight
  threshold active pending loading visible at by level mode kind mask storage service manager repository store
  session secrets context day month year user role group tag tags category amounts quantity`.split(/\s+/),
)

/** Last words of the names of classes. */
const CLASS_WORDS = new Set(
  `service services manager handler controller repository store client server parser config configuration error
  exception factory builder provider context model view component page button form map queue cache adapter loader reader
  writer worker job task request response dao dto impl utils helper test tests spec state reducer hook tree graph token
  tokenizer lexer compiler validator serializer formatter renderer router route middleware gateway proxy pool connection
  session event listener observer emitter bus broker producer consumer publisher subscriber scheduler executor runner
  engine driver strategy command query entity record schema migration module plugin registry container wrapper decorator
  iterator stream channel socket thread lock mutex logger monitor tracker counter timer cart item order payment invoice
  account customer product profile dialog modal panel layout widget table row cell input output selector picker filter
  sorter mapper converter transformer encoder decoder detector analyzer processor generator calculator resolver fetcher
  downloader uploader importer exporter indexer searcher crawler scraper notifier sender receiver dispatcher guard
  policy rule exception options settings props params args result set stack buffer array dict hash heap vector matrix
  bean activity fragment viewmodel delegate protocol mixin trait interface abstract base core api sdk app application
  interceptor aspect advice template snapshot fixture stub mock fake adaptor facade visitor memento singleton
  promise future callback predicate supplier optional either maybe monad optimizer trainer dataset layer tensor`.split(
    /\s+/,
  ),
)

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
  if (VERBS.has(first)) return 'function'
  return NOUNS.has(last) || first === 'max' || first === 'min' ? 'variable' : 'function'
}

/** true for a verb that functions are named by: parse, load, retry. */
export function isVerbOfCode(word: string): boolean {
  return VERBS.has(word)
}

/** true for a word that names of classes end in: service, order, parser. */
export function isClassWord(word: string): boolean {
  return CLASS_WORDS.has(word) || NOUNS.has(word)
}

/** true for a noun that variables are named by: id, timeout, items. */
export function isCommonInNames(word: string): boolean {
  return NOUNS.has(word)
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
