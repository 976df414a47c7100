/** The library's camelCase as the snake_case of this door. Only the names of one level change: what a caller stored
 * (metadata, values, variables) stays as it was. */

/** `turnId` → `turn_id`. */
export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The same object with snake_case names; undefined values are left out. */
export function snakeNames(record: object): Record<string, unknown> {
  const renamed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) if (value !== undefined) renamed[snakeName(name)] = value
  return renamed
}
