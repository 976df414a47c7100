/** State of an open conversation: its turns, the message being answered, and recalled evidence for each. */
import { computed, effect, signal } from '@preact/signals'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { call, get, lostServer, Problem, pathOf, send as post } from '../api.ts'
import { reasonOf } from '../notices.ts'
import type { ContextMessage, Memory, Named, Page, Piece, Recalled, Turn } from '../records.ts'
import { attached, changes, drafts, isReachable, user } from '../session.ts'
import { projectOf, readConversations, readTurn } from './conversations.tsx'
import { readEdits, wordsAt } from './memory-list.ts'

export interface Shown {
  readonly message: string
  readonly recalled: readonly Piece[]
  /** Tokens of all that the model got to see; null where it was recalled afterwards, from what was known then. */
  readonly tokens: number | null
  /** Messages that a model would have been given; null with a model. */
  readonly messages: readonly ContextMessage[] | null
  /** How many were shown that are deleted by now. */
  readonly gone: number
}

/** A message whose answer is coming, or broke off. */
interface Asking {
  readonly message: string
  readonly answer: string
  /** Number of the stored message; null until it is stored. */
  readonly turn: number | null
  /** The reason why the answer broke off; '' while it goes on. */
  readonly failure: string
  /** Whether the server said so itself: nothing is coming any more. */
  readonly isOver: boolean
  readonly gone: AbortController
}

const MOST_TURNS = 400
const MOST_SHOWN = 6
/** Longer texts are shown in part, and their fields do not grow: laying out a megabyte would take seconds. */
export const LONG_CHARACTERS = 20_000

export const openId = signal('')
export const turns = signal<readonly Turn[] | null>([])
/** By conversation; null: nobody is answering there. */
const asked = signal<ReadonlyMap<string, Asking | null>>(new Map())
export const asking = computed(() => asked.value.get(openId.value) ?? null)
/** Whether it is known that no answer is coming. */
export const isQuiet = computed(() => asked.value.get(openId.value) === null)
/** Shown contexts for the last messages of this visit, by conversation and turn. */
export const shownFor = signal<ReadonlyMap<string, Shown>>(new Map())
/** The numbers of the turns before and after those that are read; 0: there are none. */
export const beyond = signal({ earlier: 0, later: 0 })
export const looking = signal<string | null>(null)
export const failure = signal<unknown>(null)

// Another user has other conversations.
effect(() => {
  user.value
  for (const one of asked.peek().values()) one?.gone.abort()
  asked.value = new Map()
  shownFor.value = new Map()
  openId.value = ''
  turns.value = []
})

function keepShown(key: string, shown: Shown): void {
  shownFor.value = new Map([...[...shownFor.value].slice(1 - MOST_SHOWN), [key, shown]])
}

export function turnKey(conversation: string, turn: number): string {
  return `${conversation} ${turn}`
}

/** Shows a conversation around a turn, 0: its end; answers that come in others go on. */
export async function openConversation(id: string, turn: number): Promise<void> {
  const isRead = turn === 0 ? beyond.value.later === 0 : turns.value?.some(({ turn_id }) => turn_id === turn) === true
  if (openId.value !== id || turns.value === null) {
    openId.value = id
    looking.value = null
    turns.value = id === '' ? [] : null
    beyond.value = { earlier: 0, later: 0 }
  } else if (isRead && failure.value === null && (asking.value?.isOver !== false || asking.value.failure === '')) return
  await readTurns(id, turn)
  if (openId.value === id && beyond.value.later === 0) await resume(id)
}

function setAsked(id: string, one: Asking | null): void {
  asked.value = new Map([...asked.value, [id, one]])
}

/** A message that was not stored stands in its field again. */
function giveBack(id: string, message: string): void {
  const field = message.length > LONG_CHARACTERS ? attached : drafts
  field.set(id, [message, field.of(id)].filter((part) => part !== '').join('\n\n'))
}

/** Keeps messages of which it is not known that they were stored, because the page is closing. */
export function keepUnsent(): void {
  for (const [id, one] of asked.value) if (one?.turn === null && one.failure === '') giveBack(id, one.message)
}

async function readTurns(id: string, turn = 0): Promise<void> {
  if (id === '') return
  failure.value = null
  try {
    const { last_turn_id } = await get<{ last_turn_id: number }>(['conversations', id])
    const end = last_turn_id - MOST_TURNS + 1
    const from_turn = Math.max(1, turn === 0 ? end : Math.min(end, turn - MOST_TURNS / 2))
    const { items } = await get<Page<Turn>>(['conversations', id, 'turns'], undefined, { from_turn, limit: MOST_TURNS })
    if (openId.value !== id) return
    const last = items.at(-1)?.turn_id ?? last_turn_id
    // A repeated answer takes the place of the first.
    const replaced = new Set(items.map(({ metadata }) => metadata?.replaces_turn))
    turns.value = items.filter(({ turn_id }) => !replaced.has(turn_id))
    beyond.value = { earlier: from_turn - 1, later: last < last_turn_id ? last + 1 : 0 }
  } catch (error) {
    // That the server is gone is told above what is here already.
    if (openId.value === id && (turns.value === null || isReachable.value)) failure.value = error
  }
}

