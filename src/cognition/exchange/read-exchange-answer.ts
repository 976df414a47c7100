/**
 * What does a model's answer about an exchange come to? Every part is read and checked by itself: a part that is
 * missing, wrong or not to be trusted is null and leaves a problem behind, and the rules answer for that part alone.
 */

import type { NewProfileLine } from '../../contracts/profile-store.ts'
import { oneLine } from '../answers/bounded.ts'
import { parseAnswer } from '../answers/parse-answer.ts'
import { EMOTIONS, TOPIC_CHARACTERS } from '../conversation-analysis/types.ts'
import { type ExchangeInput, shownSuspects, withSecretsOf } from './prompt.ts'
import { readFacts } from './read-facts.ts'
import { readRecords } from './read-records.ts'
import { readTitle } from './read-title.ts'
import { refuseText, saidByOthers, steers } from './refuse.ts'
import { exchangeSchema, listSchema, profileLineSchema, verdictSchema, workingMemorySchema } from './schema.ts'
import { type ExchangeSources, exchangeSources } from './sources.ts'
import type { ExchangeAnswer, ExchangeWorkingMemory } from './types.ts'

const MOST_PROFILE_LINES = 6
const LONGEST_PROFILE_LINE = 200
const MOST_VARIABLES = 20
const LONGEST_VARIABLE = 200
const MOST_PROBLEMS = 40

/** Reads the text of an answer to `exchangeMessages(input)`. Never throws; all parts are null for a text of no use. */
export function readExchangeAnswer(text: string, input: ExchangeInput): ExchangeAnswer {
  const parsed = parseAnswer(text, exchangeSchema)
  if (!parsed.ok)
    return {
      episodic: null,
      facts: null,
      profile: null,
      workingMemory: null,
      title: null,
      holding: [],
      problems: [parsed.error],
    }
  const sources = exchangeSources(input)
  const problems: string[] = []
  const answer = withSecretsOf(input, parsed.value)
  const { memory_update: update, profile, working_memory: working } = answer
  return {
    episodic: readRecords(answer, sources, problems),
    facts: readFacts(update, sources, problems),
    profile: readProfile(profile, sources, problems),
    workingMemory: readWorkingMemory(working, sources, problems),
    title: input.untitled === true ? readTitle(answer.title, sources, problems) : null,
    holding: readVerdicts(answer.suspects, input),
    problems: problems.slice(0, MOST_PROBLEMS),
  }
}

/** The doubts that the model takes back. It can cast none: what it does not know or says nothing of stays in doubt. */
function readVerdicts(part: unknown, input: ExchangeInput): readonly string[] {
  const shown = shownSuspects(input)
  const list = listSchema.safeParse(part)
  if (!list.success) return []
  const verdicts = new Map<string, boolean>()
  for (const item of list.data.slice(0, 2 * shown.length)) {
    const read = verdictSchema.safeParse(item)
    const suspect = read.success ? shown[read.data.number - 1] : undefined
    // Who answers twice for one memory is believed when both say that it holds.
    if (read.success && suspect !== undefined)
      verdicts.set(suspect.id, (verdicts.get(suspect.id) ?? true) && read.data.verdict === 'holds')
  }
  return [...verdicts].flatMap(([id, holds]) => (holds ? [id] : []))
}

function readProfile(part: unknown, sources: ExchangeSources, problems: string[]): readonly NewProfileLine[] | null {
  const list = listSchema.safeParse(part)
  if (!list.success) {
    problems.push('profile: missing or no list')
    return null
  }
  const lines = list.data.slice(0, MOST_PROFILE_LINES).flatMap((item, index): NewProfileLine[] => {
    const read = profileLineSchema.safeParse(item)
    const line = read.success ? { ...read.data, text: oneLine(read.data.text, LONGEST_PROFILE_LINE) } : null
    const refusal = line === null || line.text === '' ? 'no known section, or no text' : refuseLine(line, sources)
    if (line !== null && refusal === null) return [line]
    problems.push(`profile[${index}]: ${refusal}`)
    return []
  })
  return lines.length === 0 && list.data.length > 0 ? null : lines
}

/** The name of a language is one that nobody needs to say. */
const DETAIL = 'holds a detail that nobody said'

/** How somebody writes and wants to be answered can be seen without being said; a background cannot. */
function refuseLine({ section, text }: NewProfileLine, sources: ExchangeSources): string | null {
  if (saidByOthers(text, sources)) return 'is not the word of the user'
  const refusal = refuseText(text, sources)
  const isSeen = refusal === 'was not said' ? section !== 'background' : section === 'language' && refusal === DETAIL
  return isSeen ? null : refusal
}

function readWorkingMemory(part: unknown, sources: ExchangeSources, problems: string[]): ExchangeWorkingMemory | null {
  const read = workingMemorySchema.safeParse(part)
  if (!read.success) {
    problems.push('working_memory: missing or of another shape')
    return null
  }
  const { current_topic: topic, context_variables: variables, emotion } = read.data
  const line = oneLine(topic, TOPIC_CHARACTERS)
  const refusal = line === '' ? null : refuseText(line, sources)
  // A topic may be a word that nobody said.
  const trusted = refusal === null || refusal === 'was not said'
  if (!trusted) problems.push(`working_memory.current_topic: ${refusal}`)
  const felt = EMOTIONS.find((known) => known === emotion?.trim().toLowerCase()) ?? null
  if (felt === null && oneLine(emotion, 40) !== '') problems.push('working_memory.emotion: not known')
  return {
    topic: trusted && line !== '' ? line : null,
    contextVariables: readVariables(variables ?? {}, sources, problems),
    emotion: felt,
  }
}

function readVariables(
  variables: Readonly<Record<string, unknown>>,
  sources: ExchangeSources,
  problems: string[],
): Readonly<Record<string, string>> {
  const kept = Object.entries(variables)
    .slice(0, MOST_VARIABLES)
    .flatMap(([name, value]): [string, string][] => {
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return []
      const [short, line] = [oneLine(name, 64), oneLine(String(value), LONGEST_VARIABLE)]
      const refusal = refuseText(line, sources)
      if (
        short !== '' &&
        line !== '' &&
        !steers(short, sources) &&
        (refusal === null || refusal === "is not in the user's language")
      )
        return [[short, line]]
      problems.push('working_memory.context_variables: one was not said or has no value')
      return []
    })
  return Object.fromEntries(kept)
}
