/**
 * Every scenario of specification 004 through the command line, at default settings and at changed ones. Two days of
 * talk are stored and digested once for each.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { answer, type Ended, emptyFolder, type Json, objects, run } from './cli-process.ts'

const KEY = 'sk_live_51AbCdEfGhIjKlMnOpQrStUvWx'
const ASKED = [
  'Remember that the guest room key is under the blue pot.',
  'Could you write down that bin day is Tuesday?',
  '请记住：我对猫毛过敏。',
]
const SET_UP = [
  'Our production database is Postgres 16 on port 5433.',
  '线上用的模型是 qwen2.5-72b，温度设成 0.3。',
  `The Stripe key of the shop is ${KEY}.`,
  '我们用 Redis 做缓存，端口 6379。',
]
const TASTES = ['I prefer tabs over spaces.', '代码注释我更喜欢用中文写。', '我喜欢在早上跑步。']
const SOLVED = [
  'The build failed with ENOSPC; I fixed it by clearing the docker cache.',
  '登录接口一直报错 502，把 nginx 的超时改成 60 秒就解决了。',
]
const DECIDED = ['We decided to use Kafka instead of RabbitMQ.']
const WHO = ['I am Ana Costa, a data engineer in Porto.']
const TALK = ['What a day!', '今天好累。', 'How do I centre a div?', 'I had soup for lunch.']
const FIRST_DAY = [...WHO, ...ASKED, ...SET_UP, ...TASTES, ...SOLVED, ...DECIDED, ...TALK]
/** The first is the very same, the second nearly; the third says more and is 69 % alike; the fourth is new. */
const AGAIN = [
  'I prefer tabs over spaces.',
  '登录接口老是报错 502，把 nginx 的超时改成 60 秒就解决了。',
  '我喜欢在早上沿着河边跑步。',
  'I always take the night train to Vienna.',
]
const [SAME, NEARLY, HALF, FRESH] = AGAIN as [string, string, string, string]

/** The outcome of two days. */
interface Days {
  readonly cwd: string
  readonly file: string
  readonly reports: readonly Json[]
  /** The log of each digest, at every level. */
  readonly logs: readonly string[]
  /** The file after each. */
  readonly texts: readonly string[]
  digest(...flags: readonly string[]): Promise<Ended>
}

interface Settings {
  readonly env: Readonly<Record<string, string>>
  readonly config: Json
  readonly file: string
  /** How the file begins before anything was digested. */
  readonly before?: string
}

const DEFAULT: Settings = { env: {}, config: {}, file: 'MEMORY.md' }
const CHANGED: Settings = {
  env: { MEMORY_DEDUP_THRESHOLD: '50%', MEMORY_BACKUPS: '1' },
  config: {
    memory_file: { path: 'notes.md', max_entries: 14, headings: 'zh', backups: 3 },
  },
  file: 'notes.md',
  before: '# Mine\n\nA line of my own.\n\n## Recipes\n- leek soup\n',
}

async function live({ env, config, file: name, before }: Settings): Promise<Days> {
  const cwd = emptyFolder()
  const file = join(cwd, '.devbooks', name)
  mkdirSync(dirname(file))
  writeFileSync(join(cwd, '.devbooks', 'mneme.config.json'), JSON.stringify(config))
  if (before !== undefined) writeFileSync(file, before)
  const digest = (...flags: readonly string[]): Promise<Ended> =>
    run('mneme', ['digest', ...flags], { cwd, env: { ...env, MNEME_LOG_LEVEL: 'debug' } })
  const reports: Json[] = []
  const logs: string[] = []
  const texts: string[] = []
  for (const [at, day] of [FIRST_DAY, AGAIN].entries()) {
    const lines = day.map((content, number) =>
      JSON.stringify({ role: 'user', content, created_at: `2026-05-0${7 + at}T12:${10 + number}:00` }),
    )
    const input = lines.join('\n')
    expect((await run('memory_store', ['--conversation', `day ${at}`, '--stdin'], { cwd, env, input })).code).toBe(0)
    const { code, stdout, stderr } = await digest('--date', `2026-05-0${7 + at}`)
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    reports.push(JSON.parse(stdout))
    logs.push(stderr)
    texts.push(readFileSync(file, 'utf8'))
  }
  return { cwd, file, reports, logs, texts, digest }
}

