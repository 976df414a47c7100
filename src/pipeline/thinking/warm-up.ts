/**
 * How does a process think for the first time without standing still? What thinking needs is loaded and made ready in
 * pieces, a few milliseconds each, and others get their turn in between. Nothing depends on it: what is not ready by then
 * is made ready where it is first used.
 */
import { breathe } from '../../domain/pieces.ts'

/** Says nothing in particular, in words that wake every part of a step. */
const SENTENCES = ['I moved to another town last May.', '我上个月搬家了。'] as const

/** Each loads one part; what it returns is done in pieces, too. */
const PARTS: readonly (() => Promise<Generator<void, unknown>>)[] = [
  async () => (await import('../../cognition/write-decision/features.ts')).readyLexicons(),
  async () => {
    const { ownWords } = await import('../../cognition/write-decision/own-words.ts')
    return each((text) => ownWords(text))
  },
  async () => {
    const { decideByRules } = await import('../../cognition/write-decision/rules.ts')
    return each((content) => decideByRules({ content }))
  },
  async () => (await import('../../cognition/facts/topics.ts')).readyTopics(),
  async () => {
    const { stanceOf } = await import('../../cognition/facts/stance.ts')
    return each(stanceOf)
  },
  async () => {
    const { extractFacts } = await import('../../cognition/facts/extract-facts.ts')
    return each((text) => extractFacts(text, { who: 'user', now: 0 }))
  },
  async () => {
    const { analyzeByRules } = await import('../../cognition/conversation-analysis/rules.ts')
    return each((content) => analyzeByRules([{ role: 'user', content, speaker: null, turnId: null, createdAt: 0 }]))
  },
  async () => {
    const { sessionSummaryByRules } = await import('../../cognition/session-summary/rules.ts')
    return each((content) => sessionSummaryByRules([{ role: 'user', content }]))
  },
  async () => {
    const { findDates } = await import('../../text/dates.ts')
    for (const text of SENTENCES) {
      await findDates(text, 0)
      await breathe()
    }
    return each(() => undefined)
  },
  async () => {
    const { relate } = await import('../../cognition/change/relate.ts')
    const statement = { who: null, occurredAt: 0, key: null, value: null, topics: [] }
    return each((text) => relate({ ...statement, text }, { ...statement, text: `${text} ${SENTENCES[0]}` }))
  },
  async () => {
    await import('./think-by-rules.ts')
    return each(() => undefined)
  },
  async () => {
    await import('./write-thoughts.ts')
    return each(() => undefined)
  },
  async () => {
    await import('./think-conversation.ts')
    return each(() => undefined)
  },
]

let warm: Promise<void> | undefined

/** Resolves when everything is ready; at once from the second call on. */
export function warmUp(): Promise<void> {
  warm ??= inPieces()
  return warm
}

async function inPieces(): Promise<void> {
  for (const part of PARTS) {
    await breathe()
    for (const _ of await part()) await breathe()
  }
}

function* each(work: (text: string) => unknown): Generator<void> {
  for (const text of SENTENCES) {
    yield
    work(text)
  }
}
