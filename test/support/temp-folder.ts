/** Before all tests: one temporary folder for the whole run, which goes with everything that tests and their processes leave in it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string | undefined

export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'mneme-run-'))
  // Some tests run a process as another user.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
