/** Names for new things: readable where a person types them, random enough never to collide. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** A conversation's id, such as conv-20260117-3f9a1c07d2. */
export function conversationName(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  return `conv-${day}-${randomBytes(5).toString('hex')}`
}

/** An id for what has none of its own: the beginning of the hash of what distinguishes it. */
export function hashOf(value: unknown, characters = 24): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, characters)
}

export function memoryId(): string {
  return randomUUID()
}
