/**
 * `node bench/training/gate.ts [--data DIR] [--rows FILE]`: fits the weights of `search/evidence-gate.ts` and prints them.
 *
 * wants evidence: questions of the development chats, and our own of `gate-messages.tsv`
 * wants none: general messages, pasted text and small talk of `extraction-dev`, and our own
 * `FILE`: keeps the measures for the next fit
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Familiarity,
  GATE_FEATURES,
  gateFeatures,
  type Manner,
  roomForEvidence,
} from '../../src/search/evidence-gate.ts'
import { findEvidence } from '../../src/usecases/find-evidence.ts'
import { mannerOf } from '../../src/usecases/message-manner.ts'
import { openCore } from '../../src/usecases/open.ts'
import { thinkAboutUnthought } from '../../src/usecases/thinking.ts'
import { CHAT_SETS, type Chat, type ChatTurn, lastSaid } from '../quality/chats.ts'

/** Turns of a part of a chat, and the questions of which one brings its part. */
const PARTS = [5, 15, 25, 50]
const PART_OF_EVERY = 10
/** General messages put to a part, and chats of a set that all of them are put to. */
const GENERAL_OF_PART = 12
const CHATS_FOR_GENERAL = 5
const PENALTY = 1
/** Per cent of own messages of the half learnt from that may get nothing: the bound is set by it. */
const MISSED = 5
const STEPS = 25
const BOUND_STEP = 0.05
/** Reasons of labelled messages that no memory can answer. */
const NEEDS_NOTHING = /^(?:knowledge_question|code_paste|chitchat)$/

type Kind = 'question' | 'told' | 'labelled' | 'general'

/** A message put to a chat. */
interface Row {
  readonly group: string
  readonly kind: Kind
  /** 0 English, 2 Chinese, as the weights have it. */
  readonly column: number
  /** Of the half that only measures. */
  readonly measured: boolean
  readonly text: string
  readonly room: number
  readonly familiarity: Familiarity
}

/** A row with what is weighed of it. */
interface Measured extends Row {
  readonly features: readonly number[]
}

interface Message {
  readonly text: string
  readonly kind: Kind
}

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
const data = option('--data') ?? '../shared/data'
const file = option('--rows')
const rows: Row[] = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : await collect()
if (file !== undefined && !existsSync(file)) writeFileSync(file, JSON.stringify(rows))
const manners = new Map<string, Manner>()
for (const { text } of rows) if (!manners.has(text)) manners.set(text, await mannerOf(text))
for (const [name, column, withMeaning] of [
  ['English', 0, true],
  ['English without the table', 0, false],
  ['Chinese', 2, false],
] as const) {
  const mine = rows
    .filter((row) => row.column === column)
    .map((row) => ({ ...row, features: featuresOf(row, manners.get(row.text)!, withMeaning) }))
  const learnt = mine.filter(({ measured }) => !measured)
  const free = fitted(learnt)
  const bound = boundFor(MISSED, learnt, free)
  const weights = free.map((weight, at) => (GATE_FEATURES[at] === 'bound' ? weight - bound : weight))
  console.log(`\n${name}: ${GATE_FEATURES.map((feature, at) => `${feature} ${weights[at]!.toFixed(2)}`).join(', ')}`)
  report(
    mine.filter(({ measured }) => measured),
    weights,
  )
}

/** The measures of a row, in the order of their weights. */
function featuresOf({ familiarity }: Row, manner: Manner, withMeaning: boolean): readonly number[] {
  const features = gateFeatures(withMeaning ? familiarity : { ...familiarity, alike: null }, manner)
  return GATE_FEATURES.map((name) => features[name])
}

function isMeasured(text: string): boolean {
  return (createHash('md5').update(text).digest()[0]! & 1) === 1
}

