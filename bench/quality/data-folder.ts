/** Where are the data sets? Benches read them in place and never copy them. */
import { existsSync } from 'node:fs'

/** The path, when it is there; throws with what to do when it is not. */
export function requireData(path: string): string {
  if (!existsSync(path)) throw new Error(`${path} is not there: name the folder of the data sets with --data DIR`)
  return path
}
