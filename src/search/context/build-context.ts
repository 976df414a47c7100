/**
 * Which material fits into the model's context? Packed by need, leftovers named: instructions and message, profile,
 * last round, evidence, live state, older rounds, summaries; same material, same bytes.
 */
import { invalid } from '../../domain/errors.ts'
import { SETTINGS } from '../../domain/settings.ts'
import type { CountTokens } from '../../language/count-tokens.ts'
import { withoutEmptySections, withoutStatements } from '../../language/profile-document.ts'
import { withoutMarks } from '../../language/quoted-block.ts'
import { type Sentence, Shown } from '../evidence/excerpt.ts'
import { type Evidence, selectEvidence } from '../evidence/select-evidence.ts'
import {
  type BuiltContext,
  type ContextMaterial,
  type ContextMessage,
  type EarlierSession,
  type EarlierSpan,
  evidenceHeading,
  evidenceLine,
  evidenceText,
  type FoundMaterial,
  LAYER_NAMES,
  type Layer,
  type OmittedItem,
  profileText,
  type RecalledItem,
  type Round,
  rollingWindow,
  roundsOf,
  type ShownIn,
  sessionLine,
  spanLine,
  standingOf,
  summariesText,
  systemText,
  type WindowTurn,
  workingMemoryText,
} from './context-layers.ts'

/** The tokens that a model adds around each message. */
const TOKENS_A_MESSAGE = 4
/** The system message and the message that is answered: they count in the rolling window. */
const OTHER_MESSAGES = 2
/** Tokens that evidence has before older rounds: with them the best answers to a message stand in any larger budget. */
const LEAST_EVIDENCE = 300
const TOO_LARGE = 'does not fit into the token budget'

/** A context without its evidence, which is looked for beside what stands in it. */
interface BegunContext {
  /** The numbers of the turns of this conversation that it shows. */
  readonly turns: readonly number[]
  /** The whole context. Call it once. */
  withEvidence(found: FoundMaterial): PackedContext
}

