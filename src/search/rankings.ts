/** How much does each feature count, in which ranking? Meanings and weights stand in `data/rankings.json`. */
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

// Sources and built files lie in different depths below the package.
const FILE = join(dirname(findPackageJSON('.', import.meta.url) ?? '.'), 'data', 'rankings.json')

/** The file as it is. */
export const rankings = JSON.parse(readFileSync(FILE, 'utf8'))

/** The weights of a ranking that has one set of them, by feature. */
export function weightsOf<Feature extends string>(ranking: string): Readonly<Record<Feature, number>> {
  const features = Object.entries<{ readonly weight: number }>(rankings[ranking])
  return Object.fromEntries(features.map(([name, { weight }]) => [name, weight])) as Record<Feature, number>
}
