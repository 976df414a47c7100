/**
 * Before the tests of the doors: bundles the command line as the package has it, since from its sources it starts twice
 * as slowly. Every run has its own files.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { program } from '../../rolldown.config.ts'

// Three folders below the package, as in the package itself.
const FOLDER = fileURLToPath(new URL(`../../.bundled/${process.pid}`, import.meta.url))

export async function setup(): Promise<void> {
  await build({ ...program, logLevel: 'silent', output: { ...program.output, dir: FOLDER } })
  process.env.MNEME_BUNDLED_CLI = `${FOLDER}/cli/main.cjs`
  // Each start after the first finds it compiled.
  process.env.NODE_COMPILE_CACHE = `${FOLDER}/compiled`
}

export function teardown(): void {
  rmSync(FOLDER, { recursive: true, force: true })
}