/** Begins a context. Throws `invalid` when not even the instructions and the message fit into the budget. */
export function beginContext(material: ContextMaterial, count: CountTokens): BegunContext {
  const omitted: OmittedItem[] = []
  const system = systemText(material.system)
  const asked = count(material.message, material.tokenBudget)
  const fixed = count(system) + asked + 2 * TOKENS_A_MESSAGE
  const isCut = asked > material.tokenBudget
  if (fixed > material.tokenBudget)
    throw invalid(
      'tokenBudget',
      `is ${material.tokenBudget}, but the instructions and the message alone take ${isCut ? 'more than ' : ''}${fixed} tokens`,
      isCut ? 'Shorten the message.' : `Allow at least ${fixed}, or shorten the message.`,
    )
  let left = material.tokenBudget - fixed
  /** Takes the room for a text, spread over so many messages, if there is enough. */
  const take = (what: string, text: string, messages = 1): boolean => {
    const tokens = count(text, left) + messages * TOKENS_A_MESSAGE
    if (tokens > left) {
      omitted.push({ what, reason: TOO_LARGE })
      return false
    }
    left -= tokens
    return true
  }
  const surplus = surplusLines(material, count)
  const own = withoutEmptySections(withoutStatements(material.profile ?? '', new Set(surplus))).trim()
  if (surplus.length > 0) omitted.push({ what: `${surplus.length} lines of the profile`, reason: TOO_LARGE })
  const shownProfile = profileText(own, material.machineLines, material.timeZone)
  const profile = own !== '' && take('profile', shownProfile) ? shownProfile : ''

  const { kept, dropped } = rollingWindow(roundsOf(material.window), material.contextLimit, OTHER_MESSAGES)
  if (material.turnsBefore > 0)
    omitted.push({ what: `${material.turnsBefore} earlier turns`, reason: leftWindow(material.contextLimit) })
  for (const round of dropped) omitted.push({ what: turnsOf(round), reason: leftWindow(material.contextLimit) })
  const fits = (round: Round<WindowTurn>): boolean => take(turnsOf(round), contentOf(round), round.length)
  const newest = kept.at(-1)
  const window: Round<WindowTurn>[] = newest !== undefined && fits(newest) ? [newest] : []

  const titles = takeTitles(material.sessions, Math.floor(left * titleShare(material.sessions.length)), count)
  left -= count(headings(material.spans, titles.taken)) + TOKENS_A_MESSAGE + titles.tokens
  const untold = material.sessions.length - titles.taken.length
  if (untold > 0) omitted.push({ what: `${untold} other conversations`, reason: TOO_LARGE })

  // Older rounds of the running chat take half of the rest before evidence, where that leaves enough, and what it leaves.
  const addOlder = (spare: number): void => {
    for (const round of kept.slice(0, kept.length - window.length).reverse()) {
      const tokens = count(contentOf(round), left) + round.length * TOKENS_A_MESSAGE
      // A gap in the window would be misread.
      if (window.length === 0 || tokens > left - spare) return
      left -= tokens
      window.unshift(round)
    }
  }
  addOlder(Math.max(Math.ceil(left / 2), LEAST_EVIDENCE))
  const state = material.workingMemory === null ? '' : workingMemoryText(material.workingMemory, window.flat())
  const working = state !== '' && take('working memory', state) ? state : ''
  const withEvidence = ({ pieces, gains, evidenceTokens, wasShown = () => false }: FoundMaterial): PackedContext => {
    const { sentences, leftOut, seen, ...found } = selectEvidence(pieces, {
      bounds: {
        tokens: Math.min(evidenceTokens, left),
        limit: pieces.length * 2,
        memories: material.mostMemories,
        isForModel: true,
      },
      gains,
      message: material.message,
      shown: [own, working, ...window.flat().map(({ content }) => content)],
      line: (evidence) => evidenceLine(evidence, material),
      count,
    })
    // Left out behind the choice, so that nothing worse takes their place.
    const again = new Set(found.chosen.filter((one) => wasShown(recalledItem(one, material))))
    const chosen = found.chosen.filter((one) => !again.has(one))
    const heldBefore = new Set([...again].flatMap(({ memory, told }) => (memory === null ? told : [memory])))
    left -= chosen.reduce((sum, { tokens }) => sum + tokens, 0)
    omitted.push(...leftOut)

    const before = window.length
    addOlder(0)
    const late = new Shown()
    for (const { content } of window.slice(0, window.length - before).flat()) late.add(content)
    const evidence = window.length === before ? chosen : chosen.filter(({ text }) => !late.hasAll(text))
    for (const round of kept.slice(0, kept.length - Math.max(1, window.length)).reverse())
      omitted.push({ what: turnsOf(round), reason: TOO_LARGE })
    const spans = coveredSpans(material, window).filter((span) =>
      take(`summary of turns ${span.startTurn}-${span.endTurn}`, spanLine(span)),
    )
    const said = [own, ...window.flat().map(({ content }) => content)]
    const sessions = titles.taken.length === 0 ? [] : withoutRepeats(titles.taken, said, sentences)
    const parts = { system, profile, working, evidence, spans, sessions, window, omitted, asked }
    return {
      ...assemble(material, parts, count),
      used: seen.filter((memory) => !heldBefore.has(memory)).map(({ id }) => id),
    }
  }
  return { turns: window.flat().map(({ turnId }) => turnId), withEvidence }
}

/**
 * The sessions without titles and snippets that repeat these texts and sentences; without those that then say nothing.
 */
function withoutRepeats(
  sessions: readonly EarlierSession[],
  said: readonly string[],
  sentences: readonly Sentence[],
): readonly EarlierSession[] {
  const shown = new Shown()
  shown.addSentences(sentences)
  for (const text of said) shown.add(text)
  return sessions.flatMap((session) => {
    const [title = '', snippet = ''] = [session.title, session.snippet].filter((text) => !shown.hasSome(text))
    return title === '' ? [] : [{ ...session, title, snippet }]
  })
}

interface PackedContext extends Omit<BuiltContext, 'warnings'> {
  /** Ids of memories whose whole text the model sees, in whichever layer. */
  readonly used: readonly string[]
}

/**
 * The rooms for the machine's lines: a share of the budget, less the words around them, and the least tokens. Evidence
 * finds those about the user as well, so that they have no least and pay for the words around.
 */
const ROOMS = {
  order: { share: 0.05, around: 0, least: 80 },
  mind: { share: 0.02, around: 0, least: 40 },
  about: { share: 0.03, around: 20, least: 0 },
} as const
/** The tokens of a line's mark and end. */
const TOKENS_A_PROFILE_LINE = 2

/** Lines of the machine's that are too much for this budget; the same for every message, so that prompt caches hit. */
function surplusLines({ machineLines, tokenBudget }: ContextMaterial, count: CountTokens): readonly string[] {
  return Object.entries(ROOMS).flatMap(([room, { share, around, least }]) => {
    let left = Math.max(least, tokenBudget * share - around)
    return machineLines.flatMap(({ kind, text }) => {
      if (kind !== room) return []
      const tokens = count(text) + TOKENS_A_PROFILE_LINE
      if (tokens > left) return [text]
      left -= tokens
      return []
    })
  })
}

