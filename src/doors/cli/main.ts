/** The command line: finds and runs the command, and turns errors into messages and exit codes. */
import { packageVersion } from '../../language/package-file.ts'
import { readEnvironment } from '../config/options.ts'
import { createContext } from './command-context.ts'
import { COMMANDS, type CommandEntry } from './commands.ts'
import { errorText, exitCode } from './report-error.ts'
import type { FlagValues } from './resolve-options.ts'
import { camelFlag, inWordsOfCaller, resolveSettings } from './resolve-options.ts'
import { endWithReader, writeOut } from './standard-streams.ts'

/** Runs `program` (`mneme`, `memory_store`, …) and sets the exit code of the process. Never rejects. */
export async function main(program: string, words: readonly string[] = process.argv.slice(2)): Promise<void> {
  const isHook = words[0] === 'hook' && !asksHelp(words)
  // Streams take milliseconds to load, and a hook writes one line.
  if (!isHook) endWithReader()
  try {
    process.exitCode = await run(program, words)
  } catch (error) {
    // Errors in a hook's flags are only noted, since an assistant must never stop for them.
    if (isHook) (await import('./commands/hook.ts')).noteFailure(error)
    else {
      process.stderr.write(errorText(error))
      process.exitCode = exitCode(error)
    }
  }
  // An assistant waits until the process has gone: what Node would still tidy up, the system does faster.
  if (isHook) process.exit()
}

async function run(program: string, words: readonly string[]): Promise<number> {
  // Found without the table of operations, since an assistant waits for its hook.
  const isAlone = program !== 'mneme'
  const named = COMMANDS.find(({ name }) => (isAlone ? `memory_${name}` === program : name === words[0]))
  if (named !== undefined)
    return runCommand(named, isAlone ? program : `mneme ${named.name}`, isAlone ? words : words.slice(1))
  const { findCommand, findProgram, helpOf } = await import('./find-command.ts')
  const own = findProgram(program)
  if (own !== undefined) return runCommand(own, program, words)
  const called = findCommand(words)
  if (called.kind === 'command')
    return runCommand(called.entry, `mneme ${called.entry.name}`, called.rest, called.flags)
  await writeOut(called.kind === 'version' ? `${packageVersion()}\n` : helpOf(called.group))
  return 0
}

async function runCommand(
  entry: CommandEntry,
  program: string,
  words: readonly string[],
  before?: FlagValues,
): Promise<number> {
  const definition = await entry.load()
  const parsed =
    entry.name === 'hook' && !asksHelp(words)
      ? hookArguments(words)
      : (await import('./flags.ts')).parseArguments(program, entry.summary, definition, words, before)
  if (parsed === null) return 0
  const { flags, positional } = parsed
  const settings = resolveSettings(flags, readEnvironment())
  const context = createContext(program, settings, flags.pretty === true)
  try {
    const input = await definition.fields?.read(context, flags, positional)
    const code = await definition.run(context, input, flags)
    return typeof code === 'number' ? code : 0
  } catch (error) {
    throw inWordsOfCaller(settings, error, definition.fields?.named)
  } finally {
    await context.close()
  }
}

function asksHelp(words: readonly string[]): boolean {
  return words.some((word) => word === '--help' || word === '-h')
}

/** The words of a hook: its tool, and flags with a value. Commander would take as long to load as all the rest. */
function hookArguments(given: readonly string[]): { flags: FlagValues; positional: readonly string[] } {
  const words = given.flatMap((word) => (word.startsWith('--') ? word.split(/=(.*)/s, 2) : [word]))
  const flags: Record<string, string> = {}
  const positional: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    if (word.startsWith('--')) flags[camelFlag(word)] = words[++at] ?? ''
    else positional.push(word)
  }
  return { flags, positional }
}
