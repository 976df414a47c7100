/** When the bundled conversation ended, so that the demo can ask on the day after. */
import { readFileSync } from 'node:fs'
import { checkRecord, checkTime } from '../../../domain/checks.ts'

/** The newest created_at of a file of JSON lines, in milliseconds since the epoch. */
export function conversationEnd(path: string): number {
  const times = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => checkTime(`${path}:${index + 1}: created_at`, checkRecord('', JSON.parse(line)).created_at))
  return Math.max(...times)
}
