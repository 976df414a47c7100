/**
 * CMRC 2018 as a chat: every sentence of every Chinese passage is a turn of one user. The sentence in which the first
 * answer begins is the gold one.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Chat, ChatQuestion, ChatTurn } from './chats.ts'
import { requireData } from './data-folder.ts'

interface RawPassage {
  readonly id: string
  readonly context: string
  readonly qas: readonly { readonly question: string; readonly answers: readonly RawAnswer[] }[]
}

interface RawAnswer {
  readonly text: string
  readonly answer_start: number
}

/** `each`: every passage is a conversation; `together`: all are one. A question whose span is not found has no gold. */
export async function readCmrc(data: string, passages: 'each' | 'together'): Promise<Chat> {
  const raw = JSON.parse(await readFile(requireData(join(data, 'cmrc2018-dev.json')), 'utf8')) as {
    readonly data: readonly { readonly paragraphs: readonly RawPassage[] }[]
  }
  const turns: ChatTurn[] = []
  const questions: ChatQuestion[] = []
  for (const { id, context, qas } of raw.data.flatMap(({ paragraphs }) => paragraphs)) {
    const ends: number[] = []
    for (const { text, end } of sentences(context)) {
      turns.push({
        conversationId: passages === 'each' ? id : 'everything',
        externalId: `${id}:${ends.length}`,
        speaker: null,
        role: 'user',
        content: text,
        createdAt: '2024-01-01T00:00:00Z',
      })
      ends.push(end)
    }
    for (const { question, answers } of qas) {
      const { text, answer_start } = answers[0] ?? { text: '', answer_start: -1 }
      const isThere = text !== '' && context.startsWith(text, answer_start)
      const gold = isThere ? [`${id}:${ends.findIndex((end) => answer_start < end)}`] : []
      questions.push({ q: question, gold, category: 'sentences' })
    }
  }
  return { userId: 'reader', turns, questions }
}

/** Sentences with the position after their end in the passage; blank ones are joined to the one before. */
function* sentences(context: string): Generator<{ readonly text: string; readonly end: number }> {
  for (const match of context.matchAll(/[^。！？!?\n]+[。！？!?\n”」』）]*|[。！？!?\n]+/g))
    if (match[0].trim() !== '') yield { text: match[0], end: match.index + match[0].length }
}
