/** SQL with its values written where they are used; they are bound, never pasted into the text. */
import type { SQLInputValue } from 'node:sqlite'

/** A statement, or a part of one, with its values. */
export class Sql {
  readonly text: string
  readonly values: readonly SQLInputValue[]

  constructor(text: string, values: readonly SQLInputValue[]) {
    this.text = text
    this.values = values
  }
}

/** The statement of a template; a part that is itself `Sql` becomes text with its own values. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (SQLInputValue | Sql)[]): Sql {
  let text = strings[0]!
  const values: SQLInputValue[] = []
  for (const [at, part] of parts.entries()) {
    if (part instanceof Sql) {
      text += part.text
      values.push(...part.values)
    } else {
      text += '?'
      values.push(part)
    }
    text += strings[at + 1]!
  }
  return new Sql(text, values)
}

/** Text of our own, such as a list of columns or the name of a table. */
export function raw(text: string): Sql {
  return new Sql(text, [])
}
