/** EpisodicMerger (002 R5, R9): what is asked and answered when two records may tell of one event. */

/** Why two memories are not made one. */
export type MergeRefusal =
  /** Only episodes that still hold are merged. */
  | 'not_episodic'
  /** 002 R9.3: `who` differs. */
  | 'other_person'
  /** 002 R9.1, R9.2: more than 30 minutes apart in one chat, more than 7 days across chats. */
  | 'other_time'
  /** One comes from a conversation, the other from none: deleting that conversation would take both. */
  | 'other_origin'
  | 'other_project'
  /** 002 R9.2: across chats, not the same event. */
  | 'other_event'

/** May these two be merged? `needsSameEvent`: only if they tell of the same event (different chats). */
export type MergeAllowance =
  | { readonly allowed: true; readonly needsSameEvent: boolean }
  | { readonly allowed: false; readonly reason: MergeRefusal }

/** Identity and time of the merged record, passed in. */
export interface MergeStamp {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly now: number
}
