/** Title and snippet of a conversation that had none (001), out of the answer about its first exchange. */

import { oneLine } from '../answers/bounded.ts'
import { faultOf } from '../answers/fault.ts'
import { inSameScript } from '../answers/written-script.ts'
import { shortenToCharacters } from '../session-summary/shorten.ts'
import { type SessionSummary, SNIPPET_CHARACTERS, TITLE_CHARACTERS } from '../session-summary/types.ts'
import { titleSchema } from './schema.ts'
import type { ExchangeSources } from './sources.ts'

/** A title generalises: few of its words need to have been said. */
const LEAST_SAID = 0.1
const LONGEST_READ = 2000

/** null when there is none of use, so that the rules write it. */
export function readTitle(part: unknown, sources: ExchangeSources, problems: string[]): SessionSummary | null {
  const read = titleSchema.safeParse(part)
  if (!read.success) {
    problems.push('title: missing or of another shape')
    return null
  }
  const title = oneLine(read.data.title, LONGEST_READ)
  const snippet = oneLine(read.data.snippet, LONGEST_READ)
  const fault =
    (inSameScript(sources.userText, title) && inSameScript(sources.userText, snippet) ? null : 'in another language') ??
    faultOf(`${title}. ${snippet}`, [sources.allText], LEAST_SAID)
  if (fault !== null) {
    problems.push(`title: ${fault}`)
    return null
  }
  return {
    title: shortenToCharacters(title, TITLE_CHARACTERS),
    snippet: shortenToCharacters(snippet, SNIPPET_CHARACTERS),
  }
}
