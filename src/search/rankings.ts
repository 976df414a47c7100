/** How much does each feature count, in which ranking? Meanings and weights stand in `data/rankings.json`. */
import { dataText } from '../language/package-file.ts'

/** The file as it is. */
export const rankings = JSON.parse(dataText('rankings.json'))

/** The weights of a ranking that has one set of them, by feature. */
export function weightsOf<Feature extends string>(ranking: string): Readonly<Record<Feature, number>> {
  const features = Object.entries<{ readonly weight: number }>(rankings[ranking])
  return Object.fromEntries(features.map(([name, { weight }]) => [name, weight])) as Record<Feature, number>
}
