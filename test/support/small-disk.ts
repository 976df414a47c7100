/** A disk of its own for a test, to be filled or made read-only. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freshFolder } from './folder.ts'

/** A file system of a few megabytes that goes away with the test; null where mounting is not permitted. */
export function smallDisk(megabytes: number): string | null {
  const folder = join(freshFolder(), 'disk')
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
  })
  return folder
}
