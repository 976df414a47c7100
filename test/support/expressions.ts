/**
 * Which literal expressions may take longer than their text is long? `npm run expressions` lists them, with `--fix` it
 * bounds their repeats; a comment `linear: …` beside one says why it is none.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { isDisjointWith, JS, NFA } from 'refa'
import { parseAst } from 'rolldown/parseAst'

const SOURCE = new URL('../../src/', import.meta.url).pathname
/** The rooms that read texts of users, of any length. All others read our own names, paths and messages. */
const READERS = /^(?:language|thinking|search|store\/segments|usecases|notes|doors\/exchange)\//
/** Repeats of this many are more than any word or gap that a rule looks for, and more than any part of a sentence. */
const OF_A_WORD = 40
const OF_A_SENTENCE = 200
/** So few repeats cost little, in however many ways they can be read. */
const MOST_WAYS = 4
const parser = new RegExpParser({ ecmaVersion: 2025 })

export interface Fault {
  readonly file: string
  readonly line: number
  readonly expression: string
  /** The repeat that has no bound. */
  readonly repeat: string
  /** Where in the file the repeats stand, and what bounds them. */
  readonly edits: readonly { readonly at: number; readonly length: number; readonly bounded: string }[]
}

/** All faults below `src` in files whose name begins so. */
export function faultyExpressions(below = ''): readonly Fault[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => READERS.test(file) && file.startsWith(below) && /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) => faultsIn(file, readFileSync(join(SOURCE, file), 'utf8')))
}

/** The faults of one file. */
export function faultsIn(file: string, code: string): readonly Fault[] {
  const lines = code.split('\n')
  return literalsIn(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' })).flatMap(
    ({ start, pattern, flags }) => {
      const line = code.slice(0, start).split('\n').length
      if (/\blinear: /.test(`${lines[line - 2] ?? ''}${lines[line - 1]}`)) return []
      const repeats = unboundedRepeats(pattern, flags)
      if (repeats.length === 0) return []
      const edits = repeats.flatMap((repeat) => {
        if (repeat.max !== Number.POSITIVE_INFINITY) return []
        const at = start + 1 + repeat.element.end
        const lazy = repeat.greedy ? '' : '?'
        return { at, length: repeat.end - repeat.element.end, bounded: `{${repeat.min},${boundOf(repeat)}}${lazy}` }
      })
      return [{ file, line, expression: `/${pattern}/${flags}`, repeat: repeats[0]!.raw, edits }]
    },
  )
}

/**
 * Repeats without a bound that are tried from every place of a run, and behind which something can fail: 100 KB cost
 * minutes. One that begins at one place (`^`, sticky) or ends with its repeat is linear.
 */
export function unboundedRepeats(pattern: string, flags: string): readonly AST.Quantifier[] {
  const sets = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  const found: AST.Quantifier[] = []
  const read = ({ elements }: AST.Alternative, isLast: boolean, begins: boolean): void => {
    let isFixed = begins
    for (const [at, element] of elements.entries()) {
      const mayEnd = isLast && elements.slice(at + 1).every(canBeEmpty)
      if (element.type === 'Assertion') {
        if (element.kind === 'start' && !flags.includes('m')) isFixed = true
        if ('alternatives' in element) for (const part of element.alternatives) read(part, true, isFixed)
      } else if (element.type === 'Quantifier') {
        if (element.max === Number.POSITIVE_INFINITY && !mayEnd && !isFixed) found.push(element)
        else if (element.max > MOST_WAYS && isTwoOfItself(element, flags)) found.push(element)
        else if (element.max === Number.POSITIVE_INFINITY)
          found.push(...leadingRepeats(elements.slice(at + 1), isLast).filter((next) => canBeOne(element, next, flags)))
        if ('alternatives' in element.element)
          for (const part of element.element.alternatives) read(part, mayEnd && element.max === 1, isFixed)
      } else if (element.type === 'Group' || element.type === 'CapturingGroup')
        for (const part of element.alternatives) read(part, mayEnd, isFixed)
    }
  }
  const { alternatives } = parser.parsePattern(pattern, 0, pattern.length, sets)
  for (const alternative of alternatives) read(alternative, true, flags.includes('y'))
  return found
}

