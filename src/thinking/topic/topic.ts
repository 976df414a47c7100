/** What is this about? The words that a person would most likely write above it, and maybe others of another matter. */
import { hasHan } from '../../language/character-class.ts'
import { wordTerms } from '../../language/terms.ts'
import { openingStatement } from './opening-statement.ts'
import { type Candidate, likelihoodOf, meanOf, type Talk } from './title-likelihood.ts'
import { type Said, type Span, spansOf, widthOf } from './title-spans.ts'
import { rarityOf, tellingWords, weightOf } from './word-rarity.ts'

/** The words that name it. */
export interface Topic {
  readonly parts: readonly string[]
  /** How much the words of the first part tell, from 0. */
  readonly told: number
  /** Log-odds that a person would write the first part above the talk. */
  readonly odds: number
}

/** The separator of two parts of a title. */
export const BETWEEN = ' · '
/** The least log-odds of a second part, and how far below the first's they may be. */
const LEAST_SECOND = -1
const NEARLY = 1.5
/** The log-odds from which Chinese words name a talk better than its opening statement does. */
const SURE = 0
/** Words that a verb or another sentence needs, and Chinese ones behind which only a verb has. */
const NO_THING =
  /(?<!\S)(?:to|I|we|you|my|our|your|its?|he|she|they|his|her|their|this|that|is|are|was|were|would|will|can|could)(?!\S)|[也把被让完]/iu
const GOES_ON = /^[着过成得了]/u
/** The turns that say the words of a second part in the mean, and the more log-odds that it needs where fewer do. */
const SAID_AGAIN = 2
const MORE_WHERE_ONCE = 1.3
/** The weight of a word said once against a repeated one; less, the more turns there are. */
const ONCE = 0.3
/** The least share of a word that one turn says, of many. */
const LEAST_ALONE = 0.4
/** Turns beyond which a word counts no more. */
const MOST_COUNTED = 8
/** Words that are weighed, the heaviest. */
const MOST_WEIGHED = 3

/** The topic in at most `most` columns, or null; names of speakers (`people`) name none. */
export function topicOf(said: readonly Said[], most: number, people: readonly string[] = []): Topic | null {
  const { candidates, talk } = candidatesIn(said, people)
  const scored = candidates
    .filter(({ span }) => span.width <= most)
    .map((candidate) => ({ ...candidate, score: likelihoodOf(candidate, talk) }))
    .sort((a, b) => b.score - a.score)
  const [first] = scored
  if (first === undefined) return null
  const second = scored.find(
    ({ span, terms, score, at }) =>
      score - (meanOf(terms, talk.turnsOf) < SAID_AGAIN ? MORE_WHERE_ONCE : 0) >=
        Math.max(LEAST_SECOND, first.score - NEARLY) &&
      at !== first.at &&
      isThing(span) &&
      !terms.some((term) => first.terms.includes(term)) &&
      first.span.width + widthOf(BETWEEN) + span.width <= most,
  )
  const { text, isChinese } = first.span
  const told = { told: weightOf(first.terms), odds: first.score }
  const statement =
    isChinese && (first.score < SURE || !isThing(first.span)) ? openingStatement(said, most, text) : null
  if (statement !== null) return { parts: [statement], ...told }
  return { parts: second === undefined ? [text] : [text, second.span.text], ...told }
}

/** Whether the words stand for themselves, without a verb, a person or a sentence beside them. */
function isThing({ text, before, after }: Span): boolean {
  return !NO_THING.test(text) && !GOES_ON.test(after) && !(before === 'to' && /^\p{Ll}/u.test(text))
}

/** The spans of those who may name the topic, each once, and what the talk says of their words. */
export function candidatesIn(
  said: readonly Said[],
  people: readonly string[],
): { readonly candidates: readonly Candidate[]; readonly talk: Talk } {
  const nobody = new Set(people.flatMap((name) => wordTerms(name)))
  const { talk, weigh } = talkOf(said, nobody)
  const found = new Map<string, Candidate>()
  const opening = said.find(({ names }) => names)?.turn
  const turns = Math.max(1, said.at(-1)?.turn ?? 1)
  for (const [place, { text, turn, names }] of said.entries())
    for (const span of spansOf(text)) {
      let known = found.get(span.key)
      if (known === undefined) {
        const terms = span.terms.filter((term) => !nobody.has(term))
        if (!names || terms.length === 0) continue
        known = {
          span,
          terms,
          weight: weigh(terms),
          turns: 1,
          lastTurn: turn,
          beside: null,
          at: `${place} ${span.clause}`,
          opens: turn === opening,
          late: turn / turns,
          echoes: 0,
        }
        found.set(span.key, known)
        continue
      }
      if (known.lastTurn !== turn) {
        known.turns++
        if (!names) known.echoes++
      }
      known.lastTurn = turn
      known.beside ??= { before: new Set([known.span.before]), after: new Set([known.span.after]) }
      known.beside.before.add(span.before)
      known.beside.after.add(span.after)
    }
  return { candidates: [...found.values()], talk }
}

function talkOf(
  said: readonly Said[],
  nobody: ReadonlySet<string>,
): { readonly talk: Talk; readonly weigh: (terms: readonly string[]) => number } {
  const turnsOf = new Map<string, Set<number>>()
  const counts = new Map<string, number>()
  for (const { text, turn, weight } of said)
    for (const term of tellingWords(text)) {
      if (nobody.has(term)) continue
      const turns = turnsOf.get(term) ?? new Set()
      if (!turns.has(turn)) counts.set(term, (counts.get(term) ?? 0) + weight)
      turnsOf.set(term, turns.add(turn))
    }
  const turns = new Set([...turnsOf.values()].flatMap((some) => [...some])).size
  const [once, alone] = [ONCE + 1 / turns, Math.max(LEAST_ALONE, 2 / turns)]
  const weights = new Map(
    [...counts].map(([term, count]) => [
      term,
      rarityOf(term) *
        (turnsOf.get(term)!.size > 1 ? 1 : alone) *
        Math.max(0, Math.log2(once + Math.min(count, MOST_COUNTED))),
    ]),
  )
  const weigh = (terms: readonly string[]): number => {
    const each = terms.map((term) => weights.get(term) ?? 0)
    return (each.length > MOST_WEIGHED ? each.sort((a, b) => b - a).slice(0, MOST_WEIGHED) : each).reduce(sum, 0)
  }
  const talk: Talk = {
    most: weigh([...weights.keys()]) || 1,
    turns: Math.max(1, turns),
    turnsOf: (term) => turnsOf.get(term)?.size ?? 0,
    sticks: sticksIn(said.map(({ text }) => text).join('\n')),
  }
  return { talk, weigh }
}

const sum = (all: number, one: number): number => all + one

/** Counts how often two characters stand side by side, against the rarer of them. */
function sticksIn(text: string): Talk['sticks'] {
  const counts = new Map<string, number>()
  const count = (piece: string): void => void counts.set(piece, (counts.get(piece) ?? 0) + 1)
  if (hasHan(text))
    for (let at = 0; at < text.length; at++) {
      count(text[at]!)
      count(text.slice(at, at + 2))
    }
  return (one, other) => {
    const together = counts.get(one + other) ?? 0
    return together < 2 ? 0 : together / Math.min(counts.get(one)!, counts.get(other)!)
  }
}
