/**
 * Which clause of a message says by itself that something is over or was not so, and which clause of an older statement
 * tells of that? Every other clause means only in its message what it means.
 */
import { readOnce } from '../../domain/read-once.ts'
import { ENGLISH_MONTH } from '../../language/calendar.ts'
import { hasHan } from '../../language/character-class.ts'
import { splitSentences } from '../../language/sentences.ts'
import { PRONOUN_SUBJECT } from '../facts/people.ts'
import { asks, cuesOf, isPastAct, isUnreal } from '../facts/stance-cues.ts'
import { tellingWords, weightOf } from '../topic/word-rarity.ts'
import { isOfOneDay, namesOneDay } from './compare-values.ts'
import { overlapOf, samePerson } from './overlap.ts'
import { isTimeTerm } from './quantities.ts'
import { deniedIn, type Read, type Reading, readingOf } from './statement-reading.ts'

/** A clause that ends something. */
interface Ending {
  readonly text: string
  /** The words that name what is over. */
  readonly things: readonly string[]
  /** Whether it is denied, and not called over: then the older clause has all of the words. */
  readonly isDenied: boolean
}

/** An older statement that an ending tells of, by its place. */
export interface EndedAlone {
  readonly at: number
  /** Whether it tells nothing else; no other value. */
  readonly isAll: boolean
  readonly isValue: boolean
  /** Words of both, as the older one has them. */
  readonly words: readonly string[]
}

