/** Which command do these words call? Common flags may stand before its name, `help` too. */
import { distance } from 'fastest-levenshtein'
import { invalid } from '../../domain/errors.ts'
import { packageVersion } from '../../language/package-file.ts'
import { OPERATIONS } from '../operations/table.ts'
import { COMMANDS, type CommandEntry } from './commands.ts'
import { operationCommand } from './fields.ts'
import { takeLeadingFlags } from './flags.ts'
import { writeOut } from './standard-streams.ts'

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

const MOST_SUGGESTIONS = 3

export type Called =
  | { readonly kind: 'command'; readonly entry: CommandEntry; readonly rest: readonly string[] }
  | { readonly kind: 'help'; readonly group: string | null }
  | { readonly kind: 'version' }

export function findProgram(program: string): CommandEntry | undefined {
  return ALL_COMMANDS.find(({ name, program: isProgram }) => isProgram === true && `memory_${name}` === program)
}

/** Finds `memory add` in `--db f memory add "text"`. Throws `invalid` without a match. */
export function findCommand(words: readonly string[]): Called {
  const { flags, help, version, rest } = takeLeadingFlags('mneme', words)
  const [first, ...others] = rest
  if (first === undefined) return version ? { kind: 'version' } : { kind: 'help', group: null }
  if (first === 'help') return findCommand(['--help', ...others])
  const leading = help ? [...flags, '--help'] : flags
  if (ALL_COMMANDS.some(({ name }) => name.startsWith(`${first} `))) return findInGroup(first, leading, help, others)
  // `memory_store` is the name of the program; written behind `mneme` it means the same.
  const entry = findProgram(first) ?? ALL_COMMANDS.find(({ name }) => name === first)
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

/** The names that are nearest to a word, at most three letters away and half of the name. */
function similarNames(word: string, names: readonly string[]): readonly string[] {
  const away = (name: string): number => distance(word, name)
  const near = [...new Set(names)].filter((name) => away(name) <= Math.min(3, name.length / 2))
  const least = Math.min(...near.map(away))
  return near.filter((name) => away(name) === least)
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
--user ID (else MNEME_USER, else "local"), --project DIR, --config FILE (else mneme.config.json beside the database) and --pretty.
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
