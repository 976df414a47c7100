/**
 * Which evidence does a model get to see? The best pieces that fit, each text once, long ones as excerpts; a memory
 * that only repeats its turn is shown by the turn.
 */
import { DAY_MS } from '../../domain/clock.ts'
import { CORRECTED_AT, type Memory } from '../../domain/memory.ts'
import type { Explanation } from '../../domain/recall.ts'
import type { Role, Turn } from '../../domain/turn.ts'
import { type CountTokens, roughTokens } from '../../language/count-tokens.ts'
import { indexTerms } from '../../language/terms.ts'
import { type Excerpt, excerptOf, MOST_READ, type Sentence, Shown, withoutRepeats } from './excerpt.ts'

/** A turn, the memories made from it, or both: one piece of evidence, with its place in the ranking. */
export interface EvidencePiece {
  /** null for memories whose turn is not there. */
  readonly turn: Turn | null
  /** The project of the turn's conversation; absent where it has none. */
  readonly project?: string
  /** The memories, best first. */
  readonly memories: readonly Memory[]
  /** Memories of the turn, found or not, that have an end or are in doubt; absent: none. */
  readonly outdated?: readonly Memory[]
  /** 0 to 1. */
  readonly score: number
  /** The score beside the best that answers the same of what is asked. 0 to 1. */
  readonly share: number
  readonly explanation: Explanation | null
}

/** One text that a model gets to see. */
export interface Evidence {
  readonly kind: 'turn' | 'memory'
  /** The record of a memory; null for a turn. */
  readonly memory: Memory | null
  /** Memories whose whole text stands in this one, outdated ones with them: a model that sees the turn sees them, too. */
  readonly told: readonly Memory[]
  /** Memories of a turn to which a person has given other words since. */
  readonly corrected: readonly Memory[]
  readonly conversationId: string | null
  /** Number of the turn, or of the first turn that a memory came from. */
  readonly turnId: number | null
  readonly role: Role | null
  readonly speaker: string | null
  /** The project that it is said of or, of a turn, in; null: a memory that holds everywhere, a turn said in none. */
  readonly projectRoot: string | null
  /** The shown text: all of it, or whole sentences of it. */
  readonly text: string
  /** Whether something of the text is left out. */
  readonly excerpt: boolean
  /** The time of its saying, or of a memory's event. Milliseconds since the epoch. */
  readonly createdAt: number
  readonly score: number
  /** Tokens of its line in a context. */
  readonly tokens: number
  readonly explanation: Explanation | null
}

/** How much may be shown. */
export interface EvidenceBounds {
  /** Tokens of all lines together. */
  readonly tokens: number
  /** Texts at the most. */
  readonly limit: number
  /** 001, memory.rag_top_n: memories at the most. */
  readonly memories: number
  /** true: pieces that answer far less than the best one stay out, though there is room for them. */
  readonly isForModel: boolean
}

interface EvidenceQuestion {
  readonly bounds: EvidenceBounds
  /** The worth of each term of the question. */
  readonly gains: ReadonlyMap<string, number>
  readonly message: string
  /** Other texts that the model sees anyway: the window, the profile. */
  readonly shown: readonly string[]
  /** How a text is written in a context. */
  readonly line: (evidence: Omit<Evidence, 'tokens'>) => string
  readonly count: CountTokens
  /** false: memories alone. Default true. */
  readonly turns?: boolean
}

/**
 * The least share of the best score that is shown to a model. On LoCoMo, REALTALK and BEAM no turn that answers lies
 * below it.
 */
const LEAST_SHARE = 0.5
/** Pieces that are shown however little they answer: an answer may lie in several. */
const FEW_PIECES = 10
/** Share of its terms that a turn must say for a memory to be shown by it. */
const SAYS_IT = 0.9
/** Tokens of one text, of a large budget and of a small one. */
const LONGEST = 160
const SHORTEST = 45
/** The largest share of the budget for one text. */
const SHARE = 1 / 20
/** The price of length, between texts that answer alike: e times as many tokens take this off a score. */
const PRICE = 0.06
/** The least room, in tokens, for which a text is looked for. */
const LEAST_ROOM = 12
/** A sentence mark and the line break behind it are one token. */
const ENDS_WITH_MARK = /[.!?\])]$/
/** The tokens around a text. */
const LINE_TOKENS = 5
/** The tokens of a day before its texts. */
const TOKENS_A_DAY = 7

