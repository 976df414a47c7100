/**
 * `node bench/training/titles.ts [--data DIR]`: learns which words of a talk a person would write above it and writes
 * `data/weights/title.json`. `titles.tsv` holds the conversation, a digest of the words and a grade (2 a good title, 1 a
 * side matter or badly cut, 0 none), never a text. It is fitted on all, and measured on fifths that were left out.
 */
import { hasHan } from '../../src/language/character-class.ts'
import { type NamingMessage, saidIn } from '../../src/thinking/session-summary/title-and-snippet.ts'
import { withoutSecretsIn } from '../../src/thinking/summarizer/prose.ts'
import { tellCues } from '../../src/thinking/topic/title-likelihood.ts'
import { candidatesIn } from '../../src/thinking/topic/topic.ts'
import { cuesOf, digestOf, fitFile, gradesIn, type Row, talksOf } from './cues.ts'

const SETS = ['beam', 'realtalk', 'locomo-turns', 'halumem', 'lifebench']
/** What a grade is worth. */
const WORTH = [0, 0.3, 1]
const PENALTY = 1
/** Turns after which a title is made anew, the latest first. */
const LOOKED_AT_AGAIN = [32, 8]

const grades = gradesIn('titles.tsv')
const rows = talksOf<NamingMessage & { conversationId: string }>(SETS).flatMap(([conversation, turns]): Row[] => {
  const graded = grades.get(conversation)
  if (graded === undefined) return []
  const most = LOOKED_AT_AGAIN.find((many) => turns.length >= many) ?? turns.length
  const { said, people } = saidIn(withoutSecretsIn(turns.slice(0, most)))
  const { candidates, talk } = candidatesIn(said, people)
  return candidates.flatMap((candidate) => {
    const grade = graded.get(digestOf(candidate.span.key))
    if (grade === undefined) return []
    return {
      conversation,
      chinese: hasHan(candidate.span.text),
      cues: cuesOf((tell) => tellCues(candidate, talk, tell)),
      grade,
    }
  })
})
for (const [language, scored] of fitFile('title', rows, WORTH, PENALTY)) {
  const talks = [...Map.groupBy(scored, ({ conversation }) => conversation).values()]
  const firsts = talks.map((all) => all.reduce((best, one) => (one.score > best.score ? one : best)))
  const shareOf = (grade: number): string =>
    ((100 * firsts.filter((row) => row.grade === grade).length) / firsts.length).toFixed(1)
  console.log(
    `${language}: ${scored.length} rows of ${talks.length} talks; first of those left out good ${shareOf(2)} %, half ${shareOf(1)} %`,
  )
}
