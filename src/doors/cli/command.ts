/** The definition of a command: its flags and its action. */
import type { Command } from 'commander'
import type { Context } from './context.ts'
import type { FlagValues } from './flag-values.ts'

/** One command, loaded only when called. */
export interface CommandDefinition {
  /** Adds its flags and arguments; the common ones are there already. */
  readonly configure: (command: Command) => Command
  /** true: it works on all projects alike, so --project is refused. */
  readonly everyProject?: boolean
  /** Runs the command. Resolves to the exit code if it is not 0. */
  readonly run: (context: Context, flags: FlagValues, positional: readonly string[]) => Promise<number | undefined>
}
