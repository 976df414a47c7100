/**
 * The writing of a caller's own plan: memories to add and to remove, made from reads at one revision. It is written
 * whole or not at all, and only while the user's memories are unchanged.
 */
import { checkContent, checkId, checkInteger, checkRecord } from '../domain/checks.ts'
import { invalid } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Memory } from '../domain/memory.ts'
import { ADD_FIELDS, type AddMemoryDependencies, type AddMemoryInput, describeMemory } from './memories-add.ts'

/** A memory of a plan: a text, and the fields with it. */
interface PlannedMemory extends Omit<AddMemoryInput, 'userId' | 'infer' | 'wait' | 'waitMs' | 'among'> {
  readonly text: string
}

/** A plan. Both lists have at most 10,000 items. */
export interface WriteMemoriesInput {
  readonly userId: string
  /** The value of `revision` before the plan's first read. */
  readonly expectedRevision: number
  /** Stored as they are; one whose externalId is there already, after the removals, is passed over. */
  readonly add?: readonly PlannedMemory[] | undefined
  /** Ids of memories to remove for good; unknown ones are passed over. */
  readonly remove?: readonly string[] | undefined
}

const PLANNED_FIELDS = [
  'text',
  ...ADD_FIELDS.filter((name) => !['userId', 'infer', 'wait', 'waitMs', 'among'].includes(name)),
]

/** Writes a plan in one transaction. false, and nothing is written, when the revision is another by now: plan anew. */
export async function writeMemories(
  { memories, clock, newId, maxContentBytes }: Omit<AddMemoryDependencies, 'log'>,
  input: WriteMemoriesInput,
): Promise<boolean> {
  checkRecord('', input, ['userId', 'expectedRevision', 'add', 'remove'])
  const userId = checkId('userId', input.userId)
  const expected = checkInteger('expectedRevision', input.expectedRevision, 0, Number.MAX_SAFE_INTEGER)
  const at = clock().getTime()
  const insert = checkList('add', input.add).map((planned, index): Memory => {
    const field = `add[${index}]`
    const { text, ...described } = checkRecord(field, planned, PLANNED_FIELDS)
    const words = checkContent(`${field}.text`, text, maxContentBytes)
    return { ...describeMemory({ ...described, userId }, at), id: newId(), text: words }
  })
  const remove = checkList('remove', input.remove).map((id, index) => checkId(`remove[${index}]`, id))
  return memories.apply(userId, expected, { insert, update: [], remove, wipes: true, at })
}

function checkList(field: string, list: unknown): readonly unknown[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) throw invalid(field, 'must be a list', 'Pass a list, or leave it out.')
  if (list.length > LIMITS.turnsPerCall)
    throw invalid(field, `has ${list.length} items; at most ${LIMITS.turnsPerCall} are taken`, 'Make several calls.')
  return list
}
