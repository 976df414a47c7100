/** Which names stand between the parentheses of a call or a definition? `connect(host, port)`, `tokenize(text, lang='en')`. */
import { LANGUAGE_WORDS } from './known-names.ts'
import { ENGLISH_STOP_WORDS } from './stop-words.ts'
import type { DefinedName } from './symbol-definitions.ts'

const PARENTHESES = /[ \t]?\(([^()\n]{1,120})\)/y
/** One argument: a name with its type or its default, or a value that is no name. */
const ARGUMENT = /^\s*(?:\.\.\.|\*{1,2}|&)?([A-Za-z_$][\w$]{1,60})\s*(?:[:=].*)?$/s

/** The plain names among the arguments that begin at `at`, at most ten; none when they read like prose. */
export function argumentNames(text: string, at: number): readonly DefinedName[] {
  PARENTHESES.lastIndex = at
  const match = PARENTHESES.exec(text)
  if (match === null) return []
  let place = at + match[0].indexOf('(') + 1
  const names: DefinedName[] = []
  for (const part of match[1]!.split(',')) {
    const name = ARGUMENT.exec(part)?.[1]
    if (name !== undefined && !LANGUAGE_WORDS.has(name) && !ENGLISH_STOP_WORDS.has(name.toLowerCase()))
      names.push({ name, kind: 'variable', at: place + part.indexOf(name) })
    place += part.length + 1
  }
  return names.slice(0, 10)
}
