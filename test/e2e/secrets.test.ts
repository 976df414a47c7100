/** Secrets (design §9): stored whole, masked wherever they would be read by accident, whole again for whoever names them. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'
import { byPhrase, openThinking, THINKERS } from '../support/thinking-memory.ts'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

const KEY = `sk-${'aB3dE6gH'.repeat(5)}`
const MASK = 'sk-…(masked, 43 characters)'
const TALK = [
  { role: 'user', content: `Remember this: my ferry API key is ${KEY}, and the wifi password: Kiwi-7788.` },
  { role: 'assistant', content: '好的。顺便说一句，你的数据库密码：mango2024，对吗？' },
] as const
/** A piece of each secret. */
const BARE = /aB3dE6gH|Kiwi-7788|mango2024/

async function filled() {
  const log: unknown[] = []
  const keep = (...line: unknown[]): void => {
    log.push(line)
  }
  const memory = await openMemory({
    path: freshDatabase(),
    userId: 'lin',
    logger: { debug: keep, info: keep, warn: keep, error: keep },
  })
  await memory.conversations.store({ conversationId: 'c1', turns: [...TALK] })
  await memory.idle()
  const { results } = await memory.add(`The key of the ferry is ${KEY}`, {
    infer: false,
    key: 'ferry_api_key',
    value: KEY,
    metadata: { db_password: 'mango2024' },
  })
  return { memory, log, id: results[0]!.id }
}

test('whatever lists, searches or builds a context masks secrets, and reveals them when it is asked to', async () => {
  const { memory, log } = await filled()
  const revealed = { revealSecrets: true } as const
  const looks = [
    (input?: typeof revealed) => memory.getAll(input),
    (input?: typeof revealed) => memory.search('ferry key', input),
    (input?: typeof revealed) => memory.conversations.turns('c1', input),
    (input?: typeof revealed) => memory.conversations.recall('ferry API key', input),
    (input?: typeof revealed) => memory.context.build('What is my ferry API key?', { conversationId: 'c1', ...input }),
  ]
  for (const look of looks) {
    const masked = JSON.stringify(await look())
    expect(masked).not.toMatch(BARE)
    expect(masked).toContain('…(masked, ')
    expect(JSON.stringify(await look(revealed))).toMatch(BARE)
  }
  expect(JSON.stringify(log)).not.toMatch(BARE)
  // A title is made without the secrets, so there is nothing to reveal.
  expect(JSON.stringify(await memory.sessionSummaries.list(revealed))).not.toMatch(BARE)
  await expect(memory.getAll({ revealSecrets: 'yes' as never })).rejects.toThrow(/revealSecrets/)
  await memory.close()
})

test('a secret that is said again without its name is masked with it, and is in no text that is made', async () => {
  const memory = await openMemory({ path: freshDatabase(), userId: 'lin' })
  const said = [
    '路由器的管理员密码是Panda7731bamboo，门禁码是558213',
    '昨天我又用Panda7731bamboo登录了一次，一切正常',
    '558213 别写到公告里',
  ]
  for (const content of said) {
    const turns = [
      { role: 'user', content },
      { role: 'assistant', content: '好的' },
    ] as const
    await memory.conversations.store({ conversationId: 'c1', turns: [...turns] })
    await memory.idle()
  }
  await memory.conversations.summarize('c1', { fromTurn: 1, toTurn: 6 })
  let exported = ''
  for await (const piece of memory.conversations.export()) exported += piece
  const looks = [
    memory.conversations.turns('c1'),
    memory.conversations.list(),
    memory.sessionSummaries.list(),
    memory.workingMemory.list(),
    memory.getAll(),
    memory.search('昨天登录'),
    memory.context.build('昨天登录了吗？', { conversationId: 'c1' }),
  ]
  for (const look of [exported, ...(await Promise.all(looks))])
    expect(JSON.stringify(look)).not.toMatch(/Panda7731bamboo|558213/)
  await memory.close()
})

test.each([
  ['assistant', 'Which password opens the travel blog?', 'marmotHill6'],
  ['user', 'Remind me, what is the PIN of my savings card?', '5093'],
  ['user', 'What is the passcode of the tablet?', 'You told me it is 614098.'],
  ['assistant', '请问门禁码是多少？', '是 730516'],
] as const)(
  'a secret that answers the %s (%s) is shown by no list, context, summary, briefing or export',
  async (role, asked, told) => {
    const memory = await openMemory({ path: freshDatabase(), userId: 'lin' })
    const secret = told.match(/[a-zA-Z]*\d+/)![0]
    const answerer = role === 'user' ? 'assistant' : 'user'
    // One by one, as a chat stores them.
    for (const turn of [
      { role, content: asked },
      { role: answerer, content: told },
      { role: 'user', content: 'Fine.' },
    ] as const)
      await memory.conversations.store({ conversationId: 'c1', turns: [turn] })
    await memory.add([
      { role, content: asked },
      { role: answerer, content: told },
    ])
    await memory.idle()
    let exported = ''
    for await (const piece of memory.conversations.export()) exported += piece
    const looks = [
      await memory.conversations.turns('c1', { fromTurn: 2 }),
      await memory.conversations.recall(told.replace(secret, 'told')),
      await memory.context.build('Go on.', { conversationId: 'c1' }),
      await memory.conversations.summarize('c1', { fromTurn: 1, toTurn: 2 }),
      await memory.sessionSummaries.list(),
      await memory.context.briefing(),
      await memory.getAll(),
      exported,
    ]
    expect(looks.map((look) => JSON.stringify(look).includes(secret))).toEqual(looks.map(() => false))
    expect(JSON.stringify(looks[0])).toContain('…(masked, ')
    const revealed = await memory.conversations.turns('c1', { revealSecrets: true })
    expect(revealed.items[1]!.content).toBe(told)
    await memory.close()
  },
)

