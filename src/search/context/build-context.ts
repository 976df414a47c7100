/**
 * What does the model get to see? Packs the layers into the token budget, the most needed first: the instructions and
 * the message, the profile, the last round, what was recalled (best first), the live state, older rounds (newest
 * first), summaries. What does not fit is left out whole and named. Same material, same bytes.
 */
import { invalid } from '../../domain/errors.ts'
import type { CountTokens } from '../../text/count-tokens.ts'
import { profileLines } from '../../text/profile-document.ts'
import {
  type BuiltContext,
  type ContextMessage,
  LAYER_NAMES,
  type Layer,
  type OmittedItem,
  type RecalledItem,
} from './built-context.ts'
import {
  memoriesText,
  memoryLine,
  profileText,
  summariesText,
  systemText,
  turnLine,
  workingMemoryText,
} from './layer-texts.ts'
import type {
  ContextMaterial,
  EarlierSession,
  EarlierSpan,
  RecalledMemory,
  RecalledTurn,
  WindowTurn,
} from './material.ts'
import { type Round, rollingWindow, roundsOf } from './rolling-window.ts'

/** What a model adds around each message. */
const TOKENS_A_MESSAGE = 4
/** The system message and the message that is answered: they count in the rolling window. */
const OTHER_MESSAGES = 2
const TOO_LARGE = 'does not fit into the token budget'

/** Builds the context. Throws `invalid` when not even the instructions and the message fit into the budget. */
export function buildContext(material: ContextMaterial, count: CountTokens): Omit<BuiltContext, 'warnings'> {
  const omitted: OmittedItem[] = []
  const system = systemText(material.system)
  const fixed = count(system) + count(material.message) + 2 * TOKENS_A_MESSAGE
  if (fixed > material.tokenBudget)
    throw invalid(
      'tokenBudget',
      `is ${material.tokenBudget}, but the instructions and the message alone take ${fixed} tokens`,
      `Allow at least ${fixed}, or shorten the message.`,
    )
  let left = material.tokenBudget - fixed
  /** Takes the room for a text, spread over so many messages, if there is enough. */
  const take = (what: string, text: string, messages = 1): boolean => {
    const tokens = count(text) + messages * TOKENS_A_MESSAGE
    if (tokens > left) {
      omitted.push({ what, reason: TOO_LARGE })
      return false
    }
    left -= tokens
    return true
  }
  const own = saysSomething(material.profile) ? material.profile.trim() : ''
  const profile = own !== '' && take('profile', profileText(own)) ? profileText(own) : ''

  const { kept, dropped } = rollingWindow(roundsOf(material.window), material.contextLimit, OTHER_MESSAGES)
  if (material.turnsBefore > 0)
    omitted.push({ what: `${material.turnsBefore} earlier turns`, reason: leftWindow(material.contextLimit) })
  for (const round of dropped) omitted.push({ what: turnsOf(round), reason: leftWindow(material.contextLimit) })
  const fits = (round: Round<WindowTurn>): boolean =>
    take(turnsOf(round), round.map(({ content }) => content).join('\n'), round.length)
  const newest = kept.at(-1)
  const window: Round<WindowTurn>[] = newest !== undefined && fits(newest) ? [newest] : []

  left -= headings(material, count)
  const memories = material.memories.filter((item) => take(`memory ${item.memory.id}`, memoryLine(item, material.now)))
  const turns = material.turns.filter((item) =>
    take(`turn ${item.turnId} of conversation ${item.conversationId}`, turnLine(item)),
  )
  const state = material.workingMemory === null ? '' : workingMemoryText(material.workingMemory)
  const working = state !== '' && take('working memory', state) ? state : ''
  for (let at = kept.length - 2; at >= 0; at -= 1) {
    // A gap in the window would be misread: from the first round that does not fit, the older ones stay out, too.
    if (window.length === kept.length - 1 - at && fits(kept[at]!)) window.unshift(kept[at]!)
    else if (window.length !== kept.length - 1 - at) omitted.push({ what: turnsOf(kept[at]!), reason: TOO_LARGE })
  }
  const spans = coveredSpans(material, window).filter((span) =>
    take(`summary of turns ${span.startTurn}-${span.endTurn}`, span.text),
  )
  const sessions = material.sessions.filter((session) =>
    take(`session summary of ${session.conversationId}`, `${session.title}: ${session.snippet}`),
  )
  return assemble(material, { system, profile, working, memories, turns, spans, sessions, window, omitted }, count)
}

