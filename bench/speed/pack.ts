/** What does a user install? `npm pack`, installed into an empty folder: seconds and size. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchOptions, Figure } from '../figure.ts'

/** Needs a build (`npm run build`) and npm's registry. */
export async function run(_: BenchOptions): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-pack-'))
  const npm = (words: readonly string[], cwd: string): string =>
    execFileSync('npm', [...words, '--no-audit', '--no-fund'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const root = new URL('../../', import.meta.url).pathname
  const tarball = npm(['pack', '--pack-destination', folder, '--silent'], root).trim().split('\n').at(-1)!
  const packed = statSync(join(folder, tarball)).size
  npm(['init', '-y'], folder)
  const started = performance.now()
  npm(['install', join(folder, tarball)], folder)
  const seconds = (performance.now() - started) / 1000
  const bytes = sizeOf(join(folder, 'node_modules'))
  rmSync(folder, { recursive: true })
  const figure = (name: string, value: number, unit: string): Figure => ({
    bench: 'pack',
    figure: name,
    value,
    unit,
    n: 1,
  })
  return [
    figure('install into an empty folder', seconds, 's'),
    figure('node_modules', bytes / 1e6, 'MB'),
    figure('the packed file', packed / 1e6, 'MB'),
  ]
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