const BORDER = /[,，;；:：]\s{0,9}(?!\d)/
/** 医生说, "the vet says": who tells it is no part of what is told. */
const TELLER = /^\p{Script=Han}{1,6}说|^(?:the|my) \w{1,20} (?:says|said) (?:that )?/iu
/** What is only understood behind the clause before. */
const REFERS = /^(?:(?:and|but|so) )?(?:he|she|they|it|this|that|these|those)\b|^[他她它这那]/i
const NEGATES = /\b(?:not|no longer)\b|n['’]t\b|不(?![错止仅但光知管得同少久])|没/i
/** 对芒果不过敏 */
const DENIES_ACT = /对\p{Script=Han}{1,8}不\p{Script=Han}{2}$/u
/** In Chinese the thing stands first, and that it is over last: 电动车昨晚被偷了, 我跟阿杰分手了. */
const [BEFORE_THING, LAST] = [/^(?:我们?|咱们?)?[跟和从]?/u, /\p{Script=Han}{1,4}了[。！～~]?$/u]
/** A choice between two, and a question: no denial. */
const EITHER = /不是.{1,12}就是|(\p{Script=Han})[不没]\1/u
/** A joke, or a fear. */
const UNMEANT = /\b(?:haha\w{0,20}|lol|lmao|kidding|joking|worried|afraid|scared)\b|哈哈|开玩笑|怕|担心/i
/** What is over for this time comes again, and so may what is over on one day. */
const PAUSES = /\bfor (?:today|tonight|now|this \w{1,20})\b/i
const MONTH = new RegExp(`^(?:${ENGLISH_MONTH})$`, 'i')
/** Words of a clause that says one thing. */
const MOST_WORDS = 5
/** Endings of one message that are looked for. */
const MOST_ENDINGS = 8
/** The least weight of words that name something: that of a given name. */
const LEAST_NAMED = 0.5
/** How much more the words that the older clause has weigh than those that it does not have. */
const NAMED_OF = 3

const clausesOf = (sentence: string): readonly string[] =>
  sentence.split(BORDER).filter((clause) => clause.trim() !== '')

const endingsIn = readOnce('endings', (text): readonly Ending[] =>
  splitSentences(text).flatMap((sentence) => {
    const { ends, corrects } = cuesOf(sentence)
    if (!(ends || NEGATES.test(sentence)) || asks(sentence) || UNMEANT.test(sentence)) return []
    return clausesOf(sentence).flatMap((clause) => {
      const ending = endingOf(clause.replace(TELLER, ''), corrects)
      // What is supposed before is supposed here.
      return ending === null || isUnreal(sentence.slice(0, sentence.indexOf(clause) + clause.length)) ? [] : ending
    })
  }),
)

function endingOf(text: string, corrects: boolean): Ending | null {
  const { ends, past } = cuesOf(text)
  if (!(ends ? !REFERS.test(text) : NEGATES.test(text)) || past || PAUSES.test(text) || namesOneDay(text)) return null
  const words = tellingWords(text).filter(
    (word) => /^\p{L}/u.test(word) && !MONTH.test(asSaid(word, text)) && !isTimeTerm(word) && !isOfOneDay(word),
  )
  if (words.length > MOST_WORDS) return null
  const isDenied = DENIES_ACT.test(text)
  // A word without which no end is told is none of the thing's.
  const things = ends ? words.filter((word) => cuesOf(text.replace(asSaid(word, text), ' ')).ends) : []
  if (ends && hasHan(text)) {
    const isFirst = things.some((thing) => text.replace(BEFORE_THING, '').startsWith(thing))
    return isFirst && cuesOf(LAST.exec(text)?.[0] ?? '').ends ? { text, isDenied, things } : null
  }
  if (ends) return { text, isDenied, things }
  const denied = corrects && !EITHER.test(text) ? tellingWords(deniedIn(text).join(' ')) : []
  if (denied.length > 0) return { text, isDenied: true, things: denied }
  return isDenied && words.length > 1 ? { text, isDenied, things: words } : null
}

/** The word of a stem, which is the beginning of it but for a letter or two. */
function asSaid(stem: string, text: string): string {
  if (hasHan(stem)) return stem
  const at = text.toLowerCase().indexOf(stem.slice(0, Math.max(3, stem.length - 2)))
  return at < 0 ? stem : (/^[\p{L}\p{N}'’-]{1,60}/u.exec(text.slice(at))?.[0] ?? stem)
}

/** The older statement of which each ending tells: the one with most of its words, the last of several. */
export function endedAlone(newer: Read, olders: readonly Read[]): readonly EndedAlone[] {
  return endingsIn(newer.reading.text)
    .slice(0, MOST_ENDINGS)
    .flatMap((ending) => {
      let most: EndedAlone | null = null
      let least = LEAST_NAMED
      for (const [at, older] of olders.entries())
        for (const sentence of splitSentences(older.reading.text)) {
          const words = ending.things.filter((thing) => holds(sentence, thing))
          const named = weightOf(words)
          const left = weightOf(ending.things) - named
          if (named < least || (ending.isDenied ? left > 0 : left * NAMED_OF > named)) continue
          const clause = clausesOf(sentence).toSorted((a, b) => weightIn(b, words) - weightIn(a, words))[0]!
          const part = partOf(older, clause)
          if (!isOver(newer, ending, older, part)) continue
          least = named
          const isValue = part.facts.length > 0 && part.facts.length === older.reading.facts.length
          most = { at, isAll: clause === older.reading.text, isValue, words: sideBySide(words, sentence) }
        }
      return most ?? []
    })
}

/** The words as the sentence has them; Chinese ones that stand side by side are one. */
function sideBySide(words: readonly string[], sentence: string): readonly string[] {
  const said: string[] = []
  for (const word of words.map((word) => asSaid(word, sentence))) {
    const last = said.at(-1)
    if (last !== undefined && sentence.includes(last + word)) said[said.length - 1] = last + word
    else said.push(word)
  }
  return said
}

function holds(text: string, thing: string): boolean {
  return hasHan(thing) ? text.includes(thing) : tellingWords(text).includes(thing)
}

function weightIn(text: string, things: readonly string[]): number {
  return weightOf(things.filter((thing) => holds(text, thing)))
}

/** Whether the ending may be one of what the older clause says, which is neither over nor denied, of the same person. */
function isOver(newer: Read, ending: Ending, older: Read, part: Reading): boolean {
  const { ends, past, begins } = cuesOf(part.text)
  if (ends || past || NEGATES.test(part.text) || older.reading.isNotice) return false
  // A visit leaves nothing that could be over.
  if (isPastAct(part.text) && part.facts.length === 0 && !begins) return false
  const mine = partOf(newer, ending.text)
  if (!ending.isDenied && mine.people.subjects.has(PRONOUN_SUBJECT)) return false
  if (samePerson(mine, part, overlapOf(mine, part))) return true
  return mine.implicit && samePerson(newer.reading, older.reading, overlapOf(newer.reading, older.reading))
}

function partOf({ statement }: Read, text: string): Reading {
  return readingOf({ ...statement, text, key: null })
}
