/** Taking everything out and putting it back: `GET /export` and `POST /import`, as streams of any length. */
import type { Context } from 'hono'
import { invalid, MnemeError } from '../../domain/errors.ts'
import type { ImportReport } from '../exchange/import-report.ts'
import { exportEverything, importEverything } from '../operations/exchange.ts'
import { snakeNames } from '../operations/names.ts'
import { requireScope } from './caller.ts'
import { DoorError } from './problem.ts'
import { passOver } from './read-body.ts'
import { checkedInput, readRequest } from './read-request.ts'
import { admitStream, bodyOf } from './respond-with-stream.ts'
import type { ServerApp, Services } from './services.ts'
import { createTurns, type TakeTurn } from './take-turns.ts'

const MEDIA_TYPES: Readonly<Record<string, string>> = { json: 'application/json', jsonl: 'application/x-ndjson' }
/** Largest import in bytes: what is larger goes by `mneme import`. */
const IMPORT_BYTES = 1024 ** 3

/** Adds the routes. */
export function addTransferRoutes(app: ServerApp, services: Services): void {
  const takeTurn = createTurns()
  app.get('/export', (context) => sendExport(context, services, takeTurn))
  app.post('/import', (context) => takeImport(context, services))
}

function sendExport(context: Context, services: Services, takeTurn: TakeTurn): Promise<Response> {
  const { memory } = services.options
  return admitStream(services, context, 'read', async ({ caller, user, signal }, respond) => {
    const raw = await readRequest(exportEverything, context, {}, services.options)
    const call = { memory, userId: user(raw.userId), isOperator: caller.isOperator, signal }
    const input = checkedInput(exportEverything, raw.input)
    const pieces = (await exportEverything.handler(call, input)) as AsyncIterable<string>
    const { body, ended } = bodyOf(context, {
      pieces: encoded(pieces[Symbol.asyncIterator](), takeTurn),
      stop: () => {},
      patienceMs: services.options.timeoutMs,
    })
    const format = String(input.format ?? 'jsonl')
    const headers = {
      'content-type': MEDIA_TYPES[format] ?? '',
      'content-disposition': `attachment; filename="mneme-export.${format}"`,
    }
    respond(new Response(body, { headers }))
    await ended
  })
}

function takeImport(context: Context, services: Services): Promise<Response> {
  const { memory } = services.options
  return services.admit(context, { scope: 'write', streams: true }, async ({ caller, user, signal }) => {
    const raw = await readRequest(importEverything, context, {}, services.options)
    const call = { memory, userId: user(raw.userId), isOperator: caller.isOperator, signal }
    const sent = context.req.raw.body
    const body = sent === null ? null : bounded(sent.getReader())
    const input = checkedInput(importEverything, { ...raw.input, body })
    // They hold for every user.
    if (input.with_settings === true) requireScope(caller, 'admin')
    if (body === null) throw invalid('body', 'is empty', 'Send an export, JSON or JSON lines.')
    const report = (await importEverything.handler(call, input)) as ImportReport
    refuseWhatIsNoExport(report)
    return context.json({ ...snakeNames(report), refused: report.refused.map(snakeNames) })
  })
}

/** Throws where nothing was taken because nothing of it could be read. */
function refuseWhatIsNoExport({ refused, complete, ...counts }: ImportReport): void {
  const [first] = refused
  const isEmpty = Object.values(counts).every((count) => count === 0)
  if (!complete && isEmpty && first !== undefined)
    throw new MnemeError('import_failed', first.reason, { remedy: first.remedy, field: 'body' })
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

async function* bounded(body: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for (let read = await body.read(); !read.done; read = await body.read()) {
      size += read.value.byteLength
      if (size > IMPORT_BYTES)
        throw new DoorError(
          'too_large',
          413,
          `The body has more than ${IMPORT_BYTES} bytes.`,
          'Use `mneme import FILE`.',
        )
      yield read.value
    }
  } finally {
    void passOver(body)
  }
}
