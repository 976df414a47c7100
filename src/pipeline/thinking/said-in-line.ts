/**
 * What is left of a line of the profile when something that it says is no longer so, or is to be forgotten? Clause by
 * clause: "I live in Lisbon and I work as a nurse" without the home is "I work as a nurse".
 */
import { tellingTerms } from '../../cognition/answers/grounding.ts'
import { type EpisodeSource, sourcesOf } from '../../cognition/merge/episode-metadata.ts'
import type { ProfileLine } from '../../contracts/profile-store.ts'
import type { Memory } from '../../domain/memory.ts'
import { comparableStatement } from '../../text/profile-document.ts'
import { splitSentences } from '../../text/sentences.ts'
import { separateClauses } from './separate-clauses.ts'
import { clausesIn } from './still-true.ts'

/** Statements that a memory makes or made, with the turns that told them. */
export interface Said {
  readonly statements: readonly Words[]
  readonly sources: readonly EpisodeSource[]
}

/** The part of a line that is looked at. */
export type SayingLine = Pick<ProfileLine, 'text' | 'origins' | 'updatedAt'>

/** A statement as it is compared: by its words in order, and by those of them that tell it from others. */
interface Words {
  readonly comparable: string
  readonly terms: ReadonlySet<string>
}

/** Two texts of one turn that say the same in other words share this much of the longer one. */
const OF_THE_LONGER = 0.5
/** Characters: a longer text is compared sentence by sentence, not clause by clause. */
const LONGEST_TAKEN_APART = 10_000
const LETTER = /[\p{L}\p{N}]/u
const HAN = /\p{Script=Han}/u

/**
 * What the memory says, and what it said before in `earlier` words. Only sentences that are near are taken apart: see
 * `mayBeIn`.
 */
export function saidBy(
  memory: Memory,
  isNear: (text: string) => boolean = () => true,
  earlier: readonly string[] = [],
): Said {
  const texts = [...new Set([memory.text, ...earlier])]
  const isLong = memory.text.length > LONGEST_TAKEN_APART
  const apart = (text: string): readonly string[] =>
    splitSentences(text)
      .filter(isNear)
      .flatMap((sentence) => (isLong ? [sentence] : [sentence, ...statementsIn(sentence, memory.createdAt)]))
  return {
    statements: texts.flatMap((text) => [text, ...apart(text)]).map(wordsOf),
    sources: sourcesOf(memory),
  }
}

/** The line without what is `gone`, except where a text that `stays` has the same words; '' when nothing is left of it. */
export function lineWithout(line: SayingLine, gone: readonly Said[], stays: readonly string[] = []): string {
  let kept: readonly string[] | undefined
  const stay = (): readonly string[] => (kept ??= stays.flatMap((text) => inParts(text, line.updatedAt)))
  const clauses = statementsIn(line.text, line.updatedAt)
  const left = clauses.filter((clause) => {
    const words = wordsOf(clause)
    return !gone.some((said) => says(said, words, line)) || stay().some((text) => holds(text, words.comparable))
  })
  return left.length === clauses.length ? line.text : joined(left)
}

/** Statements of the text, in order, whose words the other text does not have. */
export function statementsBeside(text: string, other: string, saidAt: number): readonly string[] {
  const known = inParts(other, saidAt)
  return statementsIn(text, saidAt).filter(
    (statement) => !known.some((part) => holds(part, comparableStatement(statement))),
  )
}

/** Whether the text shares a telling word with one of the lines: others say none of them. */
export function mayBeIn(lines: readonly Pick<ProfileLine, 'text'>[]): (text: string) => boolean {
  const words = lines.map(({ text }) => wordsOf(text))
  const terms = new Set(words.flatMap((line) => [...line.terms]))
  return (text) => {
    const { comparable, terms: own } = wordsOf(text)
    return (
      !own.isDisjointFrom(terms) ||
      words.some((line) => holds(comparable, line.comparable) || holds(line.comparable, comparable))
    )
  }
}

function wordsOf(text: string): Words {
  return { comparable: comparableStatement(text), terms: tellingTerms(text) }
}

/** The clauses that can stand alone, each with its subject, as memories are made of them. */
function statementsIn(text: string, saidAt: number): readonly string[] {
  return splitSentences(text)
    .flatMap((sentence) => separateClauses([{ text: sentence, semantic: true, category: 'fact', importance: 0 }]))
    .flatMap((part) => clausesIn({ text: part.text, who: null, createdAt: saidAt }))
}

/** A text as it is compared, and each of its statements: 我住在卑尔根，是护士 says 我是护士. */
function inParts(text: string, saidAt: number): readonly string[] {
  const parts = text.length > LONGEST_TAKEN_APART ? [] : statementsIn(text, saidAt)
  return [text, ...parts].map(comparableStatement)
}

function says({ statements, sources }: Said, clause: Words, { origins }: SayingLine): boolean {
  const isSameTurn = sources.some(({ conversation_id, turn_ids }) =>
    origins?.some(
      ({ conversationId, turnIds }) =>
        conversationId === conversation_id && turnIds.some((turnId) => turn_ids.includes(turnId)),
    ),
  )
  return statements.some(
    (statement) =>
      holds(statement.comparable, clause.comparable) ||
      (statement.terms.size > 0 && holds(clause.comparable, statement.comparable)) ||
      shareOfLonger(statement.terms, clause.terms) >= (isSameTurn ? OF_THE_LONGER : 1),
  )
}

/** Whether the words stand in the text one after the other, no word only in part. */
function holds(text: string, words: string): boolean {
  if (words === '') return false
  const isBorder = (inside: string, outside: string): boolean =>
    !LETTER.test(inside) || !LETTER.test(outside) || HAN.test(inside) || HAN.test(outside)
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1))
    if (
      isBorder(words.charAt(0), text.charAt(at - 1)) &&
      isBorder(words.charAt(words.length - 1), text.charAt(at + words.length))
    )
      return true
  return false
}

/** How much of the longer list the shorter one is, if all of it is in there; else 0. */
function shareOfLonger(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [shorter, longer] = one.size < other.size ? [one, other] : [other, one]
  if (shorter.size === 0) return 0
  for (const term of shorter) if (!longer.has(term)) return 0
  return shorter.size / longer.size
}

/** What is left, as one line: a clause that ended in the middle of a sentence goes on with the next. */
function joined(clauses: readonly string[]): string {
  return clauses.reduce((line, clause) => {
    if (line === '') return clause
    const isHan = HAN.test(line) && HAN.test(clause)
    const isClosed = /[.。!！?？]$/u.test(line)
    return `${line}${isClosed ? '' : isHan ? '，' : ','}${isHan ? '' : ' '}${clause}`
  }, '')
}