interface SelectedEvidence {
  readonly chosen: readonly Evidence[]
  /** The chosen sentences as `Shown` knows them. */
  readonly sentences: readonly Sentence[]
  readonly leftOut: readonly { readonly what: string; readonly reason: string }[]
  /** Memories that stand whole in the model's context: chosen, told by a turn, or shown anyway. */
  readonly seen: readonly Memory[]
}

const NO_ROOM = 'does not fit into the token budget'
const TOLD = 'stands in what is shown'

export function selectEvidence(
  pieces: readonly EvidencePiece[],
  { bounds, gains, message, shown: texts, line, count, turns = true }: EvidenceQuestion,
): SelectedEvidence {
  const shown = new Shown()
  shown.addAsked(message)
  for (const text of texts) shown.add(text)
  const longest = Math.min(LONGEST, Math.max(SHORTEST, Math.round(bounds.tokens * SHARE)))
  const days = new Set<number>()
  const chosen: { readonly one: Evidence; readonly whole: string; readonly excerpt: Excerpt }[] = []
  let left = bounds.tokens
  let memories = 0
  const take = (evidence: Omit<Evidence, 'tokens'>, whole: string, excerpt: Excerpt): boolean => {
    const day = Math.floor(evidence.createdAt / DAY_MS)
    const written = line(evidence)
    const around = (ENDS_WITH_MARK.test(written) ? 0 : 1) + (days.has(day) ? 0 : TOKENS_A_DAY)
    const tokens = count(written, left - around) + around
    if (tokens > left) return false
    left -= tokens
    days.add(day)
    shown.addSentences(excerpt.parts)
    chosen.push({ one: { ...evidence, tokens }, whole, excerpt })
    return true
  }
  const leftOut: { what: string; reason: string }[] = []
  const leave = (reason: string, { turn, memories: told }: EvidencePiece): void => {
    const what = turn === null ? told[0]!.id : `${turn.turnId} of conversation ${turn.conversationId}`
    leftOut.push({ what: `${turn === null ? 'memory' : 'turn'} ${what}`, reason })
  }
  const least = bounds.isForModel ? LEAST_SHARE : 0
  const different = new Set<string>()
  const answering = pieces.filter(({ turn, memories: [first], share }) => {
    const isFew = different.size < FEW_PIECES
    const text = turn?.content ?? first?.text
    if (text !== undefined) different.add(text)
    return isFew || share >= least
  })
  for (const piece of byWorth(answering, longest)) {
    const isFull = (): boolean => left < LEAST_ROOM || chosen.length >= bounds.limit
    const { turn } = piece
    for (const memory of turns ? besides(piece) : piece.memories) {
      const only = { ...piece, turn: null, memories: [memory] }
      if (isFull()) leave(NO_ROOM, only)
      else if (memories >= bounds.memories) leave(`memory.rag_top_n is ${bounds.memories}`, only)
      else {
        const excerpt = excerptOf(memory.text, gains, Number.POSITIVE_INFINITY, shown)
        if (excerpt === null) leave(TOLD, only)
        else if (take(memoryEvidence(memory, excerpt, piece), memory.text, excerpt)) memories += 1
        else leave(NO_ROOM, only)
      }
    }
    if (turn === null || !turns) continue
    if (isFull()) {
      leave(NO_ROOM, piece)
      continue
    }
    const excerpt = excerptOf(turn.content, gains, longest, shown)
    if (excerpt === null) leave(TOLD, piece)
    else if (!take(turnEvidence(turn, excerpt, piece), turn.content, excerpt)) leave(NO_ROOM, piece)
  }
  const once = chosen.flatMap(({ one, whole, excerpt }): Evidence[] => {
    const kept = withoutRepeats(whole, excerpt, shown)
    if (kept === excerpt || kept === null) return kept === null ? [] : [one]
    return [{ ...one, text: kept.text, excerpt: true, tokens: one.tokens - count(one.text) + count(kept.text) }]
  })
  const told = once.flatMap((one) => (one.memory === null ? one.told : [one.memory]))
  const others = pieces.flatMap((piece) => piece.memories).filter(({ text }) => shown.hasAll(text))
  const seen = [...new Set([...told, ...others])]
  const sentences = chosen.flatMap(({ excerpt }) => excerpt.parts)
  const bestFirst = once.sort((a, b) => b.score - a.score || b.createdAt - a.createdAt)
  return { chosen: bestFirst, sentences, leftOut, seen }
}

