import { expect, onTestFinished, test } from 'vitest'
import { turnsDuring } from '../../../test/support/loop-turns.ts'
import type { ConversationLog } from '../../domain/contracts/conversation-log.ts'
import type { Store } from '../../domain/contracts/store.ts'
import { silentLogger } from '../../domain/logger.ts'
import { watchReadings } from '../../domain/read-once.ts'
import type { NewTurn } from '../../domain/turn.ts'
import { extractSymbols } from '../../language/symbols/symbols.ts'
import { openSqliteStore } from '../../store/sqlite/open-store.ts'
import { renewSummaries, rollSummaries, summarizeSpan, summaryOfAll } from './rolling-summary.ts'

const now = Date.UTC(2026, 4, 7, 9)
const day = 86_400_000

async function withStore(use: (log: ConversationLog, store: Store) => Promise<void>): Promise<void> {
  const store = await openSqliteStore({
    path: ':memory:',
    create: true,
    clock: () => new Date(now),
    logger: silentLogger,
  })
  try {
    await use(store.log, store)
  } finally {
    await store.close()
  }
}

function newTurn(content: string, createdAt: number): NewTurn {
  return {
    role: 'user',
    content,
    speaker: null,
    createdAt,
    externalId: null,
    metadata: null,
    isCollected: false,
    symbols: extractSymbols(content),
  }
}

async function append(
  log: ConversationLog,
  count: number,
  createdAt = now,
  text = '讨论 processPayment 的第',
): Promise<void> {
  const turns = Array.from({ length: count }, (_, at) => newTurn(`${text} ${at} 个问题。`, createdAt))
  await log.append('mei', [{ conversationId: 'c', projectRoot: '', turns }], now)
}

async function spans(log: ConversationLog): Promise<readonly (readonly [number, number])[]> {
  return (await log.summaries('mei', 'c')).map((one) => [one.startTurn, one.endTurn] as const)
}

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

test('nine turns are not summarised, at the tenth the oldest five are', () =>
  withStore(async (log) => {
    await append(log, 9)
    expect(await rollSummaries(log, 'mei', 'c', now)).toEqual([])
    await append(log, 1)
    const [summary] = await rollSummaries(log, 'mei', 'c', now)
    expect(summary).toMatchObject({ startTurn: 1, endTurn: 5, createdAt: now })
    expect(summary?.keySymbols).toContain('processPayment')
    expect((await log.unsummarized('mei', 'c', 100)).map((turn) => turn.turnId)).toEqual(numbers(6, 10))
    expect((await log.conversation('mei', 'c'))?.summary).toContain('processPayment')
  }))

test('the summary that is shown holds the newest decision, which no stored one covers yet', () =>
  withStore(async (log) => {
    await append(log, 12)
    await rollSummaries(log, 'mei', 'c', now)
    await append(log, 1, now, '我们决定用 RedLock 给 acquireSlot 加锁。')
    const conversation = (await log.conversation('mei', 'c'))!
    expect(conversation.summary).not.toContain('RedLock')
    expect(await summaryOfAll(log, 'mei', conversation)).toContain('RedLock')
  }))

test('who lists many conversations again has no text of them read again', () =>
  withStore(async (log) => {
    const ids = Array.from({ length: 40 }, (_, at) => `c${at}`)
    for (const conversationId of ids) {
      const turns = numbers(1, 9).map((at) =>
        newTurn(`${conversationId} ${at} ${'We chose the red one. '.repeat(70)}`, now),
      )
      await log.append('mei', [{ conversationId, projectRoot: '', turns }], now)
    }
    const { items } = await log.conversations('mei', { limit: 40, offset: 0 })
    const list = () => Promise.all(items.map((one) => summaryOfAll(log, 'mei', one)))
    const shown = await list()
    const read: string[] = []
    onTestFinished(watchReadings((name) => read.push(name)))
    expect(await list()).toEqual(shown)
    expect(read).toEqual([])
  }))

