/** Which command do these words call? Common flags may stand before its name, `help` too. */
import { type Command, CommanderError } from 'commander'
import { invalid } from '../../domain/errors.ts'
import { OPERATIONS } from '../operations/table.ts'
import { COMMANDS, type CommandEntry } from './commands.ts'
import { operationCommand } from './fields.ts'
import { commonFlags, quietCommand, refused } from './flags.ts'
import type { FlagValues } from './resolve-options.ts'

const rendered: readonly CommandEntry[] = OPERATIONS.flatMap((operation) => {
  const { cli, summary } = operation
  if (cli === undefined || COMMANDS.some(({ name }) => name === cli.command)) return []
  const { command: name, ...how } = cli
  return [{ ...how, name, summary: summary.replace(/\.$/, ''), load: async () => operationCommand(operation, cli) }]
})

/** The first words of the commands as the overview has them: storing and asking first. */
const ORDER =
  'init store recall search ask summarize cleanup export import reindex memory conversations context digest profile'.split(
    ' ',
  )
const placeOf = ({ name }: CommandEntry): number => ORDER.indexOf(name.split(' ')[0] ?? '') + 1 || ORDER.length + 1

export const ALL_COMMANDS: readonly CommandEntry[] = [
  ...Map.groupBy(
    [...COMMANDS, ...rendered].sort((a, b) => placeOf(a) - placeOf(b)),
    ({ name }) => name.split(' ')[0],
  ).values(),
].flat()

export type Called =
  | {
      readonly kind: 'command'
      readonly entry: CommandEntry
      /** Common flags before its name. */
      readonly flags: FlagValues
      readonly rest: readonly string[]
    }
  | { readonly kind: 'help'; readonly group: string | null }
  | { readonly kind: 'version' }

export function findProgram(program: string): CommandEntry | undefined {
  return ALL_COMMANDS.find(({ name, program: isProgram }) => isProgram === true && `memory_${name}` === program)
}

/** Finds `memory add` in `--db f memory add "text"`. Throws `invalid` without a match. */
export function findCommand(words: readonly string[]): Called {
  let called: Called = { kind: 'help', group: null }
  const branch = (command: Command, group: string | null): Command => {
    command.helpInformation = () => {
      called = { kind: 'help', group }
      return ''
    }
    commonFlags(command)
      .helpOption(false)
      .helpCommand(false)
      .option('-h, --help')
      .option('-V, --version')
      .enablePositionalOptions()
    leaf(command, 'help', (rest) => {
      called = findCommand([...(group === null ? [] : [group]), ...rest, '--help'])
    })
    return command
  }
  const program = branch(quietCommand('mneme'), null)
  const groups = new Map<string, Command>()
  for (const entry of ALL_COMMANDS) {
    const [first = '', second] = entry.name.split(' ')
    const group = second === undefined ? program : (groups.get(first) ?? branch(program.command(first), first))
    if (second !== undefined) groups.set(first, group)
    const own = leaf(
      group,
      second ?? first,
      (rest, { help, ...flags }) => {
        const isUnnamed = entry.byDefault === true && group.args[0] !== second
        if (isUnnamed && rest[0]?.startsWith('-') === false) {
          const all = ALL_COMMANDS.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name] : [])).join(', ')
          throw invalid(`mneme ${first}`, `${JSON.stringify(rest[0])} is not known`, `Use one of: ${all}.`)
        }
        if (isUnnamed && (help === true || rest.includes('--help'))) return group.help()
        called = { kind: 'command', entry, flags, rest: help === true ? [...rest, '--help'] : rest }
      },
      entry.byDefault,
    )
    // The name of the program, written behind `mneme`, means the same.
    if (entry.program === true) own.alias(`memory_${first}`)
  }
  try {
    program.parse([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code !== 'commander.help') throw refused('mneme', error)
  }
  return program.opts().version === true && called.kind === 'help' ? { kind: 'version' } : called
}

/** A command that reads its flags itself. */
function leaf(
  parent: Command,
  name: string,
  found: (rest: readonly string[], flags: FlagValues) => void,
  isDefault = false,
): Command {
  const command = parent.command(name, { isDefault }).helpOption(false).allowUnknownOption().passThroughOptions()
  return command.argument('[words...]').action(() => found(command.args, command.optsWithGlobals()))
}

/** The help of a group of commands; null: of all. */
export function helpOf(group: string | null): string {
  if (group !== null)
    return `Usage: mneme ${group} <command> [flags]      mneme ${group} <command> --help for its flags

${commandLines(ALL_COMMANDS.filter(({ name }) => name.startsWith(`${group} `)))}
`
  return `Mneme remembers conversations and recalls the right few of them, in English and Chinese, without a model.

Usage: mneme <command> [flags]      mneme <command> --help for its flags

${commandLines(ALL_COMMANDS)}

memory_init, memory_store, memory_recall, memory_summarize, memory_cleanup, memory_export, memory_import and
memory_reindex are the same commands under the names of the specification.

Every command takes, before or after its name, --db FILE (else MNEME_DB, else .devbooks/conversation-memory.db),
--user ID (else MNEME_USER, else "local"), --project DIR, --config FILE (else mneme.config.json beside the database) and --pretty.
Answers are JSON on stdout; logs, progress and errors go to stderr. Exit codes: 0 done, 1 failed, 2 bad input or usage,
130 interrupted.
`
}

function commandLines(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
}
