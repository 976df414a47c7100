/**
 * Which code symbols does this text name (003, REQ-LTM-006)? Spelling tells them, or code around ordinary words; time
 * is linear, and at most MAX_SYMBOLS come back in order of first mention.
 */
import { readOnce } from '../domain/read-once.ts'
import type { SymbolKind, SymbolMention } from '../domain/turn.ts'
import { codeRegions, type Region } from './code-regions.ts'
import { isBrand, isNoise, kindBySpelling, LONGEST_IDENTIFIER } from './identifier-shape.ts'
import { CAPITAL_WORDS, KNOWN_FILES, LANGUAGE_WORDS } from './known-names.ts'
import { isDocument, isDomain, isLibraryNamedLikeFile, pathIn } from './path-shape.ts'
import { withoutSecrets } from './secrets/mask-secrets.ts'
import { argumentNames } from './symbol-arguments.ts'
import { SymbolCollection } from './symbol-collection.ts'
import { definedNames, isKeyword } from './symbol-definitions.ts'
import {
  callKind,
  chineseKind,
  hasEvidenceAround,
  isAssigned,
  isCall,
  isMemberAccess,
  kindOfName,
  type NameEvidence,
} from './symbol-evidence.ts'

import { mayHoldPhrase, phraseNames } from './symbol-phrases.ts'

export { MAX_SYMBOLS } from './symbol-collection.ts'

/** A cheap test for symbols or evidence of them, which most chat turns fail. */
const MAY_HOLD_SYMBOL =
  /[`_\\/=]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}|[A-Za-z]\(|[A-Za-z]\.[A-Za-z]|\bE[A-Z0-9]{2}|[a-z]file\b|\.(?:env|git)|\b(?:class|def|func?|function|const|let|var) [A-Za-z_$]|\b(?:interface|struct|enum|trait|type|impl) [A-Z]|[A-Za-z] ?[函方变参字常接类对属这那]|[数法量类口段象性] ?[A-Za-z]|(?:undefined|null|None|nil|NaN|itiali[sz]ed)\b|初始化|定义|声明|赋值/
/** Characters of a text that are read for symbols; a longer one is data, and has named MAX_SYMBOLS long before. */
const MOST_READ = 65_536
/** Longest run that can be names; longer ones are encoded data. */
const LONGEST_RUN = 400
const RUN = /[A-Za-z0-9_$./\\:@~#%+-]+/g
/** A word of plain prose: lowercase, capitalised, or a number, with closing marks. */
const PLAIN_WORD = /^(?:[A-Z]?[a-z]*|\d+|[A-Z]{1,3})[.:]?$/
/**
 * The rest of an address, which ends where Chinese prose goes on; a Chinese segment between slashes or dots belongs to
 * it.
 */
const ADDRESS_REST = /(?:[^\s<>"'`)\]}\u3000-\u9fff\uff00-\uffef]|(?<=\/)[\u3400-\u9fff]{1,80}(?=[/.]))*/y
const BRACKETED = /(?:(?:\[[\w.]{1,40}\]|\([\w-]{1,40}\))(?:\/[\w.@-]{1,80}){0,10}\/?){1,6}/y
/** The symbols of a text; secrets are never symbols. */
export const extractSymbols = readOnce('symbols', (whole): readonly SymbolMention[] => {
  const text = whole.slice(0, MOST_READ)
  const mayNamePhrase = mayHoldPhrase(text)
  if (!mayNamePhrase && !MAY_HOLD_SYMBOL.test(text)) return []
  const found = new SymbolCollection(text)
  const regions = codeRegions(text)
  if (mayNamePhrase) {
    for (const { kind, from, to } of regions) {
      if (kind !== 'prose') continue
      for (const { name, kind: said, at } of phraseNames(text, from, to)) addNamed(name, said, at, 'plain', found)
    }
  }
  let current = 0
  let entered = -1
  RUN.lastIndex = 0
  while (!found.full) {
    const match = RUN.exec(text)
    if (match === null) break
    const at = match.index
    while (current < regions.length && regions[current]!.to <= at) current++
    const region = regions[current]
    if (region === undefined) break
    if (at < region.from) {
      RUN.lastIndex = region.from
      continue
    }
    if (region.kind === 'inline' && entered !== current) {
      entered = current
      if (addQuotedName(text, region, found)) {
        RUN.lastIndex = region.to
        continue
      }
    }
    const run = at + match[0].length > region.to ? match[0].slice(0, region.to - at) : match[0]
    RUN.lastIndex = scanRun(text, run, at, region.kind, found)
  }
  const open = withoutSecrets(text)
  return open === text ? found.mentions() : found.mentions().filter(({ symbol }) => open.includes(symbol))
})

/** The symbols named in a query, as written, most relevant first. */
export function querySymbols(text: string): readonly string[] {
  return [...extractSymbols(text)].sort((a, b) => b.relevance - a.relevance).map((mention) => mention.symbol)
}

