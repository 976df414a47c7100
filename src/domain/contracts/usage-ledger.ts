/** The contract of the account of what models were asked. */

/** Usage of one call of `ask` or `stream`, answered or failed. */
export interface UsageRecord {
  /** The end of the call, in milliseconds since the epoch. */
  readonly at: number
  readonly userId: string
  /** The thinking step that asked ("exchange", "merge", …). */
  readonly step: string
  readonly model: string
  /** Requests sent to the vendor, retries included; 1 or more. */
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** US dollars; null when the vendor did not say. */
  readonly cost: number | null
}

interface UsageSpent {
  readonly calls: number
  /** Prompt and completion together. */
  readonly tokens: number
}

/** One line of the account: the sum of the records of one user, step and model. */
export interface UsageRow extends Omit<UsageRecord, 'at'> {
  /** '' for users who were removed, counted together. */
  readonly userId: string
  /** The time of the newest record. */
  readonly lastAt: number
}

/** Filter of the records in an account; absent means any. */
interface UsageFilter {
  readonly userId?: string
  /** The earliest time, from the beginning of its UTC day on, in milliseconds since the epoch. */
  readonly since?: number
}

export interface UsageLedger {
  record(usage: UsageRecord): Promise<void>
  /** Usage of all users in whole UTC days, from the day of `since` on. */
  spent(since: number): Promise<UsageSpent>
  /** A row for each user, step and model, sorted by these. `cost` is null when no record of the row states one. */
  summary(filter?: UsageFilter): Promise<readonly UsageRow[]>
}
