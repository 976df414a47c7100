/** What was said lately in a session? Reads the end of the tool's own transcript, however long that is. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { LIMITS } from '../../domain/limits.ts'
import type { LogTurn } from '../exchange/log-item.ts'
import { readLog } from '../exchange/read-log.ts'

const NEWLINE = 0x0a

/**
 * The turns in the last `bytes` of the transcript, oldest first, with the ids that an import gives them. Only whole
 * lines are read, since a write may be in progress; throws when the file cannot be read.
 */
export async function lastTurns(path: string, bytes: number): Promise<readonly LogTurn[]> {
  const { end, modified } = readEnd(path, bytes)
  if (end.length === 0) return []
  const source = { name: basename(path), fallbackTime: modified, maxContentBytes: LIMITS.contentBytes }
  const log = await readLog(once(end), source)
  if (log.format !== 'claude-code' && log.format !== 'codex') return []
  const turns: LogTurn[] = []
  for await (const item of log.items) if (item.kind === 'turn') turns.push(item.turn)
  return turns
}

function readEnd(path: string, bytes: number): { end: Uint8Array; modified: number } {
  const file = openSync(path, 'r')
  try {
    const { size, mtimeMs } = fstatSync(file)
    const start = Math.max(0, size - bytes)
    const buffer = new Uint8Array(size - start)
    const length = readSync(file, buffer, 0, buffer.length, start)
    const read = buffer.subarray(0, length)
    const from = start === 0 ? 0 : read.indexOf(NEWLINE) + 1
    const to = read.lastIndexOf(NEWLINE) + 1
    return { end: read.subarray(from, Math.max(from, to)), modified: Math.floor(mtimeMs) }
  } finally {
    closeSync(file)
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
