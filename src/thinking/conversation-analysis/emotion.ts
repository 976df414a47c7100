/**
 * How does the writer feel? Words of feeling have a strength, which denials and neighbours change; others' feelings, past
 * and supposed ones, code and quotations do not count.
 */
import { splitSentences } from '../../language/sentences.ts'
import { FIRST_PERSON, peopleOf } from '../facts/people.ts'
import { asks, cuesOf, tellsOfPast } from '../facts/stance-cues.ts'
import { proseOf } from '../summarizer/prose.ts'
import { DENIAL, EMOTION_WORDS, STRONGER_BEFORE, STRONGER_BEHIND, WEAKER_BEFORE } from './emotion-words.ts'
import { EMOTIONS, type Emotion } from './types.ts'

/** Characters of a message that are read, and those looked at before a word. */
const CHARACTERS_READ = 4000
const LOOKED_BACK = 40
/** A feeling below this strength is too faint to be named. */
const LEAST_STRENGTH = 1.5
const STRONGER = 1.5
const WEAKER = 0.75

interface FeelingWord {
  readonly emotion: Emotion
  readonly strength: number
  /** Whether it tells what happens, and not what somebody feels. */
  readonly happens: boolean
}

const WORDS = new Map<string, FeelingWord>()
for (const emotion of EMOTIONS) {
  if (emotion === 'neutral') continue
  for (const entry of EMOTION_WORDS[emotion].split('|')) {
    const [word = '', strength = '1'] = entry.split(':')
    WORDS.set(word, { emotion, strength: Number.parseInt(strength, 10), happens: strength.endsWith('*') })
  }
}
const PATTERN = new RegExp(
  [...WORDS.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => {
      const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "['’]?")
      return `${/^[a-z]/.test(word) ? '\\b' : ''}${escaped}${/[a-z]$/.test(word) ? '\\b' : ''}`
    })
    .join('|'),
  'giu',
)

/** The text with a comma in the place of every word of feeling: how somebody feels is no topic. */
export function withoutFeelings(text: string): string {
  return text.replace(PATTERN, ',')
}

/** The strongest feeling of a message, `neutral` when it shows none. */
export function emotionOf(message: string): Emotion {
  const text = proseOf(message, CHARACTERS_READ).replace(/["“「『][^"”」』\n]{0,200}["”」』]/g, ' ')
  const strengths = new Map<Emotion, number>()
  for (const sentence of splitSentences(text))
    for (const match of sentence.matchAll(PATTERN)) {
      const word = WORDS.get(match[0].toLowerCase().replaceAll('’', "'")) ?? WORDS.get(restored(match[0]))
      if (word === undefined) continue
      const strength = strengthAt(sentence, match.index, match.index + match[0].length, word)
      if (strength > 0) strengths.set(word.emotion, (strengths.get(word.emotion) ?? 0) + strength)
    }
  let strongest: Emotion = 'neutral'
  let most = LEAST_STRENGTH
  for (const emotion of EMOTIONS) {
    const strength = strengths.get(emotion) ?? 0
    if (strength > most || (strength === most && strongest === 'neutral')) [strongest, most] = [emotion, strength]
  }
  return strongest
}

function strengthAt(text: string, start: number, end: number, { strength, happens }: FeelingWord): number {
  const clause = text
    .slice(Math.max(0, start - LOOKED_BACK), start)
    .split(/[,.;!?，。；！？\n]/)
    .at(-1)!
  if (!isFelt(text, start, happens)) return 0
  const bare = clause.replace(STRONGER_BEFORE, '').replace(WEAKER_BEFORE, '')
  // The feeling instead of "not happy" is not guessed.
  if (DENIAL.test(clause) || DENIAL.test(bare)) return 0
  let value = strength
  if (STRONGER_BEFORE.test(clause) || STRONGER_BEHIND.test(text.slice(end))) value *= STRONGER
  if (WEAKER_BEFORE.test(clause)) value *= WEAKER
  return value
}

/** "He makes me angry", 他让我很生气. */
const MOVES_ME = /\bme\b|[让使令叫害得把]我/i

/** Whether the writer feels it now: a question without "I" asks about a feeling, and shows none. */
function isFelt(sentence: string, at: number, happens: boolean): boolean {
  let from = 0
  const clause = peopleOf(sentence).clauses.find(({ text }) => {
    from = sentence.indexOf(text, from) + text.length
    return from > at
  })
  if (clause === undefined) return true
  const { text, subjects } = clause
  const isAnothers = !subjects.has('user') && !MOVES_ME.test(sentence.slice(0, at))
  if (!happens && (isAnothers || (asks(sentence) && !FIRST_PERSON.test(sentence)))) return false
  const beside = withoutFeelings(text)
  return !cuesOf(beside).unreal && !tellsOfPast(beside)
}

/** "dont understand" is written in the list with its apostrophe. */
function restored(word: string): string {
  return word.toLowerCase().replace(/\b(don|can|doesn|isn)t\b/g, "$1't")
}
