/** The duties of every ledger of model usage. A backend runs it with a function that opens an empty one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { UsageLedger, UsageRecord } from '../../src/domain/contracts/small-stores.ts'

const DAY = 86_400_000
const NOON = Date.parse('2026-03-02T12:00:00Z')
const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z')

function used(said: Partial<UsageRecord> = {}): UsageRecord {
  return {
    at: NOON,
    userId: 'anna',
    step: 'exchange',
    model: 'small',
    calls: 1,
    promptTokens: 100,
    completionTokens: 10,
    cost: 0.5,
    ...said,
  }
}

/** Runs the suite. */
export function usageLedgerContract(
  name: string,
  open: () => Promise<{ readonly ledger: UsageLedger; readonly close: () => Promise<void> }>,
): void {
  describe(`usage ledger: ${name}`, () => {
    let ledger: UsageLedger
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ ledger, close } = await open())
    })
    afterEach(() => close())

    test('nothing was spent before anything was recorded', async () => {
      expect(await ledger.spent(0)).toEqual({ calls: 0, tokens: 0 })
      expect(await ledger.summary()).toEqual([])
    })

    test('records of one user, step and model add up, over days too', async () => {
      await ledger.record(used())
      await ledger.record(used({ at: NOON + DAY, calls: 3, promptTokens: 7, completionTokens: 2, cost: 0.25 }))
      await ledger.record(used({ at: NOON - DAY, calls: 1, promptTokens: 1, completionTokens: 1, cost: null }))
      expect(await ledger.summary()).toEqual([
        {
          userId: 'anna',
          step: 'exchange',
          model: 'small',
          calls: 5,
          promptTokens: 108,
          completionTokens: 13,
          cost: 0.75,
          lastAt: NOON + DAY,
        },
      ])
    })

    test('a cost that no vendor stated stays unknown', async () => {
      await ledger.record(used({ cost: null }))
      await ledger.record(used({ cost: null, at: NOON + DAY }))
      expect((await ledger.summary())[0]).toMatchObject({ calls: 2, cost: null })
    })

    test('rows are sorted by user, step and model, and can be those of one user', async () => {
      await ledger.record(used({ userId: 'bert', step: 'merge' }))
      await ledger.record(used({ step: 'merge', model: 'b' }))
      await ledger.record(used({ step: 'merge', model: 'a', at: NOON - DAY }))
      await ledger.record(used({ step: 'exchange' }))
      const names = (rows: Awaited<ReturnType<UsageLedger['summary']>>) =>
        rows.map(({ userId, step, model }) => `${userId} ${step} ${model}`)
      expect(names(await ledger.summary())).toEqual([
        'anna exchange small',
        'anna merge a',
        'anna merge b',
        'bert merge small',
      ])
      expect(names(await ledger.summary('bert'))).toEqual(['bert merge small'])
      expect(await ledger.summary('carl')).toEqual([])
    })

    test('what is spent counts all users from the beginning of the day on', async () => {
      await ledger.record(used({ at: MIDNIGHT - 1 }))
      await ledger.record(used({ at: MIDNIGHT }))
      await ledger.record(used({ at: NOON, userId: 'bert', calls: 2 }))
      expect(await ledger.spent(MIDNIGHT)).toEqual({ calls: 3, tokens: 220 })
      expect(await ledger.spent(MIDNIGHT + DAY)).toEqual({ calls: 0, tokens: 0 })
      expect(await ledger.spent(MIDNIGHT - DAY)).toEqual({ calls: 4, tokens: 330 })
    })
  })
}
