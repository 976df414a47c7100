/**
 * Does anything here answer this message at all? A question about somebody's own matters is made of words that were said
 * before; of a general question, of pasted text and of small talk the log mostly has never heard. So the share of the
 * message, by rarity, that occurs anywhere decides, and how much of it one text holds. Who names a speaker or a time
 * means what was said.
 */
import type { PostingList } from '../contracts/turn-index.ts'
import { inverseDocumentFrequency } from './bm25.ts'

/** What is known of a message and the texts that were ranked for it. */
export interface Familiarity {
  /** Share of the message's own terms, by rarity, that occur in some text: 0 to 1. */
  readonly known: number
  /** The largest share that one text holds: 0 to 1. */
  readonly covered: number
  /** It names somebody who speaks in the log. */
  readonly namesSpeaker: boolean
  /** It names a time, or asks for the newest. */
  readonly namesTime: boolean
  /** A memory states an attribute that it asks for; counts in a small log, where few words were said. */
  readonly statesAsked: boolean
  /** Texts that were looked through. */
  readonly texts: number
}

// A logistic regression over the questions of LoCoMo, REALTALK, BEAM and LifeBench and the labelled small talk, general
// questions and pasted text of `extraction-dev`, scaled so that `known` counts 1; at this bound 0.4 to 6 % of the
// questions are lost, and 5 to 11 % of the others are answered (development data; docs/retrieval.md).
const COVERED = 0.25
const NAMES_SPEAKER = 0.9
const NAMES_TIME = 0.27
const STATES_ASKED = 0.3
const ENOUGH = 0.65

/** A log of so many texts has heard most of what its people talk about; of a smaller one less is asked. */
const TALKATIVE = 300

/** Rarity is measured as in a log of so many texts at least: in a small one every word is rare. */
const LEAST_TEXTS = 500

/** true when evidence is worth showing. */
export function answersMessage({ known, covered, namesSpeaker, namesTime, statesAsked, texts }: Familiarity): boolean {
  const enough = ENOUGH * Math.min(1, Math.log1p(texts) / Math.log1p(TALKATIVE))
  const named =
    (namesSpeaker ? NAMES_SPEAKER : 0) +
    (namesTime ? NAMES_TIME : 0) +
    (statesAsked && texts < TALKATIVE ? STATES_ASKED : 0)
  return known + COVERED * covered + named >= enough
}

/** How much each of these terms weighs in a message, whether it occurs or not. */
export function familiarityWeights(
  lists: readonly PostingList[],
  others: (term: string) => number,
  texts: number,
): readonly number[] {
  const count = Math.max(LEAST_TEXTS, texts)
  return lists.map(({ term, documents }) => inverseDocumentFrequency(documents.length + others(term), count))
}
