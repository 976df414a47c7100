/** The commands `memory_recall`, `context`, and `digest` of the memory file. */
import { invalid } from '../../../domain/errors.ts'
import { RANKINGS, RESULT_KINDS } from '../../../domain/recall.ts'
import { wholeNumber } from '../../config/options.ts'
import { reportRecord } from '../../operations/memory-file.ts'
import { snakeNames } from '../../operations/names.ts'
import { readTextValue } from '../../operations/read-input.ts'
import type { CommandDefinition, Context } from '../context.ts'
import { flagTable, oneWord, projectRoot, REVEAL, wordList } from '../flags.ts'
import type { FlagValues } from '../settings.ts'
import { readText, writeOut } from '../standard-streams.ts'
import { thinkForAMoment } from '../watched-work.ts'

const RECALL = flagTable({
  revealSecrets: REVEAL,
  query: ['--query <text>', 'the question, in any words'],
  limit: ['--limit <count>', 'most results, 1 to 10,000 (default: 5)', wholeNumber],
  conversationId: ['--conversation <id>', 'only this conversation'],
  projectRoot: ['--project <dir>', 'only conversations of this project', projectRoot],
  ranking: [
    '--ranking <name>',
    `${RANKINGS.join(', ')} (default: conversation)`,
    (flag, text) => oneWord(flag, text, RANKINGS),
  ],
  kinds: [
    '--kinds <list>',
    'turn, summary or turn,summary (default: both)',
    (flag, text) => wordList(flag, text, RESULT_KINDS),
  ],
  since: ['--since <time>', 'only what was said at or after this, ISO 8601'],
  until: ['--until <time>', 'only what was said at or before this, ISO 8601'],
  timeRange: [
    '--time-range <words>',
    'the same in words, "last week", 上周, or as JSON {"from": …, "to": …}',
    (_, text) => readTextValue('words or json', [text]) as string,
  ],
  now: ['--now <time>', 'the moment that "yesterday" is counted from (default: now)'],
  explain: ['--explain', 'say how every score came about'],
})

export const recall: CommandDefinition = {
  configure: (command) => RECALL.describe(command.argument('[query]', 'the question; the same as --query')),
  run: async (context, flags, [words]) => {
    const { query = words, ranking = 'conversation', ...request } = RECALL.read(flags)
    if (query === undefined) throw invalid('--query', 'is missing', 'Ask for something.')
    if (words !== undefined && words !== query)
      throw invalid('--query', `is given, and ${JSON.stringify(words)} too`, 'Ask one question, in quotes.')
    // The other two rankings use words only, and an embedding model takes time to load.
    const models = ranking === 'hybrid' || ranking === 'associative'
    const memory = await context.memory({ create: false, models })
    const answer = await memory.conversations.recall(query, { ...request, ranking })
    await context.print({ ...snakeNames(answer), results: answer.results.map(snakeNames) })
  },
}

const CONTEXT = flagTable({
  revealSecrets: REVEAL,
  query: ['--query <text>', 'the message that the model is to answer; - reads it from standard input'],
  conversationId: ['--conversation <id>', 'the running conversation: its last turns and its live state belong to it'],
  projectRoot: ['--project <dir>', 'only what is of this project, and what is about you', projectRoot],
  tokenBudget: ['--token-budget <count>', 'most tokens of everything together (default: 8000)', wholeNumber],
  evidenceTokens: [
    '--evidence-tokens <count>',
    'most tokens of what is recalled (default: what --token-budget leaves, else memory.evidence_tokens)',
    wholeNumber,
  ],
  system: ['--system <text>', 'your own instructions, put first; - reads them from standard input'],
  now: ['--now <time>', 'the moment that "yesterday" is counted from (default: now)'],
  file: ['--file', 'show the memory file instead: what is worth knowing whatever the message'],
  text: ['--text', 'print the text alone instead of JSON'],
  count: ['--count', 'count what is shown as used, as a chat does'],
})

export const contextCommand: CommandDefinition = {
  configure: (command) => CONTEXT.describe(command.argument('[query]', 'the message; the same as --query')),
  run: async (context, flags, [words]) => {
    const { query: asked = words, file, text, system, count = false, ...request } = CONTEXT.read(flags)
    if (file === true) return showFile(context, flags, words)
    if (asked === undefined) throw invalid('--query', 'is missing', 'Say what the model is to answer.')
    if (words !== undefined && words !== asked)
      throw invalid('--query', `is given, and ${JSON.stringify(words)} too`, 'Give one message, in quotes.')
    if (asked === '-' && system === '-')
      throw invalid('--system', 'and --query both read standard input', 'Give one of them as a text.')
    const bound = context.settings.max_content_bytes.value
    const query = await readText('--query', asked, bound)
    const own = system === undefined ? {} : { system: await readText('--system', system, bound) }
    const memory = await context.memory({ create: false, models: true, thought: true })
    const built = await memory.context.build(query, { ...request, ...own, count })
    if (text === true) {
      for (const warning of built.warnings) process.stderr.write(`warn: ${warning}\n`)
      await writeOut(`${built.text}\n`)
    } else await context.print({ ...snakeNames(built), recalled: built.recalled.map(snakeNames) })
    if (count) await thinkForAMoment(context.settings, memory)
    return undefined
  },
}

async function showFile(context: Context, flags: FlagValues, words: string | undefined): Promise<undefined> {
  for (const [flag, value] of Object.entries({ ...flags, query: flags.query ?? words }))
    if (value !== undefined && !['file', 'text', 'revealSecrets', ...COMMON].includes(flag))
      throw invalid(`--${flag}`, 'does not go with --file', 'Leave one of them out.')
  const memory = await context.memory({ create: false })
  const { revealSecrets } = CONTEXT.read(flags)
  try {
    await memory.memoryFile.sync()
  } catch (error) {
    // It was logged; what stands in the file can be read all the same.
    process.stderr.write(`warn: ${error instanceof Error ? error.message : error}\n`)
  }
  const { entries, ...file } = await memory.memoryFile.read({ revealSecrets })
  if (flags.text === true) await writeOut(file.text)
  else await context.print({ ...snakeNames(file), entries: entries.map(snakeNames) })
  return undefined
}

const COMMON = ['db', 'user', 'config', 'pretty', 'project']

const DIGEST = flagTable({
  revealSecrets: REVEAL,
  date: ['--date <day>', 'the day, such as 2026-05-07 (default: today, and what earlier digests did not see)'],
  since: ['--since <day>', 'from this day to the date'],
  conversationId: ['--conversation <id>', 'only what was said in this one: for a hook at the end of a session'],
  show: ['--show', 'only print what was talked about on the day'],
  dryRun: ['--dry-run', 'only print what would be done'],
  withSecrets: ['--with-secrets', 'write keys and passwords out, into a file that only you can read'],
})

export const digest: CommandDefinition = {
  everyProject: true,
  configure: DIGEST.describe,
  run: async (context, flags) => {
    const { show, dryRun, withSecrets, ...day } = DIGEST.read(flags)
    if (show === undefined) {
      const memory = await context.memory({ create: false, models: dryRun === undefined })
      await context.print(reportRecord(await memory.memoryFile.digest({ ...day, dryRun, withSecrets })))
      return
    }
    if (dryRun !== undefined || withSecrets !== undefined)
      throw invalid('--show', 'writes nothing', 'Leave it out, or the other flag.')
    const memory = await context.memory({ create: false })
    const { date, conversations } = await memory.memoryFile.day(day)
    await context.print({ date, conversations: conversations.map(snakeNames) })
  },
}