test('many turns at once are summarised five by five, and doing it again changes nothing', () =>
  withStore(async (log) => {
    await append(log, 1203)
    expect(await rollSummaries(log, 'mei', 'c', now)).toHaveLength(239)
    expect(await rollSummaries(log, 'mei', 'c', now)).toEqual([])
    expect((await log.unsummarized('mei', 'c', 100)).map((turn) => turn.turnId)).toEqual(numbers(1196, 1203))
  }))

test('two that roll at once write every summary once', () =>
  withStore(async (log) => {
    await append(log, 57)
    const written = await Promise.all([1, 2, 3].map(() => rollSummaries(log, 'mei', 'c', now)))
    expect(written.flat()).toHaveLength(10)
    expect(await spans(log)).toEqual(numbers(0, 9).map((at) => [5 * at + 1, 5 * at + 5]))
  }))

test('a conversation that does not exist has nothing to summarise', () =>
  withStore(async (log) => {
    expect(await rollSummaries(log, 'mei', 'nowhere', now)).toEqual([])
  }))

test('a named span is summarised and the summaries inside it are replaced', () =>
  withStore(async (log) => {
    await append(log, 20)
    await rollSummaries(log, 'mei', 'c', now)
    const answer = await summarizeSpan(log, 'mei', 'c', 1, 10, now)
    expect(answer).toMatchObject({ conversationId: 'c', turnsSummarized: numbers(1, 10) })
    expect(answer.keySymbols).toContain('processPayment')
    expect(await spans(log)).toEqual([
      [1, 10],
      [11, 15],
    ])
    expect((await log.summaries('mei', 'c'))[0]?.summaryId).toBe(answer.summaryId)
  }))

test('a summary that reaches beyond a named span is cut at its bounds', () =>
  withStore(async (log) => {
    await append(log, 15)
    await rollSummaries(log, 'mei', 'c', now)
    await summarizeSpan(log, 'mei', 'c', 3, 7, now)
    expect(await spans(log)).toEqual([
      [1, 2],
      [3, 7],
      [8, 10],
    ])
  }))

test('a span may name turns that do not exist yet, and covers only those that do', () =>
  withStore(async (log) => {
    await append(log, 4)
    expect((await summarizeSpan(log, 'mei', 'c', 2, 100, now)).turnsSummarized).toEqual([2, 3, 4])
    await append(log, 1)
    expect((await log.unsummarized('mei', 'c', 10)).map((turn) => turn.turnId)).toEqual([1, 5])
  }))

test('a very long span is summarised in one note of the usual size', () =>
  withStore(async (log) => {
    await append(log, 900)
    const { summary, turnsSummarized } = await summarizeSpan(log, 'mei', 'c', 1, 900, now)
    expect(turnsSummarized).toHaveLength(900)
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(480)
    expect(await spans(log)).toEqual([[1, 900]])
  }))

test('a wrong span is refused with its field, and nothing is written', () =>
  withStore(async (log) => {
    await append(log, 3)
    await expect(summarizeSpan(log, 'mei', 'c', 3, 2, now)).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'fromTurn',
    })
    await expect(summarizeSpan(log, 'mei', 'c', 0, 2, now)).rejects.toMatchObject({ field: 'fromTurn' })
    await expect(summarizeSpan(log, 'mei', 'c', 1, 1.5, now)).rejects.toMatchObject({ field: 'toTurn' })
    await expect(summarizeSpan(log, 'mei', 'c', 7, 9, now)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(summarizeSpan(log, 'mei', 'nowhere', 1, 2, now)).rejects.toMatchObject({ code: 'not_found' })
    await expect(summarizeSpan(log, 'someone else', 'c', 1, 2, now)).rejects.toMatchObject({ code: 'not_found' })
    expect(await spans(log)).toEqual([])
  }))

