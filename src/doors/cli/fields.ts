/** The flags and words of a command, from a schema: an operation's, or the command's own. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { z } from 'zod'
import { invalid, type MnemeError, withField } from '../../domain/errors.ts'
import { decimalNumber, wholeNumber } from '../config/options.ts'
import { camelName, snakeName } from '../operations/field-names.ts'
import { type AnyOperation, type CommandDoor, type InLibrary, toLibrary } from '../operations/operation.ts'
import { type FieldKind, fieldTexts, readInput, readTextValue } from '../operations/read-input.ts'
import * as schema from '../operations/schemas.ts'
import type { CommandDefinition, Context } from './command-context.ts'
import { flagName } from './report-error.ts'
import { camelFlag, type FlagValues } from './resolve-options.ts'
import { readText } from './standard-streams.ts'

export interface FieldsAsked {
  /** Fields that are words, in their order; one that may be missing must be last. */
  readonly positional?: readonly string[]
  /** true: no word may be missing, though the schema lets it. */
  readonly needsWords?: boolean
  /** The field that may be a flag, or the one word of the command. */
  readonly either?: string
  readonly without?: readonly string[]
  /** Names of files: "-" is no text from standard input there. */
  readonly files?: readonly string[]
  /** Switches that are on, which flags such as `--no-infer` switch off. */
  readonly off?: readonly string[]
}

export interface Fields<Input> {
  readonly describe: (command: Command) => Command
  /** The given values, checked. Throws `invalid` by the names of the flags. */
  readonly read: (context: Context, flags: FlagValues, words: readonly string[]) => Promise<Input>
  readonly flags: readonly string[]
  /** An error about one of the fields, by the name of its flag. */
  readonly named: (error: MnemeError) => MnemeError
}

/** Of a command that asks before what cannot be undone. */
export const YES = schema.flag('Do not ask.')

/** Gives a command its fields: the flags and words of a schema, as what it does takes them. */
export function command<Input extends z.ZodObject>(
  input: Input,
  { everyProject = false, ...asked }: FieldsAsked & Pick<CommandDefinition, 'everyProject'> = {},
) {
  type Run = (context: Context, input: InLibrary<z.output<Input>>, flags: FlagValues) => Promise<unknown>
  const fields = fieldsOf(input, asked)
  return (run: Run): CommandDefinition => ({ everyProject, fields, run: run as CommandDefinition['run'] })
}

/** Throws `invalid` unless exactly one of these was given. */
export function checkOne(program: string, given: readonly unknown[], toDo: string, remedy: string): void {
  const count = given.filter((one) => one !== undefined && one !== false).length
  const reason = count === 0 ? `is not told what to ${toDo}` : 'is told more than one thing'
  if (count !== 1) throw invalid(program, reason, remedy)
}

export function operationCommand(operation: AnyOperation, door: CommandDoor): CommandDefinition {
  const { changes = false, creates = false, models = false, thought = false, positional = [] } = door
  const fields = schemaFields(operation.input, { ...door, needsWords: true })
  return {
    everyProject: !fields.flags.includes('--project'),
    fields,
    run: async (context, read) => {
      const given = read as Record<string, unknown>
      const input = { ...door.defaults?.(given), ...given }
      if (changes && Object.keys(input).length === positional.length)
        throw invalid(context.program, 'changes nothing', `Pass at least one of ${fields.flags.join(', ')}.`)
      const memory = await context.memory({
        create: creates,
        models: typeof models === 'function' ? models(input) : models,
        thought,
        background: input.wait === true,
      })
      await context.print(await operation.handler({ memory, userId: context.userId, isOperator: true }, input))
    },
  }
}

/** The fields of a schema by the library's names. */
export function fieldsOf<Input extends z.ZodObject>(
  input: Input,
  asked?: FieldsAsked,
): Fields<InLibrary<z.output<Input>>> {
  const { read, ...fields } = schemaFields(input, asked)
  const named = toLibrary(input)
  return {
    ...fields,
    read: async (...given) => named(await read(...given)) as InLibrary<z.output<Input>>,
  }
}