async function collect(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-gate-'))
  const core = await openCore({ path: join(folder, 'memory.db'), background: false })
  const found: Row[] = []
  const put = async (userId: string, turns: readonly ChatTurn[]): Promise<void> => {
    for (const [conversationId, said] of Map.groupBy(turns, (turn) => turn.conversationId))
      await core.storeTurns({
        userId,
        conversationId,
        turns: said.map(({ role, content, speaker, createdAt, externalId }) => ({
          ...{ role, content, externalId, createdAt: new Date(createdAt) },
          ...(speaker === null ? {} : { speaker }),
        })),
      })
  }
  const think = async (userId: string): Promise<void> => {
    await thinkAboutUnthought(core, { userId })
    await core.idle()
  }
  const ask = async (
    userId: string,
    group: string,
    now: number,
    { text, kind }: Message,
    half = text,
  ): Promise<void> => {
    const { judged } = await findEvidence(core, {
      ...{ query: text, userId, projectRoot: null, limit: Number.POSITIVE_INFINITY, now, since: null, until: null },
      ...{ explain: false, kinds: ['turn', 'memory'], asOf: null, tokens: 2000, besides: new Set() },
    })
    if (judged === null) return
    const { familiarity, manner } = judged
    const column = familiarity.isHan ? 2 : 0
    const row = { group: `${group} ${kind}`, kind, column, measured: isMeasured(half), text }
    found.push({
      ...row,
      room: Math.min(9999, roomForEvidence(familiarity, manner)),
      familiarity,
    })
  }
  const own = ownMessages()
  const labelled = labelledMessages()
  for (const [set, file] of Object.entries(CHAT_SETS)) {
    const lang = set === 'lifebench' ? 'zh' : 'en'
    const general = [...labelled.get(lang)!, ...own.get(lang)!]
    const { users } = JSON.parse(readFileSync(join(data, file), 'utf8')) as { users: readonly Chat[] }
    for (const [number, chat] of users.entries()) {
      const now = lastSaid(chat).getTime()
      await put(chat.userId, chat.turns)
      for (const group of [`${set} unthought`, set]) {
        if (group === set) await think(chat.userId)
        for (const { q } of chat.questions)
          await ask(chat.userId, group, now, { text: q, kind: 'question' }, lang === 'zh' ? q : chat.userId)
        for (const message of own.get(chat.userId) ?? []) await ask(chat.userId, group, now, message)
        if (number < CHATS_FOR_GENERAL) for (const message of general) await ask(chat.userId, group, now, message)
      }
      for (const [at, { turns, asked, size }] of partsOf(chat).entries()) {
        const userId = `${chat.userId} part ${at}`
        await put(userId, turns)
        await think(userId)
        const half = lang === 'zh' ? undefined : chat.userId
        for (const q of asked) await ask(userId, `${set} ${size}`, now, { text: q, kind: 'question' }, half)
        for (let n = 0; n < GENERAL_OF_PART; n += 1)
          await ask(userId, `${set} ${size}`, now, general[(at * GENERAL_OF_PART + n) % general.length]!)
      }
    }
  }
  const chats = ownChats()
  for (const [set, file] of Object.entries(CHAT_SETS)) {
    const lang = set === 'lifebench' ? 'zh' : 'en'
    const { users } = JSON.parse(readFileSync(join(data, file), 'utf8')) as { users: readonly Chat[] }
    const mine = [...chats].filter(([name]) => name.startsWith(lang))
    const turns = [...users.flatMap(turnsOfOne), ...mine.flatMap(([, said]) => said)]
    const now = Math.max(...turns.map(({ createdAt }) => Date.parse(createdAt)))
    await put(set, turns)
    await think(set)
    for (const chat of users)
      for (const { q } of chat.questions)
        await ask(set, `${set} in one`, now, { text: q, kind: 'question' }, lang === 'zh' ? q : chat.userId)
    for (const [name] of mine) for (const message of own.get(name) ?? []) await ask(set, `${set} in one`, now, message)
    for (const message of [...labelled.get(lang)!, ...own.get(lang)!]) await ask(set, `${set} in one`, now, message)
  }
  for (const [name, turns] of [...chats, ['all', [...chats.values()].flat()] as const]) {
    const now = Math.max(...turns.map(({ createdAt }) => Date.parse(createdAt)))
    await put(name, turns)
    const told = name === 'all' ? [...chats.keys(), 'all'] : [name]
    const general = [...new Set(told.map((one) => one.slice(0, 2)))].flatMap((lang) => [
      ...(own.get(lang) ?? []),
      ...(labelled.get(lang) ?? []).filter((_, at) => at % 3 === 0),
    ])
    for (const group of name === 'all' ? ['own chats in one'] : ['own chats unthought', 'own chats']) {
      if (group !== 'own chats unthought') await think(name)
      for (const message of [...told.flatMap((one) => own.get(one) ?? []), ...general])
        await ask(name, group, now, message)
    }
  }
  await core.close()
  rmSync(folder, { recursive: true, force: true })
  return found
}

