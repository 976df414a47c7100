/** What commander refuses, as an error of ours: the flag or word at fault is the field, and the remedy says what to type. */
import type { CommanderError } from 'commander'
import { invalid } from '../../domain/errors.ts'

/** What each of commander's codes means, and how its message names the field. */
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
export function refused(program: string, { code, message }: CommanderError): Error {
  const [said = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const hint = hints.map((line) => `${line.replace(/^\(|\)$/g, '')} `).join('')
  const known = REASONS[code]
  const named = known?.named.exec(message.replace(/^error: /, '').replace(/\n\(Did you mean[\s\S]*$/, ''))?.[1]
  const remedy = `${hint}Run \`${program} --help\` for what it takes.`
  if (known === undefined || named === undefined) return invalid(program, said, remedy)
  const field = named.startsWith('-')
    ? named
    : code === 'commander.missingArgument'
      ? `<${named}>`
      : JSON.stringify(named)
  return invalid(field, `${known.reason} (${program})`, remedy)
}
