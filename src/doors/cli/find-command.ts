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

/** Finds `memory add` in `--db f memory add "text"`, in a group by the words behind its name. Throws `invalid` without a match. */
export function findCommand(words: readonly string[], group: string | null = null, before: FlagValues = {}): Called {
  const commands = group === null ? ALL_COMMANDS : ALL_COMMANDS.filter(({ name }) => name.startsWith(`${group} `))
  const unnamed = group === null ? undefined : commands.find(({ byDefault }) => byDefault)
  const program = commonFlags(quietCommand('mneme')).helpOption(false).option('-h, --help').option('-V, --version')
  program
    .argument('[words...]')
    .passThroughOptions()
    .allowUnknownOption(unnamed !== undefined)
  parse(program, words)
  const given = { ...before, ...program.opts<FlagValues>() }
  const called = (entry: CommandEntry, rest: readonly string[]): Called => {
    const { help, ...flags } = given
    return { kind: 'command', entry, flags, rest: help === true ? [...rest, '--help'] : rest }
  }
  const [first, ...rest] = program.args
  if (first === 'help') return findCommand([...(group === null ? [] : [group]), ...rest, '--help'])
  // The name of a program, written behind `mneme`, means the same.
  const entry = commands.find(({ name }) => name === (group === null ? first : `${group} ${first}`))
  const own = entry ?? (group === null ? findProgram(first ?? '') : undefined)
  if (own !== undefined) return called(own, rest)
  if (group === null && commands.some(({ name }) => name.startsWith(`${first} `)))
    return findCommand(rest, first, given)
  if (first !== undefined && !first.startsWith('-') && unnamed !== undefined) {
    const all = commands.map(({ name }) => name).join(', ')
    throw invalid(`mneme ${group}`, `${JSON.stringify(first)} is not known`, `Use one of: ${all}.`)
  }
  if (unnamed !== undefined && given.help !== true && !program.args.includes('--help'))
    return called(unnamed, program.args)
  if (first !== undefined && unnamed === undefined) {
    const known = quietCommand('mneme')
    for (const name of ['help', ...commands.map(({ name }) => name.split(' ')[group === null ? 0 : 1] ?? '')])
      if (!known.commands.some((one) => one.name() === name)) known.command(name)
    parse(known, ['--', first])
  }
  return (group === null ? given : before).version === true ? { kind: 'version' } : { kind: 'help', group }
}

function parse(command: Command, words: readonly string[]): void {
  try {
    command.parse([...words], { from: 'user' })
  } catch (error) {
    throw error instanceof CommanderError ? refused('mneme', error) : error
  }
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
