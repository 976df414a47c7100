/** Secrets in tables: the cells below a head that names one, in Markdown or with commas, semicolons or tabs. */
import type { Secret } from './issued-keys.ts'
import { secretNameOf } from './secret-names.ts'
import { isUnlikeWords, looksSecret, type SecretName } from './value-shape.ts'

const LONGEST_LINE = 500
const RULE = /^[\s|:-]+$/

/** The cells of the columns that a name stands at the head of; `names` are the places of names, in order. */
export function columnSecrets(text: string, names: readonly { readonly at: number }[]): readonly Secret[] {
  const found: Secret[] = []
  let read = 0
  for (const { at } of names) {
    if (at < read) continue
    const head = lineAt(text, text.lastIndexOf('\n', at) + 1)
    read = head.to
    const mark = head.text.length > LONGEST_LINE ? undefined : /[|\t;,]/.exec(head.text)?.[0]
    if (mark === undefined) continue
    const columns = head.text
      .split(mark)
      .map((cell) => secretNameOf(cell.trim().replace(/^[*"'`]{1,3}|[*"'`]{1,3}$/g, '')))
    if (columns.every((name) => name === null) || isOneColumn(head.text.split(mark))) continue
    for (let from = head.to + 1; from < text.length; ) {
      const row = lineAt(text, from)
      const cells = row.text.slice(0, LONGEST_LINE).split(mark)
      if (cells.length !== columns.length) break
      if (!RULE.test(row.text)) found.push(...secretsOfRow(cells, columns, from))
      from = row.to + 1
    }
  }
  return found
}

/** true for a list: a name and the mark behind it. */
function isOneColumn(cells: readonly string[]): boolean {
  return cells.filter((cell) => cell.trim() !== '').length < 2
}

function secretsOfRow(
  cells: readonly string[],
  columns: readonly (SecretName | null)[],
  rowFrom: number,
): readonly Secret[] {
  let from = rowFrom
  return cells.flatMap((cell, column) => {
    const value = cell.replace(/[*"'`\s]/g, ' ').trim()
    const start = from + cell.indexOf(value)
    from += cell.length + 1
    const name = columns[column] ?? null
    if (name === null || (name === 'password' && !/[A-Za-z]/.test(value))) return []
    const isSecret = isUnlikeWords(value, name) && looksSecret(value, { name, quoted: true, foreign: false })
    return isSecret ? [{ from: start, to: start + value.length, shown: '' }] : []
  })
}

function lineAt(text: string, from: number): { readonly text: string; readonly to: number } {
  const end = text.indexOf('\n', from)
  const to = end < 0 ? text.length : end
  return { text: text.slice(from, to).replace(/\r$/, ''), to }
}
