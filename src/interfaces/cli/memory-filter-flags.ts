/** The flags that say which long-term memories are meant, shared by `memory search` and `memory list`. */
import type { Command } from 'commander'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES } from '../../domain/memory.ts'
import { type FlagValues, textFlag } from './command.ts'
import { oneWord } from './flag-values.ts'
import { withoutAbsent } from './memory-flags.ts'

/** Adds the flags. */
export function filterFlags(command: Command): Command {
  return command
    .option('--type <type>', `only ${MEMORY_TYPES.join(' or ')}`)
    .option('--category <category>', `only ${CATEGORIES.join(', ')}`)
    .option('--source <source>', `only ${MEMORY_SOURCES.join(', ')}`)
    .option('--key <name>', 'only facts of this name')
    .option('--who <name>', 'only of this person')
    .option('--conversation <id>', 'only from this conversation')
    .option('--tag <word>', 'only with this tag')
}

/** What the flags say, as `filters` of the library; nothing when no flag was given. */
export function readFilterFlags(flags: FlagValues): { readonly filters?: Record<string, unknown> } {
  const word = <T extends string>(name: string, words: readonly T[]): T | undefined => {
    const text = textFlag(flags, name)
    return text === undefined ? undefined : oneWord(`--${name}`, text, words)
  }
  const filters = withoutAbsent({
    memoryType: word('type', MEMORY_TYPES),
    category: word('category', CATEGORIES),
    source: word('source', MEMORY_SOURCES),
    key: textFlag(flags, 'key'),
    who: textFlag(flags, 'who'),
    conversationId: textFlag(flags, 'conversation'),
    tag: textFlag(flags, 'tag'),
  })
  return Object.keys(filters).length === 0 ? {} : { filters }
}