test('one memory or one turn that is asked for by its name is shown as it is', async () => {
  const { memory, id } = await filled()
  expect(await memory.get(id)).toMatchObject({ value: KEY, metadata: { db_password: 'mango2024' } })
  expect((await memory.history(id)).length).toBeGreaterThan(0)
  const { items } = await memory.conversations.turns('c1', { fromTurn: 1, toTurn: 1 })
  expect(items.map(({ content }) => content)).toEqual([TALK[0].content])
  await memory.close()
})

test('an export counts what it masks; with secrets it is a backup that restores them', async () => {
  const { memory, id } = await filled()
  const exported = async (withSecrets: boolean): Promise<{ text: string; masked: number }> => {
    let masked = -1
    let text = ''
    const onMasked = (count: number): void => {
      masked = count
    }
    for await (const piece of memory.conversations.export({ withSecrets, onMasked })) text += piece
    return { text, masked }
  }
  const shown = await exported(false)
  expect(shown.text).not.toMatch(BARE)
  expect(shown.masked).toBeGreaterThanOrEqual(6)
  expect(shown.text).toContain(`"secrets_masked":${shown.masked}`)
  const whole = await exported(true)
  expect(whole.masked).toBe(0)
  expect(whole.text).not.toContain('masked')
  const other = await openMemory({ path: freshDatabase(), userId: 'lin' })
  const bytes = async function* (text: string) {
    yield Buffer.from(text)
  }
  expect(await other.conversations.import(bytes(whole.text))).toMatchObject({ refused: [] })
  expect(await other.get(id)).toMatchObject({ value: KEY })
  const masked = await openMemory({ path: freshDatabase(), userId: 'lin' })
  expect(await masked.conversations.import(bytes(shown.text))).toMatchObject({ refused: [], turnsAdded: 2 })
  expect(await masked.get(id)).toMatchObject({ value: MASK })
  // Records here are equal behind the masks: they stay whole, and nothing is refused.
  expect(await memory.conversations.import(bytes(shown.text))).toMatchObject({ refused: [], turnsExisting: 2 })
  expect(await memory.get(id)).toMatchObject({ value: KEY })
  for (const one of [memory, other, masked]) await one.close()
})

test.each(THINKERS)(
  'with %s a secret that was to be remembered is stored whole, and no prompt holds it',
  async (thinker) => {
    const reply = {
      records: [{ text: `The ferry API key of the user is ${MASK}.`, importance: 3 }],
      items: [{ category: 'fact', key: 'ferry_api_key', value: MASK, source: 'user_stated', confidence: 0.95 }],
    }
    const { memory, requests } = await openThinking(thinker, { script: byPhrase({ ferry: reply }) })
    await memory.conversations.store({ conversationId: 'c1', turns: [...TALK] })
    await memory.idle()
    const { items } = await memory.getAll({ revealSecrets: true })
    expect(items.some(({ text }) => text.includes(KEY))).toBe(true)
    expect(JSON.stringify((await memory.getAll()).items)).not.toMatch(BARE)
    expect(JSON.stringify(requests)).not.toMatch(BARE)
    if (thinker === 'model') expect(JSON.stringify(requests)).toContain(MASK)
  },
)

/** These secrets as people tell them. */
const TOLD: readonly (readonly [sentence: string, secret: string])[] = [
  ['My password is hunter2-Zebra!', 'hunter2-Zebra'],
  ['The password for my bank is Tr0ub4dor&3.', 'Tr0ub4dor'],
  ['I use Otter-9911 as the password of the router.', 'Otter-9911'],
  ['My PIN is 4711', '4711'],
  ['我的密码是 hunter2Zebra', 'hunter2Zebra'],
  ['家里的 wifi 密码改成了 zx20190608', 'zx20190608'],
  ['我的银行卡号 6222 0212 3456 7890 123', '7890'],
]

