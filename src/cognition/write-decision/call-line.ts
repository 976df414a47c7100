/**
 * Is this line nothing but calls of functions: `df = load('a.csv')`, `plot(x) + theme()`? Such a line is pasted, though
 * nothing around it says so. Read in one pass, since a pattern for it could take for ever.
 */

const LONGEST = 400
const ASSIGNS = /^(?:(?:await|return|yield)\s+)?(?:[\w.,[\]'" ]{1,40}?(?:[-+*/|&]?=|<-)\s*)?(?:await\s+)?/
const NAME = /[\w.$:[\]]+/y
const BETWEEN = /\s*(?:[-+*/|&>]+|%>%|and\b|or\b)?\s*/y
/** "Lotte(3)" is no call: arguments are none, named, quoted, listed, parts of things, or calls themselves; or a lone word in small letters. */
const ARGUMENTS = /\(\s{0,40}\)|\([^()]{0,200}[=,'"._[{]|\(\w{1,40}\(|^[\w.]+\([a-z_]\w*\)$/

/** Whether the line is one or more calls, joined by operators and maybe assigned to something. */
export function isCallLine(line: string): boolean {
  if (line.length > LONGEST || !line.includes('(')) return false
  const code = line.trim().replace(/[;,]$/, '')
  if (!/[)\]\w'"]$/.test(code) || !ARGUMENTS.test(code)) return false
  let at = ASSIGNS.exec(code)?.[0].length ?? 0
  while (at < code.length) {
    const name = endOf(NAME, code, at)
    if (name === at || code[name] !== '(') return false
    at = name
    while (code[at] === '(') {
      at = behindBrackets(code, at)
      if (at < 0) return false
      if (code[at] === '.' || code[at] === '[' || code[at] === '$') at = endOf(NAME, code, at)
    }
    const next = endOf(BETWEEN, code, at)
    // "foo(bar) is broken" goes on without an operator.
    if (next < code.length && code.slice(at, next).trim() === '') return false
    at = next
  }
  return true
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Where the bracket that opens at a place is closed, quoted brackets aside; -1 when it is not. */
function behindBrackets(code: string, from: number): number {
  let depth = 0
  let quote = ''
  for (let at = from; at < code.length; at++) {
    const character = code[at]!
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'" || character === '`') quote = character
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return -1
}