test('a summary written anew holds no word of a removed turn', () =>
  withStore(async (log) => {
    await append(log, 3, now - 40 * day, 'The password of vaultKeeper is swordfish, error')
    await append(log, 9, now, 'The importer of GtfsReader fails with error')
    await rollSummaries(log, 'mei', 'c', now)
    const { stale } = await log.remove('mei', { kind: 'older', before: now - 30 * day })
    expect(stale).toHaveLength(1)
    await renewSummaries(log, 'mei', stale, now)
    const all = [...(await log.summaries('mei', 'c')), await log.conversation('mei', 'c')]
    expect(JSON.stringify(all)).toContain('GtfsReader')
    expect(JSON.stringify(all)).not.toMatch(/swordfish|vaultKeeper/)
  }))

/** A small generator with a seed, so that a failure can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`every turn is in the window or in exactly one summary, whatever is done in any order (seed ${seed})`, () =>
    withStore(async (log) => {
      const random = randomFrom(seed)
      let time = now - 400 * day
      const nextDay = (): number => {
        time += day
        return time
      }
      const ignoreRefusal = (error: unknown): void => {
        expect(error).toMatchObject({
          name: 'MnemeError',
          code: expect.stringMatching(/^(?:invalid_input|not_found|conflict)$/),
        })
      }
      const steps: readonly (() => Promise<unknown>)[] = [
        () => append(log, 1 + random(12), nextDay()),
        () => append(log, 1 + random(40), nextDay()),
        () => rollSummaries(log, 'mei', 'c', now),
        () => Promise.all([rollSummaries(log, 'mei', 'c', now), rollSummaries(log, 'mei', 'c', now)]),
        async () => {
          const last = (await log.conversation('mei', 'c'))?.lastTurnId ?? 1
          const from = 1 + random(last)
          const step = summarizeSpan(log, 'mei', 'c', from, from + random(15), now)
          await Promise.all([step.catch(ignoreRefusal), rollSummaries(log, 'mei', 'c', now)])
        },
        async () => {
          const before = time - random(30) * day
          const [{ stale }] = await Promise.all([
            log.remove('mei', { kind: 'older', before }),
            rollSummaries(log, 'mei', 'c', now),
          ])
          await renewSummaries(log, 'mei', stale, now)
        },
      ]
      for (let round = 0; round < 60; round++) {
        await steps[random(steps.length)]!()
        await checkInvariant(log)
      }
      await rollSummaries(log, 'mei', 'c', now)
      expect((await log.unsummarized('mei', 'c', 100)).length).toBeLessThan(10)
    }))
}

async function checkInvariant(log: ConversationLog): Promise<void> {
  const turns = (await log.turns('mei', 'c', {})).map((turn) => turn.turnId)
  const covered = await spans(log)
  const window = new Set((await log.unsummarized('mei', 'c', 10_000)).map((turn) => turn.turnId))
  for (const turn of turns) {
    const times = covered.filter(([from, to]) => turn >= from && turn <= to).length
    expect(times, `turn ${turn} in ${JSON.stringify(covered)}`).toBe(window.has(turn) ? 0 : 1)
  }
  for (const [at, [from, to]] of covered.entries()) {
    expect(from).toBeLessThanOrEqual(to)
    expect(from).toBeGreaterThan(covered[at - 1]?.[1] ?? 0)
    expect(turns.some((turn) => turn >= from && turn <= to)).toBe(true)
  }
}

test('a summary of a long span is read and written anew in pieces, with others between', () =>
  withStore(async (log) => {
    await append(log, 2000)
    await summarizeSpan(log, 'mei', 'c', 1, 2000, now)
    const read: number[] = []
    const watched = new Proxy(log, {
      get: (own, name) =>
        name === 'turns'
          ? async (...asked: Parameters<ConversationLog['turns']>) => {
              const turns = await own.turns(...asked)
              read.push(turns.length)
              return turns
            }
          : Reflect.get(own, name).bind(own),
    })
    const turns = await turnsDuring(renewSummaries(watched, 'mei', await log.summaries('mei', 'c'), now))
    expect(await spans(log)).toEqual([[1, 2000]])
    expect(Math.max(...read)).toBeLessThanOrEqual(200)
    expect(turns).toBeGreaterThanOrEqual(10)
  }))