/** Pieces in the order in which they are taken: a text's worth falls with the room that it takes. */
function byWorth(pieces: readonly EvidencePiece[], longest: number): readonly EvidencePiece[] {
  const best = pieces[0]?.score ?? 1
  return pieces
    .map((piece) => {
      const text = piece.turn?.content ?? piece.memories[0]?.text ?? ''
      return { piece, worth: piece.score / best - PRICE * Math.log(Math.min(longest, roughTokens(text)) + LINE_TOKENS) }
    })
    .sort((a, b) => b.worth - a.worth)
    .map(({ piece }) => piece)
}

/** The memories of a piece that are shown by themselves: those that say more than their turn. */
function besides({ turn, memories }: EvidencePiece): readonly Memory[] {
  if (turn === null || memories.length === 0) return memories
  const told = new Set(toldBy(turn.content, memories))
  return memories.filter((memory) => !told.has(memory))
}

/** The memories that a text tells, in these or other words of the same kind, as far as an excerpt would read it. */
function toldBy(text: string, memories: readonly Memory[]): readonly Memory[] {
  if (memories.length === 0) return memories
  return memories.filter((memory) => shareSaid(text, memory.text) >= SAYS_IT)
}

/** The share of a memory's terms that a text says. */
function shareSaid(text: string, memory: string): number {
  const said = indexTerms(text.slice(0, MOST_READ))
  const terms = [...indexTerms(memory.slice(0, MOST_READ)).keys()]
  return terms.length === 0 ? 1 : terms.filter((term) => said.has(term)).length / terms.length
}

function memoryEvidence(
  memory: Memory,
  excerpt: Excerpt,
  { turn, score, explanation }: EvidencePiece,
): Omit<Evidence, 'tokens'> {
  const { conversationId, sourceTurnIds, who, occurredAt } = memory
  return {
    kind: 'memory',
    memory,
    told: [],
    corrected: [],
    conversationId,
    turnId: sourceTurnIds[0] ?? null,
    role: null,
    speaker: who,
    projectRoot: memory.projectRoot,
    text: excerpt.text,
    excerpt: excerpt.isPart,
    // "Tomorrow" is counted from the day of its saying.
    createdAt: turn?.createdAt ?? occurredAt,
    score,
    explanation,
  }
}

function turnEvidence(
  turn: Turn,
  excerpt: Excerpt,
  { memories, outdated = [], project, score, explanation }: EvidencePiece,
): Omit<Evidence, 'tokens'> {
  const made = [...new Map([...memories, ...outdated].map((memory) => [memory.id, memory])).values()]
  return {
    kind: 'turn',
    memory: null,
    corrected: made.filter(
      ({ text, metadata }) => metadata?.[CORRECTED_AT] !== undefined && shareSaid(turn.content, text) < 1,
    ),
    told: toldBy(excerpt.text, made),
    conversationId: turn.conversationId,
    turnId: turn.turnId,
    role: turn.role,
    speaker: turn.speaker,
    projectRoot: project ?? null,
    text: excerpt.text,
    excerpt: excerpt.isPart,
    createdAt: turn.createdAt,
    score,
    explanation,
  }
}
