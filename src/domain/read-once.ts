/** Each reading of a text (sentences, words, facts …) is made once and kept while the work lasts. */
import { atOnce, inPieces } from './scheduling.ts'

/** Characters and texts whose readings are kept; briefly twice as many, before the older half goes. */
const MOST_CHARACTERS = 262_144
const MOST_TEXTS = 8_192
/** Texts up to this length are kept with the readings of all kinds. */
const LONGEST_SHORT = 16_384
/** Texts kept beside them that would push out all others, until memory is wanted. */
const MOST_LONG_TEXTS = 16

/** The listener for new readings, by name; only tests set it. */
let watcher: ((name: string, text: string) => void) | null = null

/** Calls `told` for every new reading until the returned function is called. */
export function watchReadings(told: (name: string, text: string) => void): () => void {
  watcher = told
  return () => {
    watcher = null
  }
}

/** What is kept of texts, in two generations: the older one goes when the younger has `most` characters or MOST_TEXTS. */
export function keptTexts<Value>(most: number) {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  let characters = 0
  const of = (text: string, make: () => Value): Value => {
    const known = young.get(text)
    if (known !== undefined) return known
    const made = old.get(text) ?? make()
    characters += text.length
    if (young.size >= MOST_TEXTS || characters > most) {
      old = young
      young = new Map()
      characters = text.length
    }
    // A part of a longer text would keep all of it alive.
    young.set(` ${text}`.slice(1), made)
    return made
  }
  return { of, known: (text: string): Value | undefined => young.get(text) ?? old.get(text) }
}

/** The readings of short texts, each kind at its place; one look-up finds those of all kinds. */
const short = keptTexts<unknown[]>(MOST_CHARACTERS)
let long = new WeakRef(new Map<string, unknown[]>())
let last: { readonly text: string; readonly made: unknown[] } = { text: '', made: [] }
let kinds = 0

function madeOf(text: string): unknown[] {
  if (text.length > LONGEST_SHORT) return madeOfLong(text)
  if (last.text !== text) last = { text, made: short.of(text, () => []) }
  return last.made
}

function madeOfLong(text: string): unknown[] {
  const texts = long.deref()
  const made = texts?.get(text) ?? []
  if (texts === undefined || (texts.size >= MOST_LONG_TEXTS && !texts.has(text))) long = new WeakRef(new Map())
  long.deref()?.set(text, made)
  return made
}

/** The reading at this place among those of a text, made where there is none. */
function madeOnce<Reading>(made: unknown[], kind: number, read: () => Reading): Reading {
  if (made[kind] === undefined) made[kind] = read()
  return made[kind] as Reading
}

/** A cached pure function of a text, whose results are shared; `most` bounds the characters that are kept of large ones. */
export function readOnce<Reading>(
  name: string,
  read: (text: string) => Reading,
  most?: number,
): (text: string) => Reading {
  const kind = kinds
  kinds += 1
  const reading = (text: string): Reading => {
    watcher?.(name, text)
    return read(text)
  }
  if (most !== undefined) return keptByText(reading, (text: string) => text, most)
  return (text) => madeOnce(madeOf(text), kind, () => reading(text))
}

/** As `readOnce`, for a function of anything that `textOf` tells apart. */
export function keptByText<From, Reading>(
  read: (from: From) => Reading,
  textOf: (from: From) => string,
  most: number = MOST_CHARACTERS,
): (from: From) => Reading {
  const kept = keptTexts<Reading>(most)
  const kind = kinds
  kinds += 1
  return (from) => {
    const text = textOf(from)
    const isLong = text.length > most / 8
    return isLong ? madeOnce(madeOfLong(text), kind, () => read(from)) : kept.of(text, () => read(from))
  }
}

/** A text read with pauses is asked for when all of it is read, behind collections of garbage. */
const HELD_MS = 1000
let holding: NodeJS.Timeout | undefined

function holdLong(): void {
  clearTimeout(holding)
  const letGo = (_held: unknown): void => {
    holding = undefined
  }
  // What a timer is given lives as long as it.
  holding = setTimeout(letGo, HELD_MS, long.deref()).unref()
}

/** A reading in pieces, kept like any other. */
export interface ReadingInPieces<Reading> {
  /** The reading, made in one go where it is not kept. */
  (text: string): Reading
  /** Makes the reading with other work in between. */
  readonly patiently: (text: string) => Promise<Reading>
  /** As `patiently`, as pieces of longer work. */
  readonly pieces: (text: string) => Generator<void, Reading>
}

/** As `readOnce`, for a function that pauses between its pieces of a long text. */
export function readInPieces<Reading>(
  name: string,
  read: (text: string) => Generator<void, Reading>,
): ReadingInPieces<Reading> {
  const kind = kinds
  kinds += 1
  const pieces = function* (text: string): Generator<void, Reading> {
    const known = madeOf(text)[kind] as Reading | undefined
    if (known === undefined) watcher?.(name, text)
    const reading = known ?? (yield* read(text))
    // Looked up again, as memory may have been wanted meanwhile.
    madeOf(text)[kind] = reading
    if (text.length > LONGEST_SHORT) holdLong()
    return reading
  }
  const reading = (text: string): Reading => (madeOf(text)[kind] as Reading | undefined) ?? atOnce(pieces(text))
  return Object.assign(reading, { patiently: (text: string) => inPieces(pieces(text)), pieces })
}

/** Readings of one thing by name; each is made when it is first asked for, from the thing and the other readings, and kept. */
export function readParts<From, Parts extends object>(
  reads: {
    readonly [Name in keyof Parts]: (from: From, parts: Parts) => Parts[Name]
  },
): (from: From) => Parts {
  class Kept {
    readonly #from: From
    readonly #made: unknown[] = []

    constructor(from: From) {
      this.#from = from
    }

    static {
      for (const [at, name] of (Object.keys(reads) as (keyof Parts)[]).entries())
        Object.defineProperty(Kept.prototype, name, {
          get(this: Kept) {
            this.#made[at] ??= reads[name](this.#from, this as unknown as Parts)
            return this.#made[at]
          },
        })
    }
  }
  return (from) => new Kept(from) as unknown as Parts
}
