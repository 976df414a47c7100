/** Of whom can a clause speak, and how? The names that the readers of both scripts share. */
import { type MeaningTable, meaningMask } from './meaning-table.ts'

/** Of whom; the order is that of the weights. */
export const SUBJECTS = ['self', 'we', 'thing', 'kin', 'pet', 'third', 'you', 'it', 'dropped'] as const
/** One of SUBJECTS. */
export type Subject = (typeof SUBJECTS)[number]

/** How it is said. */
export const MANNERS = [
  'is a',
  'is so',
  'is at',
  'is doing',
  'was',
  'has',
  'has done',
  'has been',
  'did',
  'used to',
  'does',
  'does not',
  'likes',
  'can',
  'might',
  'will',
  'wants',
  'thinks',
  'must',
  'nothing',
] as const
/** One of MANNERS. */
export type Manner = (typeof MANNERS)[number]

/** A clause as its reader sees it: words `start` to `end` of a text, and the meanings that begin at each word (a row) of the text. */
export interface Clause {
  readonly words: readonly string[]
  readonly start: number
  /** The first word behind the clause. */
  readonly end: number
  readonly meanings: MeaningTable
}

/** Takes what a reader has found. */
export type Tell = (subject: Subject, manner: Manner) => void

/** A set of the words of a list. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

export const KIN = meaningMask('kin', 'acquaintance')
export const PET = meaningMask('pet')
