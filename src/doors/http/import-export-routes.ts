/** Export of everything, and import of exports or foreign chats, as streams: `GET /export`, `POST /import`. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'hono'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { within } from '../../domain/scheduling.ts'
import type { ImportReport } from '../import-export/import-conversations.ts'
import type { LogImportReport } from '../import-export/import-logs.ts'
import { snakeNames } from '../operations/field-names.ts'
import { exportEverything, importChats, importEverything, logImportRecord } from '../operations/import-export.ts'
import { admitStream, readCall, type ServerApp, type Services } from './admission.ts'
import { bodyOf } from './answers.ts'
import { DoorError } from './problem.ts'
import { checkPieces, passOver, tooSlow } from './read-request.ts'

/** Largest import in bytes; larger ones need `mneme import`. */
const IMPORT_BYTES = 1024 ** 3
/** Bytes that must arrive within one request timeout; only waiting counts. */
const LEAST_BYTES = 64 * 1024

export function addTransferRoutes(app: ServerApp, services: Services): void {
  const takeTurn = createTurns()
  app.get('/export', (context) => sendExport(context, services, takeTurn))
  app.post('/import', (context) => takeImport(context, services, importEverything, shownReport))
  app.post('/import/chats', (context) => takeImport(context, services, importChats, shownLogs))
}

function sendExport(context: Context, services: Services, takeTurn: TakeTurn): Promise<Response> {
  return admitStream(services, context, 'read', async (admitted, respond) => {
    const { input, ...call } = await readCall(services, admitted, exportEverything, context)
    const pieces = (await exportEverything.handler(call, input)) as AsyncIterable<string>
    const { body, ended } = bodyOf(context, {
      pieces: encoded(pieces[Symbol.asyncIterator](), takeTurn),
      stop: () => {},
      patienceMs: services.options.timeoutMs,
    })
    const headers = {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="mneme-export.json"',
    }
    respond(new Response(body, { headers }))
    await ended
  })
}

function takeImport<T>(
  context: Context,
  services: Services,
  operation: typeof importEverything | typeof importChats,
  shown: (report: T) => object,
): Promise<Response> {
  return services.admit(context, { scope: 'write', imports: true }, async (admitted) => {
    const sent = context.req.raw.body
    const body = sent === null ? null : bounded(sent, services.options.timeoutMs)
    const { input, ...call } = await readCall(services, admitted, operation, context, { body })
    if (body === null) throw invalid('body', 'is empty', 'Send the file.')
    await admitted.turn(call.userId)
    return context.json(shown((await operation.handler(call, input)) as T))
  })
}

function shownReport(report: ImportReport): object {
  const { refused, complete, ...counts } = report
  const [first] = refused
  const isEmpty = Object.values(counts).every((count) => count === 0)
  if (!complete && isEmpty && first !== undefined)
    throw new MnemeError('import_failed', first.reason, { remedy: first.remedy, field: 'body' })
  return { ...snakeNames(report), refused: refused.map(snakeNames) }
}

function shownLogs(report: LogImportReport): object {
  const { files } = report
  const [first] = files
  if (first !== undefined && files.every(({ format }) => format === null))
    throw new MnemeError('import_failed', first.reason ?? 'no chat log', {
      remedy: 'Send an export of ChatGPT or Claude.ai, a transcript, JSON lines or text with roles.',
      field: 'body',
    })
  return logImportRecord(report)
}

async function* encoded(pieces: AsyncIterator<string>, takeTurn: TakeTurn): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  try {
    for (let next = await takeTurn(() => pieces.next()); !next.done; next = await takeTurn(() => pieces.next()))
      yield encoder.encode(next.value)
  } finally {
    await pieces.return?.()
  }
}

/** The pieces of a body of any length; a sender that is too slow is refused, so that it holds no place. */
async function* bounded(sent: ReadableStream<Uint8Array>, timeoutMs: number): AsyncGenerator<Uint8Array> {
  // A request that is refused has begun to read nothing.
  const body = sent.getReader()
  let size = 0
  let pieces = 0
  let waited = 0
  let sinceWaited = 0
  try {
    for (;;) {
      const begun = performance.now()
      const read = await within(body.read(), timeoutMs - waited)
      if (read === null) throw tooSlow(timeoutMs)
      if (read.done) return
      size += read.value.byteLength
      pieces += 1
      checkPieces(pieces, size)
      sinceWaited += read.value.byteLength
      waited += performance.now() - begun
      if (sinceWaited >= LEAST_BYTES) sinceWaited = waited = 0
      if (size > IMPORT_BYTES)
        throw new DoorError(413, `The body has more than ${IMPORT_BYTES} bytes.`, 'Use `mneme import FILE`.')
      yield read.value
    }
  } finally {
    void passOver(body)
  }
}

type TakeTurn = <T>(piece: () => Promise<T>) => Promise<T>

/** Interleaves works: one piece for each turn of the event loop, in order of request. */
function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (piece) => {
    const mine = last.then(() => nextTurn()).then(piece)
    last = mine.catch(() => {})
    return mine
  }
}