/** The layer whose lines were counted when they were chosen. */
const EVIDENCE_LEVEL = 3

/** Tokens of the layer, counted line by line: rather a few too many than too few. */
function evidenceTokens(evidence: readonly Evidence[], count: CountTokens): number {
  if (evidence.length === 0) return 0
  return evidence.reduce((sum, { tokens }) => sum + tokens, count(evidenceHeading()))
}

function headings(spans: readonly EarlierSpan[], sessions: readonly EarlierSession[]): string {
  const noLines = summariesText(spans.slice(0, 1), sessions.slice(0, 1))
    .split('\n')
    .map((line) => (line.startsWith('- ') ? '' : line))
    .join('\n')
  return `${evidenceHeading()}\n${noLines}`
}

/** 001 wants the titles of so many other sessions as are asked for; the usual few of them stay short. */
const TITLE_SHARE = 0.02
const MOST_TITLE_SHARE = 0.2

/** The share of the budget for the titles of so many sessions. */
function titleShare(sessions: number): number {
  const times = sessions / SETTINGS['memory.session_summary_limit'].byDefault
  return Math.min(MOST_TITLE_SHARE, TITLE_SHARE * Math.max(1, times))
}

/** As many of the newest as there is room for. */
function takeTitles(
  sessions: readonly EarlierSession[],
  most: number,
  count: CountTokens,
): { readonly taken: readonly EarlierSession[]; readonly tokens: number } {
  let tokens = 0
  const taken = sessions.filter((session) => {
    const needed = count(sessionLine(session, null)) + 1
    if (tokens + needed > most) return false
    tokens += needed
    return true
  })
  return { taken, tokens }
}

function contentOf(round: Round<WindowTurn>): string {
  return round.map(({ content }) => content).join('\n')
}

function coveredSpans({ spans }: ContextMaterial, window: readonly Round<WindowTurn>[]): readonly EarlierSpan[] {
  const first = window[0]?.[0]?.turnId ?? Number.POSITIVE_INFINITY
  return spans.filter(({ startTurn }) => startTurn < first)
}

interface Chosen {
  readonly system: string
  readonly profile: string
  readonly working: string
  readonly evidence: readonly Evidence[]
  readonly spans: readonly EarlierSpan[]
  readonly sessions: readonly EarlierSession[]
  readonly window: readonly Round<WindowTurn>[]
  readonly omitted: readonly OmittedItem[]
  /** Tokens of the message, which are counted once. */
  readonly asked: number
}

function assemble(material: ContextMaterial, chosen: Chosen, count: CountTokens): Omit<BuiltContext, 'warnings'> {
  const { system, profile, working, evidence, spans, sessions, window, omitted, asked } = chosen
  const recalledText = evidenceText(evidence, material)
  const summaries = summariesText(spans, sessions, material.timeZone)
  const shown = window.flat()
  const windowText = [...shown.map(({ role, content }) => `${role}: ${withoutMarks(content)}\n`), 'user:'].join('')
  const layers = [system, profile, working, recalledText, summaries, windowText].map(
    (text, level, { length }): Layer => ({
      level: level as Layer['level'],
      name: LAYER_NAMES[level]!,
      text: level === length - 1 ? `${text} ${material.message}` : text,
      tokens:
        level === EVIDENCE_LEVEL ? evidenceTokens(evidence, count) : count(text) + (level === length - 1 ? asked : 0),
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
    tokens:
      layers.slice(0, -1).reduce((sum, { tokens }) => sum + tokens, 0) +
      shown.reduce((sum, { content }) => sum + count(content), asked) +
      messages.length * TOKENS_A_MESSAGE,
    recalled: evidence.map((one) => recalledItem(one, material)),
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

function recalledItem(evidence: Evidence, asked: ShownIn): RecalledItem {
  const { kind, memory, told, conversationId, turnId, projectRoot, text, score, tokens, explanation } = evidence
  return {
    ...{ kind, id: memory?.id ?? null, conversationId, turnId: kind === 'turn' ? turnId : null, projectRoot },
    ...{ text, score, tokens, createdAt: new Date(evidence.createdAt).toISOString() },
    ...(explanation === null ? {} : { explanation }),
    tells: told.map(({ id }) => id),
    ...standingOf(evidence, asked),
  }
}
