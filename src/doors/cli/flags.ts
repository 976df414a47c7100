/** The flags that every command takes, and readers of flag values, which throw `invalid` with the flag’s name. */
import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { checkInteger } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { DEFAULT_PAGE } from '../../domain/limits.ts'
import { OPTIONS, type Option, type OptionName, wholeNumber } from '../config/options.ts'
import type { CommandDefinition } from './context.ts'
import { camelFlag, type FlagValues } from './settings.ts'

export interface LeadingFlags {
  readonly flags: readonly string[]
  readonly help: boolean
  readonly version: boolean
  readonly rest: readonly string[]
}

/** Adds the common flags. `project` says what --project means where a command has none of its own. */
function commonFlags(command: Command): Command {
  if (!command.options.some(({ long }) => long === '--project'))
    command.option(
      '--project <dir>',
      'the project at hand; it bounds store, recall, ask, context, memories and conversations list',
    )
  optionFlags(command, 'db', 'user').option(
    '--config <file>',
    'settings (default: mneme.config.json beside the database)',
  )
  return optionFlags(command, 'vector_store.uri', 'vector_store.collection').option(
    '--pretty',
    'JSON on several lines, as on a terminal',
  )
}

export function optionFlags(command: Command, ...names: readonly OptionName[]): Command {
  for (const name of names) {
    const { flag = '', variable, help, byDefault, usually }: Option = OPTIONS[name]
    const usual = usually ?? byDefault
    const otherwise = Array.isArray(usual)
      ? ''
      : variable === undefined
        ? ` (default: ${JSON.stringify(usual)})`
        : ` (else ${variable}, else ${usual})`
    command.option(flag, help + otherwise)
  }
  return command
}

export function quietCommand(program: string): Command {
  return new Command(program).exitOverride().configureOutput({ writeErr: () => {} })
}

/** Takes the words before the first non-flag. Throws `invalid` for a flag that is not common. */
export function takeLeadingFlags(program: string, words: readonly string[]): LeadingFlags {
  if (words[0]?.startsWith('-') !== true) return { flags: [], help: false, version: false, rest: words }
  const command = commonFlags(quietCommand(program))
    .helpOption(false)
    .option('-h, --help')
    .option('-V, --version')
    .argument('[words...]')
    .passThroughOptions()
  try {
    command.parse([...words], { from: 'user' })
  } catch (error) {
    throw error instanceof CommanderError ? refused(program, error) : error
  }
  const { help, version } = command.opts<{ help?: boolean; version?: boolean }>()
  const flags = words.slice(0, words.length - command.args.length)
  return {
    flags: flags.filter((word) => !['-h', '--help', '-V', '--version', '--'].includes(word)),
    help: help === true,
    version: version === true,
    rest: command.args,
  }
}

/** The meaning of commander's error codes, and a pattern for the field in its message. */
const REASONS: Readonly<Record<string, { readonly named: RegExp; readonly reason: string }>> = {
  'commander.unknownOption': { named: /^unknown option '(.+)'$/, reason: 'unknown option' },
  'commander.optionMissingArgument': { named: /^option '(?:-\w, )?(--[\w-]+).*'/, reason: 'its value is missing' },
  'commander.missingMandatoryOptionValue': { named: /^required option '(?:-\w, )?(--[\w-]+).*'/, reason: 'is missing' },
  'commander.missingArgument': { named: /^missing required argument '(.+)'$/, reason: 'is missing' },
  'commander.excessArguments': {
    named: /got \d+: (.+)\.$/s,
    reason: 'too many arguments; texts with spaces need quotes around them',
  },
}

