/**
 * What of a memory belongs into notes that are read as a whole, without a model? Thinking would rather remember too much,
 * and search sorts it out; here only sentences come in that say of themselves what they are: what was asked for,
 * configuration, a problem with its solution, a decision, a preference or habit, who the user is (004). Nothing is reworded.
 */
import type { MemoryFileSection } from '../../domain/memory-file.ts'
import type { Fact } from '../../domain/thought.ts'
import { findDecisions } from '../../text/decisions.ts'
import { hasWords } from '../../text/memory-file/document.ts'
import { isQuestion } from '../../text/questions.ts'
import { findSecrets } from '../../text/secrets/find-secrets.ts'
import { splitSentences } from '../../text/sentences.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { groundOf, refusalOf } from '../semantic-facts/rules.ts'
import {
  isSharedTool,
  isSolvedProblem,
  isStandingWish,
  sectionByDecider,
  sectionLikely,
  sectionSurely,
} from './by-decider.ts'
import { likesWhatIsThere, saysDecided, tellsHabit, tellsNearOne, tellsTaste, tellsWay, tellsWho } from './kinds.ts'
import {
  isFixed,
  isPlainAttribute,
  isUserAttribute,
  sectionOf,
  tellsOfProblem,
  tellsOfRemedy,
  tellsOfSolution,
} from './section-of.ts'
import { isMood, standsAlone, withoutOpening } from './stands-alone.ts'
import { isConfiguration, saysSetUp, speaksOfSetUp, speaksOfSystems } from './technical.ts'
import type { Notable, Note } from './types.ts'
import { headsOf } from './without-tail.ts'

/** 004: what each section's entries weigh; what was asked for weighs 3 wherever it stands. */
export const NOTE_IMPORTANCE: Readonly<Record<MemoryFileSection, number>> = {
  user: 1,
  preferences: 1,
  configuration: 2,
  decisions: 2,
  problems: 2,
}
/** 我们定了，…: what was settled follows. */
const SETTLED_HEAD =
  /^(?:我们|咱们|大家|团队|组里)?(?:都|最后|终于|今天|商量好?)*(?:定了|说好了?|讲好了?|约好了?|敲定了?)[，,：:]/
