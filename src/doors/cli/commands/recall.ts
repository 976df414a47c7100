/** What is recalled: `memory_recall`, `mneme context`, and `mneme digest` of the memory file. */
import { invalid } from '../../../domain/errors.ts'
import { RANKINGS, RESULT_KINDS } from '../../../domain/recall.ts'
import { wholeNumber } from '../../config/options.ts'
import { reportRecord } from '../../operations/memory-file.ts'
import { snakeNames } from '../../operations/names.ts'
import { readTextValue } from '../../operations/read-input.ts'
import type { CommandDefinition, Context } from '../context.ts'
import { given, oneWord, projectFlag, readReveal, revealFlag, textFlag, withoutAbsent, wordList } from '../flags.ts'
import type { FlagValues } from '../settings.ts'
import { readText, writeOut } from '../standard-streams.ts'
import { thinkForAMoment } from '../watched-work.ts'

export const recall: CommandDefinition = {
  configure: (command) =>
    revealFlag(command)
      .argument('[query]', 'the question; the same as --query')
      .option('--query <text>', 'the question, in any words')
      .option('--limit <count>', 'most results, 1 to 10,000 (default: 5)')
      .option('--conversation <id>', 'only this conversation')
      .option('--project <dir>', 'only conversations of this project')
      .option('--ranking <name>', `${RANKINGS.join(', ')} (default: conversation)`)
      .option('--kinds <list>', 'turn, summary or turn,summary (default: both)')
      .option('--since <time>', 'only what was said at or after this, ISO 8601')
      .option('--until <time>', 'only what was said at or before this, ISO 8601')
      .option('--time-range <words>', 'the same in words, "last week", 上周, or as JSON {"from": …, "to": …}')
      .option('--now <time>', 'the moment that "yesterday" is counted from (default: now)')
      .option('--explain', 'say how every score came about'),
  run: async (context, flags, [words]) => {
    const query = textFlag(flags, 'query') ?? words
    if (query === undefined) throw invalid('--query', 'is missing', 'Ask for something.')
    if (words !== undefined && words !== query)
      throw invalid('--query', `is given, and ${JSON.stringify(words)} too`, 'Ask one question, in quotes.')
    const request = {
      conversationId: textFlag(flags, 'conversation'),
      projectRoot: projectFlag(flags),
      limit: given(flags, 'limit', wholeNumber),
      ranking: oneWord('--ranking', textFlag(flags, 'ranking') ?? 'conversation', RANKINGS),
      kinds: given(flags, 'kinds', (flag, text) => wordList(flag, text, RESULT_KINDS)),
      since: textFlag(flags, 'since'),
      until: textFlag(flags, 'until'),
      ...timeRange(textFlag(flags, 'timeRange')),
      now: textFlag(flags, 'now'),
      explain: flags.explain === true,
      ...readReveal(flags),
    }
    // The other two rankings use words only, and an embedding model takes time to load.
    const models = request.ranking === 'hybrid' || request.ranking === 'associative'
    const memory = await context.memory({ create: false, models })
    const answer = await memory.conversations.recall(query, request)
    await context.print({ ...snakeNames(answer), results: answer.results.map(snakeNames) })
  },
}

function timeRange(text: string | undefined) {
  return text === undefined ? {} : { timeRange: readTextValue('words or json', [text]) as string }
}

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

const COMMON = ['db', 'user', 'config', 'pretty', 'project']

export const digest: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    revealFlag(command)
      .option('--date <day>', 'the day, such as 2026-05-07 (default: today, and what earlier digests did not see)')
      .option('--since <day>', 'from this day to the date')
      .option('--conversation <id>', 'only what was said in this one: for a hook at the end of a session')
      .option('--show', 'only print what was talked about on the day')
      .option('--dry-run', 'only print what would be done')
      .option('--with-secrets', 'write keys and passwords out, into a file that only you can read'),
  run: async (context, flags) => {
    if (flags.show === true) return showDay(context, flags)
    const dryRun = flags.dryRun === true
    const memory = await context.memory({ create: false, models: !dryRun })
    const report = await memory.memoryFile.digest(
      withoutAbsent({
        ...dayOf(flags),
        dryRun,
        withSecrets: flags.withSecrets === true ? true : undefined,
      }),
    )
    await context.print(reportRecord(report))
    return undefined
  },
}

async function showDay(context: Context, flags: FlagValues): Promise<undefined> {
  for (const flag of ['dryRun', 'withSecrets'])
    if (flags[flag] !== undefined) throw invalid('--show', 'writes nothing', 'Leave it out, or the other flag.')
  const memory = await context.memory({ create: false })
  const { date, conversations } = await memory.memoryFile.day(withoutAbsent(dayOf(flags)))
  await context.print({ date, conversations: conversations.map(snakeNames) })
  return undefined
}

function dayOf(flags: FlagValues) {
  const conversationId = textFlag(flags, 'conversation')
  return { date: textFlag(flags, 'date'), since: textFlag(flags, 'since'), conversationId, ...readReveal(flags) }
}
