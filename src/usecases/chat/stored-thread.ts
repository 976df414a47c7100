/**
 * Which questions and answers of a chat are stored, as a tree? A question's key is its chain: the chain before it and
 * its own words; turns of other doors (`POST /chat`, lists) have numbers.
 */
import type { Turn } from '../../domain/turn.ts'
import { withoutReasoning } from '../../language/reasoning.ts'
import { fingerprint, identityOf } from './client-message.ts'

/** A question as it is stored. */
interface StoredQuestion {
  /** The chain of the question before it; '' before the first. */
  readonly before: string
  /** A key that equal words of one speaker share. */
  readonly identity: string
  readonly chain: string
}

/** The stored turns of a chat, or the newest of them. */
export interface StoredThread {
  /** The questions in the order of the log. */
  readonly questions: readonly StoredQuestion[]
  /** The question with this identity behind the chain `before`. */
  find(before: string, identity: string): StoredQuestion | undefined
  /** Answers to a question, oldest first. */
  answers(chain: string): readonly Turn[]
  /** Whether this was answered; white space around it and reasoning before it make no other answer. */
  isAnswer(chain: string, text: string): boolean
}

const MARK = 'chat:'
const QUESTION = /^chat:([^.:]*)\.([^.:]+)$/
/** The older form, without the chain before it. */
const BARE_QUESTION = /^chat:([^.:]+)$/

/** The external id of a question. */
export function questionId(before: string, identity: string): string {
  return `${MARK}${before}.${identity}`
}

/** The external id of an answer to a question. */
export function answerId(chain: string, text: string): string {
  return `${MARK}${chain}:${fingerprint(essence(text))}`
}

/** The external id of a tool's answer on the way to an answer. */
export function toolAnswerId(chain: string, identity: string): string {
  return `${MARK}${chain}:tool:${identity}`
}

/** The chain of a question behind the chain `before`. */
export function chainBehind(before: string, identity: string): string {
  return fingerprint(before, identity)
}

/** Reads stored turns, in the order of the log. */
export function readThread(turns: readonly Turn[]): StoredThread {
  const questions = new Map<string, StoredQuestion>()
  const answers = new Map<string, Turn[]>()
  let last = ''
  for (const turn of turns) {
    if (turn.role === 'user') {
      const question = questionOf(turn, last)
      questions.set(questionId(question.before, question.identity), question)
      last = question.chain
    } else if (turn.role === 'assistant') {
      const { externalId } = turn
      const chain = externalId?.startsWith(MARK) ? externalId.slice(MARK.length, externalId.lastIndexOf(':')) : last
      const others = answers.get(chain)
      if (others === undefined) answers.set(chain, [turn])
      else others.push(turn)
    }
  }
  const essences = new Map<string, ReadonlySet<string>>()
  const essencesOf = (chain: string): ReadonlySet<string> => {
    const made = essences.get(chain) ?? new Set(answers.get(chain)?.map(({ content }) => essence(content)))
    essences.set(chain, made)
    return made
  }
  return {
    questions: [...questions.values()],
    find: (before, identity) => questions.get(questionId(before, identity)),
    answers: (chain) => answers.get(chain) ?? [],
    isAnswer: (chain, text) => essencesOf(chain).has(essence(text)),
  }
}

function questionOf({ turnId, externalId, speaker, content }: Turn, last: string): StoredQuestion {
  const [, before, identity] = QUESTION.exec(externalId ?? '') ?? []
  if (before !== undefined && identity !== undefined) return { before, identity, chain: chainBehind(before, identity) }
  const [, chain = `turn-${turnId}`] = BARE_QUESTION.exec(externalId ?? '') ?? []
  return { before: last, identity: identityOf({ role: 'user', speaker, text: content }), chain }
}

function essence(text: string): string {
  return withoutReasoning(text).trim()
}
