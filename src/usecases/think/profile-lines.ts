/** Which profile lines do memories say? Memories of one project give none, unless they say how to answer. */

import type { NewProfileLine } from '../../domain/contracts/profile-store.ts'
import { holdsAt, type Memory } from '../../domain/memory.ts'
import { profileLinesByRules } from '../../thinking/profile-lines/rules.ts'
import { decideByRules } from '../../thinking/write-decision/rules.ts'
import type { Draft, News, Outcome } from './thoughts.ts'

/** Characters of a text of which statements come into the profile: nobody reads them out of a document. */
const LONGEST_READ = 2000

/** The lines by rules of such a text of the user's. */
export function linesIn(text: string, saidAt: number): readonly NewProfileLine[] {
  if (text.length > LONGEST_READ) return []
  const message = { role: 'user' as const, content: text, createdAt: saidAt, speaker: null, turnId: null }
  return profileLinesByRules(text, decideByRules(message))
}

/** The lines that a memory of the user's says. */
export function linesOfMemory({ id, text, who, createdAt, projectRoot }: Memory): readonly NewProfileLine[] {
  return who === 'user'
    ? holdingEverywhere(linesIn(text, createdAt), projectRoot).map((line) => ({
        ...line,
        telling: { memoryIds: [id] },
      }))
    : []
}

function holdingEverywhere(lines: readonly NewProfileLine[], project: string | null): readonly NewProfileLine[] {
  return project === null ? lines : lines.filter(({ section }) => section !== 'background')
}

/** The lines of the drafts: each said by the memory that its draft became, where it became none, by the turns that told it. */
export function linesOfDrafts(
  drafts: readonly (Draft | News)[],
  outcomes: readonly Outcome[],
  now: number,
): readonly NewProfileLine[] {
  return drafts.flatMap((draft, at) => {
    const { lines = [] } = draft
    if (lines.length === 0) return []
    const became = 'kind' in draft ? outcomes.find(({ lifted }) => lifted === draft.refusal) : outcomes[at]
    if (became !== undefined && !holdsAt(became.memory, now)) return []
    const { conversationId, sourceTurnIds: turnIds } = draft.memory
    const telling =
      became !== undefined
        ? { memoryIds: [became.memory.id] }
        : conversationId === null
          ? undefined
          : { conversationId, turnIds }
    return holdingEverywhere(lines, became?.memory.projectRoot ?? null).map((line) =>
      telling === undefined ? line : { ...line, telling },
    )
  })
}
