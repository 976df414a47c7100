/** The files that come with the package: word lists, tables, weights, migrations, the page. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { MnemeError } from '../domain/errors.ts'

/** Node finds a file by its own address; a relative one is searched as a package first, which takes milliseconds. */
const MANIFEST = findPackageJSON(import.meta.url) ?? 'package.json'

/** The place of a file of the package, by its folders and name. */
export function packageFile(...names: readonly string[]): string {
  return join(dirname(MANIFEST), ...names)
}

/** The version of this package. */
export function packageVersion(): string {
  return String(JSON.parse(readFileSync(MANIFEST, 'utf8')).version)
}

/** The text of a file in the folder `data`. Throws `not_found` when it is missing. */
export function dataText(...names: readonly string[]): string {
  try {
    return readFileSync(packageFile('data', ...names), 'utf8')
  } catch (cause) {
    throw unreadable(names, cause)
  }
}

/** The bytes of a file in the folder `data`. Rejects `not_found` when it is missing. */
export async function dataBytes(...names: readonly string[]): Promise<Uint8Array> {
  try {
    return await readFile(packageFile('data', ...names))
  } catch (cause) {
    throw unreadable(names, cause)
  }
}

function unreadable(names: readonly string[], cause: unknown): MnemeError {
  return new MnemeError('not_found', `${join('data', ...names)} cannot be read.`, {
    remedy: 'Install Mneme anew: its folder data is missing.',
    place: packageFile('data', ...names),
    cause,
  })
}
