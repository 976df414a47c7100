/** What does somebody ask of an assistant first? A short request is the best name of the talk that it opens. */
import { asksOrOrders, isQuestion, ordersToMake } from '../../language/questions.ts'
import { POINTS } from './title-likelihood.ts'
import { clausesOf, type Said, widthOf } from './title-spans.ts'
import type { Topic } from './topic.ts'
import { tellingWords, weightOf } from './word-rarity.ts'

/** The least columns of a request that stands as a title, and what its words must tell. */
const FEWEST_COLUMNS = 8
const LEAST_TOLD = 1.5
/** Turns after which a request that nobody came back to names the talk no more. */
const LEFT_AFTER = 8
const OF_SPEAKER = /^(?:i\b|[我你您])|\byou\b/i
/** Words before which an order may end. */
const BORDER = /\s(?=(?:for|at|with|in|on|by|using|without|about|from|after|before|during|who|which|while|so|when)\s)/gi

/**
 * The request that opens the talk, in at most `most` columns: the first clause of the first sentence that tells
 * something, where it asks by itself. An order that is longer ends before its last phrase.
 */
export function openingRequest(said: readonly Said[], most: number): Topic | null {
  const opening = said.find(({ text, names }) => names && tellingWords(text).length > 0)
  const [clause, ...others] = clausesOf(opening?.text ?? '').filter(({ text }) => text !== '')
  if (opening === undefined || clause === undefined) return null
  const asks = isQuestion(others.length === 0 ? opening.text : clause.text)
  const orders = clause.asked || ordersToMake(clause.text) || (asksOrOrders(clause.text) && !asks)
  if (!orders && !asks) return null
  const whole = clause.text.replace(/\.$/, '')
  const border = [...whole.matchAll(BORDER)].findLast(({ index }) => index <= most)
  const text = orders && widthOf(whole) > most ? whole.slice(0, border?.index) : whole
  const [width, terms] = [widthOf(text), tellingWords(text)]
  const told = weightOf(terms)
  if (width < FEWEST_COLUMNS || width > most || told < LEAST_TOLD || POINTS.test(text) || OF_SPEAKER.test(text))
    return null
  const later = said.filter(({ turn }) => turn > opening.turn)
  const goesOn = later.some((other) => tellingWords(other.text).some((term) => terms.includes(term)))
  return goesOn || (later.at(-1)?.turn ?? 0) < LEFT_AFTER ? { parts: [text], told, odds: 0 } : null
}
