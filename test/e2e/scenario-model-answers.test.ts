/** A model's answers, good and bad, as the library and REST show their outcome. Every exchange here is our own. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { camelNames } from '../../src/doors/operations/field-names.ts'
import { type Reply, type Script, startModelServer } from '../support/model-server.ts'
import { startForTest } from '../support/rest-server.ts'
import { type ExchangeScript, exchangeReply, MINUTE, START, scriptedLlm, shownId } from '../support/thinking-memory.ts'

const PROJECT = '/home/ada/heron'

/** A memory behind one door. */
async function openDoor(door: 'library' | 'REST') {
  const model = await startModelServer(exchangeReply({}))
  onTestFinished(() => model.close())
  let now = START.getTime()
  const log: string[] = []
  const quiet = (): void => undefined
  const noted = (message: string, details?: Readonly<Record<string, unknown>>): void => {
    log.push(`${message} ${JSON.stringify(details?.problems ?? '')}`)
  }
  const open = {
    userId: 'local',
    llm: scriptedLlm(model.url, 5000, 0),
    clock: () => new Date(now),
    logger: { debug: quiet, info: quiet, warn: noted, error: noted },
  }
  const { ask, memory } = await startForTest({ open })
  return {
    log,
    requests: model.requests,
    memory,
    /** Tells an exchange in a project, which the model answers so; every memory that there is then, past ones too. */
    tell: async (content: string, script: Script | ExchangeScript, reply = 'Noted. 好的。') => {
      model.play(isScript(script) ? script : exchangeReply(script))
      now += 5 * MINUTE
      const turns = [
        { role: 'user' as const, content },
        { role: 'assistant' as const, content: reply },
      ]
      if (door === 'library') await memory.conversations.store({ conversationId: 'chat', projectRoot: PROJECT, turns })
      else {
        const body = { project_root: PROJECT, turns }
        expect((await ask('POST', '/conversations/chat/turns', body)).status).toBe(201)
      }
      await memory.idle()
      if (door === 'library') return (await memory.getAll({ includePast: true })).items
      const { items } = (await ask('GET', '/memory/long-term?include_past=true')).body
      return (items as object[]).map((one) => camelNames(one)) as unknown as Awaited<
        ReturnType<typeof memory.getAll>
      >['items']
    },
  }
}

function isScript(script: Script | ExchangeScript): script is Script {
  return typeof script === 'function' || 'content' in script
}

/** The fields of a plain statement of the user's. */
const SAID = { kind: 'fact', by: 'said' } as const
const LIE = { text: 'The user lives in Reykjavik.', quote: 'I live in Reykjavik', ...SAID }
const BAD_ANSWERS: readonly (readonly [string, Reply])[] = [
  ['claims what nobody said', exchangeReply({ statements: [LIE] })],
  [
    'is in another language',
    exchangeReply({ statements: [{ ...LIE, text: 'Allergic to peanuts.', quote: '我对花生过敏' }] }),
  ],
  ['is prose', { content: 'I will remember that you live in Reykjavik.' }],
  ['has no known shape', { content: '{"memories": ["Reykjavik"]}' }],
  ['is cut before its first statement ends', { content: '{"statements": [{"text": "The user lives in Reykj' }],
  ['is 1 MB of one statement', { content: `{"statements": [{"text": "${'Reykjavik '.repeat(100_000)}"` }],
  ['is 1 MB of brackets', { content: '[{'.repeat(500_000) }],
  ['is empty', { content: '' }],
]

