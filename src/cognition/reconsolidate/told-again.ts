/** How is an update written into the words of an episode, and how is it found there again? Without a model. */
import { closed, gap } from '../merge/join-statements.ts'

/** Something that was told of an episode later on. */
export interface ToldUpdate {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly update: string
}

const LONGEST_THING = 120
const LONGEST_STEP = 60
const STEP = ' → '
const LAST_TOLD = / ?(?:\(last told \d{4}-\d{2}-\d{2}\)|（最近提到 \d{4}-\d{2}-\d{2}）)$/

/** An update as it stands in a text: its day and its words. */
export function pieceOf({ at, update }: ToldUpdate): string {
  return isHan(update) ? `${dayOf(at)}：${closed(update)}` : `${dayOf(at)}: ${closed(update)}`
}

/** The text with the update behind it. */
export function appendedUpdate(text: string, told: ToldUpdate): string {
  return appended(text, pieceOf(told))
}

/** The text with a piece behind it, and what belongs between them. */
export function appended(text: string, piece: string): string {
  const before = closed(text)
  return before + gap(before, piece) + piece
}

/** metadata.context with the day of the last update at its end; without one, as it was before the first. */
export function contextAfter(context: string, last: ToldUpdate | null): string {
  const before = context.replace(LAST_TOLD, '')
  if (last === null) return before.trim()
  const day = dayOf(last.at)
  return `${before}${isHan(last.update) ? `（最近提到 ${day}）` : ` (last told ${day})`}`.trim()
}

/** metadata.thing: how it began and what came last; `begun` is what it was before there was an update. */
export function thingAfter(thing: string, last: ToldUpdate | null): string {
  const begun = thing.includes(STEP) ? thing.slice(0, thing.indexOf(STEP)) : thing
  if (last === null) return begun
  return begun === ''
    ? clipped(last.update, LONGEST_THING)
    : clipped(begun, LONGEST_STEP) + STEP + clipped(last.update, LONGEST_STEP)
}

/** The beginning of a text as a thing that happened. */
export function clippedThing(text: string): string {
  return clipped(text, LONGEST_THING)
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function clipped(text: string, longest: number): string {
  const characters = [...text]
  if (characters.length <= longest) return text
  const cut = characters.slice(0, longest - 1).join('')
  return `${/[A-Za-z0-9]$/.test(cut) ? cut.replace(/\s{1,40}\S{0,200}$/, '') : cut}…`
}

function isHan(text: string): boolean {
  return (text.match(/\p{Script=Han}/gu)?.length ?? 0) > (text.match(/[A-Za-z]+/g)?.length ?? 0)
}
