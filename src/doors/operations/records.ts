/** The library's records as the JSON of every door: snake_case names of their own fields, nothing else changed. */
import { DEFAULT_PAGE } from '../../domain/limits.ts'
import type { ListView } from '../library/conversations.ts'
import { type SnakeNames, snakeNames } from './names.ts'

/** A record with the id of its conversation under the name of specifications 000 and 001, too. */
export function sessionRecord<T extends { readonly conversationId: string | null }>(
  view: T,
): SnakeNames<T> & { readonly session_id: T['conversationId'] } {
  return Object.assign(snakeNames(view), { session_id: view.conversationId })
}

/** The part of a list that was asked for, where the library gives the whole: lists of one memory or conversation. */
export function partOfList<T>(all: readonly T[], { limit = DEFAULT_PAGE, offset = 0 }: PageAsked): ListView<T> {
  return { items: all.slice(offset, offset + limit), total: all.length }
}

/** Which part of a list was asked for. */
export interface PageAsked {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A page with totals. `asked`: what the caller asked for. */
export function pageRecord<T, R>({ items, total }: ListView<T>, asked: PageAsked, render: (item: T) => R) {
  const offset = asked.offset ?? 0
  return {
    items: items.map(render),
    total,
    limit: asked.limit ?? DEFAULT_PAGE,
    offset,
    has_more: offset + items.length < total,
  }
}
