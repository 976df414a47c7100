/** Which part of a list is asked for? One check and one default for every list. */
import { checkInteger } from './checks.ts'
import { DEFAULT_PAGE, LIMITS } from './limits.ts'

/** A page of a list: at most `limit` items (1-10,000, default 100) after leaving out `offset`. */
export interface PageInput {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A page that was asked for, checked. */
export interface CheckedPage {
  readonly limit: number
  readonly offset: number
}

/** Checks a page; anything but whole numbers within the bounds is refused. */
export function checkPage({ limit = DEFAULT_PAGE, offset = 0 }: { limit?: unknown; offset?: unknown }): CheckedPage {
  return {
    limit: checkInteger('limit', limit, 1, LIMITS.resultLimit),
    offset: checkInteger('offset', offset, 0, Number.MAX_SAFE_INTEGER),
  }
}
