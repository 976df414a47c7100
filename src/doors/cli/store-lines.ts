/**
 * `memory_store --stdin`: all lines are checked, then each conversation is stored in one transaction, and one result a
 * line is printed in the order of the lines. When a conversation fails, the results of those before it are printed.
 */
import { invalid } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type FlagValues, textFlag } from './command.ts'
import type { Context } from './context.ts'
import { projectRoot } from './flag-values.ts'
import { readStdin } from './read-stdin.ts'
import { storedJson } from './stored-json.ts'
import { thinkForAMoment } from './think-for-a-moment.ts'
import { readTurnLine, type TurnLine } from './turn-line.ts'
import { writeOut } from './write-out.ts'

/** Larger inputs are a matter for memory_import, which streams. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024
const ONE_TURN_FLAGS = ['role', 'content', 'speaker', 'createdAt', 'externalId', 'metadata']

/** A line with its place among the others, from 0. */
interface PlacedLine extends TurnLine {
  readonly place: number
}

/** Stores what stdin holds. */
export async function storeLines(context: Context, flags: FlagValues): Promise<void> {
  const extra = ONE_TURN_FLAGS.find((name) => flags[name] !== undefined)
  if (extra !== undefined)
    throw invalid(
      '--stdin',
      'is given together with the flags of a single turn',
      'Put role and content into the lines.',
    )
  const text = await readStdin('--stdin', MAX_INPUT_BYTES)
  const lines = readLines(text, context.settings.max_content_bytes.value)
  const project = textFlag(flags, 'project')
  const groups = Map.groupBy(lines, ({ conversationId }) => conversationId ?? textFlag(flags, 'conversation') ?? null)
  const memory = await context.memory()
  const results: (string | undefined)[] = lines.map(() => undefined)
  try {
    for (const [conversationId, group] of groups) {
      const named = group.findLast((line) => line.projectRoot !== null)?.projectRoot
      const stored = await memory.conversations.store({
        conversationId,
        projectRoot: named ?? (project === undefined ? undefined : projectRoot(project)),
        turns: group.map(({ turn }) => turn),
      })
      for (const [index, result] of stored.entries()) results[group[index]!.place] = JSON.stringify(storedJson(result))
    }
  } finally {
    for (const result of results) if (result !== undefined) await writeOut(`${result}\n`)
  }
  if (flags.think === true) await thinkForAMoment(context.settings, memory)
}

function readLines(text: string, maxContentBytes: number): readonly PlacedLine[] {
  const lines: PlacedLine[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    if (lines.length === LIMITS.turnsPerCall)
      throw invalid('--stdin', `has more than ${LIMITS.turnsPerCall} lines`, 'Split it, or use memory_import.')
    lines.push({ ...readTurnLine(line, index + 1, maxContentBytes), place: lines.length })
  }
  if (lines.length === 0) throw invalid('--stdin', 'holds no lines', 'Pass at least one JSON line.')
  return lines
}
