/**
 * What is this about? The clause, as it was said, whose words come again in the texts and are used by few other chats
 * (after TF-IDF).
 */

import { hasHan } from '../../language/character-class.ts'
import { wordTerms } from '../../language/tokens.ts'
import { rarityOf, tellingWords, weightOf } from './common-words.ts'

/** Words that could name what a sentence is about, with the terms that they are weighed by. */
interface Heading {
  readonly text: string
  readonly terms: readonly string[]
  /** Clauses of its sentence before it. */
  readonly clause: number
  /** The words with those of politeness in front, and with the mark behind. */
  readonly said: string
  /** Whether nothing of its sentence is left out that tells something. */
  readonly isWhole: boolean
}

/** The border of two clauses: a mark, or a word that opens another one with its subject. */
const BREAK =
  /(?:\s{1,9}[-–—]{1,3}\s{1,9}|(?:(?![^“”《》‘’[\]\n]{1,80}[”》’\]])(?:[,;:](?!\s?\d)|[，；：。！？!?…\n]|\.(?=\s|$))){1,9}\s{0,9}|\s(?=whether\s)|\s(?=(?:and|but|so|because|since) (?:i|we|you|it|he|she|they|can|could|should|would|how|what)\b))/giu
/** Words of another's text between marks: a sentence, or a long piece of one. */
const QUOTED =
  /(?<![\p{L}\p{N}.,])["“「『](?:[^"“”「」『』\n]{40,2000}|(?=\p{Script=Han})[^"“”「」『』\n]{12,2000}|[^"“”「」『』\n]{1,200}[.!?。！？])["”」』]/gu
const ASIDE = /\s?(?:（[^（）\n]{1,80}）|\([^()\n]{1,80}\))/gu
/** Words by which somebody is asked, in front of what is asked for. */
const POLITE =
  /^(?:(?:please|pls|(?:can|could|would|will) (?:you|u)|help me|i(?:['’]d| would) like(?: you)? to|i (?:want|need)(?: you)? to|what(?:['’]?s| is| are| was| were) (?=an? |the )|i(?:['’]?m| am|['’]?ve been)(?: \w{1,20}){1,2} (?:about|for)(?= \S{1,40} \S))\s{0,9}(?:an? |the )?)+|^(?:请问?|麻烦|你?能不能|你?可不可以|你?可以|你?能|帮我|给我|帮忙|想请你|我?想问问?|一下|，)+/iu
/** A word that links a thing to a further one, which a long title may leave out. */
const JOINS = /^(?:(?:and|but|so|because|since|ok|okay|oh|well)\s|而且|但是?|所以|因为|，|,|\s)+/iu
const LINK =
  /\s(?=(?:that|which|who|whose|where|when|while|because|since|so|if|for|with|without|from|in|on|at|by|about|after|before|during|and(?! \p{Lu})|but)\s)/gu
/** A later clause that says something by itself: it has a subject, asks or orders. */
const BEGINS =
  /^(?:(?:and|but|so|because|since) )?(?:i|i['’](?:m|ve|d|ll)|im|ive|we|we['’](?:re|ve|ll)|my|our|you|he|she|they|the|can|could|would|should|will|do|does|did|is|are|was|what|what['’]?s|how|why|where|when|who|whether|any|please|help|let['’]?s)\b|[?]$/iu
/** A clause that waits for its main one. */
const DEPENDS =
  /^(?:while|after|before|when|since|although|though|because|during|as|for)\b.*,$|^(?:虽然|尽管|如果|要是|既然|因为|由于|除了|为了).*，$/iu
/** The end of a sentence within a text. */
const CROSSES = /[.!?]\s\S|[。！？]./u
/** The weight of the words of a clause that tells nothing: "can you help me". */
const LEAST_TOLD = 0.25
const MOST_CLAUSES = 24

/** Whether a clause of the words begins as one asks another for something. */
export function isPolite(said: string): boolean {
  return said.split(/[，,] ?/).some((clause) => POLITE.test(clause))
}

/** The text without what somebody else said in it. */
export function withoutQuotations(text: string): string {
  return text.replace(QUOTED, '…')
}

/** Runs of whole clauses of at most `most` columns, in the order in which they begin. */
export function headingsOf(text: string, most: number): readonly Heading[] {
  const sentence = text.replace(ASIDE, '')
  const isHan = hasHan(sentence)
  const borders = [...sentence.matchAll(BREAK)]
    .filter(({ index, 0: mark }) => index + mark.length < sentence.length)
    .slice(0, MOST_CLAUSES)
  const starts = [0, ...borders.map(({ index, 0: mark }) => index + mark.length)]
  const ends = [...borders.map(({ index }) => index), sentence.length]
  const tells = starts.map((start, at) => weightOf(tellingWords(sentence.slice(start, ends[at]))) > LEAST_TOLD)
  const found = starts.flatMap((start, at): readonly Heading[] => {
    if (!tells[at] || (at > 0 && !isHan && !BEGINS.test(sentence.slice(start, ends[at]! + 1)))) return []
    const clause = tells.slice(0, at).filter(Boolean).length
    const runs = ends.flatMap((end, to) => {
      const said = sentence.slice(start, end + 1).trim()
      const isRun = to >= at && tells[to] && !(to === at && DEPENDS.test(said))
      return isRun ? { said, isWhole: clause === 0 && !tells.includes(true, to + 1) } : []
    })
    const fitting = runs.filter(({ said }) => widthOf(bare(said)) <= most && !CROSSES.test(said))
    const cut = fitting.length > 0 || isHan ? [] : shortened(runs[0]?.said ?? '', most)
    return [...fitting, ...cut.map((said) => ({ said, isWhole: false }))].flatMap((run) => {
      const heading = bare(run.said)
      return heading === '' ? [] : { ...run, text: heading, terms: tellingWords(heading), clause }
    })
  })
  if (found.length > 0 || widthOf(bare(sentence)) <= most) return found
  const cut = `${bare(sentence)
    .slice(0, isHan ? most / 2 - 1 : most - 1)
    .toWellFormed()
    .replace(/\s\S{0,40}$/u, '')}…`
  return [{ text: cut, terms: tellingWords(cut), clause: 0, said: cut, isWhole: false }]
}

/** Columns of a text: a Chinese character takes two. */
function widthOf(text: string): number {
  return [...text].reduce((width, character) => width + (hasHan(character) ? 2 : 1), 0)
}

function bare(clause: string): string {
  const told = clause
    .trim()
    .replace(JOINS, '')
    .replace(/[\s.。!！,，;；:：~～…?？]{1,40}$/u, '')
  const asked = told.replace(POLITE, '')
  return asked === told ? told : asked.replace(/[吗吧]$/, '').trim()
}

/** The longest beginning before a link. */
function shortened(clause: string, most: number): readonly string[] {
  const ends = [...clause.matchAll(LINK)].map(({ index }) => index).filter((at) => at <= most)
  const end = ends.at(-1)
  return end === undefined
    ? []
    : [clause.slice(0, end).replace(/(?:\s(?:and|but|or|so|that|with|for|to|of|in|on|at|from)){1,4}$/, '')]
}

/** A sentence that was said. */
export interface Said {
  readonly text: string
  /** The turn, shared by its sentences. */
  readonly turn: number
  /** How much it counts. */
  readonly weight: number
  /** How well a clause may name the topic, asked only of the best; null where they only weigh the words of others. */
  readonly namesOf: ((clause: string) => number) | null
}

/** A clause with its weight. */
export interface Topic {
  readonly text: string
  readonly score: number
}

/** The weight of a word said once against a repeated one; less, the more turns there are. */
const ONCE = 0.2
const ONCE_OF_FEW = 1.2
/** Turns beyond which a word counts no more. */
const MOST_COUNTED = 8
/** Words of a clause that are weighed, the heaviest: enough to name a matter. */
const MOST_SCORED = 3
/** The weight of words that name half as well as any could. */
const ENOUGH = 3
/** The weight of each clause against the one before it, and of a further character: the shorter of two that tell as much. */
const LATER_CLAUSE = 0.85
const LENGTH = 0.998
/** How much more counts a sentence of which nothing is left out. */
const WHOLE = 1.3
/** Clauses whose sentences are weighed; the others are too far behind. */
const MOST_WEIGHED = 24

/** The topic in at most `most` characters, or null; names of speakers (`people`) name none. */
export function topicOf(said: readonly Said[], most: number, people: readonly string[] = []): Topic | null {
  const nobody = new Set(people.flatMap((name) => wordTerms(name)))
  const weights = weightsOf(said, nobody)
  const found: (Topic & { readonly names: () => number })[] = []
  for (const { namesOf, ...one } of said)
    for (const { text, terms, clause, said: words, isWhole } of namesOf === null ? [] : headingsOf(one.text, most)) {
      const weight = heaviest(terms, weights)
      const told = (weight / (weight + ENOUGH)) * LENGTH ** text.length
      const score = told * one.weight * LATER_CLAUSE ** clause * (isWhole ? WHOLE : 1)
      if (score > 0) found.push({ text, score, names: () => namesOf!(words) })
    }
  const [first = null] = found
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_WEIGHED)
    .map(({ text, score, names }) => ({ text, score: score * names() }))
    .sort((a, b) => b.score - a.score)
  return first
}

/** The weight of each term: by the turns that say it, and the few chats that do. */
function weightsOf(said: readonly Said[], nobody: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const counted = new Map<string, number>()
  const turns = new Set<number>()
  for (const { text, turn, weight } of said)
    for (const term of tellingWords(text)) {
      turns.add(turn)
      if (counted.get(term) === turn || nobody.has(term)) continue
      counted.set(term, turn)
      counts.set(term, (counts.get(term) ?? 0) + weight)
    }
  const once = ONCE + ONCE_OF_FEW / turns.size
  return new Map(
    [...counts].map(([term, count]) => [term, rarityOf(term) * Math.log2(once + Math.min(count, MOST_COUNTED))]),
  )
}

function heaviest(terms: readonly string[], weights: ReadonlyMap<string, number>): number {
  return terms
    .map((term) => Math.max(0, weights.get(term) ?? 0))
    .sort((a, b) => b - a)
    .slice(0, MOST_SCORED)
    .reduce((sum, weight) => sum + weight, 0)
}
