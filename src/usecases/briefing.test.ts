import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../doors/library/index.ts'

const HOUR = 3_600_000

/** A memory whose clock runs eight hours with every message. */
async function rig() {
  let now = Date.UTC(2026, 8, 1, 9)
  const memory = await openMemory({ path: ':memory:', userId: 'lena', clock: () => new Date(now) })
  onTestFinished(() => memory.close())
  return {
    say: async (projectRoot: string, ...contents: readonly string[]) => {
      for (const content of contents) {
        now += 8 * HOUR
        const conversationId = `${projectRoot}-${Math.floor(now / (48 * HOUR))}`
        await memory.conversations.store({ conversationId, projectRoot, turns: [{ role: 'user', content }] })
      }
      await memory.idle()
    },
    begun: async (projectRoot?: string) => (await memory.context.briefing({ projectRoot })).text,
    memory,
  }
}

test('rules, orders and conventions of a project are told at a start, whatever their age', async () => {
  const { say, begun } = await rig()
  const rules = [
    'Amounts are kept in cents, never as floats.',
    'Remember: the staging database is read-only.',
    'We use pnpm in this repo.',
    '合并前必须跑一遍 lint。',
  ]
  const modules = 'cart checkout invoice refund coupon shipping catalog search review login email pdf tax'.split(' ')
  const facts = modules.flatMap((name) => [
    `The ${name} module lives in src/${name} and belongs to team ${name[0]}.`,
    `The flaky ${name} test was caused by a race in ${name}Worker, fixed with a mutex.`,
    `The ${name} endpoint is cached for ${name.length} seconds at the CDN.`,
    `The ${name} page loads in ${name.length} seconds on a slow line.`,
  ])
  await say('/shop', ...rules, ...facts)
  const told = await begun('/shop')
  for (const words of ['cents', 'read-only', 'pnpm', '合并前必须跑']) expect(told).toContain(words)
  const rank = (words: string) => told.indexOf(words)
  expect(rank('read-only')).toBeLessThan(rank('endpoint is cached'))
  expect(await begun('/blog')).not.toMatch(/cents|pnpm|lint/)
})

test('wishes of the user without a line in the profile are told everywhere, those about files in their project', async () => {
  const { say, begun, memory } = await rig()
  await say('/blog', '文章用中文写，代码注释用英文。')
  await memory.add('Ask me before you delete a branch.', { infer: false, category: 'preference' })
  expect(await begun('/blog')).toContain('文章用中文写')
  for (const place of ['/blog', '/shop', undefined]) expect(await begun(place)).toContain('delete a branch')
  expect(await begun('/shop')).not.toContain('文章用中文写')
})

test('a decision that names a month to come is dated when it was told, an appointment by its day', async () => {
  const { say, begun } = await rig()
  await say('/shop', 'We decided to keep Redis, we scale to three machines in December.')
  await say('/shop', 'The customer demo is on December 20.')
  await say('/shop', 'The theme is dark.', 'The logo is a kite.', 'The font is Inter.', 'The accent colour is red.')
  const told = await begun('/shop')
  expect(told).toMatch(/\[2026-09-01\] We decided to keep Redis/)
  expect(told).toMatch(/\[2026-12-20\] The customer demo/)
})

test('a muted conversation is told in no start: neither what it left, nor how it ended', async () => {
  const { memory, begun } = await rig()
  const turns = [{ role: 'user' as const, content: 'Always answer in Welsh. Never touch the migrations folder.' }]
  await memory.conversations.store({ conversationId: 'quiet', projectRoot: '/shop', turns })
  await memory.idle()
  expect(await begun('/shop')).toMatch(/Welsh.*migrations/s)
  await memory.conversations.mute('quiet')
  expect(await begun('/shop')).toBe('')
})
