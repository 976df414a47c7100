/** Converts the library's records to the JSON of every door: own field names in snake_case, nothing else changed. */
import { DEFAULT_PAGE } from '../../domain/limits.ts'
import type { ListView } from '../library/conversations.ts'
import { type SnakeNames, snakeNames } from './names.ts'

/** A record that repeats its conversation's id under the name of specifications 000 and 001. */
export function sessionRecord<T extends { readonly conversationId: string | null }>(
  view: T,
): SnakeNames<T> & { readonly session_id: T['conversationId'] } {
  return Object.assign(snakeNames(view), { session_id: view.conversationId })
}

/** A page of a list that the library gives whole, as for one memory or conversation. */
export function partOfList<T>(all: readonly T[], { limit = DEFAULT_PAGE, offset = 0 }: PageAsked): ListView<T> {
  return { items: all.slice(offset, offset + limit), total: all.length }
}

/** The requested page of a list. */
export interface PageAsked {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A page with totals; `asked` is the requested page. */
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
