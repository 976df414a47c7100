/**
 * How does a server end? It takes no more connections, lets go of those that ask for nothing, and finishes what it has
 * accepted. What is not done by then is told so: nobody who was accepted is left without an answer.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type HttpServer, refuseConnection } from './http-server.ts'
import { stoppingError } from './problem.ts'

/** Turns of the event loop after which what the system had received has been read. */
const TURNS_TO_READ = 3
/** Milliseconds between two looks for connections that have nothing left to do. */
const SWEEP_MS = 50
/** Milliseconds for the rest of a request's head that has begun to come. */
const HEAD_MS = 1000
/** Milliseconds for those who are broken off to be told. */
const LAST_WORDS_MS = 2000

/** Ends a server. What is still worked on after `graceMs` is stopped by `breakOff`, which lets it answer. */
export async function closeServer(
  { server, connections }: HttpServer,
  graceMs: number,
  breakOff: () => void,
): Promise<void> {
  // What arrived before this was accepted: a connection is taken in one turn, and read in the next.
  for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await nextTurn()
  const begun = performance.now()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const sweep = setInterval(letGo, SWEEP_MS)
  letGo()
  const over = new AbortController()
  const wait = async (milliseconds: number): Promise<boolean> => {
    const late = sleep(milliseconds, true, { signal: over.signal }).catch(() => false)
    return Promise.race([closed.then(() => false), late])
  }
  if (await wait(graceMs)) {
    breakOff()
    if (await wait(LAST_WORDS_MS))
      for (const [socket, answers] of connections) refuseConnection(socket, answers, stoppingError())
  }
  await closed
  over.abort()
  clearInterval(sweep)

  /** A connection whose answer began before this would be kept for another request. */
  function letGo(): void {
    server.closeIdleConnections()
    for (const [socket, answers] of connections) {
      const last = [...answers].at(-1)
      if (last !== undefined) {
        if (!last.headersSent) last.shouldKeepAlive = false
      } else if (socket.bytesRead === 0) socket.destroy()
      else if (performance.now() - begun > HEAD_MS) refuseConnection(socket, answers, stoppingError())
    }
  }
}
