/**
 * Does recall find the Chinese sentence that answers a question? CMRC 2018: every sentence of every passage is a turn
 * of one user, every passage a conversation; the gold sentence holds the first answer's span.
 */
import { readFile } from 'node:fs/promises'
import type { PlainTurn } from '../../test/support/in-memory-view.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { asker } from './ask.ts'
import { requireData } from './data-folder.ts'
import { type Measures, means, measure } from './retrieval-metrics.ts'

interface RawPassage {
  readonly id: string
  readonly context: string
  readonly qas: readonly { readonly question: string; readonly answers: readonly RawAnswer[] }[]
}

interface RawAnswer {
  readonly text: string
  readonly answer_start: number
}

interface Question {
  readonly question: string
  readonly gold: readonly number[]
}

/** All turns carry one time: the passages have none. */
const SAID_AT = Date.UTC(2024, 0, 1)

/** Flags: `--file NAME` in the data folder, `--passages one` (everything one conversation). */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  const path = requireData(`${data}/${flags.file ?? 'cmrc2018-dev.json'}`)
  const raw = JSON.parse(await readFile(path, 'utf8')) as {
    readonly data: readonly { readonly paragraphs: readonly RawPassage[] }[]
  }
  const figures: Figure[] = []
  for (const layout of flags.passages === 'one' ? (['one'] as const) : (['each', 'one'] as const)) {
    const { turns, questions, leftOut } = arrange(
      raw.data.flatMap(({ paragraphs }) => paragraphs),
      layout,
    )
    const ask = asker(turns)
    const measures: Measures[] = []
    for (const { question, gold } of questions) measures.push(measure(await ask(question, SAID_AT), gold))
    const group = layout === 'each' ? 'sentences' : 'sentences, all in one conversation'
    for (const [name, value] of means(measures)) {
      if (/^(any|all)/.test(name)) continue
      figures.push({ bench: 'cmrc', figure: `${group}, ${name}`, value, unit: '%', n: questions.length })
    }
    if (layout === 'each') {
      figures.push({
        bench: 'cmrc',
        figure: 'questions left out (span not found)',
        value: leftOut,
        unit: '',
        n: leftOut + questions.length,
      })
    }
  }
  return figures
}

function arrange(passages: readonly RawPassage[], layout: 'each' | 'one') {
  const turns: PlainTurn[] = []
  const questions: Question[] = []
  let leftOut = 0
  for (const { id, context, qas } of passages) {
    const first = turns.length
    const ends: number[] = []
    for (const { text, end } of sentences(context)) {
      ends.push(end)
      turns.push({ conversationId: layout === 'each' ? id : 'everything', content: text, createdAt: SAID_AT })
    }
    for (const { question, answers } of qas) {
      const answer = answers[0]
      const index = answer === undefined ? -1 : ends.findIndex((end) => answer.answer_start < end)
      if (answer === undefined || index < 0 || !context.startsWith(answer.text, answer.answer_start)) leftOut++
      else questions.push({ question, gold: [first + index] })
    }
  }
  return { turns, questions, leftOut }
}

/** Sentences with the position after their end in the passage; blank ones are joined to the one before. */
function* sentences(context: string): Generator<{ readonly text: string; readonly end: number }> {
  for (const match of context.matchAll(/[^。！？!?\n]+[。！？!?\n”」』）]*|[。！？!?\n]+/g)) {
    if (match[0].trim() !== '') yield { text: match[0], end: match.index + match[0].length }
  }
}
