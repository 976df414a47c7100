import { expect, test } from 'vitest'
import { subjectsOf } from '../../domain/memory.ts'
import { thinkByRules } from './think-by-rules.ts'

function thoughtsOf(content: string, heard = '') {
  const [answer, message] = (['assistant', 'user'] as const).map((role) => ({
    ...{ role, content: role === 'user' ? content : heard },
    ...{ speaker: null, turnId: null, createdAt: 0 },
  }))
  const earlier = heard === '' ? [] : [answer!]
  const input = { userId: 'ann', conversationId: null, messages: [message!], earlier, injected: [], now: 0 }
  return thinkByRules({ ...input, maxCharacters: 500 }, false)
}

async function draftFrom(content: string) {
  return (await thoughtsOf(content)).drafts[0]
}

test('what is over gives its attribute no value', async () => {
  const { key, value } = (await draftFrom("I don't work for Kettle Farm any more."))!.memory
  expect({ key, value }).toEqual({ key: 'employer', value: null })
})

test('tags name the facts of a memory, and what its words only touch on is no tag', async () => {
  const content = 'Before I met Dan I rented a flat in Peckham with mushrooms growing in the shower.'
  const draft = await draftFrom(content)
  expect(draft!.memory.tags).not.toContain('diet')
  expect(subjectsOf(draft!.memory)).toContain('home')
})

test('a taste in a passing message is a line only where it surely lasts, and then a memory says it', async () => {
  const sure = await thoughtsOf(
    "Absolutely love a good game! I'm a fan of quick sets.",
    'I enjoy blocking and quick sets.',
  )
  expect(sure.drafts.map(({ memory, lines }) => [memory.text, lines])).toEqual([
    ["I'm a fan of quick sets.", [{ section: 'background', text: "I'm a fan of quick sets." }]],
  ])
  const heard = 'Look at the vase, its colour and its texture.'
  const unsure = await thoughtsOf('Wow, that looks amazing! I love the colour and texture.', heard)
  expect([...unsure.drafts, ...unsure.profile]).toEqual([])
  expect(unsure.rejected.map(({ reason }) => reason)).toEqual(['chitchat'])
})

test.each(['\n', '\n\n', '\r\n', '\\n', '\n    '])(
  'no piece of a private key becomes a memory, lines parted by %j',
  async (gap) => {
    const lines = Array.from({ length: 60 }, (_, at) => `Qk${'aR7mZx0LpT9wYd3h'.repeat(3)}${at + 100}+/Vb`)
    const key = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----'].join(gap)
    const { drafts, profile } = await thoughtsOf(
      `I moved to Ghent in May. My deploy key of the Kiln project is:\n${key}\nI live with my sister Ida.`,
    )
    expect(drafts.map(({ memory }) => memory.text).join()).toContain('Ghent')
    expect(JSON.stringify([drafts, profile])).not.toContain('aR7mZx0LpT9wYd3h')
  },
)
