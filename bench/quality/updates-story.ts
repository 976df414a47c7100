/**
 * One user's story, told to the engine through the library's door: what is said is added to be thought about (by rules),
 * the question goes through search. Nothing here knows how it is done.
 */
import { openMemory } from '../../src/doors/library/index.ts'

/** A memory as the bench sees it. */
export interface Shown {
  readonly text: string
  readonly past: boolean
  readonly suspect: boolean
  /** Why it is as it is. */
  readonly note: string
}

/** A story that is being told. */
export interface StoryTelling {
  say(text: string, at: number): Promise<void>
  /** Results, best first. */
  ask(question: string, now: number): Promise<readonly Shown[]>
  /** Everything that is told of what was ever kept, past and present. */
  everything(): Promise<readonly Shown[]>
  close(): Promise<void>
}

/** Opens an empty memory. */
export async function openStory(): Promise<StoryTelling> {
  let now = 0
  const memory = await openMemory({ path: ':memory:', userId: 'teller', clock: () => new Date(now) })
  const shown = (view: Awaited<ReturnType<typeof memory.get>>): Shown => ({
    text: view.text,
    past: view.validTo !== null,
    suspect: view.suspect !== null,
    note: `${view.key ?? ''} [${view.tags.join(',')}] ${view.suspect?.reason ?? ''}`,
  })
  return {
    say: async (text, at) => {
      now = at
      await memory.add(text, { createdAt: new Date(at) })
    },
    ask: async (question, at) => {
      now = at
      const { results } = await memory.search(question, { now: new Date(at) })
      return results.map((view) => ({ ...shown(view), note: `${view.score} ${shown(view).note}` }))
    },
    everything: async () => {
      const { items } = await memory.getAll({ includePast: true })
      return items.map(shown)
    },
    close: () => memory.close(),
  }
}
