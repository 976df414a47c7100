/** Which command do these words call? Common flags may stand before its name, `help` too. */
import { type Command, CommanderError } from 'commander'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { decimalNumber } from '../config/options.ts'
import { camelName } from '../operations/names.ts'
import type { AnyOperation, CommandDoor } from '../operations/operation.ts'
import { type FieldKind, fieldKinds, fieldNotes, readInput, readTextValue } from '../operations/read-input.ts'
import { OPERATIONS } from '../operations/table.ts'
import { COMMANDS, type CommandEntry } from './commands.ts'
import type { CommandDefinition } from './context.ts'
import { jsonValue, projectRoot, quietCommand, takeLeadingFlags } from './flags.ts'
import { packageVersion } from './package-root.ts'
import { flagName } from './report-error.ts'
import { camelFlag } from './settings.ts'
import { readText, writeOut } from './standard-streams.ts'

const rendered: readonly CommandEntry[] = OPERATIONS.flatMap((operation) => {
  const { cli, summary } = operation
  if (cli === undefined) return []
  const { command: name, byDefault = false } = cli
  return [{ name, summary: summary.replace(/\.$/, ''), byDefault, load: async () => operationCommand(operation, cli) }]
})

const firstWord = ({ name }: CommandEntry): string => name.split(' ')[0] ?? ''

/** The most wanted commands follow those for storing and asking. */
const UP_TO_RECALL = 1 + COMMANDS.findIndex(({ name }) => name === 'recall')
const ASKING: ReadonlySet<string> = new Set(['ask', 'search'])
const { asking = [], others = [] } = Object.groupBy(rendered, ({ name }) => (ASKING.has(name) ? 'asking' : 'others'))

export const ALL_COMMANDS: readonly CommandEntry[] = [
  ...Map.groupBy(
    [...COMMANDS.slice(0, UP_TO_RECALL), ...asking, ...COMMANDS.slice(UP_TO_RECALL), ...others],
    firstWord,
  ).values(),
].flat()

const MOST_SUGGESTIONS = 3

export type Called =
  | { readonly kind: 'command'; readonly entry: CommandEntry; readonly rest: readonly string[] }
  | { readonly kind: 'help'; readonly group: string | null }
  | { readonly kind: 'version' }

/** Finds `memory add` in `--db f memory add "text"`. Throws `invalid` without a match. */
export function findCommand(words: readonly string[]): Called {
  const { flags, help, version, rest } = takeLeadingFlags('mneme', words)
  const [first, ...others] = rest
  if (first === undefined) return version ? { kind: 'version' } : { kind: 'help', group: null }
  if (first === 'help') return findCommand(['--help', ...others])
  const leading = help ? [...flags, '--help'] : flags
  if (ALL_COMMANDS.some(({ name }) => name.startsWith(`${first} `))) return findInGroup(first, leading, help, others)
  // `memory_store` is the name of the program; written behind `mneme` it means the same.
  const entry = ALL_COMMANDS.find(
    ({ name, program }) => name === first || (program === true && first === `memory_${name}`),
  )
  if (entry === undefined) throw unknownCommand(first)
  return { kind: 'command', entry, rest: [...leading, ...others] }
}

function findInGroup(group: string, leading: readonly string[], help: boolean, words: readonly string[]): Called {
  const usual = ALL_COMMANDS.find(({ name, byDefault }) => byDefault === true && name.startsWith(`${group} `))
  if (usual !== undefined && !help && callsUsual(group, words))
    return { kind: 'command', entry: usual, rest: [...leading, ...words] }
  const { flags, rest, help: helpHere } = takeLeadingFlags(`mneme ${group}`, words)
  const [second, ...others] = rest
  if (second === undefined || (second === 'help' && others.length === 0)) return { kind: 'help', group }
  if (second === 'help') return findInGroup(group, ['--help'], true, others)
  const entry = ALL_COMMANDS.find(({ name }) => name === `${group} ${second}`)
  const asked = helpHere && !help ? ['--help'] : []
  if (entry !== undefined) return { kind: 'command', entry, rest: [...leading, ...flags, ...asked, ...others] }
  const names = namesIn(group)
  const near = similarNames(second, names).map((name) => `${group} ${name}`)
  const all = names.map((name) => `${group} ${name}`).join(', ')
  throw invalid(`mneme ${group}`, `${JSON.stringify(second)} is not known`, `${didYouMean(near)}Use one of: ${all}.`)
}

function namesIn(group: string): readonly string[] {
  return ALL_COMMANDS.flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []))
}

/** Whether no command of the group is named: only flags or nothing follow, and no help is requested. */
function callsUsual(group: string, words: readonly string[]): boolean {
  if (words[0] !== undefined && !words[0].startsWith('-')) return false
  return ![...namesIn(group), 'help', '--help', '-h'].some((word) => words.includes(word))
}

function unknownCommand(word: string): Error {
  const bare = word.replace(/^memory_/, '')
  const names = ALL_COMMANDS.flatMap(({ name }) => name.split(' '))
  const near = similarNames(bare, names).flatMap((found) => {
    const commands = ALL_COMMANDS.map(({ name }) => name).filter((name) => name === found || name.endsWith(` ${found}`))
    return commands.length === 0 ? [found] : commands
  })
  return invalid(
    'mneme',
    `there is no command ${JSON.stringify(word)}`,
    `${didYouMean(near)}Run \`mneme --help\` for the list.`,
  )
}

