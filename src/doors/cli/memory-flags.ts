/** The flags that describe a memory, shared by `memory add` and `memory edit`. */
import type { Command } from 'commander'
import { checkInteger, checkNumber, checkTime } from '../../domain/checks.ts'
import { MOST_IMPORTANT } from '../../domain/limits.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES } from '../../domain/memory.ts'
import { decimalNumber, wholeNumber } from '../config/options.ts'
import { type FlagValues, jsonObject, jsonValue, oneWord, textFlag } from './flag-values.ts'

/** Adds the flags. */
export function memoryFlags(command: Command): Command {
  return command
    .option('--type <type>', MEMORY_TYPES.join(' or '))
    .option('--category <category>', CATEGORIES.join(', '))
    .option('--key <name>', 'the name of the fact, such as drink')
    .option('--value <json>', 'the value of the fact as JSON, such as \'"tea"\'')
    .option('--tags <list>', 'words separated by commas')
    .option('--who <name>', 'who said or did it')
    .option('--confidence <number>', 'how sure it is, 0 to 1')
    .option('--source <source>', MEMORY_SOURCES.join(', '))
    .option('--importance <number>', '0 to 3')
    .option('--metadata <json>', 'a JSON object that is kept with it')
}

/** The values of the given flags; absent flags are left out. */
export function readMemoryFlags(flags: FlagValues) {
  const given = <T>(name: string, read: (flag: string, text: string) => T): T | undefined => {
    const text = textFlag(flags, name)
    return text === undefined ? undefined : read(`--${name}`, text)
  }
  const asText = (_flag: string, text: string): string => text
  return withoutAbsent({
    memoryType: given('type', (flag, text) => oneWord(flag, text, MEMORY_TYPES)),
    category: given('category', (flag, text) => oneWord(flag, text, CATEGORIES)),
    key: given('key', asText),
    value: given('value', jsonValue),
    tags: given('tags', (_flag, text) =>
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
    who: given('who', asText),
    confidence: given('confidence', (flag, text) => checkNumber(flag, decimalNumber(flag, text), 0, 1)),
    source: given('source', (flag, text) => oneWord(flag, text, MEMORY_SOURCES)),
    importance: given('importance', (flag, text) => checkInteger(flag, wholeNumber(flag, text), 0, MOST_IMPORTANT)),
    metadata: given('metadata', jsonObject),
  })
}

/** A time as it was given, checked before anything is opened. */
export function timeFlag(flags: FlagValues, name: string, flag: string): string | undefined {
  const text = textFlag(flags, name)
  if (text !== undefined) checkTime(flag, text)
  return text
}

/** An object without its undefined fields. */
export function withoutAbsent<T extends object>(record: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const present: { [Name in keyof T]?: Exclude<T[Name], undefined> } = {}
  for (const name of Object.keys(record) as (keyof T)[])
    if (record[name] !== undefined) present[name] = record[name] as Exclude<T[keyof T], undefined>
  return present
}
