/** How likely is something, by what speaks for it? Cues of a kind and a name, each with a weight learnt for its language. */
import { lazy } from '../../domain/scheduling.ts'
import { weightFile } from '../../language/word-lists.ts'

/** Takes a cue, its kind and name, with how much of it there is. */
export type TakeCue = (kind: string, name: string | number, value: number) => void

/** Weights by the kind and the name of their cues. */
type CueWeights = Readonly<Record<string, Readonly<Record<string, number>>>>

/** A file of `data/weights` that a trainer over `bench/training/cues.ts` writes. */
export interface CueFile {
  readonly english: CueWeights
  readonly chinese: CueWeights
}

/** The model of a file of `data/weights`: log-odds by the cues that are told. */
export function cueModel(file: string): (isChinese: boolean, tellCues: (tell: TakeCue) => void) => number {
  const weights = lazy(() => {
    const { english, chinese } = weightFile<CueFile>(file)
    const byName = (kinds: CueWeights): ReadonlyMap<string, ReadonlyMap<string, number>> =>
      new Map(Object.entries(kinds).map(([kind, names]) => [kind, new Map(Object.entries(names))]))
    return { english: byName(english), chinese: byName(chinese) }
  })
  return (isChinese, tellCues) => {
    const known = isChinese ? weights().chinese : weights().english
    let sum = 0
    tellCues((kind, name, value) => {
      sum += (known.get(kind)?.get(typeof name === 'number' ? String(name) : name) ?? 0) * value
    })
    return sum
  }
}
