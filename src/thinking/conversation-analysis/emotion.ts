/**
 * How does the writer feel? Words of feeling have a strength, which denials and neighbours change; others' feelings, past
 * and supposed ones, code and quotations do not count.
 */
import { late } from '../../domain/pieces.ts'
import { chineseWords, hasHan } from '../../language/character-class.ts'
import { splitSentences } from '../../language/sentences.ts'
import { spelledOut } from '../../language/spelling.ts'
import { ENGLISH_STOP_WORDS } from '../../language/stop-words.ts'
import { wordTable } from '../../language/word-lists.ts'
import { FIRST_PERSON, peopleOf } from '../facts/people.ts'
import { asks, cuesOf, tellsOfPast } from '../facts/stance-cues.ts'
import { proseOf } from '../summarizer/prose.ts'
import { EMOTIONS, type Emotion } from './types.ts'

/** Denials: they turn a feeling around when they stand just before it. */
const DENIAL =
  /(?:\b(?:not|no|never|no longer|isn['’]?t|wasn['’]?t|aren['’]?t|don['’]?t|didn['’]?t|doesn['’]?t|hardly|without|nothing to be|stop being)(?:\s{1,40}(?:so|very|really|too|that|at all|be|being|feel|feeling|even|all that|particularly|get|getting)){0,2}\s{0,40}|(?:不|没有?|不再|不会|不用|(?<![特分个区级告])别|并不|并没有?|不怎么|不太|不算|一点[都也]不)(?:很|太|那么|这么|感到|觉得|怎么|用|要|是)?)$/i

/** Characters of a message that are read, and those looked at before a word. */
const CHARACTERS_READ = 4000
const LOOKED_BACK = 40
/** A feeling below this strength is too faint to be named. */
const LEAST_STRENGTH = 1.5
/** How much less what happens counts than what somebody says to feel. */
const LESS = 0.25

/** What stands before a feeling that somebody has: "I am pretty sad today", 最难过的一天; "sad songs" and 愤怒的小鸟 have none. */
const FELT_BEFORE =
  /(?:\b(?:am|is|are|was|were|be|been|being|i['’]?m|we['’]?re|feel(?:s|ing)?|felt|get|gets|got|getting|so|very|too|such|me|us|and|or)\s(?:(?!an?\s|the\s|my\s)[\w'’]{1,20}\s){0,2}|[我们最很好更真太别么得又较])$/i
/** The thing that the word before describes. */
const THING_AFTER = /^(?:\s(\p{Script=Latin}[\p{L}-]{1,40})|的(?!不?是|时|话)\p{Script=Han})/u

interface FeelingWord {
  readonly emotion: string
  readonly strength: number
  /** Whether it may describe a thing and still tell how the writer feels, as "lovely" does, or is no adjective. */
  readonly ofThings: boolean
  /** Whether it tells what happens, and not what somebody feels. */
  readonly happens: boolean
}

/** The words of `data/words/emotions.txt`, and one pattern of them, longer phrases first. */
const feelings = late(() => {
  const words = new Map(
    wordTable('emotions').flatMap((line) => {
      const [emotion = '', ...entries] = line.split('|')
      return entries.map((entry): [string, FeelingWord] => {
        const [word = '', strength = '1'] = entry.split(':')
        const [happens, ofThings] = [strength.includes('*'), strength.includes('~')]
        return [word, { emotion, strength: Number.parseInt(strength, 10) - (happens ? LESS : 0), happens, ofThings }]
      })
    }),
  )
  const sources = [...words.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => `${/^[a-z]/.test(word) ? '\\b' : ''}${RegExp.escape(word)}${/[a-z]$/.test(word) ? '\\b' : ''}`)
  return { words, pattern: new RegExp(sources.join('|'), 'giu') }
})

/** The text with a comma in the place of every word of feeling: how somebody feels is no topic. */
export function withoutFeelings(text: string): string {
  return text.replace(feelings().pattern, ',')
}

/** The strongest feeling of a message, `neutral` when it shows none. */
export function emotionOf(message: string): Emotion {
  const prose = spelledOut(proseOf(message, CHARACTERS_READ)).replaceAll('’', "'")
  const strengths = new Map<string, number>()
  for (const sentence of splitSentences(prose.replace(/["“「『《][^"”」』》\n]{0,200}["”」』》]/g, ' '))) {
    const [beginsWord, isFelt] = [wordBeginnings(sentence), feltIn(sentence)]
    for (const { 0: said, index } of sentence.matchAll(feelings().pattern)) {
      const { emotion, strength, happens, ofThings } = feelings().words.get(said.toLowerCase())!
      const isOfThing = !ofThings && !said.includes(' ') && describes(sentence, index, index + said.length)
      // The feeling instead of "not happy" is not guessed.
      if (beginsWord(index) && !isOfThing && isFelt(index, happens) && !isDenied(sentence, index))
        strengths.set(emotion, (strengths.get(emotion) ?? 0) + strength)
    }
  }
  let strongest: Emotion = 'neutral'
  for (const emotion of EMOTIONS)
    if ((strengths.get(emotion) ?? 0) > (strengths.get(strongest) ?? LEAST_STRENGTH)) strongest = emotion
  return strongest
}

/** Whether a Chinese word begins at a place, unlike 气炸 in 空气炸锅 and 烦 in 麻烦. */
function wordBeginnings(sentence: string): (at: number) => boolean {
  const places = late(() => {
    const begins = new Set<number>()
    let place = 0
    for (const word of chineseWords(sentence)) {
      begins.add(place)
      place += word.length
    }
    return begins
  })
  return (at) => !hasHan(sentence[at]!) || places().has(at)
}

/** Whether a feeling is said of the thing after it, as in "angry birds": then it is nobody's. */
function describes(sentence: string, from: number, to: number): boolean {
  const after = THING_AFTER.exec(sentence.slice(to, to + LOOKED_BACK))
  if (after === null || ENGLISH_STOP_WORDS.has(after[1]?.toLowerCase() ?? '')) return false
  return !FELT_BEFORE.test(sentence.slice(Math.max(0, from - LOOKED_BACK), from))
}

function isDenied(sentence: string, at: number): boolean {
  const before = sentence.slice(Math.max(0, at - LOOKED_BACK), at)
  return DENIAL.test(before.split(/[,.;!?，。；！？]/).at(-1)!)
}

/** "He makes me angry", 他让我很生气. */
const MOVES_ME = /\bme\b|[让使令叫害得把]我/i

/** Whether the writer feels it now: a question without "I" asks about a feeling, and shows none. */
function feltIn(sentence: string): (at: number, happens: boolean) => boolean {
  const read = late(() => {
    let to = 0
    const clauses = peopleOf(sentence).clauses.map(({ text, subjects }) => {
      to = sentence.indexOf(text, to) + text.length
      const beside = withoutFeelings(text)
      return { to, isOwn: subjects.has('user'), isNow: !cuesOf(beside).unreal && !tellsOfPast(beside) }
    })
    const moves = MOVES_ME.exec(sentence)
    return {
      clauses,
      movesFrom: moves === null ? Number.POSITIVE_INFINITY : moves.index + moves[0].length,
      isAsked: asks(sentence) && !FIRST_PERSON.test(sentence),
    }
  })
  return (at, happens) => {
    const { clauses, movesFrom, isAsked } = read()
    const clause = clauses.find(({ to }) => to > at)
    if (clause === undefined) return true
    if (!happens && ((!clause.isOwn && movesFrom > at) || isAsked)) return false
    return clause.isNow
  }
}
