/** The contract of a store of settings: JSON by name, for the whole database, seen by every process at once. */

export interface SettingsStore {
  /** Values by name; a missing one has its default. */
  all(): Promise<ReadonlyMap<string, unknown>>
  /** undefined when it was not set. */
  get(key: string): Promise<unknown>
  /** Sets all or none; null takes a setting back to its default. `at` in milliseconds since the epoch. */
  set(values: Readonly<Record<string, unknown>>, at: number): Promise<void>
}