/** Messages of `gate-messages.tsv` by the chat that they are about; general ones by their language. */
function ownMessages(): ReadonlyMap<string, readonly Message[]> {
  const lines = readFileSync(new URL('gate-messages.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const messages = lines.map((line) => line.split('\t') as [string, string, string])
  return new Map(
    [...Map.groupBy(messages, ([chat]) => chat)].map(([chat, of]) => [
      chat,
      of.map(([, label, text]) => ({ text, kind: label === 'own' ? 'told' : 'general' })),
    ]),
  )
}

function labelledMessages(): ReadonlyMap<string, readonly Message[]> {
  const messages = readdirSync(join(data, 'extraction-dev'))
    .filter((name) => /^(?:en|zh)-\d+\.jsonl$/.test(name))
    .flatMap((name) =>
      readFileSync(join(data, 'extraction-dev', name), 'utf8')
        .trim()
        .split('\n'),
    )
    .map((line) => JSON.parse(line) as { text: string; lang: string; store: boolean; reason: string })
    .filter(({ store, reason }) => !store && NEEDS_NOTHING.test(reason))
  const byLanguage = Map.groupBy(messages, ({ lang }) => lang)
  return new Map([...byLanguage].map(([lang, of]) => [lang, of.map(({ text }) => ({ text, kind: 'labelled' }))]))
}

/** `# name`, `== conversation time`, `U: …`, `A: …`; a minute and a half between two messages. */
function ownChats(): ReadonlyMap<string, readonly ChatTurn[]> {
  const chats = new Map<string, ChatTurn[]>()
  let [name, conversationId, at] = ['', '', 0]
  for (const line of readFileSync(new URL('gate-chats.txt', import.meta.url), 'utf8').split('\n')) {
    const [mark, first = '', second = ''] = line.split(' ')
    const turns = chats.get(name) ?? []
    if (mark === '#') {
      name = first
      chats.set(name, [])
    } else if (mark === '==') [conversationId, at] = [`${name} ${first}`, Date.parse(`${second}:00Z`)]
    else if (line !== '') {
      const said = { conversationId, externalId: `${name} ${turns.length}`, speaker: null }
      at += 90_000
      const createdAt = new Date(at).toISOString()
      turns.push({
        ...said,
        role: mark === 'U:' ? 'user' : 'assistant',
        content: line.slice(3).replaceAll('\\n', '\n'),
        createdAt,
      })
    }
  }
  return chats
}

/** The turns of a chat under names of its own, for a log of several chats. */
function turnsOfOne({ userId, turns }: Chat): readonly ChatTurn[] {
  return turns.map((turn) => ({
    ...turn,
    conversationId: `${userId} ${turn.conversationId}`,
    externalId: `${userId} ${turn.externalId}`,
  }))
}

interface Part {
  readonly turns: readonly ChatTurn[]
  readonly asked: readonly string[]
  readonly size: number
}

/** Parts of a chat around what answers a question, with all questions that they answer. */
function partsOf({ turns, questions }: Chat): readonly Part[] {
  const places = new Map(turns.map(({ externalId }, at) => [externalId, at]))
  return questions
    .filter((_, at) => at % PART_OF_EVERY === 0)
    .flatMap(({ gold }) => {
      const answers = gold.map((id) => places.get(id)!)
      return PARTS.flatMap((size) => {
        const [first, last] = [Math.min(...answers), Math.max(...answers)]
        if (answers.length === 0 || last - first >= size || turns.length < size) return []
        const from = Math.min(turns.length - size, Math.max(0, first - Math.floor((size - 1 - last + first) / 2)))
        const part = turns.slice(from, from + size)
        const held = new Set(part.map(({ externalId }) => externalId))
        const asked = questions.filter(({ gold: of }) => of.length > 0 && of.every((id) => held.has(id)))
        return [{ turns: part, asked: asked.map(({ q }) => q), size }]
      })
    })
}

/** Newton's steps down the slope; every group weighs the same, parts of chats half of it, several chats as one user twice. */
function fitted(learnt: readonly Measured[]): readonly number[] {
  const sizes = Map.groupBy(learnt, ({ group }) => group)
  const weightOf = ({ group }: Row): number =>
    (/\d/.test(group) ? 50 : / in one /.test(group) ? 200 : 100) / sizes.get(group)!.length
  const count = GATE_FEATURES.length
  let weights = Array.from({ length: count }, () => 0)
  for (let step = 0; step < STEPS; step += 1) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -PENALTY * weight))
    const curve = weights.map((_, at) =>
      weights.map((_, other) => (at === other ? (at === 0 ? 0 : PENALTY) + 1e-9 : 0)),
    )
    for (const row of learnt) {
      const likely = 1 / (1 + Math.exp(-worthOf(row, weights)))
      const missed = weightOf(row) * (Number(wantsEvidence(row)) - likely)
      const bend = weightOf(row) * likely * (1 - likely)
      row.features.forEach((x, at) => {
        slope[at]! += missed * x
        row.features.forEach((y, other) => {
          curve[at]![other]! += bend * x * y
        })
      })
    }
    const steps = solved(curve, slope)
    weights = weights.map((weight, at) => weight + steps[at]!)
  }
  return weights
}

