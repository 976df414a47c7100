/** The flags that describe a memory, shared by `memory add` and `memory edit`. */
import type { Command } from 'commander'
import { checkInteger, checkNumber, checkTime } from '../../domain/checks.ts'
import { MOST_IMPORTANT } from '../../domain/limits.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES } from '../../domain/memory.ts'
import { decimalNumber, wholeNumber } from '../config/options.ts'
import { type FlagValues, given, jsonObject, jsonValue, oneWord, textFlag } from './flag-values.ts'

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
  return withoutAbsent({
    memoryType: given(flags, 'type', (flag, text) => oneWord(flag, text, MEMORY_TYPES)),
    category: given(flags, 'category', (flag, text) => oneWord(flag, text, CATEGORIES)),
    key: textFlag(flags, 'key'),
    value: given(flags, 'value', jsonValue),
    tags: given(flags, 'tags', (_flag, text) =>
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
    who: textFlag(flags, 'who'),
    confidence: given(flags, 'confidence', (flag, text) => checkNumber(flag, decimalNumber(flag, text), 0, 1)),
    source: given(flags, 'source', (flag, text) => oneWord(flag, text, MEMORY_SOURCES)),
    importance: given(flags, 'importance', (flag, text) =>
      checkInteger(flag, wholeNumber(flag, text), 0, MOST_IMPORTANT),
    ),
    metadata: given(flags, 'metadata', jsonObject),
  })
}

/** A time as it was given, checked before anything is opened. */
export function checkedTime(flag: string, text: string): string {
  checkTime(flag, text)
  return text
}

/** An object without its undefined fields. */
export function withoutAbsent<T extends object>(record: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const present: { [Name in keyof T]?: Exclude<T[Name], undefined> } = {}
  for (const name of Object.keys(record) as (keyof T)[])
    if (record[name] !== undefined) present[name] = record[name] as Exclude<T[keyof T], undefined>
  return present
}
