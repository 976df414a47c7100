/**
 * Is what thinking took down worth a line in the notes? Thinking would rather remember too much, and search sorts it out;
 * notes are read as a whole, so that here something in the text must bear its importance out.
 */

import { MOST_IMPORTANT } from '../../domain/limits.ts'
import type { Memory } from '../../domain/memory.ts'
import { speaksOfCode } from '../../text/code-context.ts'
import { findDecisions } from '../../text/decisions.ts'
import { findSecrets } from '../../text/secrets/find-secrets.ts'
import { isConfiguration, tellsOfSolution } from './section-of.ts'

/** What was asked for or handed in as it is always is; the rest if it is what its importance (004) says. */
export function isWorthALine(memory: Omit<Memory, 'id'>): boolean {
  const { importance, sourceTurnIds, memoryType, category, key, text } = memory
  if (importance < 1) return false
  if (importance >= MOST_IMPORTANT || sourceTurnIds.length === 0) return true
  // A preference, a habit, who somebody is (1): a lasting fact of a known kind, or plainly a taste.
  if (memoryType === 'semantic' && (key !== null || category !== 'fact')) return true
  if (importance === 1) return false
  return (
    isConfiguration(key) ||
    tellsOfSolution(text) ||
    findDecisions(text).length > 0 ||
    findSecrets(text).length > 0 ||
    speaksOfCode(text)
  )
}
