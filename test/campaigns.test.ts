/** The campaigns in short: CI runs them as anybody can by `npm run campaign`, and they may find nothing. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Campaign, isBroken } from '../bench/campaigns/campaign.ts'
import { certain, exponentOf, MOST_EXPONENT, run as textCost } from '../bench/campaigns/text-cost.ts'

test.each([
  ['quoting', 7],
  ['secrets', 2],
  ['secrets', 5],
  ['secrets', 7],
  ['starvation', 7],
  ['crash', 1],
  ['lost-fsync', 1],
  ['disk', 1],
  ['memory', 1],
  ['users', 1],
  ['clock', 3],
  ['erase', 1],
  ['long-run', 1],
  ['upgrade', 1],
])('%s', async (name, seed) => {
  const { run }: { run: Campaign } = await import(`../bench/campaigns/${name}.ts`)
  const findings = await run({ seconds: 2, seed, only: null })
  expect(findings.length).toBeGreaterThan(0)
  // Times, and growth while it warms up, are left to those who run it by hand.
  const broken = findings.filter(({ unit }) => unit === '').filter(isBroken)
  expect(broken.map(({ tried, detail }) => `${tried}: ${detail}`)).toEqual([])
})

test.each([
  [['toString'], 'Name one campaign: text-cost,'],
  [['__proto__'], 'Name one campaign: text-cost,'],
  [['quoting', 'secrets'], 'Name one campaign: text-cost,'],
  [['quoting', '--seconds', 'abc'], '--seconds: "abc" is no whole number'],
  [['quoting', '--seconds=-5'], '--seconds: "-5" is no whole number'],
  [['quoting', '--seed', 'xyz'], '--seed: "xyz" is no whole number'],
  [['quoting', '--sceonds', '3'], "Unknown option '--sceonds'"],
  [['quoting', '--only', 'tokens'], '--only: no part is called "tokens"; there are: none'],
  [['crash', '--only', 'nosuch', '--seconds=0'], '--only: no part is called "nosuch"; there are: store, rest'],
])('a campaign asked for as %j is refused in one line', (words, reason) => {
  const run = fileURLToPath(new URL('../bench/campaigns/run.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [run, ...words], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(reason)
  expect(stderr).not.toMatch(/^ {4}at /m)
})

test('the folder of a measured database goes with the process', () => {
  const program = `import { freshPath } from '${new URL('../bench/speed/fill.ts', import.meta.url).href}'
    process.stdout.write(freshPath())`
  const path = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect([path, existsSync(dirname(path))]).toEqual([expect.stringContaining('mneme-bench-'), false])
})

test('text-cost is broken where it tried nothing of the name that was asked for', async () => {
  const broken = (await textCost({ seconds: 0, seed: 1, only: 'no such name' })).filter(isBroken)
  expect(broken.map(({ tried }) => tried)).toEqual(['rules and doors: nothing tried'])
})

test('text-cost finds what grows faster than its text or holds, and takes no slow moment for it', async () => {
  const lengths = [4096, 131_072, 1_048_576]
  let moments = 0
  const readers: Record<string, (length: number) => { readonly ms: number; readonly held: number }> = {
    linear: (length) => ({ ms: length / 2000, held: 20 }),
    squared: (length) => ({ ms: 20 + (length / 30_000) ** 2, held: 20 }),
    holding: (length) => ({ ms: length / 2000, held: length / 8000 }),
    // The collector of garbage comes once, at the longest text.
    disturbed: (length) => {
      moments += length === lengths.at(-1) ? 1 : 0
      return moments === 1 ? { ms: 3 * (length / 2000), held: 400 } : { ms: length / 2000, held: 20 }
    },
  }
  const measured = await certain(
    lengths,
    async (length) => new Map(Object.entries(readers).map(([name, read]) => [name, read(length)])),
    10_000,
  )
  const steep = [...measured].filter(([, { times }]) => exponentOf(times) > MOST_EXPONENT).map(([name]) => name)
  const held = [...measured].filter(([, { held = 0 }]) => held > 100).map(([name]) => name)
  expect([steep, held]).toEqual([['squared'], ['holding']])
})