/** Repeats without a bound that may come at once, and behind which something can fail: a run of both is parted in as many ways as it is long. */
function leadingRepeats(elements: readonly AST.Element[], isLast: boolean): readonly AST.Quantifier[] {
  const found: AST.Quantifier[] = []
  for (const [at, element] of elements.entries()) {
    const mayEnd = isLast && elements.slice(at + 1).every(canBeEmpty)
    if (element.type === 'Quantifier' && element.max === Number.POSITIVE_INFINITY && !mayEnd) found.push(element)
    const inner = element.type === 'Quantifier' ? element.element : element
    if (inner.type === 'Group' || inner.type === 'CapturingGroup')
      for (const part of inner.alternatives) found.push(...leadingRepeats(part.elements, mayEnd))
    if (element.type !== 'Assertion' && !canBeEmpty(element)) break
  }
  return found
}

/** true when a run can be read as the one repeat and as the other. */
function canBeOne(one: AST.Quantifier, other: AST.Quantifier, flags: string): boolean {
  return !isDisjointWith(repeated(one, flags, 1, 3), repeated(other, flags, 1, 3))
}

/** true when what is repeated can also be read as several of itself: the ways to read a run double with each of its signs. */
function isTwoOfItself(quantifier: AST.Quantifier, flags: string): boolean {
  if (!('alternatives' in quantifier.element)) return false
  return !isDisjointWith(repeated(quantifier, flags, 1, 1), repeated(quantifier, flags, 2, 3))
}

/** What is repeated, so often. */
function repeated({ element }: AST.Quantifier, flags: string, min: number, max: number): NFA {
  const literal = JS.Parser.fromLiteral({ source: element.raw, flags })
  const { expression } = literal.parse({ assertions: 'ignore', backreferences: 'disable' })
  const maxCharacter = /[uv]/.test(flags) ? 0x10_ff_ff : 0xff_ff
  const repeat = { type: 'Quantifier', min, max, lazy: false, alternatives: expression.alternatives } as const
  const made = NFA.fromRegex({ type: 'Concatenation', elements: [repeat] }, { maxCharacter })
  made.withoutEmptyWord()
  return made
}

function boundOf({ element, min }: AST.Quantifier): number {
  const isAnything =
    (element.type === 'CharacterSet' && (element.kind === 'any' || (element.kind !== 'property' && element.negate))) ||
    (element.type === 'CharacterClass' && (element.negate || /\\s\\S/.test(element.raw)))
  return Math.max(isAnything ? OF_A_SENTENCE : OF_A_WORD, min * 2)
}

function canBeEmpty(element: AST.Element): boolean {
  if (element.type === 'Quantifier') return element.min === 0 || canBeEmpty(element.element as AST.Element)
  if (element.type === 'Group' || element.type === 'CapturingGroup')
    return element.alternatives.some(({ elements }) => elements.every(canBeEmpty))
  return false
}

interface Literal {
  readonly start: number
  readonly pattern: string
  readonly flags: string
}

function literalsIn(tree: unknown): readonly Literal[] {
  if (typeof tree !== 'object' || tree === null) return []
  if ('regex' in tree && 'start' in tree) {
    const { start, regex } = tree as { start: number; regex: { pattern: string; flags: string } }
    return [{ start, ...regex }]
  }
  return Object.values(tree).flatMap(literalsIn)
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const faults = faultyExpressions(process.argv.slice(2).find((word) => !word.startsWith('--')))
  if (process.argv.includes('--fix'))
    for (const [file, ofFile] of Map.groupBy(faults, ({ file }) => file)) {
      let code = readFileSync(join(SOURCE, file), 'utf8')
      const edits = ofFile.flatMap((fault) => fault.edits).sort((a, b) => b.at - a.at)
      for (const { at, length, bounded } of edits) code = code.slice(0, at) + bounded + code.slice(at + length)
      writeFileSync(join(SOURCE, file), code)
    }
  else if (faults.length > 0) process.exitCode = 1
  for (const { file, line, repeat, expression } of faults)
    process.stdout.write(`src/${file}:${line} ${repeat} in ${expression.slice(0, 120)}\n`)
}