/** The error for one refusal; commander says "error: unknown option '--limt'\n(Did you mean --limit?)". */
function refused(program: string, { code, message }: CommanderError): Error {
  const [said = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const hint = hints.map((line) => `${line.replace(/^\(|\)$/g, '')} `).join('')
  const known = REASONS[code]
  const named = known?.named.exec(message.replace(/^error: /, '').replace(/\n\(Did you mean[\s\S]*$/, ''))?.[1]
  const remedy = `${hint}Run \`${program} --help\` for what it takes.`
  if (known === undefined || named === undefined) return invalid(program, said, remedy)
  const argument = code === 'commander.missingArgument' ? `<${named}>` : JSON.stringify(named)
  const field = named.startsWith('-') ? named : argument
  return invalid(field, `${known.reason} (${program})`, remedy)
}

/** Reads the words; null when help was asked for and printed. Throws `invalid` for anything it does not know. */
export function parseArguments(
  program: string,
  summary: string,
  definition: CommandDefinition,
  words: readonly string[],
): { readonly flags: FlagValues; readonly positional: readonly string[] } | null {
  const command = describeCommand(program, summary, definition)
  try {
    command.parse([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return null
    throw refused(program, misspelt(describeCommand(program, summary, definition), words) ?? error)
  }
  const flags = command.opts<FlagValues>()
  if (definition.everyProject === true && flags.project !== undefined)
    throw invalid(
      '--project',
      `does not bound what \`${program}\` works on: it takes every project of the user`,
      'Leave --project out.',
    )
  return { flags, positional: command.args }
}

function describeCommand(program: string, summary: string, { configure }: CommandDefinition): Command {
  const command = quietCommand(program).description(`${summary}.`).allowExcessArguments(false)
  return commonFlags(configure?.(command) ?? command)
}

/** A missing flag may be misspelt, which commander reports only when nothing is missing. */
function misspelt(command: Command, words: readonly string[]): CommanderError | null {
  for (const option of command.options) option.mandatory = false
  try {
    command.parse([...words], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.unknownOption') return error
  }
  return null
}

export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

export function oneWord<T extends string>(flag: string, text: string, words: readonly T[]): T {
  const word = words.find((candidate) => candidate === text)
  if (word === undefined)
    throw invalid(flag, `${JSON.stringify(text)} is not known`, `Use one of: ${words.join(', ')}.`)
  return word
}

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
export function projectRoot(_flag: string, text: string): string {
  return /^\.{1,2}(?:[/\\]|$)/.test(text) ? resolve(text) : text
}

/** A flag as it is written, what it is, and what its text becomes; one without a value is true. */
type Row = readonly [flag: string, help: string, read?: (flag: string, text: string) => unknown]
type ReadOf<One> = One extends readonly [string, string, (flag: string, text: string) => infer T]
  ? T
  : One extends readonly [`${string}<${string}`, string]
    ? string
    : true

/** The flags of a command by the library's names: one table describes and reads them. */
export function flagTable<const Rows extends Readonly<Record<string, Row>>>(rows: Rows) {
  return {
    describe: (command: Command): Command => {
      for (const [flag, help] of Object.values(rows)) command.option(flag, help)
      return command
    },
    /** The given flags; the rest is absent. */
    read: (flags: FlagValues) => {
      const given = Object.entries(rows).flatMap(([name, [written, , read]]) => {
        const [flag = ''] = written.split(' ')
        const value = flags[camelFlag(flag)]
        return value === undefined ? [] : [[name, typeof value === 'string' ? (read?.(flag, value) ?? value) : value]]
      })
      return Object.fromEntries(given) as { readonly [Name in keyof Rows]?: ReadOf<Rows[Name]> }
    },
  }
}

export const REVEAL = ['--reveal-secrets', 'show passwords and keys as they are (default: masked)'] as const

/** A page of a list. */
export const PAGE = {
  limit: ['--limit <count>', `most items, 1 to 10,000 (default: ${DEFAULT_PAGE})`, wholeNumber],
  offset: ['--offset <count>', 'items to leave out first (default: 0)', wholeNumber],
} as const

export function wholeFrom(flag: string, text: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  return checkInteger(flag, wholeNumber(flag, text), least, most)
}