/** Gauss's elimination. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const lines = matrix.map((line, at) => [...line, right[at]!])
  for (let at = 0; at < lines.length; at += 1) {
    const pivot = lines[at]!
    for (const line of lines) {
      if (line === pivot) continue
      const factor = line[at]! / pivot[at]!
      line.forEach((value, column) => {
        line[column] = value - factor * pivot[column]!
      })
    }
  }
  return lines.map((line, at) => line.at(-1)! / line[at]!)
}

function wantsEvidence({ kind }: Row): boolean {
  return kind === 'question' || kind === 'told'
}

function worthOf({ features }: Measured, weights: readonly number[]): number {
  return features.reduce((sum, value, at) => sum + weights[at]! * value, 0)
}

/** The largest bound with which this share of own messages, mean over their groups, gets nothing. */
function boundFor(missed: number, learnt: readonly Measured[], weights: readonly number[]): number {
  const groups = [
    ...Map.groupBy(
      learnt.filter(({ kind }) => kind === 'told'),
      ({ group }) => group,
    ).values(),
  ]
  const lost = (bound: number): number =>
    groups.reduce((sum, of) => sum + of.filter((row) => worthOf(row, weights) < bound).length / of.length, 0)
  let bound = 1
  while (100 * lost(bound) > missed * groups.length) bound -= BOUND_STEP
  return bound
}

/** Per cent wrong in each group, as it is and by these weights at some bounds, and the means over groups of a kind. */
function report(measured: readonly Measured[], weights: readonly number[]): void {
  const bounds = [-1, -0.5, 0, 0.5, 1]
  const wrong = (of: readonly Measured[], gets: (row: Measured) => boolean): number =>
    (100 * of.filter((row) => gets(row) !== wantsEvidence(row)).length) / of.length
  const ways = [
    (row: Measured) => row.room > 0,
    ...bounds.map((bound) => (row: Measured) => worthOf(row, weights) >= bound),
  ]
  const lines = [...Map.groupBy(measured, ({ group }) => group)].map(([group, of]) => ({
    group,
    kind: of[0]!.kind,
    n: of.length,
    shares: ways.map((gets) => wrong(of, gets)),
  }))
  const shown = (shares: readonly number[]): string => shares.map((share) => share.toFixed(1).padStart(6)).join('')
  console.log(
    `${'wrong, %: as it is; from a bound of'.padEnd(36)}${bounds.map((bound) => String(bound).padStart(6)).join('')}`,
  )
  for (const { group, n, shares } of lines.toSorted((a, b) => (a.group < b.group ? -1 : 1)))
    console.log(`${group.padEnd(30)}${shown(shares)}  n ${n}`)
  for (const [kind, of] of Map.groupBy(lines, (line) => line.kind))
    console.log(
      `mean ${kind.padEnd(25)}${shown(ways.map((_, at) => of.reduce((sum, { shares }) => sum + shares[at]!, 0) / of.length))}`,
    )
}
