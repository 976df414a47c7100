/** What a campaign is: one promise tried again and again with hostile input, and what was found. */

/** One thing that a campaign measured or counted. */
export interface Finding {
  /** What was tried, in a few words. */
  readonly tried: string
  readonly value: number
  readonly unit: string
  /** How many attempts stand behind the value. */
  readonly n: number
  /** The most that is promised; absent for what is only told. */
  readonly most?: number
  /** What a reader needs to look into it: the input, the seed, the stack. */
  readonly detail?: string
}

/** What every campaign may be told. */
export interface CampaignOptions {
  /** Roughly how long it may take. */
  readonly seconds: number
  readonly seed: number
  /** Only attempts whose name holds this. */
  readonly only: string | null
}

export type Campaign = (options: CampaignOptions) => Promise<readonly Finding[]>

/** Counts and exponents break a promise at once; a time only at ten times its figure, because machines differ. */
export function isBroken({ value, most, unit }: Finding): boolean {
  return most !== undefined && value > (unit === 'ms' || unit === 's' ? most * 10 : most)
}
