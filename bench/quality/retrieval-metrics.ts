/** How good is a ranked list? Measures of one question, and their means over many. */

/** Measures of one question at the depths 5, 10 and 50. */
export interface Measures {
  /** Share of the gold turns among the first k. */
  readonly recall: readonly [number, number, number]
  /** 1 when at least one gold turn is among the first k. */
  readonly any: readonly [number, number, number]
  /** 1 when all gold turns are among the first k. */
  readonly all: readonly [number, number, number]
  /** 1 ÷ place of the first gold turn; 0 when none was returned. */
  readonly reciprocalRank: number
}

/** Depths of the measures. */
export const DEPTHS = [5, 10, 50] as const

/** Measures a ranked list of turn positions against the gold positions. */
export function measure(ranked: readonly number[], gold: readonly number[]): Measures {
  const places = gold.map((one) => ranked.indexOf(one)).filter((place) => place >= 0)
  const found = DEPTHS.map((depth) => places.filter((place) => place < depth).length)
  const by = (value: (count: number) => number): [number, number, number] => [
    value(found[0]!),
    value(found[1]!),
    value(found[2]!),
  ]
  return {
    recall: by((count) => count / gold.length),
    any: by((count) => (count > 0 ? 1 : 0)),
    all: by((count) => (count === gold.length ? 1 : 0)),
    reciprocalRank: places.length === 0 ? 0 : 1 / (Math.min(...places) + 1),
  }
}

/** Named means in per cent, rounded to a tenth; MRR in per cent as well. */
export function means(measures: readonly Measures[]): readonly (readonly [name: string, value: number])[] {
  const mean = (pick: (one: Measures) => number): number =>
    Math.round((1000 * measures.reduce((sum, one) => sum + pick(one), 0)) / Math.max(1, measures.length)) / 10
  const rows: (readonly [string, number])[] = []
  for (const name of ['recall', 'any', 'all'] as const) {
    for (const [index, depth] of DEPTHS.entries()) rows.push([`${name}@${depth}`, mean((one) => one[name][index]!)])
  }
  rows.push(['mrr', mean((one) => one.reciprocalRank)])
  return rows
}
