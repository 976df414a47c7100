import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../domain/clock.ts'
import { type OpenMemory, openMemory } from '../doors/library/index.ts'

const MARCH = Date.UTC(2026, 2, 2, 9)

/** A memory to which these were said, a day apart, each thought about on its day. */
async function told(...contents: readonly string[]): Promise<{ memory: OpenMemory; dayOf: (at: number) => string }> {
  let now = MARCH
  const memory = await openMemory({ path: ':memory:', userId: 'ana', clock: () => new Date(now) })
  onTestFinished(() => memory.close())
  for (const [at, content] of contents.entries()) {
    now = MARCH + at * DAY_MS
    await memory.conversations.store({ conversationId: 'talk', turns: [{ role: 'user', content }] })
    await memory.idle()
  }
  return { memory, dayOf: (at) => new Date(MARCH + at * DAY_MS).toISOString() }
}

const BUDGET = 'My budget for the kitchen is £9,000.'
const ROOF = ['Our roofer is called Bob.', BUDGET, 'The kitchen budget is now £11,500.'] as const
const OLD_BUDGET = 'no longer true since 2026-03-04'

test('a turn that is shown is marked whether or not the question asks for what it tells', async () => {
  const { memory } = await told(...ROOF)
  for (const question of ['What is the kitchen budget?', 'Who is our roofer?', '谁修屋顶？']) {
    const { text } = await memory.context.build(question)
    if (text.includes(BUDGET)) expect(text, question).toContain(`- user [${OLD_BUDGET}]: ${BUDGET}`)
  }
  expect((await memory.context.build('Who is our roofer?')).text).toContain(BUDGET)
})

test('a turn is marked as corrected whether or not the question asks for what it tells, and not before', async () => {
  const { memory, dayOf } = await told(...ROOF.slice(0, 2), 'The kettle is blue.')
  const { id } = (await memory.getAll()).items.find(({ text }) => text === BUDGET)!
  await memory.update(id, 'My budget for the kitchen is £9,900.')
  for (const question of ['What is the kitchen budget?', 'Who is our roofer?'])
    expect((await memory.context.build(question)).text).toContain(
      `- user [corrected by the user on 2026-03-04]: ${BUDGET}`,
    )
  expect((await memory.context.build('Who is our roofer?', { asOf: dayOf(1) })).text).toContain(`- user: ${BUDGET}`)
})

test('a recall says of a turn what a context says of it, and of which memories', async () => {
  const { memory } = await told(...ROOF)
  const question = 'Who is our roofer?'
  const answers = [(await memory.recall(question)).results, (await memory.context.build(question)).recalled]
  for (const results of answers) {
    const { marks, outdated, tells } = results.find(({ text }) => text === BUDGET)!
    expect(marks).toEqual([OLD_BUDGET])
    expect(outdated).toMatchObject([{ id: tells![0], text: BUDGET, validTo: expect.stringMatching(/^2026-03-04/) }])
    expect(results.find(({ text }) => text === ROOF[0])).not.toHaveProperty('marks')
  }
})

test.each([
  ['another figure', 'What is the kitchen budget?', BUDGET, ROOF[2]],
  [
    'a doubt',
    'Where does Rosa teach?',
    'Rosa and I teach at the lycée, and we share a flat in Namur.',
    'The lycée is closed for good, Rosa and I lost our jobs there.',
  ],
  ['an end', 'Where do I live?', 'I live in Porto.', 'I moved to Ghent.'],
])('before %s was told, nothing knows of it', async (_, question, said, later) => {
  const { memory, dayOf } = await told(said, 'I take the train to work.', later)
  const then = dayOf(1)
  expect((await memory.context.build(question, { asOf: then })).text).toContain(`- user: ${said}`)
  const [turn] = (await memory.recall(question, { asOf: then })).results.filter(({ text }) => text === said)
  expect(turn).not.toHaveProperty('marks')
  const [before] = (await memory.getAll({ asOf: then })).items.filter(({ text }) => text === said)
  expect(before).toMatchObject({ validTo: null, supersededBy: null, suspect: null })
  const [since] = (await memory.getAll({ includePast: true })).items.filter(({ text }) => text === said)
  expect(since!.validTo ?? since!.suspect).not.toBeNull()
})

test('what is told later of the time before is in no context of that time', async () => {
  const { memory, dayOf } = await told('I live in Porto.', 'I take the train to work.', 'I moved to Ghent in February.')
  expect((await memory.context.build('Where do I live?')).text).toContain('Ghent')
  const before = await memory.context.build('Where do I live?', { asOf: dayOf(1) })
  expect(before.text).toContain('- user: I live in Porto.')
  expect(before.text).not.toContain('Ghent')
})

test('a wish that changes takes nothing with it that was told beside it', async () => {
  const { memory } = await told(
    "please keep your answers short, like two lines each. oh and I'm allergic to shellfish",
    'longer answers are fine from now on',
  )
  const { text } = await memory.profile.get()
  expect(text).toContain("I'm allergic to shellfish")
  expect(text).toContain('longer answers are fine')
  expect(text).not.toContain('short')
  const allergy = (await memory.getAll()).items.find(({ key }) => key === 'allergy')
  expect(allergy).toMatchObject({ validTo: null, suspect: null })
})

test('a small budget shows the name, whatever was told since', async () => {
  const { memory } = await told(
    '我叫周牧。',
    '我在西安的一家小型地图公司做测试工程师。',
    '我老婆叫方晴，在中学教地理。',
    '我大学是在兰州读的。',
    '我住在雁塔区的老房子里。',
  )
  const { text, omitted } = await memory.context.build('帮我写一段自我介绍', { tokenBudget: 900 })
  expect(omitted.some(({ what }) => what.includes('profile'))).toBe(true)
  expect(text.slice(0, text.indexOf('</recalled-memory>'))).toContain('我叫周牧')
})
