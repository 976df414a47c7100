/** A secret as it was found in a text: which stretch it is, and how much of it may be shown. */

/** A stretch of a text that nobody should read by accident; `from` and `to` count UTF-16 units, `to` is not part of it. */
export interface Secret {
  readonly from: number
  readonly to: number
  /** The part of its beginning that tells only the issuer, such as "sk-"; '' when nothing may be shown. */
  readonly shown: string
  /** true: a sentence says it ("the gate code is 4471", 密码是4471), as people tell what they want remembered. */
  readonly isSaid?: true
}
