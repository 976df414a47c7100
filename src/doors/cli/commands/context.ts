/** `mneme context`: what a model would get to see for a message. A look: nothing counts as used unless --count says so. */
import { invalid } from '../../../domain/errors.ts'
import { wholeNumber } from '../../config/options.ts'
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition, Context } from '../context.ts'
import { type FlagValues, given, projectFlag, readReveal, revealFlag, textFlag, withoutAbsent } from '../flag-values.ts'
import { readText, writeOut } from '../standard-streams.ts'
import { thinkForAMoment } from '../watched-work.ts'

export const contextCommand: CommandDefinition = {
  configure: (command) =>
    revealFlag(command)
      .argument('[query]', 'the message; the same as --query')
      .option('--query <text>', 'the message that the model is to answer; - reads it from standard input')
      .option('--conversation <id>', 'the running conversation: its last turns and its live state belong to it')
      .option('--project <dir>', 'only what is of this project, and what is about you')
      .option('--token-budget <count>', 'most tokens of everything together (default: 8000)')
      .option(
        '--evidence-tokens <count>',
        'most tokens of what is recalled (default: what --token-budget leaves, else memory.evidence_tokens)',
      )
      .option('--system <text>', 'your own instructions, put first; - reads them from standard input')
      .option('--now <time>', 'the moment that "yesterday" is counted from (default: now)')
      .option('--file', 'show the memory file instead: what is worth knowing whatever the message')
      .option('--text', 'print the text alone instead of JSON')
      .option('--count', 'count what is shown as used, as a chat does'),
  run: async (context, flags, [words]) => {
    if (flags.file === true) return showFile(context, flags, words)
    const asked = textFlag(flags, 'query') ?? words
    const system = textFlag(flags, 'system')
    if (asked === undefined) throw invalid('--query', 'is missing', 'Say what the model is to answer.')
    if (words !== undefined && words !== asked)
      throw invalid('--query', `is given, and ${JSON.stringify(words)} too`, 'Give one message, in quotes.')
    if (asked === '-' && system === '-')
      throw invalid('--system', 'and --query both read standard input', 'Give one of them as a text.')
    const bound = context.settings.max_content_bytes.value
    const query = await readText('--query', asked, bound)
    const request = withoutAbsent({
      conversationId: textFlag(flags, 'conversation'),
      projectRoot: projectFlag(flags),
      tokenBudget: given(flags, 'tokenBudget', wholeNumber),
      evidenceTokens: given(flags, 'evidenceTokens', wholeNumber),
      system: system === undefined ? undefined : await readText('--system', system, bound),
      now: textFlag(flags, 'now'),
      count: flags.count === true,
      ...readReveal(flags),
    })
    const memory = await context.memory({ create: false, models: true, thought: true })
    const built = await memory.context.build(query, request)
    if (flags.text === true) {
      for (const warning of built.warnings) process.stderr.write(`warn: ${warning}\n`)
      await writeOut(`${built.text}\n`)
    } else await context.print({ ...snakeNames(built), recalled: built.recalled.map(snakeNames) })
    if (flags.count === true) await thinkForAMoment(context.settings, memory)
    return undefined
  },
}

/** The memory file as it stands; edits of the person's are taken over first. */
async function showFile(context: Context, flags: FlagValues, words: string | undefined): Promise<undefined> {
  for (const [flag, value] of Object.entries({ ...flags, query: flags.query ?? words }))
    if (value !== undefined && !['file', 'text', 'revealSecrets', ...COMMON].includes(flag))
      throw invalid(`--${flag}`, 'does not go with --file', 'Leave one of them out.')
  const memory = await context.memory({ create: false })
  const reveal = readReveal(flags)
  try {
    await memory.memoryFile.sync()
  } catch (error) {
    // It was logged; what stands in the file can be read all the same.
    process.stderr.write(`warn: ${error instanceof Error ? error.message : error}\n`)
  }
  const { entries, ...file } = await memory.memoryFile.read(reveal)
  if (flags.text === true) await writeOut(file.text)
  else await context.print({ ...snakeNames(file), entries: entries.map(snakeNames) })
  return undefined
}

/** Flags that every command takes. */
const COMMON = ['db', 'user', 'config', 'pretty', 'project']
