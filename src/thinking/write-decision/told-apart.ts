/** What does a sentence tell beside the question or order that stands in it? */

import { hasHan } from '../../language/character-class.ts'
import { wishesOfReplies } from '../../language/preference.ts'
import { asksOrOrders, isQuestion } from '../../language/questions.ts'
import { clausesOf, untied } from '../facts/clauses.ts'
import { namesSubject } from './matters.ts'
import { mentionsOrder } from './order-words.ts'
import { states } from './parts.ts'

/** The log-odds from which a text is held to tell something, and below which a clause says nothing by itself. */
export const TELLS = -0.1
const SAYS = -1.5
/** A longer sentence is left whole. */
const LONGEST = 500
/** Clauses of a sentence that are looked at. */
const MOST_CLAUSES = 16
/** A clause that only supposes, says when, or names what is asked about: the question hangs on it. */
const LEADS =
  /^(?:if|when|whenever|once|after|before|while|until|unless|whether|suppose|say|imagine|assuming|as soon as|besides|apart from|regarding|as for)\b|^(?:那么?|另外，?)?(?:如果|要是|假如|假设|万一|倘若|比如|等|当|只要|除非|除了|关于|对于|像)|(?:的话|以后|之后|之前|时候|时|前|后)$/iu
/** The listener as the one who acts, and the second half of a choice, or a tag: 对吗？ */
const OF_LISTENER = /^(?:you\b|你|您)/i
const TAG =
  /^(?:or|right|correct|ok(?:ay)?|yes|no|isn['’]t|aren['’]t|doesn['’]t|don['’]t)\b|^(?:还是|或者?)|^(?:对|是|行|好|可以|不是)[吗吧么嘛不]/i
const BECAUSE = /because/i
/** A clause without a mark of its own that goes on about a word before it. */
const RELATIVE = /^(?:who|whom|whose|what|when|where|which|why|how)\b[^?？]*$/i

/**
 * What a sentence tells beside what it asks or orders: "I moved to York, how do I …?". One whose question states
 * or wishes something, and one that hangs on its question, stays whole. `weigh` gives the log-odds of a text by the model.
 */
export function toldApart(sentence: string, weigh: (text: string) => number): readonly string[] {
  if (sentence.length > LONGEST) return [sentence]
  // A piece of what tells nothing as a whole must tell the more.
  const lack = Math.min(0, weigh(sentence))
  const weighs = (text: string): boolean => weigh(text) + lack > TELLS
  const tells = (text: string): boolean => weighs(text) || states(text)
  const clauses = clausesOf(
    sentence,
    (next, before, mark) =>
      /[^a-z\s]/i.test(mark) ||
      (mark.trim() === '' && hasHan(before.slice(-1))) ||
      asksOrOrders(`${mark.trim()} ${next}`) ||
      (BECAUSE.test(mark) && asksOrOrders(before)),
  ).flatMap(dictated)
  const asked = clauses.map((clause, at) => asksOrOrders(clause) && (at === 0 || !RELATIVE.test(clause)))
  const last = clauses.at(-1)!
  if (clauses.length < 2 || clauses.length > MOST_CLAUSES || !asked.includes(true) || TAG.test(last)) return [sentence]
  // 去年买的，今年涨了？: with no word that asks, the mark asks about all of it.
  if (asked.at(-1) && hasHan(last) && !asksOrOrders(last.replace(/[?？\s]{1,9}$/, ''))) return [sentence]
  // "With the budget raised to $8,000, can you …": what tells nothing leads to the question, in Chinese behind a fact too.
  const leads = (clause: string, at: number): boolean =>
    LEADS.test(clause) ||
    (isQuestion(sentence) && (at === 0 ? !tells(clause) : hasHan(clause) && weigh(clause) < SAYS && !states(clause)))
  for (let at = clauses.length - 2; at >= 0; at--) asked[at] ||= asked[at + 1]! && leads(clauses[at]!, at)
  // 帮我写个通知 不要太长: with no mark between, what tells nothing behind an order goes with it.
  for (const [at, clause] of clauses.entries())
    asked[at] ||= asked[at - 1] === true && sentence.includes(`${clauses[at - 1]} ${clause}`) && !tells(clause)
  const pieces: { from: number; to: number; isAsked: boolean }[] = []
  for (const [at, clause] of clauses.entries()) {
    const before = pieces.at(-1)
    const from = sentence.indexOf(clause, before?.to)
    const to = from + clause.length
    if (before !== undefined && before.isAsked === asked[at]) before.to = to
    else pieces.push({ from, to, isAsked: asked[at]! })
  }
  const textOf = ({ from, to }: (typeof pieces)[number]): string => sentence.slice(from, to)
  const told = pieces.filter(({ isAsked }) => !isAsked).map(textOf)
  if (told.some((text) => LEADS.test(text) || OF_LISTENER.test(text))) return [sentence]
  const bare = told.map(untied)
  const isApart =
    !pieces.some((piece) => piece.isAsked && statesOrWishes(textOf(piece), weighs)) &&
    bare.every((text) => tells(text) && (sentence.startsWith(text) || namesSubject(text, '')))
  return isApart && bare.length > 0 ? bare : [sentence]
}

/** A Chinese clause without a mark before the listener is asked: 我妈要做手术你说我要准备什么. */
function dictated(clause: string): readonly string[] {
  const at = clause.search(/(?<=\p{Script=Han}{8})[你您](?=帮|看|说|觉得)/u)
  const asked = clause.slice(at)
  return at > 0 && (isQuestion(asked) || asksOrOrders(asked.slice(1))) ? [clause.slice(0, at), asked] : [clause]
}

/** Whether what is asked holds something to be kept itself: a figure, a fact, a wish for replies, an order to remember. */
function statesOrWishes(asked: string, weighs: (text: string) => boolean): boolean {
  const isWish = wishesOfReplies(asked) || (!isQuestion(asked) && weighs(asked))
  return /\d/.test(asked) || states(asked) || isWish || mentionsOrder(asked)
}
