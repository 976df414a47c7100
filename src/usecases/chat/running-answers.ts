/** Answers that go on while nobody listens, so that whoever comes back hears them from their beginning. */
import type { ChatEvent } from './chat.ts'

type Events = AsyncGenerator<ChatEvent, void>

interface Whose {
  readonly userId: string
  readonly conversationId: string
}

/** Answers that go on at once; one more ends with its listener. */
const MOST_ANSWERS = 256

/** An event, and the one behind it; null: it is the last. */
interface Told {
  readonly event: ChatEvent
  readonly next: Promise<Told | null>
}

interface Answer {
  readonly first: Told
  readonly stopping: AbortController
  /** Resolves, or rejects, as the work does. */
  readonly ended: Promise<void>
}

/** None at first. */
export function runningAnswers() {
  const answers = new Map<string, Answer>()
  const keyOf = ({ userId, conversationId }: Whose): string => JSON.stringify([userId, conversationId])
  const stop = async ({ stopping, ended }: Answer): Promise<void> => {
    stopping.abort()
    await ended.catch(() => {})
  }
  return {
    /** The events of a chat, which go on when its listener leaves; until the message is stored, `signal` stops them. */
    begin: async function* (userId: string, chat: (signal?: AbortSignal) => Events, signal?: AbortSignal): Events {
      if (answers.size >= MOST_ANSWERS) return yield* chat(signal)
      const stopping = new AbortController()
      const leave = (): void => stopping.abort()
      signal?.addEventListener('abort', leave)
      const events = chat(stopping.signal)
      const { value: first } = await events.next()
      signal?.removeEventListener('abort', leave)
      if (first?.kind !== 'recalled') return
      const key = keyOf({ userId, conversationId: first.conversationId })
      const told = { event: first, next: tell(events, stopping.signal) }
      const answer = { first: told, stopping, ended: endOf(told) }
      answers.set(key, answer)
      const forget = (): void => {
        if (answers.get(key) === answer) answers.delete(key)
      }
      answer.ended.then(forget, forget)
      yield* eventsOf(told)
    },
    /** The events from the beginning; none where no answer is being given. */
    follow: async function* (whose: Whose): Events {
      const answer = answers.get(keyOf(whose))
      if (answer !== undefined) yield* eventsOf(answer.first)
    },
    /** Whether there was one to stop; its words so far are stored by then. */
    stop: async (whose: Whose): Promise<boolean> => {
      const answer = answers.get(keyOf(whose))
      if (answer !== undefined) await stop(answer)
      return answer !== undefined
    },
    close: async (): Promise<void> => void (await Promise.all([...answers.values()].map(stop))),
  }
}

/** Takes every event as it comes, listened to or not. */
async function tell(events: Events, stopped: AbortSignal): Promise<Told | null> {
  const { value: event, done } = await events.next()
  if (done) return null
  // A model that does not listen to the signal is left here.
  return { event, next: stopped.aborted ? events.return().then(() => null) : tell(events, stopped) }
}

async function* eventsOf(first: Told): Events {
  for (let told: Told | null = first; told !== null; told = await told.next) yield told.event
}

async function endOf(first: Told): Promise<void> {
  for await (const _ of eventsOf(first));
}
