/** The campaigns in short: CI runs them as anybody can by `npm run campaign`, and they may find nothing. */
import { expect, test } from 'vitest'
import { type Campaign, isBroken } from '../bench/campaigns/campaign.ts'

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
