/** Which whole sentences of a memory belong into the notes, and under which heading (004), by rules or a model? */
import { z } from 'zod'
import type { Memory } from '../domain/memory.ts'
import { MEMORY_FILE_SECTIONS, type MemoryFileSection } from '../domain/memory-file.ts'
import type { DecisionReason } from '../domain/thought.ts'
import { statesTaste } from '../language/preference.ts'
import { isQuestion } from '../language/questions.ts'
import { findSecrets } from '../language/secrets/find-secrets.ts'
import { splitSentences } from '../language/sentences.ts'
import { extractFacts } from '../thinking/facts/extract-facts.ts'
import { type AskContext, askForAnswer, quotedMemory, rejectAnswer } from '../thinking/model-answers/ask-model.ts'
import { boundedText } from '../thinking/model-answers/bounded-text.ts'
import { faultOf } from '../thinking/model-answers/rewritten-words.ts'
import { namesValue, speaksOfSetUp } from '../thinking/scope/scope-of.ts'
import { STYLE } from '../thinking/semantic-facts/semantic-facts-by-rules.ts'
import { decideByRules } from '../thinking/write-decision/decide-by-rules.ts'
import { hasWords } from './parse-notes.ts'

export type Notable = Omit<Memory, 'id'>

/** A line for the notes: sentences of the memory, or a model's wording of them. */
export interface Note {
  readonly text: string
  readonly section: MemoryFileSection
  /** 1 to 3 (004). */
  readonly importance: number
}

/** The importance of each section's entries (004); memories asked for have 3 in any section. */
export const NOTE_IMPORTANCE: Readonly<Record<MemoryFileSection, number>> = {
  user: 1,
  preferences: 1,
  configuration: 2,
  decisions: 2,
  problems: 2,
}

/** The section of each of the decider's reasons, and the least certainty, 0.5 to 1; other reasons have no line. */
const OF_REASON: Partial<Record<DecisionReason, readonly [section: MemoryFileSection, certainty: number]>> = {
  config: ['configuration', 0.85],
  decision: ['decisions', 0.85],
  identity: ['user', 0.5],
  about_other: ['user', 0.973],
  preference: ['preferences', 0.5],
  habit: ['preferences', 0.5],
  style_wish: ['preferences', 0.8],
}
/** How sure it must be that something was asked to be remembered: "I'll never forget that evening" orders nothing. */
const ORDERED = 0.7
/** How sure it must be of a configuration where the text itself speaks of a set-up and gives a value. */
const OF_SET_UP = 0.6
/** How sure it must be of a solved problem: where a word of it names problem or solution, and where none does. */
const SOLVED = { named: 0.75, unnamed: 0.956 } as const
/** Sentences of a memory that are looked at, and characters of one: notes are short. */
const MOST_SENTENCES = 12
const LONGEST_SENTENCE = 400
const MOST_READ = MOST_SENTENCES * LONGEST_SENTENCE
/** Attributes of a person; see data/words/attributes.txt. */
const OF_PERSON = new Set(
  `name age birthday home hometown nationality phone_number email employer job office boss colleague school university
  partner child sibling parent pet allergy illness medication doctor dentist blood_type spoken_language religion
  national_id passport_number emergency_contact`.split(/\s+/),
)
const PROBLEM =
  /\b(?:errors?|bugs?|crash\w{0,40}|fail\w{0,40}|broken|leak\w{0,40}|exception|timed? ?out|hangs?|panics?|refused|denied|unreachable|outage|flaky|freez\w{1,40}|stuck|problem|issue|typo|corrupt\w{0,40}|(?:not|stopped) (?:loading|working|responding|connecting|printing|charging|syncing))\b|报错|错误|异常|崩溃|失败|卡住|泄漏|超时|死锁|问题/i
const SOLUTION =
  /\b(?:fix(?:ed|es)?|solv\w{1,40}|solution|resolv\w{1,40}|work(?:ed)? around|the trick|helped|corrected|reinstall\w{1,40}|restart(?:ed|ing)|by (?:adding|setting|removing|upgrading|using))\b|解决|修复|修好|搞定|改成|改为|改了|升级|重启|就(?:好|行|过|正常|不报错)了/i

