/** Which parts of two statements does a comparison need, and what does it answer? */

/** One remembered statement. */
export interface Statement {
  readonly text: string
  /** The person it is about, as stored; null or `user` for the user. */
  readonly who: string | null
  /** Milliseconds since the epoch. */
  readonly occurredAt: number
  readonly key: string | null
  readonly value: unknown
  /** Whether it was said in a conversation, and not told in order to be remembered. Default false. */
  readonly heard?: boolean
}

/** The effect of the newer statement on the older one. */
export type Relation = 'same' | 'supersedes' | 'ends' | 'corrects' | 'adds' | 'doubts' | 'none'

/** Relations that end the older one. */
export const ENDING: ReadonlySet<Relation> = new Set(['supersedes', 'corrects', 'ends'])

/** The answer of `relate`. */
export interface Related {
  readonly relation: Relation
  /** The reason in one sentence, for the history and for marks of doubt. */
  readonly reason: string
  /** For a doubt: the newer one speaks of the older one's matter, not only of its ground; for an end: it names all of it. */
  readonly sameMatter?: boolean
  /** Both give a value of the same quantity. */
  readonly ofValue?: boolean
  /** 0 to 1: how much of both statements speaks for it. */
  readonly strength: number
}
