/** Which of these names did somebody mean who typed this word? By commander's own measure. */
import { CommanderError } from 'commander'
import { quietCommand } from './common-flags.ts'

/** The nearest names, none when none is near. A name that was typed exactly is its own answer. */
export function similarNames(word: string, names: readonly string[]): readonly string[] {
  if (names.includes(word)) return [word]
  const command = quietCommand('any').helpCommand(false)
  for (const name of new Set(names)) command.command(name)
  try {
    command.parse(['--', word], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const said = /Did you mean (?:one of )?(.+)\?\)/.exec(error.message)?.[1]
    return said === undefined ? [] : said.split(', ')
  }
  return []
}