/** The note of a memory; null: it is nothing for the notes. `ordered`: the user asked for it to be remembered. */
export function noteOf(memory: Notable, ordered: boolean): Note | null {
  const { importance, sourceTurnIds, text } = memory
  if (!hasWords(text)) return null
  // A memory handed in as it is, or asked for, keeps its words; of a document its sentences are notes.
  if (text.length <= MOST_READ && (ordered || sourceTurnIds.length === 0))
    return importance < 1 ? null : { text, section: sectionOf(memory), importance }
  const told = splitSentences(text.slice(0, MOST_READ)).slice(0, MOST_SENTENCES).map(withoutOpening)
  if (told.length === 0) return null
  const whole = joined(told)
  const areUnderstood = told.every((sentence, at) => standsAlone(sentence, at > 0))
  if (areUnderstood && whole.length <= LONGEST_SENTENCE && tellsOfSolvedProblem(whole))
    return { text: whole, section: 'problems', importance: NOTE_IMPORTANCE.problems }
  const kept: { readonly text: string; readonly section: MemoryFileSection }[] = []
  let isShown = false
  for (const sentence of told) {
    const section: MemoryFileSection | null =
      sentence.length > LONGEST_SENTENCE ? null : sectionOfSentence(sentence, memory, isShown)
    // A sentence that points back is understood only behind one that is shown.
    isShown = section !== null
    if (section !== null) kept.push({ text: sentence, section })
  }
  if (kept.length === 0) return null
  const { section } = kept.reduce((best, one) =>
    NOTE_IMPORTANCE[one.section] > NOTE_IMPORTANCE[best.section] ? one : best,
  )
  return { text: joined(kept.map((one) => one.text)), section, importance: NOTE_IMPORTANCE[section] }
}

/** The section of a memory that must have one. */
export function sectionOf({
  text: whole,
  category,
  key,
}: Pick<Notable, 'text' | 'category' | 'key'>): MemoryFileSection {
  const text = whole.slice(0, MOST_READ)
  if (findSecrets(text).length > 0) return 'configuration'
  if (tellsOfSolvedProblem(text)) return 'problems'
  if (category !== 'fact') return 'preferences'
  if (key !== null && OF_PERSON.has(key)) return 'user'
  const { store, reason, certainty } = decideByRules({ content: text })
  const [section, least] = (store || reason === 'style_wish' ? OF_REASON[reason] : undefined) ?? (['user', 1] as const)
  const isSure = section === 'configuration' ? speaksOfSetUp({ text, key }) : certainty >= least
  return isSure || section === 'preferences' ? section : 'user'
}

/** Whether the user asked for a message to be remembered (004: 记住, 记录, 请记住). */
export function isOrdered(message: string): boolean {
  const { store, reason, certainty } = decideByRules({ content: message })
  return store && reason === 'explicit_remember' && certainty >= ORDERED
}

export function tellsOfProblem(text: string): boolean {
  return PROBLEM.test(text.slice(0, MOST_READ))
}

export function tellsOfRemedy(text: string): boolean {
  return SOLUTION.test(text.slice(0, MOST_READ))
}

function tellsOfSolvedProblem(text: string): boolean {
  const named = Number(PROBLEM.test(text)) + Number(SOLUTION.test(text))
  if (named === 2) return true
  const { store, reason, certainty } = decideByRules({ content: text })
  return store && reason === 'problem_solution' && certainty >= (named === 1 ? SOLVED.named : SOLVED.unnamed)
}

function sectionOfSentence(sentence: string, memory: Notable, isShown: boolean): MemoryFileSection | null {
  if (findSecrets(sentence).length > 0) return 'configuration'
  const { store, reason, certainty } = decideByRules({ content: sentence })
  const [section, least] = OF_REASON[reason] ?? [null, 1]
  const isWish = reason === 'style_wish' || STYLE.test(sentence)
  if (!store || section === null || (!isWish && !standsAlone(sentence, isShown))) return null
  const facts = extractFacts(sentence)
  const isOther = reason === 'about_other'
  const tellsWho = facts.some(
    ({ key, standing, about }) => OF_PERSON.has(key) && standing === 'holds' && isOther === (about !== 'user'),
  )
  if (tellsWho && section !== 'preferences' && section !== 'decisions') return 'user'
  const isSetUp = section === 'configuration' && speaksOfSetUp({ text: sentence, key: memory.key })
  if (certainty < (isSetUp && namesValue(sentence) ? OF_SET_UP : least) || (memory.importance < 1 && !isOther))
    return null
  const mustLast = NOTE_IMPORTANCE[section] === 1 && !isOther && !isWish && !statesTaste(sentence)
  if (mustLast && memory.memoryType !== 'semantic') return null
  // A phone number is no configuration, whatever its digits look like.
  return section === 'configuration' && !isSetUp ? 'user' : section
}

function joined(sentences: readonly string[]): string {
  return sentences.reduce((all, next) => `${all}${/[\p{Script=Han}。！？；，、”」]$/u.test(all) ? '' : ' '}${next}`)
}

/** Words that only begin a turn of talk: they are taken off. */
const ENGLISH_OPENING =
  // linear: what follows is found behind any of them.
  /^(?:(?:oh|wow|ooh|aww?|haha|lol|yeah|yep|yup|yes|sure|well|so|and|but|also|plus|actually|honestly|anyways?|okay|ok|hey|hi|hello|thank(?:s| you)(?: (?:so much|a lot|again))?(?: for [^,.!?;–—-]{1,40})?|absolutely|definitely|totally|exactly|agreed|btw|by the way|guess what|you know|i mean|to be honest|of course)\b(?:,? \p{Lu}\p{Ll}+(?=[!,.]))?[\s,;:.!–—-]+)+(?=\S)/iu
