/** The report of a bench: one figure a line, with what it was compared with in the same run. */

/** One measured figure. */
export interface Figure {
  readonly bench: string
  readonly figure: string
  /** The column of the one table that such figures make, a row for each name; absent for a line of its own. */
  readonly column?: string
  readonly value: number
  readonly unit: string
  /** How many measurements or questions stand behind it. */
  readonly n: number
  /** The comparison, in the same run or as a goal; absent when there is none. */
  readonly reference?: string
  /** value ÷ the reference's value. */
  readonly ratio?: number
}

/** Flags of every bench. */
export interface BenchOptions {
  /** Folder with the data sets. */
  readonly data: string
  /** Names behind the bench's own, and any `--name value`. */
  readonly flags: Readonly<Record<string, string>>
}

/** The value at a share of the sorted measurements: 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Milliseconds of this process's processors since `before`, which other work on the machine changes less than the clock. */
export function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
