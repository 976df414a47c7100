/** Thinking about what was said, beside what is known, reads no text twice (its sentences, words, clauses, facts …). */
import { expect, test } from 'vitest'
import { watchReadings } from '../src/domain/read-once.ts'
import { openMemory } from '../src/doors/library/index.ts'

const SAID = [
  'We moved to Ghent in March, and my sister Ada runs a bakery there. I take the tram to work.',
  '我们三月搬到了苏州，我妹妹在那边开面包店。我每天坐地铁上班。',
]

const IN_A_ROUND = [
  'My brother Leo moved to Antwerp in June and paints boats there. I visit him by train.',
  '我弟弟六月搬去了扬州，在那边画船。我坐火车去看他。',
]
const READINGS = ['sentences', 'words', 'clauses', 'facts', 'topics', 'stance', 'own words', 'features']

async function withKnown() {
  const memory = await openMemory({ path: ':memory:' })
  for (const text of ['I live in Bruges with my sister Ada.', '我住在无锡，妹妹也在无锡。', 'I cycle to work.'])
    await memory.add(text, { userId: 'ana' })
  return memory
}

/** Does the work, and expects that it makes every kind of reading, and none of the same text twice. */
async function expectReadOnce(work: () => Promise<unknown>) {
  const made = new Map<string, number>()
  const stop = watchReadings((name, read) => made.set(`${name}: ${read}`, (made.get(`${name}: ${read}`) ?? 0) + 1))
  await work()
  stop()
  expect([...made].filter(([, times]) => times > 1)).toEqual([])
  for (const name of READINGS) expect([...made.keys()].some((reading) => reading.startsWith(`${name}: `))).toBe(true)
}

test('no text is read twice in one call', async () => {
  const memory = await withKnown()
  for (const text of SAID) await expectReadOnce(() => memory.add(text, { userId: 'ana' }))
  await memory.close()
})

test('no text is read twice when a round of a conversation is thought about', async () => {
  const memory = await withKnown()
  for (const [at, content] of IN_A_ROUND.entries()) {
    const turns = [
      { role: 'assistant' as const, content: 'What is new with you?' },
      { role: 'user' as const, content },
    ]
    await expectReadOnce(async () => {
      await memory.conversations.store({ userId: 'ana', conversationId: `c${at}`, turns })
      await memory.idle()
    })
  }
  await memory.close()
})
