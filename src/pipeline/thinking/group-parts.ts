/**
 * Which sentences of a message belong into one memory? Those that speak of the same, and those that say nothing by
 * themselves ("Glasgow, finally."): alone nobody would know later what they meant. What speaks of something else is a
 * memory of its own, so that it can change by itself.
 */
import { extractFacts } from '../../cognition/facts/extract-facts.ts'
import { plainTopics, topicsOf } from '../../cognition/facts/topics.ts'
import type { KeptPart } from '../../domain/thought.ts'

/** 001: a memory is three or four sentences; longer ones are begun anew. */
const LONGEST_GROUP = 4

/** Words, or characters of Chinese, of a sentence that says no more than that something has happened. */
const BARE = 4

/** To name one's brother beside something else begins nothing new. */
const NAMES_PERSON: ReadonlySet<string> = new Set('partner child sibling parent in_laws colleague'.split(' '))

/** The parts, joined where they belong together; in order. */
export function groupParts(parts: readonly KeptPart[], saidAt: number): readonly KeptPart[] {
  const groups: { parts: KeptPart[]; subjects: Set<string> }[] = []
  for (const part of parts) {
    const subjects = subjectsOf(part.text, saidAt)
    const last = groups.at(-1)
    const belongs =
      last !== undefined &&
      last.parts.length < LONGEST_GROUP &&
      (subjects.size === 0 ||
        last.subjects.size === 0 ||
        isBare(last.parts) ||
        [...subjects].some((subject) => last.subjects.has(subject)))
    if (!belongs) groups.push({ parts: [part], subjects })
    else {
      last.parts.push(part)
      for (const subject of subjects) last.subjects.add(subject)
    }
  }
  return groups.map((group) => joined(group.parts))
}

/** "Got the promotion!!", 提车了！: an outcry that the next sentence explains. */
function isBare(parts: readonly KeptPart[]): boolean {
  const [only] = parts
  if (parts.length !== 1 || !/[!！]$/.test(only!.text.trim())) return false
  return (only!.text.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu) ?? []).length <= BARE
}

function subjectsOf(text: string, saidAt: number): Set<string> {
  const facts = extractFacts(text, { who: 'user', now: saidAt }).map(({ key }) => key)
  // Words that only hint at something do not make a sentence clear.
  const named = plainTopics(topicsOf(text)).filter((name) => !NAMES_PERSON.has(name))
  return new Set([...facts, ...named])
}

function joined(parts: readonly KeptPart[]): KeptPart {
  const lasting = parts.find(({ semantic }) => semantic)
  const space = /\p{Script=Han}[。！？；，、]?$/u.test(parts[0]!.text) ? '' : ' '
  return {
    text: parts.map(({ text }) => text).join(space),
    semantic: lasting !== undefined,
    category: (lasting ?? parts[0]!).category,
    importance: Math.max(...parts.map(({ importance }) => importance)),
  }
}
