/** Which names does a keyword of a programming language introduce here? `def pay(`, `class Order {`, `const x =`. */
import type { SymbolKind } from '../../domain/turn.ts'

/** A name with its kind; `at` is its place in the text. */
export interface DefinedName {
  readonly name: string
  readonly kind: SymbolKind
  readonly at: number
}

interface Rule {
  readonly kind: SymbolKind
  /** Sticky; group 1 is the name. Strict enough for prose: "the function is slow" must not match. */
  readonly prose: RegExp
  /** Inside a block of code, where a keyword is a keyword. */
  readonly code: RegExp
}

const GAP = '[ \\t]{1,8}'
const NAME = '([A-Za-z_$][\\w$]{0,99})'
const FUNCTION_RULE: Rule = {
  kind: 'function',
  prose: new RegExp(`\\*?${GAP}(?:\\([^()\\n]{0,60}\\)${GAP})?${NAME}[ \\t]?[(<]`, 'y'),
  code: new RegExp(`\\*?${GAP}(?:\\([^()\\n]{0,60}\\)${GAP})?${NAME}`, 'y'),
}
const CLASS_RULE: Rule = {
  kind: 'class',
  prose: new RegExp(`${GAP}((?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|I\\b)[A-Z]\\w{1,99})`, 'y'),
  code: new RegExp(`${GAP}([A-Z]\\w{0,99})`, 'y'),
}
const TYPE_RULE: Rule = {
  kind: 'class',
  prose: new RegExp(`${GAP}([A-Z]\\w{0,99})[ \\t]?(?:[{(<:;]|=(?!=)|extends\\b|implements\\b)`, 'y'),
  code: CLASS_RULE.code,
}
const VARIABLE_RULE: Rule = {
  kind: 'variable',
  prose: new RegExp(`${GAP}(?:mut${GAP})?${NAME}[ \\t]?(?::[^=\\n]{1,60})?:?=(?!=)`, 'y'),
  code: new RegExp(`${GAP}(?:mut${GAP})?${NAME}(?=[ \\t]?(?::[^=\\n]{1,60})?[=;\\n])`, 'y'),
}

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...['def', 'function', 'fn', 'func', 'fun', 'sub'].map((word) => [word, FUNCTION_RULE] as const),
  ['class', CLASS_RULE],
  ...[
    'interface',
    'struct',
    'enum',
    'trait',
    'record',
    'protocol',
    'type',
    'new',
    'extends',
    'implements',
    'instanceof',
    'raise',
    'throw',
    'impl',
  ].map((word) => [word, TYPE_RULE] as const),
  ...['const', 'let', 'var', 'val'].map((word) => [word, VARIABLE_RULE] as const),
])

const DESTRUCTURED = /[ \t]{1,8}[{[]([^}\]\n]{1,200})[}\]][ \t]?=/y
const FUNCTION_VALUE =
  /[ \t]{0,4}(?::[^=\n]{1,60})?=[ \t]{0,4}(?:async\b[ \t]{0,4})?(?:function\b|\([^()\n]{0,80}\)[ \t]{0,4}(?::[^=\n]{1,40})?=>|[A-Za-z_$][\w$]{0,60}[ \t]{0,4}=>)/y

/** true for a word that may introduce a name. */
export function isKeyword(word: string): boolean {
  return RULES.has(word)
}

/** The names that the keyword introduces, which ends at `end`; none when it is only a word of prose. */
export function definedNames(text: string, keyword: string, end: number, inCode: boolean): readonly DefinedName[] {
  const rule = RULES.get(keyword)
  if (rule === undefined) return []
  if (rule === VARIABLE_RULE) {
    const names = destructuredNames(text, end)
    if (names.length > 0) return names
  }
  const pattern = inCode ? rule.code : rule.prose
  pattern.lastIndex = end
  const match = pattern.exec(text)
  const name = match?.[1]
  if (match === null || name === undefined) return []
  const at = end + match[0].indexOf(name)
  const kind = rule === CLASS_RULE || rule === TYPE_RULE ? classOrError(name) : rule.kind
  return [{ name, kind: kind === 'variable' && holdsFunction(text, at + name.length) ? 'function' : kind, at }]
}

function destructuredNames(text: string, end: number): readonly DefinedName[] {
  DESTRUCTURED.lastIndex = end
  const match = DESTRUCTURED.exec(text)
  if (match === null) return []
  const start = end + match[0].indexOf(match[1]!)
  return [...match[1]!.matchAll(/[A-Za-z_$][\w$]*/g)].map((name) => ({
    name: name[0],
    kind: 'variable' as const,
    at: start + name.index,
  }))
}

function holdsFunction(text: string, end: number): boolean {
  FUNCTION_VALUE.lastIndex = end
  return FUNCTION_VALUE.test(text)
}

function classOrError(name: string): SymbolKind {
  return /(?:Error|Exception)$/.test(name) ? 'error' : 'class'
}
