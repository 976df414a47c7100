/**
 * The first filling of a mirror: pieces of vectors, several on the way at a time, struck out in their order. After any
 * stop the next one looks for the few pieces that may have arrived unseen.
 */
import type { FillingPiece, OutboxOutcome } from '../../../domain/contracts/vector-mirror.ts'
import { breathe } from '../../../domain/pieces.ts'
import { type ApplyDependencies, CLAIM_MS, sendEntries, takeBack } from './apply-changes.ts'

/** Sending and striking out so many takes some 10 ms each, and others get their turn in between. */
const VECTORS_A_PIECE = 1000
/** Reading one takes 10 to 40 µs, with its memory. */
const READ_AT_ONCE = 250
const PIECES_ON_THE_WAY = 3
/** Then changes get their turn. More than can be on the way, so that one step looks for all that may have arrived. */
const PIECES_A_STEP = 6

/** Sends some pieces; how many vectors that were, null when nothing is left that it could send. */
export type FillStep = () => Promise<number | null>

interface SentPiece {
  readonly piece: FillingPiece
  readonly sent: Promise<readonly OutboxOutcome[]>
}

/** The steps of one process. One that rejects (`vector_store_failed`) can be taken again. */
export function createFillStep({ mirror, outbox, owner, now }: ApplyDependencies): FillStep {
  /** The place where this process left the filling, and the end of its sole right to go on, by performance.now(). */
  let left: { readonly at: number; readonly until: number } | null = null
  const claim = (): Promise<boolean> => outbox.claim(owner, now(), CLAIM_MS)
  const takePiece = async (after: number | null, tried: boolean): Promise<FillingPiece> => {
    let piece = await outbox.takeFilling(after, READ_AT_ONCE, tried)
    while (piece.entries.length < VECTORS_A_PIECE) {
      await breathe()
      const { from, upTo, entries } = await outbox.takeFilling(piece.upTo, READ_AT_ONCE, tried)
      if (upTo <= from) break
      piece = { from: piece.from, upTo, entries: [...piece.entries, ...entries] }
    }
    return piece
  }

  return async () => {
    if (!(await claim())) return null
    const tried = left === null || performance.now() > left.until
    let after = tried ? null : left!.at
    left = null
    const onTheWay: SentPiece[] = []
    let [pieces, count] = [0, 0]
    try {
      for (;;) {
        while (pieces < PIECES_A_STEP && onTheWay.length < PIECES_ON_THE_WAY) {
          const piece: FillingPiece = await takePiece(after, tried)
          if (piece.upTo <= piece.from) break
          after = piece.upTo
          pieces += 1
          await breathe()
          const sent = sendEntries(mirror, piece.entries)
          // The promise is awaited later; until then nobody hears it fail.
          sent.catch(() => {})
          onTheWay.push({ piece, sent })
        }
        const first = onTheWay.shift()
        if (first === undefined) return pieces === 0 ? null : count
        const outcomes = await first.sent
        await breathe()
        const claimed = performance.now()
        const isNoted = (await claim()) && (await outbox.filled(first.piece, outcomes, owner))
        if (!isNoted) {
          const others = await Promise.all(onTheWay.map(({ sent }) => sent.catch(() => [])))
          await takeBack(mirror, [...outcomes, ...others.flat()])
          return count
        }
        if (onTheWay.length === 0) left = { at: first.piece.upTo, until: claimed + CLAIM_MS }
        count += outcomes.length
      }
    } finally {
      await Promise.allSettled(onTheWay.map(({ sent }) => sent))
    }
  }
}
