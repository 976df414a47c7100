/** Secrets that a text tells as the answer to what was said before it: "What is your password?", "hunter2horse". */
import { inSmallLetters } from '../character-class.ts'
import { findSecrets, joined } from './find-secrets.ts'
import type { Secret } from './issued-keys.ts'
import { anyOfNames, mayNameSecret, SECRET_NAMES, UNLOCKS } from './secret-names.ts'

/** Characters of a text that may be such an answer, and of the end of what was said before it. */
export const LONGEST_ANSWER = 400
const REACH = 200

/** A question for a secret by its name, which the answer completes as "your password is …" would. */
const ASKS_FOR = new RegExp(
  `(?:(?<![a-zà-ÿ])(?:what|which|wie lautet|wie ist|quel(?:le)?|cu[aá]l)(?![a-zà-ÿ])[^\\n.!?]{1,60}?(${namesOfKinds()})s?(?: (?:${anyOfNames('of')}|do|does|did|is|was|should|be|I|we|you|opens)(?: [^\\n.!?]{1,60})?)?` +
    `|(${namesOfKinds()})[^\\n。！？]{0,12}(?:什么|多少)[^\\n。！？]{0,6}) ?[?？]?\\s*$`,
  'i',
)

function namesOfKinds(): string {
  return SECRET_NAMES.flatMap(([name, words]) => (name === 'any key' ? [] : [words])).join('|')
}

/** The words that an answer goes on from, where they speak of a secret or a lock; '' for any others. */
export function askedSecret(before: string): string {
  const end = before.trimEnd().slice(-REACH).replace(/\s+/g, ' ')
  const small = inSmallLetters(end)
  return mayNameSecret(small) || UNLOCKS.test(small) ? end : ''
}

/** The secrets of a text with those that only `before`, said right before it, names. */
export function secretsAfter(before: string | undefined, text: string): readonly Secret[] {
  const own = findSecrets(text)
  const asked = before === undefined || text.length > LONGEST_ANSWER ? '' : askedSecret(before)
  if (asked === '') return own
  const name = ASKS_FOR.exec(asked)
    ?.slice(1)
    .find((group) => group !== undefined)
  const beginnings = [/[.!?:。！？：]$/.test(asked) ? `${asked} ` : `${asked}? `]
  if (name !== undefined) beginnings.push(/[\u3400-\u9fff]/.test(name) ? `我的${name}是` : `My ${name} is `)
  const found = beginnings.flatMap((beginning) =>
    findSecrets(beginning + text).flatMap(({ from, to, ...secret }) =>
      from < beginning.length ? [] : [{ ...secret, from: from - beginning.length, to: to - beginning.length }],
    ),
  )
  return found.length === 0 ? own : joined([...own, ...found])
}
