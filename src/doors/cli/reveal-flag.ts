/** The flag that shows secrets as they are, the same in every list and search. */
import type { Command } from 'commander'
import type { FlagValues } from './command.ts'

/** Adds --reveal-secrets. */
export function revealFlag(command: Command): Command {
  return command.option('--reveal-secrets', 'show passwords and keys as they are (default: masked)')
}

/** What the flag says, as the library takes it. */
export function readReveal(flags: FlagValues): { readonly revealSecrets?: true } {
  return flags.revealSecrets === true ? { revealSecrets: true } : {}
}
