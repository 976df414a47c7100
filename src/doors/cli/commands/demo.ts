/**
 * `mneme demo`: a bundled conversation in a temporary database, four questions, and what was recalled for each and why.
 * The clock stands on the day after the conversation, so that "yesterday" means what it meant.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkContent, checkRecord, checkTime } from '../../../domain/checks.ts'
import { DAY_MS } from '../../../domain/clock.ts'
import { invalid } from '../../../domain/errors.ts'
import type { OpenMemory } from '../../library/index.ts'
import type { CommandDefinition } from '../command.ts'
import { dayText, nextSteps, showResult } from '../demo/show-result.ts'
import { packageFile } from '../package-root.ts'
import { columns, padToWidth, paint, textWidth, wrapToWidth } from '../paint.ts'
import { writeOut } from '../write-out.ts'

/** The newest created_at of a file of JSON lines, in milliseconds since the epoch. */
function conversationEnd(path: string): number {
  const times = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => checkTime(`${path}:${index + 1}: created_at`, checkRecord('', JSON.parse(line)).created_at))
  return Math.max(...times)
}

/** One question, and what its answer shows. */
interface DemoQuestion {
  readonly query: string
  /** Text to look for in the answer; '' when nothing was said. */
  readonly shows: string
}

/** Reads the file. */
function readQuestions(): readonly DemoQuestion[] {
  const path = packageFile('examples/demo/questions.json')
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!Array.isArray(value)) throw invalid(path, 'is not a list', 'Install the package again.')
  return value.map((item: unknown, index) => {
    const record = checkRecord(`${path}[${index}]`, item)
    const shows = record.shows
    return {
      query: checkContent(`${path}[${index}].query`, record.query),
      shows: typeof shows === 'string' ? shows : '',
    }
  })
}

/** Results shown for each question. */
const RESULTS = 3
/** Conversations listed by name. */
const LISTED = 20

export const demo: CommandDefinition = {
  configure: (command) => command,
  run: async () => {
    const { openMemory } = await import('../../library/open-memory.ts')
    const file = packageFile('examples/demo/conversation.jsonl')
    const now = new Date(conversationEnd(file) + DAY_MS)
    const folder = mkdtempSync(join(tmpdir(), 'mneme-demo-'))
    const memory = await openMemory({ path: join(folder, 'demo.db'), userId: 'demo', clock: () => now })
    try {
      const started = performance.now()
      await memory.conversations.importLogs(file)
      const took = performance.now() - started
      await writeOut(await imported(memory, took, now))
      for (const [index, question] of readQuestions().entries())
        await writeOut(await answer(memory, question, index + 1))
      await writeOut(nextSteps())
    } finally {
      await memory.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function imported(memory: OpenMemory, took: number, now: Date): Promise<string> {
  const { items } = await memory.conversations.list({ limit: LISTED })
  const { turns, summaries } = await memory.maintenance.stats()
  const oldestFirst = items.toReversed()
  const nameWidth = Math.max(...items.map(({ conversationId }) => textWidth(conversationId)))
  const rows = oldestFirst.map(
    ({ conversationId, turnCount, createdAt }) =>
      `  ${padToWidth(conversationId, nameWidth)}  ${String(turnCount).padStart(3)} turns  ${paint('quiet', dayText(createdAt))}`,
  )
  const head = `${paint('title', 'Mneme')} remembers conversations and recalls the right few of them: no model, no key, no service.`
  const done = `Imported ${turns} turns of ${items.length} conversations and wrote ${summaries} rolling summaries in ${Math.round(took)} ms:`
  return `\n${head}\n\n${done}\n${rows.join('\n')}\n\n${paint('quiet', `Now it is ${dayText(now.toISOString())}, and you ask:`)}\n\n`
}

async function answer(memory: OpenMemory, { query, shows }: DemoQuestion, number: number): Promise<string> {
  const width = columns()
  const { results, totalSearched, latencyMs } = await memory.conversations.recall(query, {
    limit: RESULTS,
    explain: true,
  })
  const title = `${paint('title', `${number}.`)} ${paint('question', query)}`
  const figures = paint('quiet', `   ${totalSearched} turns searched in ${latencyMs.toFixed(1)} ms`)
  const note = shows === '' ? [] : wrapToWidth(shows, width - 3).map((line) => `   ${paint('quiet', line)}`)
  const shown = results.map((result, index) => showResult(result, index + 1, width))
  return `${[title, figures, ...note, '', ...shown].join('\n')}\n\n`
}
