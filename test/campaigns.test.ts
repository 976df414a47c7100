/** The campaigns that are short: CI runs them as anybody can by `npm run campaign`, and they may find nothing. */
import { expect, test } from 'vitest'
import { isBroken } from '../bench/campaigns/campaign.ts'
import { run as quoting } from '../bench/campaigns/quoting.ts'
import { run as secrets } from '../bench/campaigns/secrets.ts'
import { run as starvation } from '../bench/campaigns/starvation.ts'

test.each([
  ['quoting', quoting, 7],
  ['secrets', secrets, 2],
  ['secrets', secrets, 5],
  ['secrets', secrets, 7],
  ['starvation', starvation, 7],
])('%s', async (_, run, seed) => {
  const findings = await run({ seconds: 5, seed, only: null })
  expect(findings.length).toBeGreaterThan(1)
  // Times are left to those who run it by hand.
  const broken = findings.filter(({ unit }) => unit === '').filter(isBroken)
  expect(broken.map(({ tried, detail }) => `${tried}: ${detail}`)).toEqual([])
})
