/** A count of model usage for tests, kept in memory: the plainest thing that keeps the contract. */
import type { UsageLedger, UsageRecord, UsageRow } from '../../src/domain/contracts/small-stores.ts'

/** The records can be looked at. */
export interface InMemoryUsageLedger extends UsageLedger {
  readonly records: readonly UsageRecord[]
}

export function inMemoryUsageLedger(): InMemoryUsageLedger {
  const records: UsageRecord[] = []
  return {
    records,
    async record(usage) {
      records.push(usage)
    },
    async spent(since) {
      const counted = records.filter(({ at }) => at >= startOfDay(since))
      return {
        calls: counted.reduce((sum, { calls }) => sum + calls, 0),
        tokens: counted.reduce((sum, one) => sum + one.promptTokens + one.completionTokens, 0),
      }
    },
    async summary(userId = null) {
      const rows = new Map<string, UsageRow>()
      for (const { at, ...usage } of records) {
        if (userId !== null && usage.userId !== userId) continue
        const name = JSON.stringify([usage.userId, usage.step, usage.model])
        const row = rows.get(name)
        rows.set(name, row === undefined ? { ...usage, lastAt: at } : added(row, usage, at))
      }
      return [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
    },
  }
}

function startOfDay(at: number): number {
  return at - (at % 86_400_000)
}

function added(row: UsageRow, usage: Omit<UsageRecord, 'at'>, at: number): UsageRow {
  return {
    ...row,
    calls: row.calls + usage.calls,
    promptTokens: row.promptTokens + usage.promptTokens,
    completionTokens: row.completionTokens + usage.completionTokens,
    cost: row.cost === null && usage.cost === null ? null : (row.cost ?? 0) + (usage.cost ?? 0),
    lastAt: Math.max(row.lastAt, at),
  }
}
