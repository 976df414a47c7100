/**
 * Resources that a client can attach to a chat without a tool: profile, recent summaries, memory file, single memories
 * and turns.
 */
import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { MnemeError } from '../../domain/errors.ts'
import { readReferred } from '../operations/connector.ts'
import { readReferenceUri } from '../operations/reference.ts'
import type { Session } from './session.ts'

const MARKDOWN = 'text/markdown'
/** Session summaries in `mneme://summaries`. */
const RECENT = 20

interface Document {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly read: (session: Session) => Promise<string>
}

const DOCUMENTS: readonly Document[] = [
  {
    uri: 'mneme://profile',
    name: 'profile',
    description: 'The document about the user',
    read: async ({ memory, userId }) => (await memory.profile.get({ userId })).text,
  },
  {
    uri: 'mneme://summaries',
    name: 'summaries',
    description: 'What recent conversations were about, newest first',
    read: readSummaries,
  },
  {
    uri: 'mneme://memory-file',
    name: 'memory-file',
    description: 'Notes on what matters, which the user keeps and edits',
    read: async ({ memory, userId }) => (await memory.memoryFile.read({ userId })).text,
  },
]

async function readSummaries({ memory, userId }: Session): Promise<string> {
  const { items } = await memory.sessionSummaries.list({ userId, limit: RECENT })
  return items
    .map(({ title, snippet, updatedAt, conversationId }) => {
      return `## ${title}\n${updatedAt.slice(0, 10)}, conversation ${conversationId}\n\n${snippet}\n`
    })
    .join('\n')
}

/** As resources/list sends them. */
export function listResources() {
  return { resources: DOCUMENTS.map(({ read: _, ...listed }) => ({ ...listed, mimeType: MARKDOWN })) }
}

/** As resources/templates/list sends them. */
export function listResourceTemplates() {
  return {
    resourceTemplates: [
      { uriTemplate: 'mneme://memory/{id}', name: 'memory', description: 'One memory', mimeType: 'text/plain' },
      {
        uriTemplate: 'mneme://turn/{conversation_id}/{turn_id}',
        name: 'turn',
        description: 'One turn of a conversation, word for word',
        mimeType: 'text/plain',
      },
    ],
  }
}

/** Reads one. Rejects with the protocol's own error where there is none. */
export async function readResource(session: Session, uri: string) {
  const document = DOCUMENTS.find((one) => one.uri === uri)
  if (document !== undefined) return { contents: [{ uri, mimeType: MARKDOWN, text: await document.read(session) }] }
  const referred = readReferenceUri(uri)
  if (referred === null) throw new ResourceNotFoundError(uri, `There is no resource ${uri}; see resources/list.`)
  try {
    const { text } = await readReferred(session.memory, session.userId, referred)
    return { contents: [{ uri, mimeType: 'text/plain', text }] }
  } catch (error) {
    if (error instanceof MnemeError && (error.code === 'not_found' || error.code === 'invalid_input'))
      throw new ResourceNotFoundError(uri, error.message)
    throw error
  }
}
