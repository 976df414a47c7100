/**
 * What follows from an order to forget ("Forget that I live in Lyon")? The memories that say so end, and the order is
 * not stored; deletion for good is only asked for by id.
 */

import type { Memory } from '../../domain/memory.ts'
import { isForgotten } from '../../thinking/change/forget.ts'
import type { Statement } from '../../thinking/change/statement.ts'
import type { PlanInProgress } from './plan-in-progress.ts'
import { statementOf } from './related-memories.ts'
import type { News, Outcome } from './thoughts.ts'

/** Ends the memories that the order names, with an outcome for each. */
export function planForgotten(
  plan: PlanInProgress,
  order: News,
  statement: Statement,
  known: readonly Memory[],
): readonly Outcome[] {
  return known
    .filter((memory) => isForgotten(statement, statementOf(memory)))
    .map((memory) => {
      const patch = { validTo: Math.max(memory.validFrom, order.memory.createdAt), suspect: null }
      plan.change(memory, patch, 'UPDATE')
      return {
        memory: { ...memory, ...patch },
        event: 'UPDATE',
        superseded: [memory.id],
        doubted: [],
        lifted: order.refusal,
      }
    })
}
