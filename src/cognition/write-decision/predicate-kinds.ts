/** Of whom can a clause speak, and how? The names that the readers of both scripts share. */
import { MEANINGS, type Meaning } from './meaning.ts'

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

/** A clause as its reader sees it: words `start` to `end` of a text, and the meanings that begin at each word of the text. */
export interface Clause {
  readonly words: readonly string[]
  readonly start: number
  /** The first word behind the clause. */
  readonly end: number
  readonly meanings: readonly (readonly number[] | null)[]
}

/** Takes what a reader has found. */
export type Tell = (subject: Subject, manner: Manner) => void

/** A set of the words of a list. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/** The numbers of some meanings. */
export function meaningSet(...names: readonly Meaning[]): ReadonlySet<number> {
  return new Set(names.map((name) => MEANINGS.indexOf(name)))
}

export const KIN = meaningSet('kin', 'acquaintance')
export const PET = meaningSet('pet')

/** Whether one of the wanted meanings begins here. */
export function isAny(found: readonly number[] | null | undefined, wanted: ReadonlySet<number>): boolean {
  return found?.some((one) => wanted.has(one)) ?? false
}