const lives = new Map<string, Days>()
beforeAll(async () => {
  const [usual, changed] = await Promise.all([live(DEFAULT), live(CHANGED)])
  lives.set('default', usual).set('changed', changed)
})

const lived = (name: string): Days => lives.get(name)!
const day = (name: string, at: number): Json => lived(name).reports[at]!
/** Entries that came in, each said without the words that only asked for it. */
const added = (name: string, at: number) => objects(day(name, at).added)
const entryOf = (name: string, said: string) =>
  added(name, 0).find(({ text }) => said.includes(String(text).replace(/\.$/, '')))

describe.each(['default', 'changed'])('004 through mneme, %s settings', (name) => {
  test('用户明确要求', () => {
    for (const said of ASKED) expect(entryOf(name, said)).toMatchObject({ importance: 3 })
  })

  test('配置信息', () => {
    for (const said of SET_UP.filter((one) => !one.includes(KEY)))
      expect(entryOf(name, said)).toMatchObject({ importance: 2, section: 'configuration' })
    const key = added(name, 0).find(({ text }) => String(text).includes('Stripe'))
    expect(key).toMatchObject({ importance: 2, section: 'configuration' })
    for (const shown of [...lived(name).texts, ...lived(name).logs, JSON.stringify(lived(name).reports)])
      expect(shown).not.toContain(KEY)
  })

  test('用户偏好', () => {
    for (const said of TASTES) expect(entryOf(name, said)).toMatchObject({ importance: 1, section: 'preferences' })
  })

  test('技术问题', () => {
    for (const said of SOLVED) expect(entryOf(name, said)).toMatchObject({ importance: 2, section: 'problems' })
    // And nothing of the small talk came in.
    expect(added(name, 0)).toHaveLength(FIRST_DAY.length - TALK.length)
  })

  test('完全匹配', () => {
    expect(objects(day(name, 1).skipped)).toContainEqual({ text: SAME, reason: 'duplicate', twin: SAME, similarity: 1 })
    expect(lived(name).texts[1]!.split(SAME)).toHaveLength(2)
  })

  test('相似内容', () => {
    expect(objects(day(name, 1).skipped)).toContainEqual(expect.objectContaining({ text: NEARLY, reason: 'similar' }))
    expect(lived(name).texts[1]).not.toContain(NEARLY)
  })

  test('阈值配置', () => {
    const isSkipped = objects(day(name, 1).skipped).some(({ text }) => text === HALF)
    expect(isSkipped).toBe(name === 'changed')
    expect(lived(name).texts[1]!.includes(HALF)).toBe(name === 'default')
  })

  test('结构化存储', () => {
    const headings = lived(name).texts[0]!.match(/^## (?!Recipes).*$/gm)
    expect(headings?.[0]).toBe(name === 'default' ? '## 用户信息 / User information' : '## 用户信息')
    expect(headings).toHaveLength(5)
    for (const line of lived(name).texts[0]!.match(/^- \[.*$/gm) ?? [])
      expect(line).toMatch(/^- \[2026-05-07\] .+ <!-- mneme:[0-9a-f]{12}.* -->$/)
  })

  test('分类标准', () => {
    const sections = lived(name).texts[0]!.split(/^## /m)
    const under = (words: string): string | undefined => sections.find((section) => section.includes(words))
    const names = ['用户信息', '偏好设置', '技术配置', '重要决定', '技术问题']
    for (const [at, words] of ['Ana Costa', 'tabs over', 'Postgres 16', 'Kafka', 'ENOSPC'].entries())
      expect(under(words)?.startsWith(names[at]!)).toBe(true)
  })

  test('字符串相似度', () => {
    const { similarity } = objects(day(name, 1).skipped).find(({ text }) => text === NEARLY)!
    // Two of 38 characters differ.
    expect(similarity).toBeCloseTo(1 - 2 / NEARLY.length)
  })

  test('追加而非覆盖', () => {
    const { texts, reports } = lived(name)
    const left = new Set(objects(reports[1]!.removed).map(({ text }) => String(text)))
    for (const line of texts[0]!.split('\n'))
      if (![...left].some((text) => line.includes(text))) expect(texts[1]).toContain(line)
    expect(texts[1]).toContain(FRESH)
    if (name === 'changed') expect(texts[1]).toContain('# Mine\n\nA line of my own.\n\n## Recipes\n- leek soup\n')
  })

  test('最大条目数', () => {
    const count = lived(name).texts[1]!.match(/mneme:/g)!.length
    expect(count).toBe(name === 'default' ? 16 : 14)
    expect(objects(day(name, 1).removed)).toEqual(
      name === 'default' ? [] : [{ text: expect.stringContaining('Ana Costa'), reason: 'limit' }],
    )
  })

  test('成功更新', () => {
    const [, details] = /^info: an entry was added (.*night train.*)$/m.exec(lived(name).logs[1]!)!
    expect(JSON.parse(details!)).toMatchObject({ kind: 'preferences', summary: FRESH })
    expect(lived(name).logs[1]).toMatch(/^info: the memory file was updated /m)
  })

  test('跳过重复', () => {
    const [, details] = /^debug: an entry was skipped (.*老是报错.*)$/m.exec(lived(name).logs[1]!)!
    expect(JSON.parse(details!)).toMatchObject({ reason: 'similar', twin: SOLVED[1] })
  })

  test('备份机制 and 格式错误', async () => {
    const { file, digest, texts } = lived(name)
    const backups = () => readdirSync(`${file}.backups`).filter((one) => /^\d.*\.md$/.test(one))
    for (let number = 0; number < 5; number += 1) {
      writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.of(0xff), Buffer.from(` ${number}\n`)]))
      if (number > 0 && name === 'changed') break
      const { stdout, stderr } = await digest()
      expect(objects(JSON.parse(stdout).repairs).length).toBeGreaterThan(1)
      expect(stderr).toMatch(/^error: the memory file was repaired .*"stack":/m)
    }
    expect(backups()).toHaveLength(name === 'default' ? 5 : 1)
    for (const line of texts[1]!.split('\n')) expect(readFileSync(file, 'utf8')).toContain(line)
  })

  test('文件读写失败 and 错误情况', async () => {
    const { cwd, file, digest } = lived(name)
    renameSync(file, `${file}.kept`)
    if (name === 'default') mkdirSync(file)
    else symlinkSync('/etc/hosts', file)
    const { code, stdout, stderr } = await digest()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const [, details] = /^error: the memory file was not updated (.*)$/m.exec(stderr)!
    expect(JSON.parse(details!).stack).toMatch(/MnemeError: .+\n\s+at /)
    // Named as it was set: by the variable, or in the config file.
    expect(stderr).toMatch(/^error: (?:MNEME_MEMORY_FILE|\S+\.json: memory_file\.path): .+ is a (?:folder|link)/m)
    expect(stderr).toMatch(/^remedy: \w.+\.$/m)
    // The conversation goes on meanwhile, and nothing of it is lost.
    const said = ['--conversation', 'later', '--role', 'user', '--content', '请记住：备用钥匙在门垫下面。']
    expect((await run('memory_store', said, { cwd })).code).toBe(0)
    if (name === 'default') rmdirSync(file)
    else unlinkSync(file)
    renameSync(`${file}.kept`, file)
    expect(objects((JSON.parse((await digest()).stdout) as Json).added)).toHaveLength(1)
  })
})

test('配置化限制: 100 by default', async () => {
  const cwd = emptyFolder()
  const names = 'Ines Tomas Lena Bram Ravi Noor Mila Otto Suki Vera'.split(' ')
  const things = 'violin kayak greenhouse tandem telescope accordion beehive sauna loom canoe sledge'.split(' ')
  const input = names
    .flatMap((owner) => things.map((thing) => `Remember that ${owner} lends us the ${thing}.`))
    .map((content) => JSON.stringify({ role: 'user', content }))
    .join('\n')
  expect((await run('memory_store', ['--conversation', 'c', '--stdin'], { cwd, input })).code).toBe(0)
  const { file, added: came } = await answer('mneme', ['digest'], { cwd })
  expect(objects(came)).toHaveLength(100)
  expect(readFileSync(String(file), 'utf8').match(/mneme:/g)).toHaveLength(100)
})
