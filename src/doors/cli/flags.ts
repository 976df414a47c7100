/** The flags that every command takes, and what commander refuses in the words of this door. */
import { Command, CommanderError } from 'commander'
import { invalid } from '../../domain/errors.ts'
import { OPTIONS, type Option, type OptionName, variableOf } from '../config/options.ts'
import type { CommandDefinition } from './command-context.ts'
import type { FlagValues } from './resolve-options.ts'

export function commonFlags(command: Command): Command {
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
    const { flag = '', help, byDefault, usually }: Option = OPTIONS[name]
    const otherwise = Array.isArray(byDefault) ? '' : `, else ${usually ?? byDefault}`
    command.option(flag, `${help} (else ${variableOf(name)}${otherwise})`)
  }
  return command
}

export function quietCommand(program: string): Command {
  return new Command(program).exitOverride().configureOutput({ writeErr: () => {} })
}

/** The error for one refusal; commander says "error: unknown option '--limt'\n(Did you mean --limit?)". */
export function refused(program: string, { message }: CommanderError): Error {
  const [said = '', ...hints] = message.replace(/^error: |\.$/g, '').split('\n')
  const hint = hints.map((line) => `${line.replace(/^\(|\)$/g, '')} `).join('')
  return invalid(program, said, `${hint}Run \`${program} --help\` for what it takes.`)
}

/** The words, parsed; null when help was asked for and printed. Throws `invalid` for anything it does not know. */
export function parseArguments(
  program: string,
  summary: string,
  { fields, everyProject }: CommandDefinition,
  words: readonly string[],
  before: FlagValues = {},
): { readonly flags: FlagValues; readonly positional: readonly string[] } | null {
  const bare = quietCommand(program).description(`${summary}.`).allowExcessArguments(false)
  const command = commonFlags(fields?.describe(bare) ?? bare)
  try {
    command.parse([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return null
    throw refused(program, error)
  }
  const flags = { ...before, ...command.opts<FlagValues>() }
  if (everyProject === true && flags.project !== undefined)
    throw invalid(
      '--project',
      `does not bound what \`${program}\` works on: it takes every project of the user`,
      'Leave --project out.',
    )
  return { flags, positional: command.args }
}
