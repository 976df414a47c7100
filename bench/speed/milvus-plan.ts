/** The plan of the bench of Milvus: its vectors, their users and the questions. */

/** So many users share this part of the vectors. */
export interface Group {
  readonly share: number
  readonly users: number
}

/** Users of all sizes. */
export const MIXED: readonly Group[] = [
  { share: 0.5, users: 1 },
  { share: 0.25, users: 100 },
  { share: 0.25, users: 10_000 },
]

/** One run. */
export interface Plan {
  readonly count: number
  readonly dimension: number
  readonly users: readonly Group[]
}

/** Whose vector it is: the groups lie one after the other, the users of each take turns. */
export function ownerOf(at: number, { count, users: groups }: Plan): string {
  let end = 0
  for (const [index, { share, users }] of groups.entries()) {
    end += share * count
    if (at < end || index === groups.length - 1) return `user ${index} ${at % users}`
  }
  return ''
}
