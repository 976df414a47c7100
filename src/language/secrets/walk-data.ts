/** Data of any shape with changed texts, numbers and field names; unchanged parts stay the same objects. */

/** The changes of the parts. `field` is the name of the field that holds one, through lists too; null at the top. */
export interface DataChange {
  text(text: string, field: string | null): string
  number(value: number, field: string | null): unknown
  /** The name of a field itself. */
  fieldName(name: string): string
  /** The name under which a field is treated, which its neighbours in the record may change. */
  takenFor(field: string, record: object): string
}

/** The greatest depth of data that is kept; deeper parts are left out. */
const DEEPEST = 100

/** The data after the change. */
export function changedData<T>(data: T, change: DataChange): T {
  return changed(data, null, change, DEEPEST) as T
}

function changed(data: unknown, field: string | null, change: DataChange, depth: number): unknown {
  if (typeof data === 'string') return change.text(data, field)
  if (typeof data === 'number') return change.number(data, field)
  if (typeof data !== 'object' || data === null || data instanceof Date) return data
  if (depth === 0) return null
  return Array.isArray(data) ? changedItems(data, field, change, depth - 1) : changedFields(data, change, depth - 1)
}

/** The items, copied from the first changed one on. */
function changedItems(items: readonly unknown[], field: string | null, change: DataChange, depth: number): unknown {
  let copy: unknown[] | null = null
  for (let at = 0; at < items.length; at++) {
    const item = changed(items[at], field, change, depth)
    if (item !== items[at]) copy ??= items.slice(0, at)
    copy?.push(item)
  }
  return copy ?? items
}

function changedFields(data: object, change: DataChange, depth: number): unknown {
  const entries = Object.entries(data)
  let isSame = true
  for (const entry of entries) {
    const [field, value] = entry
    entry[0] = change.fieldName(field)
    entry[1] = changed(value, change.takenFor(field, data), change, depth)
    isSame &&= entry[0] === field && entry[1] === value
  }
  return isSame ? data : Object.fromEntries(entries)
}
