/**
 * What reading statements needs is made on first use: tables are cut, patterns compiled. Here it is done in pieces before
 * the first memory, so that others get their turn; afterwards it costs nothing.
 */
import { extractFacts } from '../../cognition/facts/extract-facts.ts'
import { peopleOf } from '../../cognition/facts/people.ts'
import { stanceOf } from '../../cognition/facts/stance.ts'
import { readyTopics, topicsOf } from '../../cognition/facts/topics.ts'
import { semanticFactsByRules } from '../../cognition/semantic-facts/rules.ts'
import { textProfile } from '../../cognition/similarity/rules.ts'
import type { Memory } from '../../domain/memory.ts'
import { breathe } from '../../domain/pieces.ts'

const STEPS: readonly ((memory: Memory) => unknown)[] = [
  ({ text }) => textProfile(text).tokens,
  ({ text }) => topicsOf(text),
  ({ text }) => peopleOf(text),
  ({ text }) => stanceOf(text),
  ({ text }) => extractFacts(text, { who: 'user', now: 0 }),
  (memory) => semanticFactsByRules(memory, []),
]

let ready = false

/** Makes everything ready with the first memories that are to be thought about. Rejects `aborted`. */
export async function getReady(memories: readonly Memory[], signal: AbortSignal | undefined): Promise<void> {
  if (ready) return
  for (const _ of readyTopics()) await breathe(signal)
  for (const memory of memories.slice(0, 2))
    for (const step of STEPS) {
      await breathe(signal)
      step(memory)
    }
  ready = true
}
