/**
 * EpisodicSeparator without a model (002 R5.3, R5.5): what distinguishes each of two similar records - day, time, words
 * that only it has - is put in front of it, in its own language. The record's own words stay as they are; a label is
 * replaced, never stacked, so that nothing grows however often records are told apart.
 */
import type { MemoryPatch } from '../../contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Metadata } from '../../domain/turn.ts'
import { isGenericTerm } from '../../text/generic-words.ts'
import { indexTerms } from '../../text/tokens.ts'
import type { RewrittenWords } from '../answers/rewritten.ts'
import { metadataText, metadataTexts } from '../merge/episode-metadata.ts'
import { ownSpans, type Span } from '../similarity/contrast.ts'
import { textProfile } from '../similarity/lexical-similarity.ts'
import type { Separation } from './types.ts'

/** Parts of a label, the words among them, and the longest such words. */
const MOST_PARTS = 4
const MOST_SPANS = 3
const LONGEST_SPAN = 32
/** Other records that a record is told apart from at most: beyond that its label says nothing more. */
export const MOST_SEPARATIONS = 4
const SHORTEST_WORD = 5
const LONGEST_THING = 80

/** What separation reads of a memory. */
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

/** The change of one record: the words, whoever wrote them, and from whom it was told apart. */
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

/** The text as it was before any separation by rules. */
export function withoutLabel({ text, metadata }: Pick<Memory, 'text' | 'metadata'>): string {
  const label = metadataText(metadata, 'separated_label')
  return label !== '' && text.startsWith(label) ? text.slice(label.length).trimStart() : text
}

function distinguished(memory: SeparationSide, other: SeparationSide): { label: string; words: RewrittenWords } {
  const text = withoutLabel(memory)
  const chinese = isHan(text)
  const old = metadataText(memory.metadata, 'separated_label')
  const parts = [...partsOfLabel(old), ...distinctions(memory, text, other, chinese)]
  const kept = parts.filter((part, at) => parts.indexOf(part) === at).slice(0, MOST_PARTS)
  if (kept.length === 0) return { label: '', words: { text: memory.text, context: '', thing: '' } }
  const label = chinese ? `【${kept.join('，')}】` : `[${kept.join(', ')}]`
  const bare = (field: string): string => stripped(metadataText(memory.metadata, field), old)
  const thing = bare('thing') || shortenedThing(text)
  return {
    label,
    words: {
      text: prefixed(label, text, chinese),
      context: bare('context') === '' ? label : prefixed(label, bare('context'), chinese),
      thing: prefixed(label, thing, chinese),
    },
  }
}

function distinctions(
  memory: SeparationSide,
  text: string,
  other: SeparationSide,
  chinese: boolean,
): readonly string[] {
  const when = whenLabel(memory.occurredAt, other.occurredAt, chinese)
  const parts = when === null ? [] : [when]
  if (memory.who !== null && memory.who !== other.who && memory.who !== 'user') parts.push(memory.who)
  const [mine, theirs] = [textProfile(text), textProfile(withoutLabel(other))]
  const spans = ownSpans(text, mine.tokens, theirs.terms)
    .map((span, place) => ({ ...span, text: widened(text, span), place }))
    .filter(({ text: words }) => words.length <= LONGEST_SPAN && words.length > 1)
    .filter((span) => span.numeric || span.named || isTelling(span.text))
    // The day says it better.
    .filter(({ text: words }) => when === null || !WEEKDAY.test(words))
  const telling = spans
    .toSorted((a, b) => weightOf(b) - weightOf(a) || a.place - b.place)
    .slice(0, MOST_SPANS)
    .toSorted((a, b) => a.place - b.place)
  return [...parts, ...telling.map(({ text: words }) => words.replace(/[[\]【】]/g, ''))]
}

const WEEKDAY = /^(?:(?:周|星期|礼拜)[一二三四五六日天]|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$/i

/** A word of some length, or Han characters that are not all function words; "got" and "gave" tell nothing apart. */
function isTelling(words: string): boolean {
  if (/\p{Script=Han}/u.test(words)) return [...indexTerms(words).keys()].some((term) => !isGenericTerm(term))
  return words
    .split(/\s+/)
    .some((word) => word.length >= SHORTEST_WORD && !isGenericTerm(indexTerms(word).keys().next().value ?? ''))
}

/** A number with what it counts; a single Han character with the next one, for it is seldom a word. */
function widened(text: string, { start, end, numeric }: Span): string {
  const rest = text.slice(end)
  const week = /(?:周|星期|礼拜)$/.exec(text.slice(0, start))
  if (week !== null) return week[0] + text.slice(start, end)
  const unit = numeric
    ? /^(?: ?[\p{Script=Han}]{1,2}| ?[a-z%°€$£]{1,12}\b)/u
    : end - start === 1
      ? /^\p{Script=Han}/u
      : null
  const more = unit?.exec(rest)?.[0] ?? ''
  return (text.slice(start, end) + more).trim()
}

function weightOf({ numeric, named }: { readonly numeric: boolean; readonly named: boolean }): number {
  return (named ? 2 : 0) + (numeric ? 1 : 0)
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

function stripped(text: string, label: string): string {
  return label !== '' && text.startsWith(label) ? text.slice(label.length).trimStart() : text
}

function prefixed(label: string, text: string, chinese: boolean): string {
  return chinese ? label + text : `${label} ${text}`
}

function shortenedThing(text: string): string {
  const characters = [...text]
  if (characters.length <= LONGEST_THING) return text
  const cut = characters.slice(0, LONGEST_THING - 1).join('')
  return `${/[A-Za-z0-9]$/.test(cut) ? cut.replace(/\s{1,40}\S{0,200}$/, '') : cut}…`
}

function isHan(text: string): boolean {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return han > (text.match(/[A-Za-z]+/g)?.length ?? 0)
}

/** When it was, as far as that tells it apart from `other`: "12 May", with the year when the years differ; else the time, or null. */
function whenLabel(time: number, other: number, chinese: boolean): string | null {
  const [one, two] = [time, other].map((at) => new Date(at).toISOString()) as [string, string]
  const [clock, otherClock] = [one.slice(11, 16), two.slice(11, 16)]
  if (one.slice(0, 10) === two.slice(0, 10)) return clock === otherClock ? null : clock
  const year = one.slice(0, 4) === two.slice(0, 4) ? {} : ({ year: 'numeric' } as const)
  const day = { ...year, month: 'long', day: 'numeric', timeZone: 'UTC' } as const
  return new Date(time).toLocaleDateString(chinese ? 'zh-CN' : 'en-GB', day)
}
