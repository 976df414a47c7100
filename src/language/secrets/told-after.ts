/** Secrets that a text tells as the answer to what was said before it: "What is your password?", "hunter2horse". */
import { readOnce } from '../../domain/read-once.ts'
import { atOnce } from '../../domain/scheduling.ts'
import { inSmallLetters } from '../character-class.ts'
import { findSecrets, joined } from './find-secrets.ts'
import type { Secret } from './issued-keys.ts'
import { anyOfNames, namesIn, namesSecret, UNLOCKS } from './secret-names.ts'

/** Characters of a text that may be such an answer, and of the end of what was said before it. */
export const LONGEST_ANSWER = 400
const REACH = 200

/** What stands before and behind the name of a secret in a question for it. */
const ASKS_FOR = [
  [
    /(?<![a-zà-ÿ])(?:what|which|wie lautet|wie ist|quel(?:le)?|cu[aá]l)(?![a-zà-ÿ])[^\n.!?]{1,60}$/,
    new RegExp(
      `^(?: (?:${anyOfNames('of')}|do|does|did|is|was|should|be|I|we|you|opens)(?: [^\\n.!?]{1,60})?)? ?[?？]?\\s*$`,
      'i',
    ),
  ],
  [/^/, /^[^\n。！？]{0,12}(?:什么|多少)[^\n。！？]{0,6} ?[?？]?\s*$/],
] as const

/** The name of the secret that a question asks for, which the answer completes as "your password is …" would. */
function askedName(question: string): string | undefined {
  const small = inSmallLetters(question)
  const asked = atOnce(namesIn(question, small)).find(
    ({ name, at, end }) =>
      name !== 'any key' &&
      ASKS_FOR.some(([before, behind]) => before.test(small.slice(0, at)) && behind.test(question.slice(end))),
  )
  return asked === undefined ? undefined : question.slice(asked.at, asked.end)
}

/** Digits as codes have them, digits beside letters, or nothing but a word. */
const MAY_TELL = /\d[\d-]{2}|\p{L}[^\s\p{L}]{0,3}\d|\d[^\s\d]{0,3}\p{L}|^\W{0,3}[a-z]{6,40}\W{0,3}$/iu

/** The words before, as far as they speak of a secret or a lock: their end, and beginnings that an answer completes. */
const readAsking = readOnce('askings', (before): { readonly end: string; readonly beginnings: readonly string[] } => {
  const end = before.trimEnd().slice(-REACH).replace(/\s+/g, ' ')
  if (!namesSecret(end) && !UNLOCKS.test(inSmallLetters(end))) return { end: '', beginnings: [] }
  const beginning = /[.!?:。！？：]$/.test(end) ? `${end} ` : `${end}? `
  const name = askedName(end)
  if (name === undefined) return { end, beginnings: [beginning] }
  return { end, beginnings: [beginning, /[\u3400-\u9fff]/.test(name) ? `我的${name}是` : `My ${name} is `] }
})

/** The end of what was said before a text that it may answer with a secret; '' where it cannot. */
export function askedSecret(before: string, text: string): string {
  return mayTell(text) ? readAsking(before).end : ''
}

function mayTell(text: string): boolean {
  return text.length <= LONGEST_ANSWER && MAY_TELL.test(text)
}

/** The secrets of a text with those that only `before`, said right before it, names. */
export function secretsAfter(before: string | undefined, text: string): readonly Secret[] {
  const own = findSecrets(text)
  if (before === undefined || !mayTell(text)) return own
  const found = readAsking(before).beginnings.flatMap((beginning) =>
    findSecrets(beginning + text).flatMap(({ from, to, ...secret }) =>
      from < beginning.length ? [] : [{ ...secret, from: from - beginning.length, to: to - beginning.length }],
    ),
  )
  return found.length === 0 ? own : joined([...own, ...found])
}
