/** State of an open conversation: its turns, the message being answered, and recalled evidence for each. */
import { computed, effect, signal } from '@preact/signals'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { call, get, Problem, send } from '../api.ts'
import type { ContextMessage, Page, Recalled, Turn } from '../records.ts'
import { attached, changes, drafts, user } from '../session.ts'
import { reasonOf } from '../told.ts'
import { readConversations } from './conversations.ts'

export interface Shown {
  readonly message: string
  readonly recalled: readonly Recalled[]
  /** Tokens of the whole context; null where only the evidence was requested. */
  readonly tokens: number | null
  /** Messages that a model would have been given; null with a model. */
  readonly messages: readonly ContextMessage[] | null
  /** true: recalled afterwards, from what was known then. */
  readonly isLater: boolean
}

/** A message whose answer is coming, or broke off. */
interface Asking {
  readonly message: string
  readonly answer: string
  /** Number of the stored message; null until it is stored. */
  readonly turn: number | null
  /** The reason why the answer broke off; '' while it goes on. */
  readonly failure: string
  readonly gone: AbortController
}

const MOST_TURNS = 400
/** Longer texts are shown in part, and their fields do not grow: laying out a megabyte would take seconds. */
export const LONG_CHARACTERS = 20_000

export const openId = signal('')
export const turns = signal<readonly Turn[] | null>([])
const asked = signal<ReadonlyMap<string, Asking>>(new Map())
/** The message of the open conversation that is being answered. */
export const asking = computed(() => asked.value.get(openId.value) ?? null)
/** Shown contexts for messages of this visit, by conversation and turn. */
export const shownFor = signal<ReadonlyMap<string, Shown>>(new Map())
/** The message whose evidence is beside the conversation. */
export const looking = signal<string | null>(null)
export const failure = signal<unknown>(null)

// Another user has other conversations.
effect(() => {
  user.value
  for (const { gone } of asked.peek().values()) gone.abort()
  asked.value = new Map()
  shownFor.value = new Map()
  openId.value = ''
  turns.value = []
})

export function turnKey(conversation: string, turn: number): string {
  return `${conversation} ${turn}`
}

/** Shows a conversation; answers that come in others go on. */
export async function openConversation(id: string): Promise<void> {
  if (openId.value === id && turns.value !== null) return
  openId.value = id
  looking.value = null
  turns.value = id === '' ? [] : null
  await readTurns(id)
}

function setAsked(id: string, one: Asking | null): void {
  const all = new Map(asked.value)
  if (one === null) all.delete(id)
  else all.set(id, one)
  asked.value = all
}

/** A message that was not stored stands in its field again. */
function giveBack(id: string, message: string): void {
  const field = message.length > LONG_CHARACTERS ? attached : drafts
  field.set(id, [message, field.of(id)].filter((part) => part !== '').join('\n\n'))
}

/** Keeps messages of which it is not known that they were stored, because the page is closing. */
export function keepUnsent(): void {
  for (const [id, { message, turn, failure }] of asked.value) if (turn === null && failure === '') giveBack(id, message)
}

async function readTurns(id: string): Promise<void> {
  if (id === '') return
  failure.value = null
  try {
    const { last_turn_id } = await get<{ last_turn_id: number }>(['conversations', id])
    const from_turn = Math.max(1, last_turn_id - MOST_TURNS + 1)
    const page = await get<Page<Turn>>(['conversations', id, 'turns'], undefined, { from_turn, limit: MOST_TURNS })
    if (openId.value === id) turns.value = withoutReplaced(page.items)
  } catch (error) {
    if (openId.value === id) failure.value = error
  }
}

/** A repeated answer takes the place of the first. */
function withoutReplaced(all: readonly Turn[]): readonly Turn[] {
  const replaced = new Set(all.map(({ metadata }) => metadata?.replaces_turn))
  return all.filter(({ turn_id }) => !replaced.has(turn_id))
}

/** Sends a message and follows the answer; `onBegun` gets the conversation once the message is stored. */
export async function ask(message: string, onBegun: (conversation: string) => void): Promise<void> {
  const conversation = openId.value
  const owner = user.value
  const gone = new AbortController()
  let id = conversation
  let now: Asking = { message, answer: '', turn: null, failure: '', gone }
  const update = (part: Partial<Asking>): void => {
    now = { ...now, ...part }
    if (!gone.signal.aborted) setAsked(id, now)
  }
  update({})
  let shown: Shown = { message, recalled: [], tokens: 0, messages: null, isLater: false }
  let ended = ''
  try {
    const body = { message, explain: true, ...(conversation === '' ? {} : { conversation_id: conversation }) }
    const response = await send('POST', '/chat', body, { signal: gone.signal })
    const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    for (const reader = events.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) break
      const { event } = value
      const data = JSON.parse(value.data)
      if (event === 'recalled') {
        setAsked(conversation, null)
        id = data.conversation_id
        shown = { ...shown, recalled: data.recalled, tokens: data.tokens }
        update({ turn: data.turn_id })
        if (openId.value === conversation) openId.value = id
        onBegun(id)
      } else if (event === 'delta') update({ answer: now.answer + data.text })
      else if (event === 'done') shown = { ...shown, messages: data.would_have_shown ?? null }
      else if (event === 'error') ended = reasonOf(new Problem(data.status, data.detail, data.remedy))
    }
  } catch (error) {
    if (!gone.signal.aborted) ended = reasonOf(error)
  }
  if (user.value !== owner) return
  const { turn } = now
  if (turn !== null) shownFor.value = new Map([...shownFor.value, [turnKey(id, turn), shown]])
  else if (ended !== '') giveBack(id, message)
  if (openId.value === id) {
    if (id !== '') await readTurns(id)
    // On a wide screen the evidence opens by itself beside the answer.
    if (turn !== null && shown.recalled.length > 0 && matchMedia('(min-width: 1100px)').matches)
      looking.value = turnKey(id, turn)
  }
  if (ended !== '') update({ answer: '', failure: ended })
  else if (asked.value.get(id)?.gone === gone) setAsked(id, null)
  await readConversations().catch(() => {})
  // Thinking about the new turns takes a moment.
  setTimeout(() => {
    changes.value += 1
  }, 2500)
}

export function stop(): void {
  asking.value?.gone.abort()
  setAsked(openId.value, null)
  setTimeout(() => void readTurns(openId.value), 300)
}

/** Looks up the recall for a message that was answered before this visit, from what was known then. */
export async function lookUp(conversation: string, { turn_id, content, created_at }: Turn): Promise<void> {
  const key = turnKey(conversation, turn_id)
  if (!shownFor.value.has(key)) {
    const before = new Date(Date.parse(created_at) - 1).toISOString()
    const then = { now: created_at, as_of: before, until: before }
    const question = { query: content.slice(0, 4000), kinds: ['turn', 'memory'], explain: true, limit: 20, ...then }
    const { results } = await call<{ results: Recalled[] }>('POST', '/recall', question)
    const shown: Shown = { message: content, recalled: results, tokens: null, messages: null, isLater: true }
    shownFor.value = new Map([...shownFor.value, [key, shown]])
  }
  looking.value = key
}
