/** Does any text hold the server? Every rule and every door reads growing hostile texts, asked and stored. */
import { fork } from 'node:child_process'
import { dirname } from 'node:path'
import { type CampaignOptions, type Finding, inFolder } from './campaign.ts'

/** One measured pair of a rule or door and a text. */
export interface Measured {
  readonly reader: string
  readonly text: string
  /** Sizes in characters and the milliseconds that each took. */
  readonly times: readonly (readonly [characters: number, ms: number])[]
  /** Longest work of a door without a pause for other users, in milliseconds. */
  readonly held?: number
}

export const MOST_EXPONENT = 1.15
const MOST_MS = 1000
/** The longest that others wait for one text (design, 9). */
const MOST_HELD_MS = 100
const MEGABYTE = 1024 * 1024
/** Nothing may be silent for longer than this. */
const HELD_MS = 60_000
/** An exponent that is told from fewer milliseconds than this is noise. */
const LEAST_MS = 300
/** Mixtures beside the pieces themselves: so many can be tried to the end. */
const MOST_MIXTURES = 40

interface Held {
  readonly on: string
}

/** Rules and texts are found only while they are tried: a name of none breaks the promise then. */
export const parts = null

export async function run({ seconds, seed, only }: CampaignOptions): Promise<readonly Finding[]> {
  const ends = Date.now() + seconds * 1000
  const mixtures = Math.min(MOST_MIXTURES, Math.round(seconds / 6))
  const findings: Finding[] = []
  let tried = 0
  for (const mode of ['rules', 'doors']) {
    const until = mode === 'rules' ? Date.now() + seconds * 500 : ends
    const { measured, held, refused, left } = await inFolder((path) =>
      measure([mode, String(seed), String(mixtures)], only ?? '', until, dirname(path)),
    )
    findings.push(...worst(mode, measured, held))
    tried += measured.length
    // The name that was asked for may be of one of the two alone.
    if (only === null) findings.push(nothing(mode, measured.length))
    if (left > 0) findings.push({ tried: `${mode}: left when the time was over`, value: left, unit: '', n: left })
    for (const what of refused) findings.push({ tried: `${mode}: refused`, value: 1, unit: '', n: 1, detail: what })
  }
  return only === null ? findings : [...findings, nothing('rules and doors', tried)]
}

/** What tried nothing broke no promise, and kept none. */
function nothing(mode: string, n: number): Finding {
  return { tried: `${mode}: nothing tried`, value: Number(n === 0), unit: '', n, most: 0 }
}

/** All pairs until the time is over, at least one; a process that a text holds is ended, and another goes on behind that text. */
async function measure(
  how: readonly string[],
  only: string,
  until: number,
  /** What processes that are ended leave behind lies here. */
  folder: string,
): Promise<{
  measured: readonly Measured[]
  held: readonly Held[]
  refused: ReadonlySet<string>
  /** How many pairs of a rule and a text, or texts for the doors, nobody tried. */
  left: number
}> {
  const refused = new Set<string>()
  /** Of each pair the last word, which has the most sizes. */
  const measured = new Map<string, Measured>()
  const held: Held[] = []
  let from = 0
  let all = 0
  let done = false
  const isOver = (): boolean => Date.now() >= until && measured.size > 0
  while (!done && !isOver()) {
    const child = fork(
      new URL('./text-cost-process.ts', import.meta.url),
      [...how, String(from), only, String(until)],
      {
        env: { ...process.env, TMPDIR: folder },
      },
    )
    let on = ''
    await new Promise<void>((resolve) => {
      const stop = (): void => void child.kill('SIGKILL')
      let silence = setTimeout(stop, HELD_MS)
      const over = setTimeout(() => isOver() && stop(), Math.max(0, until - Date.now()))
      child.on(
        'message',
        (message: {
          all?: number
          at?: number
          on?: string
          measured?: Measured
          done?: boolean
          refused?: string
        }) => {
          if (message.all !== undefined) all = message.all
          if (message.refused !== undefined) refused.add(message.refused)
          clearTimeout(silence)
          silence = setTimeout(() => {
            held.push({ on })
            stop()
          }, HELD_MS)
          if (message.at !== undefined) from = message.at + 1
          if (message.on !== undefined)
            on = message.at === undefined ? `${on.split(' : ')[0]} : ${message.on}` : message.on
          if (message.measured !== undefined)
            measured.set(`${message.measured.reader} × ${message.measured.text}`, message.measured)
          if (isOver()) stop()
          if (message.done === true) done = true
        },
      )
      child.on('exit', () => {
        clearTimeout(silence)
        clearTimeout(over)
        resolve()
      })
    })
  }
  return { measured: [...measured.values()], held, refused, left: done ? 0 : all - from }
}

