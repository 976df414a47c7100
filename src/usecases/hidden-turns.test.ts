/** What was not to be kept, was taken back or is buried comes to no model from another conversation; what was corrected is marked. */
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../doors/library/index.ts'

async function opened() {
  const memory = await openMemory({ path: ':memory:', userId: 'kim' })
  onTestFinished(() => memory.close())
  const say = async (conversationId: string, ...said: readonly string[]): Promise<void> => {
    await memory.conversations.store({
      conversationId,
      turns: said.map((content, at) => ({ role: at % 2 === 0 ? ('user' as const) : ('assistant' as const), content })),
    })
    await memory.idle()
  }
  const told = async (question: string): Promise<string> => {
    const { results } = await memory.recall(question, { tokenBudget: 900, conversationId: 'new' })
    return `${(await memory.context.build(question, { conversationId: 'new' })).text}\n${results.map(({ text }) => text).join('\n')}`
  }
  return { memory, say, told }
}

test.each([
  [['别记这个：我其实在考虑去创业', '好，你考虑创业的事我不记。'], '我最近在考虑什么？', '创业'],
  [
    ["Don't remember this: I'm thinking of quitting my job.", 'Nothing about quitting is kept.'],
    'What am I thinking of?',
    'quitting',
  ],
  [['My salary is 52k at Acme.', '52k, noted.', 'forget that', 'Done.'], 'What is my salary?', '52k'],
  [['我工资30k', '好的，30k。', '忘掉我刚才说的工资的事', '好的，30k不记了。'], '我工资多少？', '30k'],
  [
    ['my salary at Roundhay is 31k which makes it tight', '31k is tight.', 'forget the salary thing please', 'Done.'],
    'What is my salary at Roundhay?',
    '31k',
  ],
  [
    ["I'm seeing a therapist.", 'A therapist helps.', "that stays between us, don't store it", 'OK.'],
    'Whom am I seeing?',
    'therapist',
  ],
  [
    ['My mum Grace is in hospital.', 'Poor Grace.', 'please delete what I told you about my mum', 'Done.'],
    'How is my mum?',
    'Grace',
  ],
])('of %j nothing comes back, and the log keeps it', async (said, question, secret) => {
  const { memory, say, told } = await opened()
  for (let at = 0; at < said.length; at += 2) await say('chat', ...said.slice(at, at + 2))
  await say('other', 'The weather is fine today.', 'Enjoy it.')
  expect(await told(question)).not.toContain(secret)
  expect((await memory.getAll({ includePast: true })).items).toEqual([])
  expect((await memory.profile.get()).text).not.toContain(secret)
  expect(JSON.stringify((await memory.sessionSummaries.list()).items)).not.toContain(secret)
  expect(JSON.stringify(await memory.workingMemory.list())).not.toContain(secret)
  expect(JSON.stringify((await memory.conversations.turns('chat')).items)).toContain(secret)
})

test('an order to forget reaches what was told in another conversation and no look-alike reaches anything', async () => {
  const { say, told } = await opened()
  await say('first', 'My salary is 52k at Acme.', '52k, noted.')
  await say('second', 'I forgot my keys at the office again.', 'Oh no.')
  await say('second', "Don't forget to ask me for my salary.", 'I will.')
  expect(await told('What is my salary?')).toContain('52k')
  await say('third', 'forget my salary please', 'Your salary of 52k is forgotten.')
  expect(await told('What is my salary?')).not.toContain('52k')
  expect(await told('Where did I forget my keys?')).toContain('office')
})

test('what is buried takes the turns that tell it, and the answers to them, until it is taken out again', async () => {
  const { memory, say, told } = await opened()
  await say('chat', "Tom's sister Aoife lives in Otley.", 'Aoife in Otley, got it.')
  const { id } = (await memory.getAll()).items[0]!
  expect(await told('Who is Aoife?')).toContain('Otley')
  await memory.bury(id)
  expect(await told('Who is Aoife?')).not.toContain('Otley')
  await memory.unbury(id)
  expect(await told('Who is Aoife?')).toContain('Otley')
})

test('a title and a summary tell nothing of what was not to be kept', async () => {
  const { memory, say } = await opened()
  const talk = ['I am planting tulips in the garden.', 'Off the record, Zelda is pregnant.', 'The tulips get a fence.']
  for (const text of [...talk, ...talk]) await say('chat', text, 'All right.')
  const { items } = await memory.sessionSummaries.list()
  const summaries = await memory.conversations.summaries('chat')
  expect(JSON.stringify([items, summaries])).toContain('tulips')
  expect(JSON.stringify([items, summaries])).not.toContain('Zelda')
})

test('a turn is marked when a person has corrected its memory, and stays marked when what ended its memory is deleted', async () => {
  const { memory, say } = await opened()
  const marksOf = async (said: string): Promise<readonly string[] | undefined> =>
    (await memory.recall('Where do I live?')).results.find(({ text }) => text === said)!.marks
  const [older, newer] = ['I live in Porto.', 'I moved to Ghent.']
  await say('first', older, 'Noted.')
  await say('second', newer, 'Noted.')
  const { id } = (await memory.getAll()).items.find(({ text }) => text === newer)!
  expect(await marksOf(newer)).toBeUndefined()
  await memory.update(id, 'I moved to Bruges.')
  expect(await marksOf(newer)).toEqual([expect.stringMatching(/^corrected by the user on /)])
  const marks = await marksOf(older)
  expect(marks).toEqual([expect.stringMatching(/^no longer true since /)])
  await memory.delete(id)
  expect(await marksOf(older)).toEqual(marks)
})
