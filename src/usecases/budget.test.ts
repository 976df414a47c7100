import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../domain/clock.ts'
import { openMemory } from '../doors/library/index.ts'

const LETTER = `Can you sum up what they wrote?
Dear Ms Okafor, thank you for choosing Fernhill Removals. Our crew of three will arrive between 7:30 and 8 in the morning.
Please have all boxes closed and labelled, and take pictures off the walls, as we cannot insure loose glass.
The keys of the new flat are kept at the bakery in Saddler Street 14, ask there for Mrs Lindqvist.
A lift of two metres is ordered for the wardrobe; the permit for the street costs 45 pounds and is in the bill.
If you have to cancel, do so five working days before, otherwise a third of the price is due.
With kind regards, the office of Fernhill Removals`

const CHAT: readonly (readonly [string, string])[] = [
  ['Morning! I have to pack all day.', 'Good luck with the boxes. Start with the books, they are heavy.'],
  [LETTER, 'They come early, want closed boxes, and a late cancellation costs a third.'],
  ['My back hurts already, and it is only ten.', 'Bend your knees and take a break every half hour.'],
  ['The tape ran out, of course.', 'A hardware shop or a supermarket will have some.'],
  ['搬家公司说冰箱要提前一天断电。', '对，断电以后把门开着晾干，免得有味道。'],
  ['Which songs go with packing?', 'Something with a steady beat: funk, or old soul records.'],
]
const EARLIER = [
  'My sister Ifeoma is coming to help, she arrives at Northgate station at 16:20.',
  'The cat goes to the Pawprint kennel while we move.',
  '宽带安装约在九号下午，师傅姓郝。',
  'I bought a blue sofa that is delivered on the twelfth.',
]
const PROFILE = `# About me
- I am Ada, I live in Ostrava and I write in English and Chinese.
- I work as a tuner of pianos, mostly for two theatres and a school of music.
- Answer in the language that I write in, and without an introduction.
- I walk with a stick since an accident, so tell me about stairs and long ways.
- My days off are Sundays and Mondays; on other days I read messages at noon and in the evening.
`
const SYSTEM = `You help people who move house. Be kind, be brief, and never promise a date or a price that is not in the papers.
Where the law differs between countries, say so and name the office that can help. Do not recommend single companies.
Amounts are in pounds unless said otherwise, lengths in metres; times are local. End with the next thing to do.
`
const ASKED: readonly (readonly [question: string, answer: string])[] = [
  ['Where are the keys of the new flat?', 'Saddler Street 14'],
  ['How much is the permit for the street?', '45 pounds'],
  ['When does my sister arrive?', '16:20'],
  ['Where does the cat go while we move?', 'Pawprint'],
  ['宽带什么时候安装？', '九号下午'],
]

test.each([3, 4, CHAT.length])(
  'a larger budget loses no answer that a smaller one showed: %i rounds',
  async (rounds) => {
    let now = Date.UTC(2026, 4, 4, 8)
    const memory = await openMemory({ path: ':memory:', userId: 'ada', clock: () => new Date(now) })
    onTestFinished(() => memory.close())
    await memory.profile.set({ text: PROFILE })
    for (const [at, content] of EARLIER.entries()) {
      await memory.conversations.store({ conversationId: `earlier-${at}`, turns: [{ role: 'user', content }] })
      now += DAY_MS
    }
    for (const [content, reply] of CHAT.slice(0, rounds)) {
      now += MINUTE_MS
      const turns = [{ role: 'user', content } as const, { role: 'assistant', content: reply } as const]
      await memory.conversations.store({ conversationId: 'moving', turns })
    }
    await memory.maintenance.think()
    for (const [question, answer] of ASKED) {
      const shown: number[] = []
      for (let tokenBudget = 300; tokenBudget <= 1500; tokenBudget += 25) {
        const { text, tokens } = await memory.context.build(question, {
          conversationId: 'moving',
          system: SYSTEM,
          tokenBudget,
        })
        expect(tokens, `${question} ${tokenBudget}`).toBeLessThanOrEqual(tokenBudget)
        if (text.includes(answer)) shown.push(tokenBudget)
        else expect(shown, `${question} ${tokenBudget}`).toEqual([])
      }
      expect(shown[0], question).toBeLessThanOrEqual(700)
    }
  },
)
