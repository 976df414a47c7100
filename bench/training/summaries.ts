/**
 * `node bench/training/summaries.ts [--data DIR]`: learns which sentences a person would want in a note about a talk and
 * writes `data/weights/summary.json`. `summaries.tsv` holds the conversation, a digest of the sentence and a grade (2 fit
 * to be shown by itself, 1 hardly, 0 not), never a text.
 */
import { hasHan } from '../../src/language/character-class.ts'
import { splitSentences } from '../../src/language/sentences.ts'
import { utf8Length } from '../../src/language/utf8.ts'
import { recordOf, statementOf, withoutSecretsIn } from '../../src/thinking/summarizer/prose.ts'
import { tellCues } from '../../src/thinking/summarizer/sentence-worth.ts'
import { nameOf, noticeOf, wordsOf, wordsSaidAgain } from '../../src/thinking/summarizer/summarize-by-rules.ts'
import { cuesOf, digestOf, fitFile, gradesIn, type Row, talksOf } from './cues.ts'

const SETS = ['beam', 'realtalk', 'locomo-turns', 'halumem', 'lifebench']
/** What a grade is worth. */
const WORTH = [0, 0.3, 1]
const PENALTY = 3
const TURNS_A_NOTE = 5
const CHARACTERS = 2400

const fits = (text: string): boolean => utf8Length(text) <= (hasHan(text) ? 260 : 210)

interface Turn {
  readonly conversationId: string
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  readonly content: string
  readonly speaker?: string | null
}

const grades = gradesIn('summaries.tsv')
const rows = talksOf<Turn>(SETS).flatMap(([conversation, said]): Row[] => {
  const graded = grades.get(conversation)
  if (graded === undefined) return []
  const turns = withoutSecretsIn(said.map((turn) => ({ speaker: null, ...turn })))
  const words = turns.map((turn) => wordsOf(turn, CHARACTERS))
  const found = new Map<string, Row>()
  for (const [at, turn] of turns.entries()) {
    const from = at - (at % TURNS_A_NOTE)
    const around = wordsSaidAgain(words.slice(from, from + TURNS_A_NOTE))
    const who = nameOf(turn, hasHan(turn.content))
    const record = recordOf(turn.content)
    const texts =
      record !== null ? [noticeOf(record.text, fits)] : splitSentences(words[at]!).map((one) => statementOf(one, fits))
    for (const text of texts) {
      const grade = text === null ? undefined : graded.get(digestOf(text))
      if (text === null || grade === undefined || found.has(text)) continue
      const cues = cuesOf((tell) => tellCues({ who, text, opens: at === 0, around }, tell))
      found.set(text, { conversation, chinese: hasHan(text), cues, grade })
    }
  }
  return [...found.values()]
})
for (const [language, scored] of fitFile('summary', rows, WORTH, PENALTY)) {
  const best = [...scored].sort((a, b) => b.score - a.score)
  const shares = [0.1, 0.2, 0.3, 0.4, 0.5].map((share) => {
    const top = best.slice(0, Math.round(share * best.length))
    const good = (100 * top.filter(({ grade }) => grade === 2).length) / top.length
    return `${share}: ${good.toFixed(0)} % good, odds ${top.at(-1)!.score.toFixed(2)}`
  })
  console.log(`${language}: ${scored.length} rows; ${shares.join('; ')}`)
}