/** Sends a message and follows the answer; `onBegun` gets the conversation once the message is stored. */
export async function ask(message: string, onBegun: (conversation: string) => void): Promise<void> {
  const conversation = openId.value
  const named = conversation === '' ? {} : { conversation_id: conversation }
  const body = { message, explain: true, go_on: true, ...named }
  const send = (signal: AbortSignal): Promise<Response> => post('POST', '/chat', body, { signal })
  await follow(conversation, message, send, onBegun)
}

/** Follows an answer that is being given, where there is one: it goes on in the server when a page is loaded anew. */
async function resume(id: string): Promise<void> {
  const last = turns.value?.at(-1)
  const one = asked.value.get(id)
  if (last === undefined || one?.failure === '') return
  // Why an answer broke off is told beside what there is of it no longer than until the page comes back to it.
  if (last.role === 'assistant') setAsked(id, null)
  if (last.role === 'assistant' ? last.metadata?.cut !== true : one?.isOver === true) return
  const question = turns.value?.findLast(({ role }) => role === 'user')
  await follow(id, question?.content ?? '', (signal) => post('GET', pathOf(['chat', id]), undefined, { signal }))
}

/** Shows an answer as it comes; without `onBegun` there may be none. */
async function follow(
  conversation: string,
  message: string,
  request: (signal: AbortSignal) => Promise<Response>,
  onBegun?: (conversation: string) => void,
): Promise<void> {
  const owner = user.value
  const gone = new AbortController()
  let id = conversation
  let now: Asking = { message, answer: '', turn: null, failure: '', isOver: false, gone }
  const update = (part: Partial<Asking>): void => {
    now = { ...now, ...part }
    if (!gone.signal.aborted) setAsked(id, now)
  }
  if (onBegun !== undefined) update({})
  let shown: Shown = { message, recalled: [], tokens: 0, messages: null, gone: 0 }
  let ended = ''
  try {
    const response = await request(gone.signal)
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
        onBegun?.(id)
      } else if (event === 'delta') update({ answer: now.answer + data.text })
      else if (event === 'done') shown = { ...shown, messages: data.would_have_shown ?? null }
      else if (event === 'error') {
        ended = reasonOf(new Problem(data.status, data.detail, data.remedy))
        update({ isOver: true })
      }
    }
  } catch (error) {
    // A stream that breaks off is no answer of the server's.
    if (!gone.signal.aborted) ended = reasonOf(error instanceof Problem ? error : lostServer())
  }
  const { turn } = now
  if (user.value !== owner) return
  if (onBegun === undefined && turn === null) return ended === '' ? setAsked(id, null) : undefined
  if (turn !== null) keepShown(turnKey(id, turn), shown)
  else if (ended !== '') giveBack(id, message)
  if (openId.value === id) {
    if (id !== '' && isReachable.value) await readTurns(id)
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

export async function stop(): Promise<void> {
  const { value: id } = openId
  asking.value?.gone.abort()
  setAsked(id, null)
  // The answer so far is stored when this call returns.
  if (id !== '') await call('DELETE', pathOf(['chat', id]))
  await readTurns(id)
}

/** The evidence for a message: the one that its answer names, else a recall as of that time. */
export async function lookUp(conversation: string, question: Turn): Promise<void> {
  const key = turnKey(conversation, question.turn_id)
  if (!shownFor.value.has(key)) {
    const all = turns.value ?? []
    const next = all[all.indexOf(question) + 1]
    const answer = next?.role === 'assistant' ? await readTurn(conversation, next.turn_id) : undefined
    const named = answer?.metadata?.recalled as Named | undefined
    const shown = named === undefined ? await recalledLater(question) : await shownThen(named, answer!)
    keepShown(key, { message: question.content, messages: null, ...shown })
  }
  looking.value = key
}

type Later = Omit<Shown, 'message' | 'messages'>

async function recalledLater({ content, created_at, conversation_id }: Turn): Promise<Later> {
  const before = new Date(Date.parse(created_at) - 1).toISOString()
  const then = { now: created_at, as_of: before, until: before }
  const project = projectOf(conversation_id)
  const within = project === '' ? {} : { project_root: project }
  const kinds = ['turn', 'memory']
  const question = { query: content.slice(0, 4000), kinds, explain: true, limit: 20, ...then, ...within }
  const { results } = await call<{ results: Recalled[] }>('POST', '/recall', question)
  return { recalled: results, tokens: null, gone: 0 }
}

/** The evidence that an answer names, in the words of then. */
async function shownThen({ tokens, items }: Named, { created_at: then }: Turn): Promise<Later> {
  const isDeleted = (error: unknown): null => {
    if (error instanceof Problem && error.status === 404) return null
    throw error
  }
  const read = async ({ why, ...item }: Named['items'][number]): Promise<Piece | null> => {
    const explanation = { features: why.map(([feature, contribution]) => ({ feature, contribution })), matched: [] }
    if (item.kind === 'memory') {
      const memory = await get<Memory>(['memory', 'long-term', item.id!])
      const text = wordsAt(memory, await readEdits(memory), then)
      return { ...item, explanation, text, created_at: memory.occurred_at }
    }
    const turn = await readTurn(item.conversation_id!, item.turn_id!)
    return turn === undefined ? null : { ...item, explanation, text: turn.content, created_at: turn.created_at }
  }
  const found = await Promise.all(items.map((item) => read(item).catch(isDeleted)))
  const recalled = found.filter((one) => one !== null)
  return { recalled, tokens, gone: items.length - recalled.length }
}
