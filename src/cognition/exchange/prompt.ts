/** The request of the one model call an exchange: the rules, and everything that people wrote as quoted data. */
import type { ModelMessage } from '../../contracts/language-model.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { withoutInjectedBlocks } from '../../text/injected-block.ts'
import { hideSecrets } from '../../text/secrets/hide-secrets.ts'
import { dataMessage, isoMinute, quotedMessage, shortened } from '../answers/data-message.ts'
import { EXCHANGE_PROMPT } from './prompt.md.ts'

/** A memory in doubt, and why it is. */
export interface ShownSuspect {
  readonly id: string
  readonly text: string
  readonly reason: string
}

/** What there is to think about. */
export interface ExchangeInput {
  /** The exchange: usually a message of the user and the answer to it. */
  readonly messages: readonly ThinkMessage[]
  /** Turns before it, oldest first, only to understand it; the last few are used. */
  readonly earlier?: readonly ThinkMessage[]
  /** Texts of memories that had been put into the context of the answer. */
  readonly injected?: readonly string[]
  /** Memories in doubt that the exchange may speak of; the first few are shown. */
  readonly suspects?: readonly ShownSuspect[]
  /** The conversation has no title yet: one is asked for. Default false. */
  readonly untitled?: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
}

const MOST_MESSAGES = 20
const LONGEST_EXCHANGE = 24_000
const MOST_EARLIER = 4
const LONGEST_EARLIER = 600
const MOST_INJECTED = 20
const LONGEST_INJECTED = 400
const MOST_SUSPECTS = 8

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

/** Two messages: what to do, and the data without its secrets. */
export function exchangeMessages(input: ExchangeInput): readonly ModelMessage[] {
  return [{ role: 'system', content: EXCHANGE_PROMPT }, dataMessage(hideSecrets(exchangeData(input)).data)]
}

/** An answer to `exchangeMessages(input)` with the secrets in place of their masks. */
export function withSecretsOf<T>(input: ExchangeInput, answer: T): T {
  return hideSecrets(exchangeData(input)).restore(answer)
}

/** The memories in doubt that a model is shown; it names them by their place, from 1. */
export function shownSuspects({ suspects = [] }: Pick<ExchangeInput, 'suspects'>): readonly ShownSuspect[] {
  return suspects.slice(0, MOST_SUSPECTS)
}

function exchangeData(input: ExchangeInput): Record<string, unknown> {
  const { exchange, earlier } = seenOf(input)
  const remembered = (input.injected ?? []).slice(0, MOST_INJECTED)
  const doubted = shownSuspects(input).map(({ text, reason }, at) => ({
    number: at + 1,
    text: shortened(text, LONGEST_INJECTED),
    because: shortened(reason, LONGEST_INJECTED),
  }))
  return {
    today: isoMinute(input.now),
    earlier: earlier.map(quotedMessage),
    exchange: exchange.map(quotedMessage),
    already_remembered: remembered.map((text) => shortened(text, LONGEST_INJECTED)),
    ...(doubted.length === 0 ? {} : { in_doubt: doubted }),
    ...(input.untitled === true ? { untitled: true } : {}),
  }
}