/** Adds one word between single backticks as a name, whatever it looks like; false when it is not one word. */
function addQuotedName(text: string, region: Region, found: SymbolCollection): boolean {
  const content = text.slice(region.from, region.to)
  const word = /^(\s*[$@]?)([A-Za-z_$][\w$]{0,99})(\(\))?\s*$/.exec(content)
  if (word === null) return false
  const name = word[2]!
  const at = region.from + word[1]!.length
  if (LANGUAGE_WORDS.has(name) || CAPITAL_WORDS.has(name) || isBrand(name) || isNoise(name) || name.length < 2)
    return true
  if (KNOWN_FILES.has(name)) found.add(name, 'path', at, 'quoted')
  else found.add(name, word[3] !== undefined ? callKind(name) : kindOfQuoted(text, region, name), at, 'quoted')
  return true
}

function kindOfQuoted(text: string, region: Region, name: string): SymbolKind {
  const spelled = kindBySpelling(name)
  if (spelled === 'class' || spelled === 'error') return spelled
  if (/^(?:Error|Exception)$/.test(name)) return 'error'
  const after = text.slice(region.to + 1, region.to + 14)
  if (/^[ \t]*(?:函数|方法|function\b|method\b)/i.test(after)) return 'function'
  if (/^[ \t]*(?:变量|参数|字段|常量|属性|variable\b|param|field\b|option\b|flag\b)/i.test(after)) return 'variable'
  if (spelled !== null) return spelled
  return /^[A-Z][a-z]/.test(name) ? 'class' : 'variable'
}

/** Judges one run of name characters; returns where to go on. */
function scanRun(text: string, run: string, at: number, region: Region['kind'], found: SymbolCollection): number {
  const inCode = region !== 'prose'
  const end = at + run.length
  if (isKeyword(run)) {
    for (const { name, kind, at: place } of definedNames(text, run, end, inCode)) {
      addNamed(name, kind, place, 'defined', found)
      if (kind !== 'function') continue
      for (const argument of argumentNames(text, place + name.length))
        addNamed(argument.name, 'variable', argument.at, 'code', found)
    }
    return end
  }
  if (!inCode && PLAIN_WORD.test(run) && !KNOWN_FILES.has(run) && !hasEvidenceAround(text, at, end)) return end
  if (run.includes('://') || /^www\./i.test(run)) return restOfAddress(text, end)
  if (run.length > LONGEST_RUN) return end
  const mail = run.indexOf('@')
  if (mail > 0 && /^[\w.+-]+@[\w-]/.test(run)) return end
  if (mail === 0 && (!inCode || run.includes('/'))) return end
  if (/^eyJ\w{12}/.test(run) || (!inCode && run[0] === '#')) return end
  const called = text[end] === '('
  const whole = run.endsWith('/') ? run + bracketedRest(text, end) : run
  const path = called && whole === run && !/[/\\]/.test(run) ? null : pathIn(whole, inCode)
  if (path !== null) {
    found.add(path, 'path', at, 'plain')
    return at + whole.length
  }
  if (!called && isDomain(run, inCode)) return restOfAddress(text, end)
  if (isLibraryNamedLikeFile(run) || (!inCode && !called && isDocument(run))) return end
  scanNames(text, run, at, region, found)
  return end
}

/** Folders of routes: app/[id]/page.tsx, app/(shop)/cart.tsx. */
function bracketedRest(text: string, end: number): string {
  BRACKETED.lastIndex = end
  return BRACKETED.exec(text)?.[0] ?? ''
}

function restOfAddress(text: string, end: number): number {
  ADDRESS_REST.lastIndex = end
  return end + (ADDRESS_REST.exec(text)?.[0].length ?? 0)
}

/** Names chained by dots, colons, hyphens and the like: OrderService.processPayment, config.timeout, std::sort. */
function scanNames(text: string, run: string, at: number, region: Region['kind'], found: SymbolCollection): void {
  const inCode = region !== 'prose'
  const names = [...run.matchAll(/[A-Za-z_$][\w$]*|\d[\w$]*/g)]
  const member = isMemberAccess(
    run,
    names.map((name) => name[0]),
    inCode,
  )
  for (const [index, match] of names.entries()) {
    const name = match[0]
    if (name.length > LONGEST_IDENTIFIER || /^\d/.test(name)) continue
    const place = at + match.index
    const last = place + name.length === at + run.length
    const evidence: NameEvidence = {
      inCode,
      memberOf: member && index > 0 && /\.|:/.test(run[match.index - 1]!),
      hasMember:
        member &&
        index < names.length - 1 &&
        /^(?:\.|::)/.test(run.slice(match.index + name.length, match.index + name.length + 2)),
      call: last && isCall(text, place + name.length, inCode || member, name),
      assigned: index === 0 && isAssigned(text, run, at, name),
      chinese: names.length === 1 ? chineseKind(text, at, at + run.length) : null,
    }
    const kind = kindOfName(name, evidence)
    if (kind === null) continue
    addNamed(name, kind, place, inCode ? 'code' : 'plain', found)
    if (evidence.call && region !== 'block') {
      for (const argument of argumentNames(text, place + name.length))
        addNamed(argument.name, 'variable', argument.at, inCode ? 'code' : 'plain', found)
    }
  }
}

function addNamed(
  name: string,
  kind: SymbolKind,
  at: number,
  evidence: 'defined' | 'code' | 'plain',
  found: SymbolCollection,
): void {
  if (name.length < 2 || LANGUAGE_WORDS.has(name)) return
  found.add(name, kind, at, evidence)
}
