/** `memory_recall`: asks the conversations; the ranking is 003's formula unless another one is named. */
import { invalid } from '../../../domain/errors.ts'
import { RANKINGS, RESULT_KINDS } from '../../../domain/recall.ts'
import { wholeNumber } from '../../config/options.ts'
import type { RecallResultView, RecallView } from '../../library/index.ts'
import { readTextValue } from '../../operations/read-input.ts'
import type { CommandDefinition } from '../context.ts'
import { given, oneWord, projectFlag, readReveal, revealFlag, textFlag, wordList } from '../flag-values.ts'

/** JSON for stdout. */
function recallJson({ results, totalSearched, latencyMs, warnings }: RecallView): Record<string, unknown> {
  return {
    results: results.map(resultJson),
    total_searched: totalSearched,
    latency_ms: latencyMs,
    ...(warnings === undefined ? {} : { warnings }),
  }
}

function resultJson(result: RecallResultView): Record<string, unknown> {
  const { conversationId, turnId, role, content, summary, relevance, createdAt, isSummary } = result
  const common = { relevance, created_at: createdAt, is_summary: isSummary }
  const explanation = result.explanation === undefined ? {} : { explanation: result.explanation }
  if (isSummary)
    return { conversation_id: conversationId, turn_id: null, summary, ...common, span: result.span, ...explanation }
  return {
    conversation_id: conversationId,
    turn_id: turnId,
    role,
    content,
    ...common,
    speaker: result.speaker,
    external_id: result.externalId,
    ...explanation,
  }
}

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
    await context.print(recallJson(await memory.conversations.recall(query, request)))
  },
}

function timeRange(text: string | undefined) {
  return text === undefined ? {} : { timeRange: readTextValue('words or json', [text]) as string }
}
