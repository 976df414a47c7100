/** Thinking about what was said, beside what is known, reads no text twice (its sentences, words, clauses, facts …). */
import { expect, test } from 'vitest'
import { watchReadings } from '../src/domain/read-once.ts'
import { openMemory } from '../src/interfaces/library/index.ts'

const SAID = [
  'We moved to Ghent in March, and my sister Ada runs a bakery there. I take the tram to work.',
  '我们三月搬到了苏州，我妹妹在那边开面包店。我每天坐地铁上班。',
]

test('no text is read twice in one call', async () => {
  const memory = await openMemory({ path: ':memory:' })
  for (const text of ['I live in Bruges with my sister Ada.', '我住在无锡，妹妹也在无锡。', 'I cycle to work.'])
    await memory.add(text, { userId: 'ana' })
  for (const text of SAID) {
    const made = new Map<string, number>()
    const stop = watchReadings((name, read) => made.set(`${name}: ${read}`, (made.get(`${name}: ${read}`) ?? 0) + 1))
    await memory.add(text, { userId: 'ana' })
    stop()
    expect([...made].filter(([, times]) => times > 1)).toEqual([])
    for (const name of ['sentences', 'words', 'clauses', 'facts', 'topics', 'stance'])
      expect([...made.keys()].some((reading) => reading.startsWith(`${name}: `))).toBe(true)
  }
  await memory.close()
})