function didYouMean(names: readonly string[]): string {
  const few = names.slice(0, MOST_SUGGESTIONS).map((name) => `\`mneme ${name}\``)
  return few.length === 0 ? '' : `Did you mean ${few.join(' or ')}? `
}

function similarNames(word: string, names: readonly string[]): readonly string[] {
  if (names.includes(word)) return [word]
  const command = quietCommand('any').helpCommand(false)
  for (const name of new Set(names)) command.command(name)
  try {
    command.parse(['--', word], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const said = /Did you mean (?:one of )?(.+)\?\)/.exec(error.message)?.[1]
    return said === undefined ? [] : said.split(', ')
  }
  return []
}

export async function printHelp(group: string | null): Promise<void> {
  await writeOut(group === null ? overview() : groupOverview(group))
}

export async function printVersion(): Promise<void> {
  await writeOut(`${packageVersion()}\n`)
}

function overview(): string {
  return `Mneme remembers conversations and recalls the right few of them, in English and Chinese, without a model.

Usage: mneme <command> [flags]      mneme <command> --help for its flags

${commandLines(ALL_COMMANDS)}

memory_init, memory_store, memory_recall, memory_summarize, memory_cleanup, memory_export, memory_import and
memory_reindex are the same commands under the names of the specification.

Every command takes, before or after its name, --db FILE (else MNEME_DB, else .devbooks/conversation-memory.db),
--user ID (else "local"), --project DIR, --config FILE (else mneme.config.json beside the database) and --pretty.
Answers are JSON on stdout; logs, progress and errors go to stderr. Exit codes: 0 done, 1 failed, 2 bad input or usage,
130 interrupted.
`
}

function groupOverview(group: string): string {
  return `Usage: mneme ${group} <command> [flags]      mneme ${group} <command> --help for its flags

${commandLines(ALL_COMMANDS.filter(({ name }) => name.startsWith(`${group} `)))}
`
}

function commandLines(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
}

const PLACEHOLDERS: Readonly<Record<FieldKind, string>> = {
  text: '<text>',
  number: '<number>',
  boolean: '',
  list: '<list>',
  json: '<json>',
  'words or json': '<words>',
}

function operationCommand(
  operation: AnyOperation,
  {
    positional = [],
    without = [],
    off = [],
    changes = false,
    creates = false,
    models = false,
    thought = false,
  }: CommandDoor,
): CommandDefinition {
  const kinds = fieldKinds(operation)
  const offered = [...kinds.keys()].filter((name) => !without.includes(name) && !positional.includes(name))
  return {
    everyProject: !offered.includes('project_root'),
    configure: (command) => describeFields(command, operation, positional, offered, off),
    run: async (context, flags, words) => {
      const raw: Record<string, unknown> = {}
      const bound = context.settings.max_content_bytes.value
      const read = (name: string, flag: string, given: string): Promise<unknown> =>
        readValue(name, flag, given, kinds.get(name) ?? 'text', bound)
      for (const [index, name] of positional.entries())
        raw[name] = await read(name, `<${flagOf(name)}>`, words[index] ?? '')
      for (const name of offered) {
        const given = flags[camelFlag(`--${flagOf(name)}`)]
        if (off.includes(name) ? given === false : given === true) raw[name] = given
        else if (typeof given === 'string') raw[name] = await read(name, `--${flagOf(name)}`, given)
      }
      if (changes && Object.keys(raw).length === positional.length) {
        const flags = offered.map((name) => `--${flagOf(name)}`).join(', ')
        throw invalid(context.program, 'changes nothing', `Pass at least one of ${flags}.`)
      }
      const input = inFlags(operation, positional, () => readInput(operation, raw))
      const memory = await context.memory({ create: creates, models, thought, background: input.wait === true })
      await context.print(await operation.handler({ memory, userId: context.userId, isOperator: true }, input))
    },
  }
}

function flagOf(field: string): string {
  return flagName(camelName(field))
}

function describeFields(
  command: Command,
  operation: AnyOperation,
  positional: readonly string[],
  offered: readonly string[],
  off: readonly string[],
): Command {
  const notes = fieldNotes(operation)
  const kinds = fieldKinds(operation)
  const note = (name: string): string =>
    `${notes.get(name) ?? ''}${name === 'text' ? ' "-" reads standard input.' : ''}`
  for (const name of positional) command.argument(`<${flagOf(name)}>`, note(name))
  for (const name of offered) {
    const placeholder = PLACEHOLDERS[kinds.get(name) ?? 'text']
    command.option(`--${off.includes(name) ? 'no-' : ''}${flagOf(name)} ${placeholder}`.trim(), note(name))
  }
  return command
}

async function readValue(field: string, flag: string, given: string, kind: FieldKind, bound: number): Promise<unknown> {
  if (field === 'project_root') return projectRoot(flag, given)
  if (kind === 'text') return readText(flag, given, bound)
  if (kind === 'number') return decimalNumber(flag, given)
  if (kind === 'json') return jsonValue(flag, given)
  if (kind === 'list') return given.split(',').flatMap((text) => text.trim() || [])
  return readTextValue(kind, [given])
}

function inFlags<T>(operation: AnyOperation, positional: readonly string[], check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof MnemeError) || error.field === undefined) throw error
    const [field = ''] = error.field.split(/[.[]/)
    if (!Object.hasOwn(operation.input.shape, field)) throw error
    const flag = positional.includes(field) ? `<${flagOf(field)}>` : `--${flagOf(field)}`
    const reason = error.message.slice(error.field.length + 2)
    throw invalid(flag + error.field.slice(field.length), reason, error.remedy)
  }
}
