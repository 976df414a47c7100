/** Lists by page: the same two flags and the same JSON everywhere. */
import type { Command } from 'commander'
import { wholeNumber } from '../config/options.ts'
import { type FlagValues, textFlag } from './flag-values.ts'

/** A page that was asked for. */
export interface PageFlags {
  readonly limit: number
  readonly offset: number
}

const DEFAULT_LIMIT = 100

/** Adds --limit and --offset. */
export function pageFlags(command: Command): Command {
  return command
    .option('--limit <count>', `most items, 1 to 10,000 (default: ${DEFAULT_LIMIT})`)
    .option('--offset <count>', 'items to leave out first (default: 0)')
}

/** Reads --limit and --offset; their ranges are the library's to check. */
export function readPage(flags: FlagValues): PageFlags {
  return {
    limit: wholeNumber('--limit', textFlag(flags, 'limit') ?? String(DEFAULT_LIMIT)),
    offset: wholeNumber('--offset', textFlag(flags, 'offset') ?? '0'),
  }
}
