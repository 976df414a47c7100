/** Names for new things: readable where a person types them, random enough never to collide. */
import { randomBytes, randomUUID } from 'node:crypto'

/** A conversation's id, such as conv-20260117-3f9a1c07d2. */
export function conversationName(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  return `conv-${day}-${randomBytes(5).toString('hex')}`
}

/** A memory's id: a random UUID. */
export function memoryId(): string {
  return randomUUID()
}