test.each(TOLD)(
  'what a sentence tells is masked wherever it is listed, found or recalled: %s',
  async (told, secret) => {
    const memory = await openMemory({ path: freshDatabase(), userId: 'lin' })
    await memory.add(told)
    await memory.conversations.store({ conversationId: 'c1', turns: [{ role: 'user', content: told }] })
    await memory.idle()
    const query = told.replace(secret, '')
    const looks = [
      await memory.getAll(),
      await memory.search(query),
      await memory.conversations.turns('c1'),
      await memory.conversations.recall(query),
      await memory.conversations.list(),
      await memory.sessionSummaries.list(),
      await memory.workingMemory.list(),
      await memory.context.build(/银行|bank/.test(told) ? '你好，今天天气怎么样' : 'good morning', {
        conversationId: 'c1',
      }),
    ]
    for (const look of looks) expect(JSON.stringify(look)).not.toContain(secret)
    for (const look of looks.slice(0, 4)) expect(JSON.stringify(look)).toContain('…(masked, ')
    expect(JSON.stringify(await memory.getAll({ revealSecrets: true }))).toContain(secret)
    await memory.close()
  },
)

test('a code whose keeping was ordered is masked in lists, and shown by itself and by a context that is asked for it', async () => {
  const memory = await openMemory({ path: freshDatabase(), userId: 'lin' })
  const { results } = await memory.add('Remember: the passcode of the garden gate is 4471x9.')
  expect(JSON.stringify(await memory.getAll())).not.toContain('4471x9')
  expect(JSON.stringify(await memory.search('garden gate'))).not.toContain('4471x9')
  expect((await memory.get(results[0]!.id)).text).toContain('4471x9')
  expect((await memory.context.build('What is the passcode of the garden gate?')).text).toContain('4471x9')
  expect((await memory.context.build('Describe the garden gate')).text).not.toContain('4471x9')
  await memory.close()
})

test('the command line masks as the library does; --reveal-secrets and --with-secrets do not', async () => {
  const cwd = emptyFolder()
  const flags = ['--db', 'm.db']
  const lines = TALK.map((turn) => JSON.stringify({ conversation_id: 'c1', ...turn })).join('\n')
  await run('memory_store', [...flags, '--stdin'], { cwd, input: lines })
  // A busy machine may leave what was stored for later.
  await run('mneme', ['jobs', 'run', ...flags], { cwd })
  const recall = ['--query', 'ferry API key', ...flags]
  expect(JSON.stringify(await answer('memory_recall', recall, { cwd }))).not.toMatch(BARE)
  expect(JSON.stringify(await answer('memory_recall', [...recall, '--reveal-secrets'], { cwd }))).toMatch(BARE)
  const list = ['memory', 'list', ...flags]
  expect(objects((await answer('mneme', list, { cwd })).items).length).toBeGreaterThan(0)
  expect(JSON.stringify(await answer('mneme', list, { cwd }))).not.toMatch(BARE)
  const masked = await run('memory_export', [...flags, '--output', 'masked.json'], { cwd })
  expect(JSON.parse(masked.stdout).secrets_masked).toBeGreaterThan(0)
  expect(masked.stderr).toMatch(/secrets were masked.*--with-secrets/)
  expect(readFileSync(join(cwd, 'masked.json'), 'utf8')).not.toMatch(BARE)
  const whole = await run('memory_export', [...flags, '--output', 'whole.json', '--with-secrets'], { cwd })
  expect(JSON.parse(whole.stdout).secrets_masked).toBe(0)
  expect(readFileSync(join(cwd, 'whole.json'), 'utf8')).toMatch(BARE)
  expect(statSync(join(cwd, 'whole.json')).mode & 0o077).toBe(0)
})

test('summaries of a conversation show no secret', async () => {
  const memory = await openMemory({ path: ':memory:', userId: 'kim' })
  onTestFinished(() => memory.close())
  const turns = Array.from({ length: 12 }, (_, at) => ({
    role: 'user' as const,
    content: `Fact ${at}: My PIN is 47${at + 10}.`,
  }))
  await memory.conversations.store({ conversationId: 'chat', turns })
  await memory.idle()
  const { summary } = await memory.conversations.get('chat')
  expect(summary).toContain('Fact')
  const asked = await memory.conversations.summarize('chat', { fromTurn: 1, toTurn: 5 })
  expect(JSON.stringify([summary, asked])).not.toMatch(/\b47\d\d\b/)
})

test('names inside identifiers are found after a chat was thought about, which runs other expressions', async () => {
  const memory = await openMemory({ path: freshDatabase(), userId: 'lin' })
  await memory.conversations.store({ conversationId: 'c1', turns: [{ role: 'user', content: 'hello there' }] })
  await memory.idle()
  const settings = ['dbPasswordProd = "pelican58vq"', 'apiKeyV2: wq7nb42kz81xj5', 'wifiPassword2 = pelican58vq']
  await memory.conversations.store({
    conversationId: 'c2',
    turns: settings.map((content) => ({ role: 'user', content })),
  })
  for (const { content } of (await memory.conversations.turns('c2')).items) expect(content).toContain('…(masked, ')
  await memory.close()
})
