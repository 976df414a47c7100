/**
 * Whose words are these? The user's own are what the user typed, without quoted and pasted material; what anybody else
 * said can ground a memory but never as the user's statement.
 */
import type { ThinkMessage } from '../../domain/thought.ts'
import { splitSentences } from '../../text/sentences.ts'
import { shortened } from '../answers/data-message.ts'
import { tellingTerms } from '../answers/grounding.ts'
import { type SaidDetails, saidDetails } from '../answers/unsaid-details.ts'
import { type ExchangeInput, seenOf } from './prompt.ts'

/** The words of an exchange by who said them, as terms. */
export interface ExchangeSources {
  /** The user's own text. */
  readonly userText: string
  readonly userSentences: readonly { readonly text: string; readonly terms: ReadonlySet<string> }[]
  readonly userTerms: ReadonlySet<string>
  /** Everything that was said in the exchange and shortly before. */
  readonly allText: string
  readonly allTerms: ReadonlySet<string>
  /** Numbers and names that were said. */
  readonly details: SaidDetails
  /** Each memory that had been put into the context. */
  readonly injected: readonly ReadonlySet<string>[]
}

const MOST_INJECTED = 100
const LONGEST_INJECTED = 1000
const FENCED = /```[\s\S]*?(?:```|$)/g
const QUOTED_LINE = /^[ \t]*>.*$/gm

/** The sources of an exchange. */
export function exchangeSources(input: ExchangeInput): ExchangeSources {
  const { exchange, earlier } = seenOf(input)
  const own = usersWords(exchange)
  const all = [...earlier, ...exchange].map(({ speaker, content }) => `${speaker ?? ''} ${content}`).join('\n')
  return {
    userText: own,
    userTerms: tellingTerms(`${usersWords(earlier)}\n${own}`),
    userSentences: splitSentences(own).map((text) => ({ text, terms: tellingTerms(text) })),
    allText: all,
    allTerms: tellingTerms(all),
    details: saidDetails(all),
    injected: (input.injected ?? [])
      .slice(0, MOST_INJECTED)
      .map((text) => tellingTerms(shortened(text, LONGEST_INJECTED))),
  }
}

function usersWords(messages: readonly ThinkMessage[]): string {
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content.replace(FENCED, ' ').replace(QUOTED_LINE, ' '))
    .join('\n')
}
