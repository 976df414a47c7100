/** Explains a result: each feature's contribution to its score, as bars. */
import type { Explanation } from '../records.ts'
import { t, type Words } from '../words.ts'
import { Bars } from './bars.tsx'

const SHOWN = 6

/** Plain names of features; an unlisted feature keeps its own name. */
const NAMES: Readonly<Record<string, Words>> = {
  words: 'same words',
  coverage: 'all words',
  context: 'what was said around it',
  passage: 'words close together',
  answer: 'an answer',
  next: 'what follows',
  before: 'what came before',
  person: 'whose it is',
  length: 'short enough',
  statement: 'a statement',
  recency: 'recent',
  meaning: 'same meaning',
  keyword: 'same words',
  similarity: 'same meaning',
  frequency: 'often used',
  confidence: 'certain',
  category: 'category',
  importance: 'important',
  symbol: 'same names',
  date: 'the time asked for',
  day: 'the day asked for',
  conversation: 'the same conversation',
  brief: 'short enough',
  speaker: 'who said it',
  states: 'says what is asked',
  newest: 'the newest',
}

/** Bars of contributing features, the strongest first. */
export function Why({ explanation: { features, matched } }: { readonly explanation: Explanation }) {
  const rows = features
    .filter(({ contribution }) => contribution > 0)
    .sort((a, b) => b.contribution - a.contribution)
    .slice(0, SHOWN)
    .map(({ feature, contribution }) => {
      const words = NAMES[feature]
      return { name: words === undefined ? feature : t(words), value: Math.round(contribution * 100) }
    })
  return (
    <div class="why">
      <Bars rows={rows} />
      {matched.length > 0 && (
        <p class="line wrap tiny">
          {t('Found by')}
          {matched.slice(0, 8).map((word) => (
            <mark key={word}>{word}</mark>
          ))}
        </p>
      )}
    </div>
  )
}