/** Empty sections of the machine's own say nothing; a heading of the user's may be all that they wrote. */
function saysSomething(profile: string | null): profile is string {
  if (profile === null) return false
  return profileLines(profile).some(
    ({ kind, section }) => kind === 'statement' || (kind === 'heading' && section === null),
  )
}

/** Tokens of the headings and marks around what layers 3 and 4 may hold. */
function headings({ memories, turns, spans, sessions }: ContextMaterial, count: CountTokens): number {
  const recalled = memories.length + turns.length === 0 ? '' : memoriesText([''])
  const summaries = spans.length + sessions.length === 0 ? '' : summariesText(spans.slice(0, 1), sessions.slice(0, 1))
  return count(recalled) + count(summaries) + TOKENS_A_MESSAGE
}

/** Summaries of turns that the window does not show. */
function coveredSpans({ spans }: ContextMaterial, window: readonly Round<WindowTurn>[]): readonly EarlierSpan[] {
  const first = window[0]?.[0]?.turnId ?? Number.POSITIVE_INFINITY
  return spans.filter(({ startTurn }) => startTurn < first)
}

interface Chosen {
  readonly system: string
  readonly profile: string
  readonly working: string
  readonly memories: readonly RecalledMemory[]
  readonly turns: readonly RecalledTurn[]
  readonly spans: readonly EarlierSpan[]
  readonly sessions: readonly EarlierSession[]
  readonly window: readonly Round<WindowTurn>[]
  readonly omitted: readonly OmittedItem[]
}

function assemble(material: ContextMaterial, chosen: Chosen, count: CountTokens): Omit<BuiltContext, 'warnings'> {
  const { system, profile, working, memories, turns, spans, sessions, window, omitted } = chosen
  const recalledText = memoriesText([...memories.map((item) => memoryLine(item, material.now)), ...turns.map(turnLine)])
  const summaries = summariesText(spans, sessions)
  const shown = window.flat()
  const windowText = [...shown, { role: 'user', content: material.message }]
    .map(({ role, content }) => `${role}: ${content}`)
    .join('\n')
  const layers = [system, profile, working, recalledText, summaries, windowText].map(
    (text, level): Layer => ({
      level: level as Layer['level'],
      name: LAYER_NAMES[level]!,
      text,
      tokens: count(text),
    }),
  )
  const stable = [system, profile].filter((text) => text !== '').join('\n\n')
  const changing = [working, recalledText, summaries].filter((text) => text !== '').join('\n\n')
  const messages: ContextMessage[] = [
    { role: 'system', content: stable },
    ...shown.map(({ role, content }) => ({ role, content })),
    ...(changing === '' ? [] : [{ role: 'system' as const, content: changing }]),
    { role: 'user', content: material.message },
  ]
  return {
    layers,
    messages,
    text: layers
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n'),
    tokens: messages.reduce((sum, { content }) => sum + count(content) + TOKENS_A_MESSAGE, 0),
    recalled: [...memories.map(recalledMemory), ...turns.map(recalledTurn)],
    omitted,
  }
}

function leftWindow(contextLimit: number): string {
  return `left the rolling window of ${contextLimit} messages`
}

function turnsOf(round: Round<WindowTurn>): string {
  const first = round[0]!.turnId
  const last = round.at(-1)!.turnId
  return first === last ? `turn ${first}` : `turns ${first}-${last}`
}

function recalledMemory({ memory, score }: RecalledMemory): RecalledItem {
  const { id, conversationId, text } = memory
  return { kind: 'memory', id, conversationId, turnId: null, text, score }
}

function recalledTurn({ conversationId, turnId, text, score }: RecalledTurn): RecalledItem {
  return { kind: 'turn', id: null, conversationId, turnId, text, score }
}
