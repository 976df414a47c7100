/** Words to flags, read by commander; what it refuses becomes an error of ours with a remedy. */
import { type Command, CommanderError } from 'commander'
import { invalid } from '../../domain/errors.ts'
import type { CommandDefinition, FlagValues } from './command.ts'
import { commonFlags, quietCommand } from './common-flags.ts'
import { refused } from './refusal.ts'
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
    throw refused(program, misspelt(describeCommand(program, summary, definition), words) ?? error)
  }
  const flags = command.opts<FlagValues & CommonFlags>()
  if (definition.everyProject === true && flags.project !== undefined)
    throw invalid(
      '--project',
      `does not bound what \`${program}\` works on: it takes every project of the user`,
      'Leave --project out.',
    )
  return { common: flags, flags, positional: command.args }
}

function describeCommand(program: string, summary: string, definition: CommandDefinition): Command {
  const command = quietCommand(program).description(`${summary}.`).allowExcessArguments(false)
  return commonFlags(definition.configure(command))
}

/** A flag that is missing may be there under a wrong name, which commander says only when nothing is missing. */
function misspelt(command: Command, words: readonly string[]): CommanderError | null {
  for (const option of command.options) option.mandatory = false
  try {
    command.parse([...words], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.unknownOption') return error
  }
  return null
}