/** The fields of a schema by its own names. */
export function schemaFields(
  input: z.ZodObject,
  { positional = [], needsWords = false, either, without = [], off = [], files = [] }: FieldsAsked = {},
): Fields<Record<string, unknown>> {
  const schema = { input }
  const texts = fieldTexts(schema)
  const kindOf = (name: string): FieldKind => texts.get(name)?.kind ?? 'text'
  const offered = [...texts.keys()].filter((name) => !without.includes(name) && !positional.includes(name))
  const flagOf = (name: string): string => (positional.includes(name) ? `<${nameOf(name)}>` : `--${nameOf(name)}`)
  const valueFrom = async (context: Context, name: string, given: string): Promise<unknown> =>
    files.includes(name)
      ? given
      : readValue(name, flagOf(name), given, kindOf(name), context.settings.max_content_bytes.value)
  return {
    flags: offered.map(flagOf),
    named: (error) => {
      const name = snakeName(error.field ?? '')
      const [field = ''] = name.split(/[.[]/)
      if (!Object.hasOwn(input.shape, field)) return error
      // The parts of a list of words have no names.
      return withField(error, flagOf(field) + (kindOf(field) === 'list' ? '' : name.slice(field.length)))
    },
    describe: (command) => {
      const note = (name: string): string =>
        `${texts.get(name)?.note}${name === 'text' && kindOf(name) === 'text' ? ' "-" reads standard input.' : ''}`
      for (const name of positional) {
        const mayMiss = !needsWords && input.shape[name]?.safeParse(undefined).success === true
        command.argument(mayMiss ? `[${nameOf(name)}]` : `<${nameOf(name)}>`, note(name))
      }
      if (either !== undefined) command.argument(`[${nameOf(either)}]`, `The same as ${flagOf(either)}.`)
      for (const name of offered) {
        const kind = kindOf(name)
        const ofText = TEXTS[name] ?? TEXTS[name.slice(name.lastIndexOf('_') + 1)]
        const placeholder = (kind === 'text' ? ofText : undefined) ?? PLACEHOLDERS[kind]
        command.option(`--${off.includes(name) ? 'no-' : ''}${nameOf(name)} ${placeholder}`.trim(), note(name))
      }
      return command
    },
    read: async (context, flags, words) => {
      const raw: Record<string, unknown> = {}
      for (const [index, name] of positional.entries())
        if (words[index] !== undefined) raw[name] = await valueFrom(context, name, words[index])
      const given = offered.map((name): readonly [string, string | boolean | undefined] => {
        const value = flags[camelFlag(flagOf(name))]
        return [name, name === either ? eitherOf(flagOf(name), value, words[positional.length]) : value]
      })
      const [first, second] = given.filter(([, value]) => value === '-').map(([name]) => flagOf(name))
      if (second !== undefined)
        throw invalid(second, `and ${first} both read standard input`, 'Give one of them as a text.')
      for (const [name, value] of given)
        if (off.includes(name) ? value === false : value === true) raw[name] = value
        else if (typeof value === 'string') raw[name] = await valueFrom(context, name, value)
      return readInput(schema, raw)
    },
  }
}

function nameOf(field: string): string {
  return flagName(camelName(field))
}

function eitherOf(flag: string, given: string | boolean | undefined, word: string | undefined) {
  if (word !== undefined && given !== undefined && word !== given)
    throw invalid(flag, `is given, and ${JSON.stringify(word)} too`, 'Give one of them, in quotes.')
  return given ?? word
}

const PLACEHOLDERS: Readonly<Record<FieldKind, string>> = {
  text: '<text>',
  number: '<number>',
  integer: '<number>',
  boolean: '',
  list: '<list>',
  json: '<json>',
  'words or json': '<words>',
}

/** The kind of a text, by its field's name or the last part of it. */
const TEXTS: Readonly<Record<string, string>> = {
  root: '<dir>',
  id: '<id>',
  at: '<time>',
  as_of: '<time>',
  now: '<time>',
  since: '<time>',
  until: '<time>',
}

async function readValue(field: string, flag: string, given: string, kind: FieldKind, bound: number): Promise<unknown> {
  if (field === 'project_root') return projectRoot(given)
  if (kind === 'text') return readText(flag, given, bound)
  if (kind === 'integer') return wholeNumber(flag, given)
  if (kind === 'number') return decimalNumber(flag, given)
  if (kind === 'json') return jsonValue(flag, given)
  if (kind === 'list') return given.split(',').flatMap((text) => text.trim() || [])
  return readTextValue(kind, [given])
}

/** A project: `.`, `..`, `./x` and `../x` are folders seen from here; any other text is taken as it is. */
export function projectRoot(text: string): string {
  return /^\.{1,2}(?:[/\\]|$)/.test(text) ? resolve(text) : text
}

function jsonValue(flag: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(flag, 'is not JSON', `Quote it for the shell, such as ${flag} '{"tag": "work"}'.`)
  }
}
