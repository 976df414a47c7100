/** Export and import, as streams of any length. */
import { z } from 'zod'
import type { ImportReport } from '../import-export/import-conversations.ts'
import type { LogImportReport } from '../import-export/import-logs.ts'
import { snakeNames } from './field-names.ts'
import { operationsOf, workOf } from './operation.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Export and import')

export const exportEverything = operation({
  name: 'export',
  summary: 'Everything of the user, or one conversation, as one JSON document.',
  input: z.strictObject({
    conversation_id: schema.id.optional().describe('Only this conversation.'),
    with_secrets: schema.flag('Passwords and keys as they are, for a backup. Default: masked.'),
  }),
  output: z.custom<AsyncIterable<string>>(),
  rest: { method: 'get', path: '/export', own: { sends: ['application/json'] } },
  handler: async ({ memory, userId }, input) => {
    if (input.conversationId !== undefined) await memory.conversations.get(input.conversationId, { userId })
    return memory.conversations.export({ ...input, userId })
  },
})

export const importEverything = operation({
  name: 'import',
  summary: 'Take an export in; every conversation whole or not at all, nothing twice.',
  input: z.strictObject({
    body: z.unknown().describe('An export, piece by piece.'),
    think: schema.flag('Think about what is new; default: it is only stored.'),
  }),
  output: z.custom<ImportReport>(),
  rest: {
    method: 'post',
    path: '/import',
    own: { sends: ['application/json'], body: { field: 'body', media: ['application/json'] } },
  },
  handler: (call, { body, ...choices }) =>
    call.memory.conversations.import(
      body as AsyncIterable<Uint8Array>,
      { ...choices, userId: call.userId },
      workOf(call),
    ),
})

export const importChats = operation({
  summary: 'Take in the chats of another program from one file; nothing twice.',
  input: z.strictObject({
    body: z
      .unknown()
      .describe('The file: an export of ChatGPT or Claude.ai (ZIP too), a transcript, JSON lines, text with roles.'),
    name: z.string().min(1).max(255).describe('Its name; a ZIP file is told by it.'),
    think: schema.flag('Think about what is new; default: it is only stored.'),
    dry_run: schema.flag('Only read and count; nothing is stored.'),
  }),
  output: z.custom<LogImportReport>(),
  rest: {
    method: 'post',
    path: '/import/chats',
    own: { sends: ['application/json'], body: { field: 'body', media: ['application/octet-stream'] } },
  },
  handler: (call, { body, name, ...choices }) => {
    const file = { name, source: body as AsyncIterable<Uint8Array> }
    return call.memory.conversations.importLogStream(file, { ...choices, userId: call.userId }, workOf(call))
  },
})

export function logImportRecord({ files, ...counts }: LogImportReport): object {
  return { ...snakeNames(counts), files: files.map(snakeNames) }
}