const CHINESE_OPENING =
  /^(?:(?:哈哈+|嗯+|哦+|啊|哎呀?|唉|对了|对啊?|是的|是啊|好的?|好吧|行|那个?|然后|所以|而且|另外|其实|说实话|话说|顺便(?:说一下)?|还有|不过|但是?)[\s，,。.!！~～…、]+)+(?=\S)/
const TO_SOMEBODY = /\b(?:you|your|yours|yourself|y['’]all|u)\b|\blet['’]?s\b|\bwe both\b|[你您]|咱俩/i
const POINTS =
  /^(?:it|its|it['’]s|it['’]ll|that|that['’]s|this|these|those|they|they['’](?:re|ve|ll|d)|them|their|he|he['’]s|she|she['’]s|his|her|such|same|both|there|there['’]s|here|then|another|one|which)\b|^(?:它们?|他们?|她们?|这(?!周|个月|年)|那(?!年)|此|其(?!实|中)|后者|前者|两者|都|也(?!许)|还是)/i

/** The sentence without words that only tie it to the talk, and with a capital where they stood; else in its own letters. */
export function withoutOpening(sentence: string): string {
  const said = sentence.trim()
  const bare = said.replace(CHINESE_OPENING, '').replace(ENGLISH_OPENING, '').trim()
  if (bare === '' || bare === said) return said
  return bare.replace(/^\p{Ll}(?=\p{Ll}|\s|['’])/u, (letter) => letter.toUpperCase())
}

/** Whether a sentence is understood by itself. `follows`: the sentence before it is shown. */
export function standsAlone(sentence: string, follows = false): boolean {
  if (isQuestion(sentence) || TO_SOMEBODY.test(sentence)) return false
  return follows || !POINTS.test(sentence)
}

/** Memories that a model looks at together: their texts fill no prompt. */
export const NOTES_AT_A_TIME = 40
const NOTES_PROMPT = `DATA holds \`memories\` of one person, each with its number \`n\`. They keep a short page of notes about themself that they read, edit and show to assistants.
Which memories deserve a line there, one that they would still keep in a year? Take only:
"user": who they are - name, contact, job, family, home, health, lasting commitments; "preferences": lasting likes, dislikes, style, habits; "configuration": systems, versions, ports, models, keys, set-up; "decisions": what was decided and stands; "problems": a technical problem together with what solved it.
Leave out: moods, thanks, praise, small talk, questions, single events, plans that will be over soon, what is said about somebody else only, what nobody could understand without the conversation.
A line is one short sentence in the memory's own words, in its language, in the first person where the memory is. Where a memory says several things, keep only those that belong here. Replace a pronoun by what it means if the memory itself says what it means; else leave the memory out.
{"notes": [{"n": 1, "text": "one sentence", "section": "user|preferences|configuration|decisions|problems"}]}`
const notesSchema = z.object({ notes: z.array(z.unknown()) })
const noteSchema = z.object({ n: z.coerce.number().int(), text: z.string(), section: z.enum(MEMORY_FILE_SECTIONS) })
const STEP = 'notes'
const MOST_TOKENS = 4000
const LONGEST_NOTE = 400

/** A note for each memory: null for none, undefined where the rules decide; null for an unusable answer. */
export async function notesByModel(
  memories: readonly Notable[],
  ask: AskContext,
): Promise<readonly (Note | null | undefined)[] | null> {
  const answer = await askForAnswer(ask, {
    step: STEP,
    rules: NOTES_PROMPT,
    data: { memories: memories.map((memory, at) => ({ n: at + 1, ...quotedMemory(memory) })) },
    schema: notesSchema,
    maxTokens: MOST_TOKENS,
    read: (given) => given,
  })
  if (answer === null) return null
  const notes: (Note | null | undefined)[] = memories.map(() => null)
  const faults: string[] = []
  for (const given of answer.notes) {
    const read = noteSchema.safeParse(given)
    const memory = read.success ? memories[read.data.n - 1] : undefined
    if (!read.success || memory === undefined) {
      faults.push('a note of another shape')
      continue
    }
    const { n, section } = read.data
    const text = boundedText(read.data.text, LONGEST_NOTE)
    const fault = faultOf(text, [memory.text])
    if (fault !== null) faults.push(fault)
    notes[n - 1] = fault === null ? { text, section, importance: NOTE_IMPORTANCE[section] } : undefined
  }
  if (faults.length > 0) rejectAnswer(ask, STEP, faults.join('; '))
  return faults.length > 0 && faults.length === answer.notes.length ? null : notes
}
