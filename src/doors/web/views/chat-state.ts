/** State of an open conversation: its turns, the message being answered, and recalled evidence for each. */
import { signal } from '@preact/signals'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { call, get, send } from '../api.ts'
import type { ContextMessage, Page, Recalled, Turn } from '../records.ts'
import { changes } from '../session.ts'
import { reasonOf, sentences } from '../told.ts'
import { readConversations } from './conversations.ts'

export interface Shown {
  readonly message: string
  readonly recalled: readonly Recalled[]
  /** Tokens of the whole context; null where only the evidence was requested. */
  readonly tokens: number | null
  /** Messages that a model would have been given; null with a model. */
  readonly messages: readonly ContextMessage[] | null
  /** true: recalled afterwards, by today's state. */
  readonly isLater: boolean
}

export interface Asking {
  readonly message: string
  readonly answer: string
  readonly shown: Shown | null
  /** The reason why the answer broke off; '' while it goes on. */
  readonly failure: string
}

const MOST_TURNS = 400

export const openId = signal('')
export const turns = signal<readonly Turn[] | null>([])
export const asking = signal<Asking | null>(null)
/** Shown contexts for messages of this visit, by conversation and turn. */
export const shownFor = signal<ReadonlyMap<string, Shown>>(new Map())
/** The message whose evidence is beside the conversation. */
export const looking = signal<string | null>(null)
export const failure = signal<unknown>(null)

let stopping: AbortController | null = null

export function turnKey(conversation: string, turn: number): string {
  return `${conversation} ${turn}`
}

export async function openConversation(id: string): Promise<void> {
  if (openId.value === id && turns.value !== null) return
  stopping?.abort()
  openId.value = id
  asking.value = null
  looking.value = null
  turns.value = id === '' ? [] : null
  await readTurns(id)
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
  const gone = new AbortController()
  stopping = gone
  asking.value = { message, answer: '', shown: null, failure: '' }
  const update = (part: Partial<Asking>): void => {
    if (asking.value !== null && !gone.signal.aborted) asking.value = { ...asking.value, ...part }
  }
  let id = conversation
  let shown: Shown = { message, recalled: [], tokens: 0, messages: null, isLater: false }
  let turn: number | null = null
  let ended = ''
  try {
    const body = { message, explain: true, ...(conversation === '' ? {} : { conversation_id: conversation }) }
    const response = await send('POST', '/chat', body, { signal: gone.signal })
    let answer = ''
    const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    for (const reader = events.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) break
      const { event } = value
      const data = JSON.parse(value.data)
      if (event === 'recalled') {
        id = data.conversation_id
        turn = data.turn_id
        shown = { ...shown, recalled: data.recalled, tokens: data.tokens }
        if (openId.value === conversation) openId.value = id
        onBegun(id)
        update({ shown })
      } else if (event === 'delta') {
        answer += data.text
        update({ answer })
      } else if (event === 'done') shown = { ...shown, messages: data.would_have_shown ?? null }
      else if (event === 'error') ended = sentences(data.detail, data.remedy)
    }
  } catch (error) {
    if (!gone.signal.aborted) ended = reasonOf(error)
  }
  if (turn !== null) shownFor.value = new Map([...shownFor.value, [turnKey(id, turn), shown]])
  if (openId.value === id) {
    if (id !== '') await readTurns(id)
    // On a wide screen the evidence opens by itself beside the answer.
    if (turn !== null && shown.recalled.length > 0 && matchMedia('(min-width: 1100px)').matches)
      looking.value = turnKey(id, turn)
    asking.value = ended === '' ? null : { message, answer: '', shown, failure: ended }
  }
  await readConversations().catch(() => {})
  // Thinking about the new turns takes a moment.
  setTimeout(() => {
    changes.value += 1
  }, 2500)
}

export function stop(): void {
  const waiting = asking.value
  stopping?.abort()
  asking.value = null
  if (waiting !== null) setTimeout(() => void readTurns(openId.value), 300)
}

/** Looks up today's recall for a message that was answered before this visit. */
export async function lookUp(conversation: string, { turn_id, content }: Turn): Promise<void> {
  const key = turnKey(conversation, turn_id)
  if (!shownFor.value.has(key)) {
    const asked = { query: content.slice(0, 4000), kinds: ['turn', 'memory'], explain: true, limit: 20 }
    const { results } = await call<{ results: Recalled[] }>('POST', '/recall', asked)
    const others = results.filter(
      (one) => one.conversation_id !== conversation || one.turn_id !== turn_id || one.kind === 'memory',
    )
    const shown: Shown = { message: content, recalled: others, tokens: null, messages: null, isLater: true }
    shownFor.value = new Map([...shownFor.value, [key, shown]])
  }
  looking.value = key
}
