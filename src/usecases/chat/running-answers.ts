/** Answers that go on while nobody listens, so that whoever comes back hears them from their beginning. */
import type { ChatEvent } from './chat.ts'

type Events = AsyncGenerator<ChatEvent, void>

interface Whose {
  readonly userId: string
  readonly conversationId: string
}

/** Answers that go on at once; one more ends with its listener. */
const MOST_ANSWERS = 256

interface Answer {
  readonly told: ChatEvent[]
  readonly stopping: AbortController
  /** Resolves, or rejects, as the work does. */
  readonly ended: Promise<void>
  isOver: boolean
  /** Resolves when more was told. */
  more: PromiseWithResolvers<void>
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
      const answer = gather(first, events, stopping)
      answers.set(key, answer)
      const forget = (): void => {
        if (answers.get(key) === answer) answers.delete(key)
      }
      answer.ended.then(forget, forget)
      yield* eventsOf(answer)
    },
    /** The events from the beginning; none where no answer is being given. */
    follow: async function* (whose: Whose): Events {
      const answer = answers.get(keyOf(whose))
      if (answer !== undefined) yield* eventsOf(answer)
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
function gather(first: ChatEvent, events: Events, stopping: AbortController): Answer {
  const answer: Answer = { told: [first], stopping, ended: take(), isOver: false, more: Promise.withResolvers() }
  return answer

  async function take(): Promise<void> {
    try {
      for await (const event of events) {
        answer.told.push(event)
        wake()
        // A model that does not listen to the signal is left here.
        if (stopping.signal.aborted) break
      }
    } finally {
      answer.isOver = true
      wake()
    }
  }

  function wake(): void {
    answer.more.resolve()
    answer.more = Promise.withResolvers()
  }
}

async function* eventsOf(answer: Answer): Events {
  for (let at = 0; ; )
    if (at < answer.told.length) yield answer.told[at++]!
    else if (answer.isOver) return answer.ended
    else await answer.more.promise
}
