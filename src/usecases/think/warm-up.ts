/** The tables of thinking are loaded in pieces of a few milliseconds, with turns for others. */
import { breathe, inPieces, lazy } from '../../domain/scheduling.ts'

/** Says nothing in particular, in words that wake every part of a step. */
const SENTENCES = ['I moved to another town last May.', '我上个月搬家了。'] as const
const MESSAGE = { role: 'user', speaker: null, turnId: null, createdAt: 0 } as const
const STATEMENT = { who: null, occurredAt: 0, key: null } as const

/** Each loads one part; the work that it gives back is done with each sentence. */
const PARTS: readonly (() => Promise<((text: string) => unknown) | undefined>)[] = [
  async () => void (await inPieces((await import('../../thinking/write-decision/word-meanings.ts')).readyLexicon())),
  async () => (await import('../../thinking/write-decision/own-words.ts')).ownWords,
  async () => {
    const { decideByRules } = await import('../../thinking/write-decision/decide-by-rules.ts')
    return (content) => decideByRules({ content })
  },
  async () => (await import('../../thinking/facts/mentioned-attributes.ts')).topicsOf,
  async () => (await import('../../thinking/facts/stance.ts')).stanceOf,
  async () => void (await inPieces((await import('../../thinking/facts/attribute-forms.ts')).readyForms())),
  async () => {
    const { extractFacts } = await import('../../thinking/facts/extract-facts.ts')
    return (text) => extractFacts(text)
  },
  async () => {
    const { analyzeByRules } = await import('../../thinking/conversation-analysis/analyze-by-rules.ts')
    return (content) => analyzeByRules([{ ...MESSAGE, content }])
  },
  async () => {
    const { sessionSummaryByRules } = await import('../../thinking/session-summary/title-and-snippet.ts')
    return (content) => sessionSummaryByRules([{ role: 'user', content }])
  },
  async () => {
    const { findDates } = await import('../../language/dates.ts')
    return (text) => findDates(text, 0)
  },
  async () => {
    const { relate } = await import('../../thinking/change/relate.ts')
    return (text) => relate({ ...STATEMENT, text }, { ...STATEMENT, text: `${text} ${SENTENCES[0]}` })
  },
  ...[
    () => import('./think-by-rules.ts'),
    () => import('./write-thoughts.ts'),
    () => import('./think-conversation.ts'),
  ].map((load) => async () => void (await load())),
]

/** Resolves when everything is ready; at once from the second call on. */
export const warmUp = lazy(async () => {
  for (const part of PARTS) {
    await breathe()
    const work = await part()
    for (const text of work === undefined ? [] : SENTENCES) {
      await breathe()
      await work?.(text)
    }
  }
})
