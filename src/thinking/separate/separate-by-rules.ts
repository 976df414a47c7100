/**
 * EpisodicSeparator without a model (002 R5.3, R5.5): each of two similar records gets its day, person or contrasting
 * words in front. The words stay, and a label is replaced, never stacked.
 */
import type { MemoryPatch } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Metadata } from '../../domain/turn.ts'
import { bareText, clip, isMostlyHan, metadataText, metadataTexts, withoutLabel } from '../merge/episode-metadata.ts'
import type { RewrittenWords } from '../model-answers/rewritten-words.ts'
import { inPlaceOf, ownSpans, textProfile } from '../similarity/similarity.ts'

/** Both records, in the order asked; every fact of a record is still in its `text`. */
export interface Separation {
  readonly first: RewrittenWords
  readonly second: RewrittenWords
}

/** Parts of a label, and the longest words in it. */
const MOST_PARTS = 3
const LONGEST_SPAN = 32
/** The most records from which a record is told apart: beyond that its label says nothing more. */
const MOST_SEPARATIONS = 4
const LONGEST_THING = 80

/** The fields of a memory that separation reads. */
export type SeparationSide = Pick<Memory, 'id' | 'text' | 'occurredAt' | 'who' | 'metadata'>

/** Were these two told apart before, or has either been told apart often enough? */
export function areSeparated(a: SeparationSide, b: SeparationSide): boolean {
  const [ofA, ofB] = [metadataTexts(a.metadata, 'separated_from'), metadataTexts(b.metadata, 'separated_from')]
  return ofA.includes(b.id) || ofB.includes(a.id) || ofA.length >= MOST_SEPARATIONS || ofB.length >= MOST_SEPARATIONS
}

/** The new words of both; null when they were told apart before or nothing distinguishes them. */
export function separateByRules(a: SeparationSide, b: SeparationSide): Separation | null {
  if (areSeparated(a, b)) return null
  const first = distinguished(a, b)
  const second = distinguished(b, a)
  if (first.label === '' || second.label === '' || first.label === second.label) return null
  return { first: first.words, second: second.words }
}

/** The change of one record: its words, by rules or model, and the record from which it was told apart. */
export function separationPatch(
  memory: SeparationSide,
  words: RewrittenWords,
  otherId: string,
): Required<Pick<MemoryPatch, 'text' | 'metadata'>> {
  const label = labelOf(words.text, withoutLabel(memory))
  const { separated_label: _old, ...rest } = memory.metadata ?? {}
  const metadata: Metadata = {
    ...rest,
    context: words.context,
    thing: words.thing,
    separated_from: [...new Set([...metadataTexts(memory.metadata, 'separated_from'), otherId])],
    ...(label === '' ? {} : { separated_label: label }),
  }
  return { text: words.text, metadata }
}

function distinguished(memory: SeparationSide, other: SeparationSide): { label: string; words: RewrittenWords } {
  const text = withoutLabel(memory)
  const chinese = isMostlyHan(text)
  const old = metadataText(memory.metadata, 'separated_label')
  const parts = [...partsOfLabel(old), ...distinctions(memory, text, other, chinese)]
  const kept = parts.filter((part, at) => parts.indexOf(part) === at).slice(0, MOST_PARTS)
  if (kept.length === 0) return { label: '', words: { text: memory.text, context: '', thing: '' } }
  const label = chinese ? `【${kept.join('，')}】` : `[${kept.join(', ')}]`
  const [context, thing] = [bareText(memory.metadata, 'context'), bareText(memory.metadata, 'thing')]
  return {
    label,
    words: {
      text: prefixed(label, text, chinese),
      context: context === '' ? label : prefixed(label, context, chinese),
      thing: prefixed(label, thing || clip(text, LONGEST_THING), chinese),
    },
  }
}

/**
 * The differences that a text may lack: its time and person; for one day and person, its words in the place of the
 * other's.
 */
function distinctions(
  { occurredAt, who }: SeparationSide,
  text: string,
  other: SeparationSide,
  chinese: boolean,
): readonly string[] {
  const day = dayLabel(occurredAt, other.occurredAt, chinese)
  const person = who !== null && who !== other.who && who !== 'user' ? who : null
  if (day !== null || person !== null) return [day, person].filter((part) => part !== null)
  const [mine, theirs] = [textProfile(text), textProfile(withoutLabel(other))]
  const own = ownSpans(text, mine.tokens, theirs.terms)
  const span = inPlaceOf(own, ownSpans(theirs.text, theirs.tokens, mine.terms))
  return span === undefined || span.text.length > LONGEST_SPAN ? [] : [span.text]
}

function partsOfLabel(label: string): readonly string[] {
  const inside = label.slice(1, -1)
  return inside === '' ? [] : inside.split(label.startsWith('【') ? '，' : ', ')
}

function labelOf(text: string, bare: string): string {
  const label = /^(?:\[[^\]]*\]|【[^】]*】)/.exec(text)?.[0] ?? ''
  // A text that opens with brackets of its own has no label.
  return label !== '' && text.slice(label.length).trimStart() === bare ? label : ''
}

function prefixed(label: string, text: string, chinese: boolean): string {
  return chinese ? label + text : `${label} ${text}`
}

/** The day on which it was: "12 May", with the year where only that differs; null when the other was on the same day. */
function dayLabel(time: number, other: number, chinese: boolean): string | null {
  const [one, two] = [time, other].map((at) => new Date(at).toISOString()) as [string, string]
  if (one.slice(0, 10) === two.slice(0, 10)) return null
  const year = one.slice(5, 10) === two.slice(5, 10) ? ({ year: 'numeric' } as const) : {}
  const day = { ...year, month: 'long', day: 'numeric', timeZone: 'UTC' } as const
  return new Date(time).toLocaleDateString(chinese ? 'zh-CN' : 'en-GB', day)
}
