/** Which command do these words call? */
import { invalid } from '../../domain/errors.ts'
import { COMMANDS, type CommandEntry } from './commands.ts'

/** A command and the words that are left for it. */
export interface FoundCommand {
  readonly entry: CommandEntry
  readonly rest: readonly string[]
}

/** Finds `store` in `store --role user`, `memory add` in `memory add "text"`; throws `invalid` when there is none. */
export function findCommand(words: readonly string[]): FoundCommand {
  const [first = '', second = ''] = words
  const two = COMMANDS.find(({ name }) => name === `${first} ${second}`)
  if (two !== undefined) return { entry: two, rest: words.slice(2) }
  const one = COMMANDS.find(({ name }) => name === first)
  if (one !== undefined) return { entry: one, rest: words.slice(1) }
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  if (group.length > 0)
    throw invalid(
      `mneme ${first}`,
      second === '' ? 'needs to know what to do' : `${JSON.stringify(second)} is not known`,
      `Use one of: ${group.join(', ')}.`,
    )
  throw invalid('mneme', `there is no command ${JSON.stringify(first)}`, 'Run `mneme --help` for the list.')
}
