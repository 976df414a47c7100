/** Words to flags, read by commander; what it refuses becomes an error of ours with a remedy. */
import { Command, CommanderError } from 'commander'
import { invalid } from '../../domain/errors.ts'
import type { CommandDefinition, FlagValues } from './command.ts'
import type { CommonFlags } from './settings.ts'

/** The flags of one call. */
export interface ParsedArguments {
  readonly common: CommonFlags
  readonly flags: FlagValues
  readonly positional: readonly string[]
}

/** Reads the words; null when help was asked for and printed. Throws `invalid` for anything it does not know. */
export function parseArguments(
  program: string,
  summary: string,
  definition: CommandDefinition,
  words: readonly string[],
): ParsedArguments | null {
  const command = describeCommand(program, summary, definition)
  try {
    command.parse([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return null
    throw refused(program, error)
  }
  const flags = command.opts<FlagValues & CommonFlags>()
  return { common: flags, flags, positional: command.args }
}

function describeCommand(program: string, summary: string, definition: CommandDefinition): Command {
  const command = new Command(program)
    .description(`${summary}.`)
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => {} })
  return definition
    .configure(command)
    .option('--db <file>', 'the database (else MNEME_DB, else .devbooks/conversation-memory.db)')
    .option('--user <id>', 'whose memory it is (default: "local")')
    .option('--config <file>', 'settings (default: mneme.config.json beside the database)')
    .option('--pretty', 'JSON on several lines, as on a terminal')
}

/** commander says "error: unknown option '--limt'\n(Did you mean --limit?)". */
function refused(program: string, { message }: CommanderError): Error {
  const [reason = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const hint = hints.map((line) => line.replace(/^\(|\)$/g, '')).join(' ')
  return invalid(program, reason, `${hint === '' ? '' : `${hint} `}Run \`${program} --help\` for its flags.`)
}