function worst(mode: string, measured: readonly Measured[], held: readonly Held[]): readonly Finding[] {
  const n = measured.length
  const rows = measured.map((one) => ({ ...one, exponent: exponentOf(one.times), at1MB: timeAt1MB(one.times) }))
  const bad = rows.filter(({ exponent, at1MB }) => exponent > MOST_EXPONENT || at1MB > MOST_MS)
  bad.sort((a, b) => b.at1MB - a.at1MB)
  const steepest = rows.reduce((most, { exponent }) => Math.max(most, exponent), 0)
  const longest = rows.reduce((most, { at1MB }) => Math.max(most, at1MB), 0)
  return [
    { tried: `${mode}: texts that held a process for ${HELD_MS / 1000} s`, value: held.length, unit: '', n, most: 0 },
    ...held.map(({ on }) => ({ tried: `${mode}: held by`, value: 1, unit: '', n: 1, detail: on })),
    { tried: `${mode}: steepest exponent`, value: steepest, unit: '', n, most: MOST_EXPONENT },
    { tried: `${mode}: longest at 1 MB`, value: longest, unit: 'ms', n, most: MOST_MS },
    ...(mode === 'doors' ? holdsOf(measured) : []),
    ...bad.slice(0, 60).map(({ reader, text, times, exponent, at1MB }) => ({
      tried: `${mode}: ${reader} × ${text}`,
      value: exponent,
      unit: '',
      n: times.length,
      detail: `${at1MB.toFixed(0)} ms at 1 MB; ${times.map(([size, ms]) => `${size / 1024}K ${ms.toFixed(1)}`).join(', ')}`,
    })),
  ]
}

/** How long others wait for one text, by processor time, and which texts they wait for. */
function holdsOf(measured: readonly Measured[]): readonly Finding[] {
  const [most, ...next] = measured.toSorted((a, b) => (b.held ?? 0) - (a.held ?? 0))
  if (most === undefined) return []
  const over = [most, ...next].filter(({ held = 0 }) => held > MOST_HELD_MS)
  const detail = over.slice(0, 5).map(({ reader, text, held = 0 }) => `${reader} × ${text} ${held.toFixed(0)}`)
  return [
    {
      tried: 'doors: longest without a pause',
      value: most.held ?? 0,
      unit: 'ms',
      n: measured.length,
      most: MOST_HELD_MS,
    },
    { tried: 'doors: longer than that', value: over.length, unit: '', n: measured.length, detail: detail.join('; ') },
  ]
}

/** What one look at a text of some length took, by reader. */
type Look = (characters: number) => Promise<ReadonlyMap<string, { readonly ms: number; readonly held?: number }>>

/** Looks again at what seems steep or held: what a busy machine or the collector of garbage added goes with that. */
const MOST_AGAIN = 4

/**
 * The readings of a text at these lengths, the least of several where one is over its figure and the time is not. None
 * is longer after one of `enough` milliseconds.
 */
export async function certain(
  lengths: readonly number[],
  look: Look,
  enough: number,
  until = Number.POSITIVE_INFINITY,
): Promise<ReadonlyMap<string, Pick<Measured, 'times' | 'held'>>> {
  const least = new Map<string, { readonly times: Map<number, number>; held: number }>()
  const all = () =>
    [...least].map(
      ([reader, { times, held }]) => [reader, { times: [...times], ...(held > 0 ? { held } : {}) }] as const,
    )
  const isOver = (): boolean =>
    all().some(([, { times, held = 0 }]) => exponentOf(times) > MOST_EXPONENT || held > MOST_HELD_MS)
  for (let time = 0; time === 0 || (time <= MOST_AGAIN && Date.now() < until && isOver()); time += 1) {
    const holds = new Map<string, number>()
    for (const length of time === 0 ? lengths : [...least.values()][0]!.times.keys()) {
      for (const [reader, { ms, held = 0 }] of await look(length)) {
        const known = least.get(reader) ?? { times: new Map<number, number>(), held: Number.POSITIVE_INFINITY }
        known.times.set(length, Math.min(ms, known.times.get(length) ?? ms))
        least.set(reader, known)
        holds.set(reader, Math.max(held, holds.get(reader) ?? 0))
      }
      if (time === 0 && [...least.values()].some(({ times }) => times.get(length)! > enough)) break
    }
    for (const [reader, held] of holds) least.get(reader)!.held = Math.min(held, least.get(reader)!.held)
  }
  return new Map(all())
}

/** The slope of the last step, in logarithms, where its end was long enough to be told from noise. */
export function exponentOf(times: Measured['times']): number {
  const [before, last] = times.slice(-2)
  if (before === undefined || last === undefined || last[1] < LEAST_MS) return 0
  return Math.log(last[1] / Math.max(before[1], 5)) / Math.log(last[0] / before[0])
}

/** Measured, or what the slope says where a text was stopped early. */
function timeAt1MB(times: Measured['times']): number {
  const [characters, ms] = times.at(-1)!
  return characters >= MEGABYTE ? ms : ms * (MEGABYTE / characters) ** Math.max(1, exponentOf(times))
}
