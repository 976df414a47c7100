/** Taking everything out and putting it back: `GET /export` and `POST /import`, as streams of any length. */
import { checkBoolean, checkId, checkOneOf } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { EXPORT_FORMATS } from '../exchange/export-record.ts'
import type { ImportReport } from '../exchange/import-report.ts'
import { snakeNames } from '../operations/names.ts'
import { readTextValue } from '../operations/text-values.ts'
import { requireScope } from './caller.ts'
import type { ExtraRoute } from './openapi.ts'
import { DoorError } from './problem.ts'
import { queryParameters } from './read-request.ts'
import { admitStream, bodyOf } from './respond-with-stream.ts'
import type { ServerApp, Services } from './services.ts'

const MEDIA_TYPES = { json: 'application/json', jsonl: 'application/x-ndjson' } as const
/** Largest import in bytes: what is larger goes by `mneme import`. */
const IMPORT_BYTES = 1024 ** 3

/** Adds the routes and says what to write about them. */
export function addTransferRoutes(app: ServerApp, services: Services): readonly ExtraRoute[] {
  const { admit } = services
  const { memory } = services.options
  app.get('/export', (context) =>
    admitStream(services, context, 'read', async ({ user, signal: gone }, respond) => {
      const given = parameters(context.req.url, ['conversation_id', 'format', 'with_settings', 'with_secrets'])
      const userId = user(given.user_id)
      const format = given.format === undefined ? 'jsonl' : checkOneOf('format', given.format, EXPORT_FORMATS)
      const conversationId =
        given.conversation_id === undefined ? undefined : checkId('conversation_id', given.conversation_id)
      if (conversationId !== undefined) await memory.conversations.get(conversationId, { userId })
      const pieces = memory.conversations.export({
        userId,
        format,
        conversationId,
        withSettings: flag('with_settings', given.with_settings),
        withSecrets: flag('with_secrets', given.with_secrets),
      })
      const { body, ended } = bodyOf(context, encoded(pieces), gone, () => {})
      const headers = {
        'content-type': MEDIA_TYPES[format],
        'content-disposition': `attachment; filename="mneme-export.${format}"`,
      }
      respond(new Response(body, { headers }))
      await ended
    }),
  )
  app.post('/import', (context) =>
    admit(context, { scope: 'write', streams: true }, async ({ caller, user, signal }) => {
      const given = parameters(context.req.url, ['think', 'with_settings'])
      const userId = user(given.user_id)
      const withSettings = flag('with_settings', given.with_settings)
      // They hold for every user.
      if (withSettings) requireScope(caller, 'admin')
      const { body } = context.req.raw
      if (body === null) throw invalid('body', 'is empty', 'Send an export, JSON or JSON lines.')
      const report = await memory.conversations.import(
        bounded(body as AsyncIterable<Uint8Array>),
        { userId, think: flag('think', given.think), withSettings },
        { signal },
      )
      refuseWhatIsNoExport(report)
      return context.json({ ...snakeNames(report), refused: report.refused.map(snakeNames) })
    }),
  )
  return ROUTES
}

/** Throws where nothing was taken because nothing of it could be read. */
function refuseWhatIsNoExport({ refused, complete, ...counts }: ImportReport): void {
  const [first] = refused
  const isEmpty = Object.values(counts).every((count) => count === 0)
  if (!complete && isEmpty && first !== undefined)
    throw new MnemeError('import_failed', first.reason, { remedy: first.remedy, field: 'body' })
}

/** The parameters of a query string by name, each once. */
function parameters(url: string, known: readonly string[]): Readonly<Record<string, string | undefined>> {
  const given: Record<string, string> = {}
  for (const [name, values] of queryParameters(url)) {
    if (name !== 'user_id' && !known.includes(name))
      throw invalid(name, 'is not known here', `Use one of: ${known.join(', ')}.`)
    if (values.length > 1) throw invalid(name, 'is given twice', 'Give it once.')
    given[name] = values[0] ?? ''
  }
  return given
}

function flag(name: string, text: string | undefined): boolean {
  return text === undefined ? false : checkBoolean(name, readTextValue('boolean', [text]))
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const piece of pieces) yield encoder.encode(piece)
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of body) {
    size += piece.byteLength
    if (size > IMPORT_BYTES)
      throw new DoorError('too_large', 413, `The body has more than ${IMPORT_BYTES} bytes.`, 'Use `mneme import FILE`.')
    yield piece
  }
}

const query = (name: string, schema: object, description?: string): object => ({
  name,
  in: 'query',
  required: false,
  schema,
  ...(description === undefined ? {} : { description }),
})
const USER = { name: 'X-User-Id', in: 'header', required: false, schema: { type: 'string', minLength: 1 } }

const ROUTES: readonly ExtraRoute[] = [
  {
    method: 'get',
    path: '/export',
    describe: {
      operationId: 'export',
      summary: 'Everything of the user, or one conversation, as JSON lines or JSON.',
      tags: ['Export and import'],
      parameters: [
        query('format', { type: 'string', enum: EXPORT_FORMATS }, 'Default jsonl.'),
        query('conversation_id', { type: 'string', minLength: 1 }),
        query('with_settings', { type: 'boolean' }),
        query('with_secrets', { type: 'boolean' }, 'Passwords and keys as they are, for a backup. Default: masked.'),
        USER,
      ],
      responses: {
        200: {
          description: 'The export.',
          content: { 'application/x-ndjson': { schema: { type: 'string' } }, 'application/json': { schema: {} } },
        },
      },
    },
    errors: [400, 401, 403, 404, 429, 503],
  },
  {
    method: 'post',
    path: '/import',
    describe: {
      operationId: 'import',
      summary: 'Take an export in; every conversation whole or not at all, nothing twice.',
      tags: ['Export and import'],
      parameters: [query('think', { type: 'boolean' }), query('with_settings', { type: 'boolean' }), USER],
      requestBody: {
        required: true,
        content: { 'application/x-ndjson': { schema: { type: 'string' } }, 'application/json': { schema: {} } },
      },
      responses: {
        200: { description: 'What was added.', content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
    errors: [400, 401, 403, 409, 413, 429, 503],
  },
]