/** What somebody near does for the moment. */
const PASSES =
  /\b(?:today|tonight|yesterday|tomorrow|this week|(?:last|next) (?:night|week|weekend|month)|right now|(?:(?:is|are)|['’](?:s|re)) (?:coming|going|visiting|staying|leaving|away|here|sick|ill|late|tired|ok(?:ay)?|fine|safe|better|(?:our|the) future))\b|今天|昨天|明天|后天|刚才|[这上下]个?(?:周|月|星期)|要来|来了|回来|出差|生病了|感冒|[这上下]个?礼拜/i
/** Sentences of a memory that are looked at, and characters of one: notes are short. */
const MOST_SENTENCES = 12
const LONGEST_SENTENCE = 400

/** The note of a memory; null: it is nothing for the notes. `ordered`: the user asked for it to be remembered. */
export function noteOf(memory: Notable, ordered: boolean): Note | null {
  const { importance, sourceTurnIds, text } = memory
  if (!hasWords(text)) return null
  // Handed in as it is, or asked for: its words are wanted as they are.
  if (sourceTurnIds.length === 0) return importance < 1 ? null : { text, section: sectionOf(memory), importance }
  const sentences = splitSentences(text).slice(0, MOST_SENTENCES)
  if (ordered) return { text, section: sectionOfOrder(sentences, memory), importance }
  const problem = fixedIn(sentences) ?? problemIn(sentences) ?? solvedIn(sentences)
  if (problem !== null) return { text: problem, section: 'problems', importance: NOTE_IMPORTANCE.problems }
  return noteFrom(sentences, memory) ?? surely(sentences)
}

/**
 * Under which heading stands what was asked for? Where its words show it, else among what belongs to the person: what
 * somebody else does is no habit of theirs, and where the keys are is no set-up.
 */
function sectionOfOrder(sentences: readonly string[], memory: Notable): MemoryFileSection {
  const { text } = memory
  if (refusalOf(text) === 'style_preference') return 'preferences'
  const shown = noteFrom(sentences, memory)?.section
  if (shown !== undefined && (shown !== 'configuration' || speaksOfSetUp(memory))) return shown
  const section = sectionOf({ ...memory, category: 'fact' })
  return section === 'preferences' && !OWN.test(text) ? 'user' : section
}

/** The person is the subject, or nobody is. */
const OWN = /\b(?:i|me|my|we|our|us)\b|\p{Script=Han}/iu

/** All of what is told, where every sentence of it may stand in notes and the decider is sure of the whole. */
function surely(sentences: readonly string[]): Note | null {
  const told = sentences.map(withoutOpening)
  if (told.length === 0 || !told.every((sentence, at) => standsAlone(sentence, at > 0)) || told.some(isMood))
    return null
  const text = joined(told)
  const section = text.length > LONGEST_SENTENCE ? null : sectionSurely(text)
  // What fails is no set-up.
  if (section === 'configuration' && tellsOfProblem(text)) return null
  if (section === null || (NOTE_IMPORTANCE[section] === 1 && told.some(happensOnce))) return null
  return { text, section, importance: NOTE_IMPORTANCE[section] }
}

/** 一吵我就头疼: it comes back whenever that happens. */
const EACH_TIME =
  /\b(?:whenever|every time|each time|nothing \w{1,40} \w{1,40} [\w ]{0,12}like)\b|一[^，。]{1,6}就|只要|每次|最怕/i

/** Whether it may be over soon, is not so, or is somebody else's. */
function passes(sentence: string): boolean {
  const refusal = refusalOf(sentence)
  return refusal !== null && !(refusal === 'temporary_state' && EACH_TIME.test(sentence))
}

/** It passes, or has been done: no habit. */
function happensOnce(sentence: string): boolean {
  return passes(sentence) || PASSES.test(sentence) || DONE.test(sentence) || likesWhatIsThere(sentence)
}

/** 去玩了一天. */
const DONE = /[去玩吃逛待住跑走看聊睡][了过](?!.{0,200}(?:就|才|再))/

/** Sentences that belong to one section, the weightiest that there is; what points back only behind what it points at. */
function noteFrom(sentences: readonly string[], memory: Notable): Note | null {
  const kept: { readonly text: string; readonly section: MemoryFileSection }[] = []
  let isShown = false
  for (const sentence of sentences) {
    const shown = placed(withoutOpening(sentence), memory, isShown)
    isShown = shown !== null
    if (shown !== null) kept.push(shown)
  }
  if (kept.length === 0) return null
  const section = kept.reduce((best, one) =>
    NOTE_IMPORTANCE[one.section] > NOTE_IMPORTANCE[best.section] ? one : best,
  ).section
  return { text: joined(kept.map(({ text }) => text)), section, importance: NOTE_IMPORTANCE[section] }
}

/** The sentence, or as much of it as belongs into the notes, with its heading. */
function placed(sentence: string, memory: Notable, isShown: boolean) {
  for (const [at, text] of [sentence, ...headsOf(sentence)].entries()) {
    const section = sectionOfSentence(text, memory, isShown)
    // Of what was settled or set up every word may matter.
    if (section !== null && (at === 0 || section === 'preferences' || section === 'user')) return { text, section }
  }
  return null
}

/** Under which heading one sentence belongs; null: under none. */
function sectionOfSentence(sentence: string, memory: Notable, isShown: boolean): MemoryFileSection | null {
  if (sentence.length > LONGEST_SENTENCE) return null
  if (findSecrets(sentence).length > 0) return 'configuration'
  if (isStyle(sentence, memory)) return 'preferences'
  if (!standsAlone(sentence, isShown)) return null
  const isTechnical = speaksOfSystems(sentence)
  const facts = extractFacts(sentence, { who: 'user', now: memory.createdAt })
  const isSetUp =
    facts.some(({ key, standing }) => isConfiguration(key) && standing !== 'ended') ||
    (memory.importance > NOTE_IMPORTANCE.user && isTechnical && saysSetUp(sentence))
  if (isSettled(sentence, facts.length > 0, isSetUp || isTechnical) && !isMood(sentence)) return 'decisions'
  if (isSetUp && !isMood(sentence) && !tellsOfRemedy(sentence) && !tellsOfProblem(sentence)) return 'configuration'
  if (isNearOne(sentence, facts)) return 'user'
  // What passes is no news next month.
  if (passes(sentence) || isMood(sentence)) return null
  const ground = groundOf(sentence)
  const isWho =
    (ground === 'identity' && !tellsTaste(sentence)) ||
    tellsWho(sentence) ||
    facts.some(
      ({ key, value, about, standing }) =>
        isUserAttribute(key) &&
        about === 'user' &&
        standing === 'holds' &&
        (ground === 'identity' || (/\p{Script=Han}/u.test(sentence) && !PASSES.test(sentence))) &&
        (key !== 'phone_number' || /\d/.test(value)),
    )
  if (isWho) return ofWhom(sentence, isTechnical)
  if (tellsWay(sentence)) return isSharedTool(sentence) ? 'configuration' : 'preferences'
  if (tellsTaste(sentence)) return 'preferences'
  if (tellsHabit(sentence) && (ground === 'habit' || memory.category !== 'fact')) return 'preferences'
  const heard = sectionByDecider(sentence) ?? (happensOnce(sentence) ? null : sectionLikely(sentence, memory))
  return heard === 'user' ? ofWhom(sentence, isTechnical) : heard
}

/** 家里的 NAS 是 …: what belongs to somebody may be their set-up. */
function ofWhom(sentence: string, isTechnical: boolean): MemoryFileSection | null {
  if (!isTechnical || SPEAKS_OF_SELF.test(sentence)) return 'user'
  // What fails is neither.
  if (tellsOfProblem(sentence)) return null
  return saysSetUp(sentence) ? 'configuration' : 'user'
}

const SPEAKS_OF_SELF = /^(?:i|i['’]\w+|me|my|myself)\b|^我(?!们?家|的)/i

/** How answers are to be, once and for all: it is said to the assistant, and stands under preferences (004: 风格). */
function isStyle(sentence: string, { category, importance }: Notable): boolean {
  if (importance === 0 || isQuestion(sentence) || isMood(sentence)) return false
  return (
    (category !== 'fact' && refusalOf(sentence) === 'style_preference') ||
    sectionByDecider(sentence) === 'preferences' ||
    isStandingWish(sentence)
  )
}

/** Something was decided; a mere change of a value of the set-up is configuration. */
function isSettled(sentence: string, statesFact: boolean, isTechnical: boolean): boolean {
  if (SETTLED_HEAD.test(sentence)) return true
  const decided = findDecisions(sentence).length > 0
  return decided && (saysDecided(sentence) || (isTechnical && !statesFact && !tellsOfRemedy(sentence)))
}

/** "My sister lives in Lyon", 我老婆是老师: a lasting attribute of somebody near, who is named as the subject. */
function isNearOne(sentence: string, facts: readonly Fact[]): boolean {
  const refusal = refusalOf(sentence)
  if (isMood(sentence) || PASSES.test(sentence)) return false
  if ((refusal === null || refusal === 'about_other') && tellsNearOne(sentence)) return true
  if (refusal !== 'about_other') return false
  if (tellsWho(sentence)) return true
  const keys = /\p{Script=Han}/u.test(sentence) ? isUserAttribute : isPlainAttribute
  return facts.some(({ key, about, standing }) => about !== 'user' && standing === 'holds' && keys(key))
}

/** "Fixed: …" with the sentence behind it, which mostly says what was wrong. */
function fixedIn(sentences: readonly string[]): string | null {
  const at = sentences.findIndex(isFixed)
  if (at < 0) return null
  const [fixed, cause] = sentences.slice(at, at + 2)
  const told = cause !== undefined && standsAlone(cause, true) && !isFixed(cause) ? [fixed!, cause] : [fixed!]
  const text = joined(told)
  return text.length > LONGEST_SENTENCE ? null : text
}

/** From the sentence that names the problem to the one that names what solved it. */
function problemIn(sentences: readonly string[]): string | null {
  if (!tellsOfSolution(sentences.join(' '))) return null
  const first = sentences.findIndex((sentence) => tellsOfProblem(sentence))
  if (first < 0) return null
  const last = sentences.findLastIndex((sentence) => tellsOfSolution(sentences[first]! + sentence))
  const told = sentences.slice(first, Math.max(first, last) + 1).map(withoutOpening)
  return told.some((sentence) => !standsAlone(sentence, true)) || !standsAlone(told[0]!) ? null : joined(told)
}

/** The same where the words of problem and solution are others, but what is told is a problem that was solved. */
function solvedIn(sentences: readonly string[]): string | null {
  const told = sentences.map(withoutOpening)
  if (!told.every((sentence, at) => standsAlone(sentence, at > 0)) || told.some(isMood)) return null
  return isSolvedProblem(told.join(' ')) ? joined(told) : null
}

function joined(sentences: readonly string[]): string {
  return sentences.reduce((all, next) => `${all}${/[\p{Script=Han}。！？；，、”」]$/u.test(all) ? '' : ' '}${next}`)
}
