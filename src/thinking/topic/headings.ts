/**
 * Which clauses of a sentence could stand as a title? Whole ones, without the words of politeness in front; too long
 * ones end before a link between two things.
 */
import { hasHan } from '../../language/character-class.ts'
import { tellingWords, weightOf } from './common-words.ts'

/** Words that could name what a sentence is about, with the terms that they are weighed by. */
export interface Heading {
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
