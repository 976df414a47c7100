/**
 * The decision about a memory and its likes (002 R5.2-R5.5, R9): merged with the first possible one, else told apart. A
 * plan is written only if nothing has changed meanwhile.
 */

import type { MemoryChanges } from '../../../domain/contracts/memory-store.ts'
import type { Memory } from '../../../domain/memory.ts'
import { breathe } from '../../../domain/pieces.ts'
import type { RewrittenWords } from '../../../thinking/answers/rewritten.ts'
import { isSameEventByRules, mayMerge } from '../../../thinking/merge/may-merge.ts'
import { mergedMemory, mergeWordsByRules } from '../../../thinking/merge/rules.ts'
import { areSeparated, separateByRules, separationPatch } from '../../../thinking/separate/rules.ts'
import type { Similar } from './find-similar.ts'
import { askModel, type Run } from './types.ts'

/** `similar`: the living episodes like it, most alike first. false when somebody else wrote in between, so that it must be looked at again. */
export async function joinOrPart(run: Run, memory: Memory, similar: readonly Similar[]): Promise<boolean> {
  for (const { memory: other, verdict } of similar) {
    if (verdict !== 'same') continue
    const outcome = await tryMerge(run, memory, other)
    if (outcome !== 'no') return outcome === 'done'
  }
  return partFromAll(run, memory, similar)
}

async function tryMerge(run: Run, a: Memory, b: Memory): Promise<'done' | 'stale' | 'no'> {
  const { memories, model, clock, newId, vectors } = run.dependencies
  const allowance = mayMerge(a, b)
  if (allowance === 'no') return 'no'
  const revision = await memories.revision(run.userId)
  if (!(await areUnchanged(run, a, b))) return 'stale'
  const merge = model?.merge
  const asked = merge && (await askModel(run, 'merge', (options) => merge(a, b, options)))
  const words = asked ? (asked.sameEvent ? asked.words : null) : await wordsByRules(a, b, allowance === 'same event')
  if (words === null) return 'no'
  const now = clock().getTime()
  const merged = mergedMemory(a, b, words, { id: newId(), now })
  const gone = [a.id, b.id]
  const written = await apply(run, revision, { insert: [merged], update: [], remove: gone, heir: merged.id, at: now })
  if (!written) return 'stale'
  await vectors?.remove(run.userId, gone)
  run.counts.merged += 1
  run.counts.deleted += gone.length
  return 'done'
}

async function wordsByRules(a: Memory, b: Memory, needsSameEvent: boolean): Promise<RewrittenWords | null> {
  return needsSameEvent && !(await isSameEventByRules(a, b)) ? null : mergeWordsByRules(a, b)
}

async function partFromAll(run: Run, memory: Memory, similar: readonly Similar[]): Promise<boolean> {
  let current = memory
  for (const { memory: other, verdict } of similar) {
    if (verdict !== 'ambiguous' || areSeparated(current, other)) continue
    const parted = await part(run, current, other)
    if (parted === null) return false
    await breathe(run.signal)
    current = parted
  }
  return true
}

/** The first memory as it is afterwards; null when somebody else wrote in between. */
async function part(run: Run, a: Memory, b: Memory): Promise<Memory | null> {
  const { memories, model, clock } = run.dependencies
  const revision = await memories.revision(run.userId)
  if (!(await areUnchanged(run, a, b))) return null
  const separate = model?.separate
  const asked = separate && (await askModel(run, 'separate', (options) => separate(a, b, options)))
  const words = asked ?? separateByRules(a, b)
  if (words === null) return a
  const patch = separationPatch(a, words.first, b.id)
  const changes: MemoryChanges = {
    insert: [],
    update: [
      { id: a.id, patch, event: 'UPDATE' },
      { id: b.id, patch: separationPatch(b, words.second, a.id), event: 'UPDATE' },
    ],
    remove: [],
    at: clock().getTime(),
  }
  if (!(await apply(run, revision, changes))) return null
  run.counts.separated += 1
  return { ...a, ...patch }
}

/** A plan is made from the present state of both, not from that of the listing. */
async function areUnchanged(run: Run, ...planned: readonly Memory[]): Promise<boolean> {
  for (const memory of planned) {
    const now = await run.dependencies.memories.get(run.userId, memory.id)
    if (now === null || now.text !== memory.text || now.updatedAt !== memory.updatedAt) return false
  }
  return true
}

function apply(run: Run, revision: number, changes: MemoryChanges): Promise<boolean> {
  return run.dependencies.memories.apply(run.userId, revision, changes)
}
