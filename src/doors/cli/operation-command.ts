/**
 * A command rendered from the table of operations: inputs become flags, and the answer is printed. Commands with
 * questions, streams or progress have their own files.
 */
import type { Command } from 'commander'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { camelName } from '../operations/names.ts'
import type { AnyOperation, CommandLook } from '../operations/operation.ts'
import { type FieldKind, fieldKinds, fieldNotes, readInput, readTextValue } from '../operations/read-input.ts'
import type { CommandDefinition } from './context.ts'
import { type FlagValues, projectRoot, textFlag } from './flag-values.ts'
import { flagName } from './report-error.ts'
import { readText } from './standard-streams.ts'

const PLACEHOLDERS: Readonly<Record<FieldKind, string>> = {
  text: '<text>',
  number: '<number>',
  boolean: '',
  list: '<list>',
  json: '<json>',
  'words or json': '<words>',
}

export function operationCommand(operation: AnyOperation, look: CommandLook): CommandDefinition {
  const { positional = [], without = [], changes = false, models = false, thought = false } = look
  const kinds = fieldKinds(operation)
  const offered = [...kinds.keys()].filter((name) => !without.includes(name) && !positional.includes(name))
  return {
    everyProject: !offered.includes('project_root'),
    configure: (command) => describe(command, operation, positional, offered),
    run: async (context, flags, words) => {
      const raw: Record<string, unknown> = {}
      for (const [index, name] of positional.entries())
        raw[name] = readTextValue(kinds.get(name) ?? 'text', [words[index] ?? ''])
      const bound = context.settings.max_content_bytes.value
      for (const name of offered) {
        const given = flagValue(flags, name)
        if (given === true) raw[name] = true
        else if (given !== undefined) raw[name] = await read(name, given, kinds.get(name) ?? 'text', bound)
      }
      if (changes && Object.keys(raw).length === positional.length)
        throw invalid(
          context.program,
          'changes nothing',
          `Pass at least one of ${offered.map((name) => `--${flagOf(name)}`).join(', ')}.`,
        )
      const input = inFlags(operation, positional, () => readInput(operation, raw))
      const memory = await context.memory({ create: false, models, thought })
      const { userId } = context
      await context.print(await operation.handler({ memory, userId, isOperator: true }, input))
    },
  }
}

function flagOf(field: string): string {
  return flagName(camelName(field))
}

function describe(
  command: Command,
  operation: AnyOperation,
  positional: readonly string[],
  offered: readonly string[],
): Command {
  const notes = fieldNotes(operation)
  const kinds = fieldKinds(operation)
  for (const name of positional) command.argument(`<${flagOf(name)}>`, notes.get(name) ?? '')
  for (const name of offered) {
    const placeholder = PLACEHOLDERS[kinds.get(name) ?? 'text']
    command.option(`--${flagOf(name)} ${placeholder}`.trim(), notes.get(name) ?? '')
  }
  return command
}

/** commander keeps `--from-turn` as `fromTurn`. */
function flagValue(flags: FlagValues, field: string): string | true | undefined {
  const name = flagOf(field).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return flags[name] === true ? true : textFlag(flags, name)
}

async function read(field: string, given: string, kind: FieldKind, bound: number): Promise<unknown> {
  if (field === 'project_root') return projectRoot(given)
  if (kind === 'text') return readText(`--${flagOf(field)}`, given, bound)
  return readTextValue(kind, [given])
}

/** Runs a check and words the schema's refusals with the names of the flags. */
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