describe.each(['library', 'REST'] as const)('through %s', (door) => {
  test('a statement holds in the project or with the user, as the model says, and is shown so again', async () => {
    const { tell, requests } = await openDoor(door)
    const said = 'The server listens on port 4010. I take my tea without milk. We run it on Postgres 16.'
    const stored = await tell(said, {
      statements: [
        // The rules would take these two the other way round.
        { text: 'I take my tea without milk.', scope: 'project:heron', quote: 'I take my tea without milk', ...SAID },
        { text: 'The server listens on port 4010.', scope: 'user', quote: 'listens on port 4010', ...SAID },
        { text: 'Heron runs on Postgres 16.', quote: 'We run it on Postgres 16', ...SAID },
      ],
    })
    const scopes = Object.fromEntries(stored.map(({ text, projectRoot }) => [text.slice(0, 12), projectRoot]))
    expect(scopes).toEqual({ 'I take my te': PROJECT, 'The server l': null, 'Heron runs o': PROJECT })
    expect(stored.every(({ metadata }) => !('scope' in (metadata ?? {})))).toBe(true)
    await tell('Tea, please. Which port was it, and which Postgres?', {})
    const data = requests.at(-1)!.body.messages!.at(-1)!.content
    expect(data).toMatch(/"text":"I take my tea without milk\.","about":"user","scope":"project:heron"/)
    expect(data).toMatch(/"text":"The server listens on port 4010\.","about":"user","since"/)
  })

  test('what is said already and takes the place of another ends that one, and is not stored twice', async () => {
    const { tell } = await openDoor(door)
    const york = { text: 'The user lives in York.', kind: 'fact', by: 'said', attribute: 'home', value: 'York' }
    await tell('I live in York.', { statements: [{ ...york, quote: 'I live in York' }] })
    await tell('I have a flat in Hull.', {
      statements: [{ text: 'The user has a flat in Hull.', quote: 'I have a flat in Hull', ...SAID }],
    })
    const stored = await tell('No flat in Hull any more: I live in York, nowhere else.', (request) =>
      exchangeReply({
        statements: [{ ...york, quote: 'I live in York', replaces: [shownId(request, 'Hull')] }],
      }),
    )
    expect(stored).toHaveLength(2)
    const home = stored.find(({ text }) => text.includes('York'))
    expect(home).toMatchObject({ validTo: null })
    expect(stored.find(({ text }) => text.includes('Hull'))).toMatchObject({
      validTo: expect.any(String),
      supersededBy: home?.id,
    })
  })

  test('statements of one answer that share their words are all kept', async () => {
    const { tell } = await openDoor(door)
    const stored = await tell('我的工作是投资顾问，想把团建里看到的用到投资顾问工作中。', {
      statements: [
        {
          text: '用户想把团建里看到的用到自己的投资顾问工作中。',
          quote: '想把团建里看到的用到投资顾问工作中',
          ...SAID,
        },
        { text: '用户的工作是投资顾问。', quote: '我的工作是投资顾问', attribute: 'job', value: '投资顾问', ...SAID },
      ],
    })
    expect(stored.map(({ text, validTo, suspect }) => [text.length > 5, validTo, suspect])).toEqual([
      [true, null, null],
      [true, null, null],
    ])
  })

  test('what is inferred or heard is kept, less sure than what was said, and stands behind it', async () => {
    const { tell, memory } = await openDoor(door)
    const stored = await tell(
      'I swim in the harbour before work, and my knee hurts when I run.',
      {
        statements: [
          {
            text: 'The user runs less because of the knee.',
            kind: 'fact',
            by: 'inferred',
            quote: 'my knee hurts when I run',
            confidence: 0.97,
          },
          {
            text: 'The user swims in the harbour before work.',
            quote: 'I swim in the harbour before work',
            ...SAID,
            confidence: 0.2,
          },
          {
            text: 'The harbour is cleaned on Mondays before work.',
            kind: 'fact',
            by: 'heard',
            quote: 'The harbour is cleaned on Mondays',
            confidence: 1,
          },
        ],
      },
      'The harbour is cleaned on Mondays.',
    )
    const sure = Object.fromEntries(
      stored.map(({ text, source, confidence }) => [text.slice(0, 12), [source, confidence]]),
    )
    expect(sure).toEqual({
      'The user run': ['inferred', 0.6],
      'The user swi': ['user_stated', 0.9],
      'The harbour ': ['inferred', 0.8],
    })
    const { results } = await memory.search('harbour before work', { ranking: 'long-term' })
    expect(results.map(({ source }) => source).slice(0, 2)).toEqual(['user_stated', 'inferred'])
  })

  test('values may be lists and objects, times a month or a span', async () => {
    const { tell } = await openDoor(door)
    const stored = await tell(
      'I speak Dutch and Tamil. My bike is a Gazelle with 8 gears. I am in Lyon in July, on leave from 3 to 9 June.',
      {
        statements: [
          {
            text: 'The user speaks Dutch and Tamil.',
            attribute: 'languages',
            value: ['Dutch', 'Tamil'],
            quote: 'I speak Dutch and Tamil',
            ...SAID,
          },
          {
            text: 'The user rides a Gazelle with 8 gears.',
            attribute: 'bike',
            value: { make: 'Gazelle', gears: 8 },
            quote: 'My bike is a Gazelle with 8 gears',
            ...SAID,
          },
          {
            text: 'The user is in Lyon in July.',
            time: { from: '2026-07' },
            quote: 'I am in Lyon in July',
            by: 'said',
            kind: 'plan',
          },
          {
            text: 'The user is on leave from 3 to 9 June.',
            time: { from: '2026-06-03', to: '2026-06-09' },
            quote: 'on leave from 3 to 9 June',
            by: 'said',
            kind: 'state',
          },
        ],
      },
    )
    const of = (word: string) => stored.find(({ text }) => text.includes(word))
    expect(of('Tamil')?.value).toEqual(['Dutch', 'Tamil'])
    expect(of('Gazelle')?.value).toEqual({ make: 'Gazelle', gears: 8 })
    expect(of('Lyon')).toMatchObject({ occurredAt: '2026-07-01T00:00:00.000Z', validTo: null })
    expect(of('leave')).toMatchObject({ occurredAt: '2026-06-03T00:00:00.000Z', validTo: '2026-06-09T23:59:59.999Z' })
    expect(stored.every(({ validFrom, validTo }) => validTo === null || validFrom <= validTo)).toBe(true)
  })

  test('for a statement that is refused the rules answer, and for that sentence alone', async () => {
    const { tell } = await openDoor(door)
    const stored = await tell('I am allergic to walnuts. My brother Otto plays the tuba. I live in Bergen.', {
      statements: [
        { text: 'The user is allergic to 14 kinds of nuts.', quote: 'I am allergic to walnuts', ...SAID },
        {
          text: 'Otto is the user’s brother and plays the tuba.',
          about: 'Otto',
          quote: 'My brother Otto plays the tuba',
          ...SAID,
        },
      ],
    })
    expect(stored.map(({ text }) => text).toSorted()).toEqual([
      'I am allergic to walnuts.',
      'Otto is the user’s brother and plays the tuba.',
    ])
  })

  test.each(BAD_ANSWERS)('an answer that %s is thought about by the rules', async (_, reply) => {
    const { tell, log } = await openDoor(door)
    const stored = await tell('我对花生过敏，每天骑车上班。', reply)
    expect(stored.some(({ text }) => text.includes('花生'))).toBe(true)
    expect(JSON.stringify(stored)).not.toMatch(/Reykjavik|peanuts/)
    expect(log.join()).toContain('the rules answer instead')
  })

  test.each([
    ['stands in prose and fences', (json: string) => `Sure, here it is:\n\`\`\`json\n${json}\n\`\`\`\nAnything else?`],
    ['is cut behind a whole statement', (json: string) => json.slice(0, json.indexOf('"working_memory"') + 9)],
    ['comes after reasoning', (json: string) => `<think>{"statements": []} or not?</think>${json}`],
  ])('an answer that %s is read', async (_, written) => {
    const { tell } = await openDoor(door)
    const hens = { text: 'The user keeps two hens.', quote: 'I keep two hens', ...SAID }
    const json = exchangeReply({ statements: [hens] }).content!
    const stored = await tell('I keep two hens.', { content: written(json) })
    expect(stored.map(({ text }) => text)).toEqual(['The user keeps two hens.'])
  })

  test('an empty list is an answer: nothing is kept, nothing is ended', async () => {
    const { tell, log } = await openDoor(door)
    await tell('I keep two hens.', {
      statements: [{ text: 'The user keeps two hens.', quote: 'I keep two hens', ...SAID }],
    })
    const stored = await tell('My hens are loud. I live in Bergen.', {})
    expect(stored).toMatchObject([{ text: 'The user keeps two hens.', validTo: null, suspect: null }])
    expect(log.filter((line) => !line.includes('title'))).toEqual([])
  })

  test('an order to forget reaches the model, which ends what is meant; what may not be kept reaches nobody, not later either', async () => {
    const { tell, memory, requests } = await openDoor(door)
    const split = { text: 'Otto is getting divorced.', about: 'Otto', quote: 'Otto is getting divorced', ...SAID }
    await tell('My brother Otto is getting divorced.', { statements: [split] })
    const forgetting: Script = (request) =>
      exchangeReply({
        statements: [{ text: 'The user wants it forgotten.', quote: 'forget', ...SAID }],
        ends: [{ id: shownId(request, 'divorced'), reason: 'forget' }],
      })
    const order = 'Please forget what I told you about the trouble of Otto and his wife. The house goes to her.'
    const stored = await tell(order, forgetting, 'Otto and his wife: forgotten, and the house too.')
    expect(stored).toEqual([])
    const { items } = await memory.getAll({ includePast: true, includeBuried: true })
    expect(items).toMatchObject([{ text: split.text, validTo: expect.any(String), buriedAt: expect.any(String) }])
    const asked = requests.length
    await tell("Off the record: Otto's new flat is in Ghent.", {}, 'Ghent stays between us.')
    expect(requests).toHaveLength(asked)
    await tell('Otto visits me on Sunday.', {})
    expect(requests).toHaveLength(asked + 1)
    expect(requests.map(({ text }) => text).join()).not.toMatch(/house|Ghent/)
  })

  test('ids that nobody was shown end, doubt and replace nothing', async () => {
    const { tell, memory, log } = await openDoor(door)
    const { results } = await memory.add('I keep two hens.', { infer: false })
    const id = results[0]!.id
    const stored = await tell('My hens are loud, and I moved to Bergen.', {
      statements: [
        { text: 'The user moved to Bergen.', quote: 'I moved to Bergen', replaces: ['k9', id, 'k0'], ...SAID },
      ],
      ends: [
        { id, reason: 'over' },
        { id: 'k7', reason: 'wrong' },
      ],
      doubts: [{ id: 'k-1', why: 'no' }],
      confirms: ['k8'],
    })
    expect(stored.find((one) => one.id === id)).toMatchObject({ validTo: null, suspect: null })
    expect(stored.some(({ text }) => text === 'The user moved to Bergen.')).toBe(true)
    expect(log.join()).toContain('names no memory that was shown')
  })

  test('a model that says the same again and again stores it once', async () => {
    const { tell } = await openDoor(door)
    const hens = { text: 'The user keeps two hens.', quote: 'I keep two hens', ...SAID }
    await tell('I keep two hens.', { statements: [hens, hens, { ...hens, text: 'The user keeps two hens' }] })
    const stored = await tell('As I said, I keep two hens.', { statements: [hens] })
    expect(stored.map(({ text }) => text)).toEqual(['The user keeps two hens.'])
  })
})
