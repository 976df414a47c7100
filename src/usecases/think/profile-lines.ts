/** Which profile lines do memories say, and which turns are the sources of a model's text? */
import type { NewProfileLine } from '../../domain/contracts/small-stores.ts'
import { holdsAt, type Memory } from '../../domain/memory.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { peopleOf } from '../../thinking/facts/people.ts'
import { shareFound, tellingTerms } from '../../thinking/model-answers/grounding.ts'
import { profileLinesByRules } from '../../thinking/profile-lines/profile-lines-by-rules.ts'
import { scopeOf } from '../../thinking/scope/scope-of.ts'
import { decideByRules } from '../../thinking/write-decision/decide-by-rules.ts'
import type { Draft, News, Outcome } from './draft.ts'

/** Characters of a text of which statements come into the profile: nobody reads them out of a document. */
const LONGEST_READ = 2000

/** The lines by rules of such a text of the user's. */
export function linesIn(text: string, saidAt: number): readonly NewProfileLine[] {
  if (text.length > LONGEST_READ) return []
  const message = { role: 'user' as const, content: text, createdAt: saidAt, speaker: null, turnId: null }
  return profileLinesByRules(text, decideByRules(message))
}

/** The lines that a memory says of the user, or of somebody whom the user tells about. */
export function linesOfMemory({ id, text, who, createdAt, projectRoot }: Memory): readonly NewProfileLine[] {
  const told = who !== null && (who === 'user' || peopleOf(text).subjects.has(who))
  const lines = told ? holdingEverywhere(linesIn(text, createdAt), projectRoot) : []
  return lines.map((line) => ({ ...line, telling: { memoryIds: [id] } }))
}

/** The lines but those that hold in the project alone. */
export function holdingEverywhere(lines: readonly NewProfileLine[], project: string | null): readonly NewProfileLine[] {
  return lines.filter(({ text }) => scopeOf({ text, key: null }, project) === null)
}

/** The lines of the drafts: each said by the memory that its draft became, where it became none, by the turns that told it. */
export function linesOfDrafts(
  drafts: readonly (Draft | News)[],
  outcomes: readonly Outcome[],
  now: number,
): readonly NewProfileLine[] {
  return drafts.flatMap((draft, at) => {
    const became = 'kind' in draft ? outcomes.find(({ lifted }) => lifted === draft.refusal) : outcomes[at]
    const { restated } = became ?? {}
    const lines = restated === undefined ? (draft.lines ?? []) : linesIn(restated, draft.memory.createdAt)
    if (lines.length === 0) return []
    if (became !== undefined && !holdsAt(became.memory, now)) return []
    const { conversationId, sourceTurnIds: turnIds } = draft.memory
    const telling =
      became !== undefined
        ? { memoryIds: [became.memory.id] }
        : conversationId === null
          ? undefined
          : { conversationId, turnIds }
    return holdingEverywhere(lines, (became ?? draft).memory.projectRoot).map((line) =>
      telling === undefined ? line : { ...line, telling },
    )
  })
}

/** The share of the best message's score from which another one is a source, too. */
const OF_THE_BEST = 0.5

/** The messages that a text comes from, at least one. `isOwn`: only the user's count. */
export function sourceMessages(
  text: string,
  messages: readonly ThinkMessage[],
  isOwn: boolean,
): readonly ThinkMessage[] {
  const possible = isOwn ? messages.filter(({ role }) => role === 'user') : messages
  const shares = possible.map(({ content }) => shareFound(text, tellingTerms(content)) ?? 0)
  const best = Math.max(0, ...shares)
  if (best > 0) return possible.filter((_, at) => shares[at]! >= OF_THE_BEST * best)
  return isOwn && possible.length > 0 ? possible.slice(-1) : messages
}

/** The draft with the numbers of the turns that it comes from. */
export function withSources(draft: Draft, sources: readonly ThinkMessage[]): Draft {
  const sourceTurnIds = sources.flatMap(({ turnId }) => (turnId === null ? [] : [turnId]))
  return { ...draft, memory: { ...draft.memory, sourceTurnIds } }
}

/** The lines with the turns that told them, where unknown: the user's turns that share a word with them. */
export function withTellings(
  lines: readonly NewProfileLine[],
  conversationId: string | null,
  messages: readonly ThinkMessage[],
): readonly NewProfileLine[] {
  if (conversationId === null) return lines
  return lines.map((line) => {
    if (line.telling !== undefined) return line
    const isOwn = messages.some(
      ({ role, content }) => role === 'user' && (shareFound(line.text, tellingTerms(content)) ?? 0) > 0,
    )
    const turnIds = sourceMessages(line.text, messages, isOwn).flatMap(({ turnId }) => turnId ?? [])
    return { ...line, telling: { conversationId, turnIds } }
  })
}
