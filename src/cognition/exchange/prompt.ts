/** The request of the one model call an exchange: the rules, and everything that people wrote as quoted data. */
import type { ModelMessage } from '../../contracts/language-model.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { withoutInjectedBlocks } from '../../text/injected-block.ts'
import { dataMessage, isoMinute, quotedMessage, shortened } from '../answers/data-message.ts'
import { EXCHANGE_PROMPT } from './prompt.md.ts'

/** What there is to think about. */
export interface ExchangeInput {
  /** The exchange: usually a message of the user and the answer to it. */
  readonly messages: readonly ThinkMessage[]
  /** Turns before it, oldest first, only to understand it; the last few are used. */
  readonly earlier?: readonly ThinkMessage[]
  /** Texts of memories that had been put into the context of the answer. */
  readonly injected?: readonly string[]
  /** The user's profile as it is; null for none. */
  readonly profile?: string | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

const MOST_MESSAGES = 20
const LONGEST_EXCHANGE = 24_000
const MOST_EARLIER = 4
const LONGEST_EARLIER = 600
const MOST_INJECTED = 20
const LONGEST_INJECTED = 400
const LONGEST_PROFILE = 2_000

/** The part of an input that a model gets to see: the newest turns, long texts without their middle. */
export function seenOf(input: ExchangeInput): { exchange: readonly ThinkMessage[]; earlier: readonly ThinkMessage[] } {
  const exchange = input.messages.slice(-MOST_MESSAGES)
  const longest = Math.floor(LONGEST_EXCHANGE / Math.max(2, exchange.length))
  const cut = (message: ThinkMessage, most: number): ThinkMessage => ({
    ...message,
    content: shortened(withoutInjectedBlocks(message.content), most),
  })
  return {
    exchange: exchange.map((message) => cut(message, longest)),
    earlier: (input.earlier ?? []).slice(-MOST_EARLIER).map((message) => cut(message, LONGEST_EARLIER)),
  }
}

/** Two messages: what to do, and the data. */
export function exchangeMessages(input: ExchangeInput): readonly ModelMessage[] {
  const { exchange, earlier } = seenOf(input)
  return [
    { role: 'system', content: EXCHANGE_PROMPT },
    dataMessage({
      today: isoMinute(input.now),
      earlier: earlier.map(quotedMessage),
      exchange: exchange.map(quotedMessage),
      already_remembered: (input.injected ?? [])
        .slice(0, MOST_INJECTED)
        .map((text) => shortened(text, LONGEST_INJECTED)),
      profile: shortened(input.profile ?? '', LONGEST_PROFILE),
    }),
  ]
}
