/** Readers of flag values: each parses one kind of value, or throws `invalid` with the flag's name. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { invalid } from '../../domain/errors.ts'
import { wholeNumber } from '../config/options.ts'

/** Values of flags as commander read them: text, or true for a flag without a value. */
export type FlagValues = Readonly<Record<string, string | boolean | undefined>>

/** The text of a flag, or undefined when it was not given. */
export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** One of a few words. */
export function oneWord<T extends string>(flag: string, text: string, words: readonly T[]): T {
  const word = words.find((candidate) => candidate === text)
  if (word === undefined)
    throw invalid(flag, `${JSON.stringify(text)} is not known`, `Use one of: ${words.join(', ')}.`)
  return word
}

/** Words separated by commas, each one of a few. */
export function wordList<T extends string>(flag: string, text: string, words: readonly T[]): readonly T[] {
  return text.split(',').map((word) => oneWord(flag, word.trim(), words))
}

export function jsonValue(flag: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(flag, 'is not JSON', `Quote it for the shell, such as ${flag} '{"tag": "work"}'.`)
  }
}

export function jsonObject(flag: string, text: string): Record<string, unknown> {
  const value = jsonValue(flag, text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(flag, 'is not a JSON object', `Pass an object, such as ${flag} '{"tag": "work"}'.`)
  return { ...value }
}

/** A project: `.`, `..`, `./x` and `../x` are folders seen from here; any other text is taken as it is. */
export function projectRoot(text: string): string {
  return /^\.{1,2}(?:[/\\]|$)/.test(text) ? resolve(text) : text
}

/** What `read` makes of a flag's text; undefined when it was not given. */
export function given<T>(flags: FlagValues, name: string, read: (flag: string, text: string) => T): T | undefined {
  const text = textFlag(flags, name)
  return text === undefined
    ? undefined
    : read(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, text)
}

/** The project of --project, or undefined. */
export function projectFlag(flags: FlagValues): string | undefined {
  return given(flags, 'project', (_, text) => projectRoot(text))
}

/** Adds --reveal-secrets. */
export function revealFlag(command: Command): Command {
  return command.option('--reveal-secrets', 'show passwords and keys as they are (default: masked)')
}

/** The reveal flag, as the library takes it. */
export function readReveal(flags: FlagValues): { readonly revealSecrets?: true } {
  return flags.revealSecrets === true ? { revealSecrets: true } : {}
}

const DEFAULT_LIMIT = 100

/** Adds --limit and --offset. */
export function pageFlags(command: Command): Command {
  return command
    .option('--limit <count>', `most items, 1 to 10,000 (default: ${DEFAULT_LIMIT})`)
    .option('--offset <count>', 'items to leave out first (default: 0)')
}

/** Reads --limit and --offset; their ranges are the library's to check. */
export function readPage(flags: FlagValues): { readonly limit: number; readonly offset: number } {
  return {
    limit: wholeNumber('--limit', textFlag(flags, 'limit') ?? String(DEFAULT_LIMIT)),
    offset: wholeNumber('--offset', textFlag(flags, 'offset') ?? '0'),
  }
}

/** An object without its undefined fields. */
export function withoutAbsent<T extends object>(record: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const present: { [Name in keyof T]?: Exclude<T[Name], undefined> } = {}
  for (const name of Object.keys(record) as (keyof T)[])
    if (record[name] !== undefined) present[name] = record[name] as Exclude<T[keyof T], undefined>
  return present
}
