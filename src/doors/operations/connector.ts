/** `search` and `fetch` for chat connectors: ids and titles of possible answers, then one of them whole. */
import { z } from 'zod'
import { invalid, notFound } from '../../domain/errors.ts'
import type { OpenMemory } from '../library/index.ts'
import { operationsOf } from './operation.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Tools')

const MEMORIES = 10
const TURNS = 5
const TITLE_CHARACTERS = 80

export const search = operation({
  effect: 'read',
  input: z.strictObject({ query: schema.query }),
  output: z.object({ results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })) }),
  mcp: { description: 'For chat connectors: ids and titles of what may answer, for fetch. Others use recall.' },
  handler: async ({ memory, userId }, { query }) => {
    const { memories, turns } = await findBoth(memory, query, { userId })
    const found = [
      ...memories.results,
      ...turns.results.flatMap(({ conversationId, turnId, content: text = '' }) =>
        turnId === null ? [] : [{ id: turnReference(conversationId, turnId), text }],
      ),
    ]
    return {
      results: found.map(({ id, text }) => ({ id, title: titleOf(text), url: referenceUri(readReference(id)) })),
    }
  },
})

/** The few memories and turns that answer a query. */
export async function findBoth<Asked extends { readonly userId: string }>(
  memory: OpenMemory,
  query: string,
  asked: Asked,
) {
  const memories = await memory.search(query, { ...asked, limit: MEMORIES })
  return { memories, turns: await memory.conversations.recall(query, { ...asked, kinds: ['turn'], limit: TURNS }) }
}

export const fetch = operation({
  effect: 'read',
  input: z.strictObject({ id: schema.id }),
  output: z.object({ id: z.string(), title: z.string(), text: z.string(), url: z.string(), metadata: schema.metadata }),
  mcp: { description: 'For chat connectors: one result of search in full. Others use get_memory or get_turns.' },
  handler: async ({ memory, userId }, { id }) => {
    const referred = readReference(id)
    const { text, metadata } = await readReferred(memory, userId, referred)
    if (referred.kind === 'memory') await memory.touch([referred.id], { userId })
    return { id, title: titleOf(text), text, url: referenceUri(referred), metadata }
  },
})

async function readReferred(memory: OpenMemory, userId: string, referred: Referred) {
  if (referred.kind === 'memory') {
    const { text, category, key, who, occurredAt, confidence, source, tags } = await memory.get(referred.id, { userId })
    return { text, metadata: { kind: 'memory', category, key, who, occurred_at: occurredAt, confidence, source, tags } }
  }
  const { conversationId, turnId } = referred
  const { items } = await memory.conversations.turns(conversationId, { userId, fromTurn: turnId, toTurn: turnId })
  const turn = items[0]
  if (turn === undefined) throw notFound('turn', turnReference(conversationId, turnId), 'Look it up with search.')
  const { content, role, speaker, createdAt } = turn
  return {
    text: content,
    metadata: { kind: 'turn', conversation_id: conversationId, turn_id: turnId, role, speaker, created_at: createdAt },
  }
}

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  const characters = [...line]
  return characters.length <= TITLE_CHARACTERS ? line : `${characters.slice(0, TITLE_CHARACTERS - 1).join('')}…`
}

type Referred =
  | { readonly kind: 'memory'; readonly id: string }
  | { readonly kind: 'turn'; readonly conversationId: string; readonly turnId: number }

const TURN = /^turn:(\d{1,15}):(.+)$/s
/** Addresses of one memory or turn. */
const SCHEME = 'mneme://'

/** The reference of a turn, such as `turn:12:conv-20260117-3f9a1c07d2`; a memory's reference is its id. */
export function turnReference(conversationId: string, turnId: number): string {
  return `turn:${turnId}:${conversationId}`
}

function readReference(id: string): Referred {
  const turn = TURN.exec(id)
  if (turn === null) return { kind: 'memory', id }
  const turnId = Number(turn[1])
  if (turnId < 1) throw invalid('id', 'names turn 0', 'Turns are numbered from 1.')
  return { kind: 'turn', turnId, conversationId: turn[2] ?? '' }
}

function referenceUri(referred: Referred): string {
  if (referred.kind === 'memory') return `${SCHEME}memory/${encodeURIComponent(referred.id)}`
  return `${SCHEME}turn/${encodeURIComponent(referred.conversationId)}/${referred.turnId}`
}
