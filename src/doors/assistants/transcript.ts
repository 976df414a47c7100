/** What was said in a session since a moment? Reads the tool's own transcript from there on, however long that is. */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { LIMITS } from '../../domain/limits.ts'
import { plainFile } from '../../domain/plain-file.ts'
import type { LogTurn } from '../import-export/log-item.ts'
import { readLog } from '../import-export/read-log.ts'

const NEWLINE = 0x0a
const WINDOW = 1 << 20

/**
 * The turns from the last line with that time on, or all, oldest first and with the ids of an import. Leaves out a line
 * that is being written; throws for an unreadable file.
 */
export async function* turnsSince(path: string, time: string | undefined): AsyncGenerator<LogTurn> {
  const start = time === undefined ? 0 : lastLineWith(path, `"timestamp":"${time}"`)
  const { size, mtimeMs } = await stat(path)
  if (size === 0) return
  const source = { name: basename(path), fallbackTime: Math.floor(mtimeMs), maxContentBytes: LIMITS.contentBytes }
  const log = await readLog(createReadStream(path, { start }), source)
  if (log.format === null) throw new Error(`${path}: ${log.reason}`)
  if (log.format !== 'claude-code' && log.format !== 'codex') return
  for await (const item of log.items) if (item.kind === 'turn') yield item.turn
}

function lastLineWith(path: string, text: string): number {
  const file = openSync(plainFile(path), 'r')
  try {
    const buffer = Buffer.allocUnsafe(WINDOW + text.length)
    let isFound = false
    for (let start = fstatSync(file).size; start > 0; ) {
      const end = start + (isFound ? 0 : text.length)
      start = Math.max(0, start - WINDOW)
      const window = buffer.subarray(0, readSync(file, buffer, 0, end - start, start))
      const at = isFound ? window.length : window.lastIndexOf(text)
      if (at === -1) continue
      isFound = true
      const newline = window.subarray(0, at).lastIndexOf(NEWLINE)
      if (newline !== -1) return start + newline + 1
    }
    return 0
  } finally {
    closeSync(file)
  }
}
