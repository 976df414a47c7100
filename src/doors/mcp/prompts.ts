/** A prompt that a person picks in a client: recalled context for a message, followed by the message. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { MnemeError } from '../../domain/errors.ts'
import { inOneLine, problemOf } from '../http/problem.ts'
import type { Session } from './session.ts'

const NAME = 'load_context'
const ARGUMENTS = [
  { name: 'message', description: 'What you are about to ask', required: true },
  { name: 'conversation_id', description: 'The running conversation, if Mneme stores it', required: false },
  {
    name: 'project_root',
    description: 'The project it is about, as a path: no other project is told of',
    required: false,
  },
] as const

/** As prompts/list sends it. */
export function listPrompts() {
  return {
    prompts: [
      {
        name: NAME,
        description: 'Begin with what is remembered about you that matters for a message',
        arguments: [...ARGUMENTS],
      },
    ],
  }
}

/** The messages of the prompt. Rejects with invalid params, naming the argument. */
export async function getPrompt({ memory, userId }: Session, name: string, given: Readonly<Record<string, string>>) {
  if (name !== NAME) throw refusal(`There is no prompt ${JSON.stringify(name)}; use ${NAME}.`)
  const unknown = Object.keys(given).find((one) => !ARGUMENTS.some((known) => known.name === one))
  if (unknown !== undefined)
    throw refusal(`${unknown} is not known here; use ${ARGUMENTS.map((one) => one.name).join(', ')}.`)
  const { message, conversation_id, project_root } = given
  if (message === undefined) throw refusal('message is missing.')
  try {
    const conversationId = conversation_id ?? null
    const bound = project_root === undefined ? {} : { projectRoot: project_root }
    const built = await memory.context.build(message, { userId, conversationId, ...bound })
    const known = built.layers.filter(({ name }) => name !== 'rolling_window').map(({ text }) => text)
    const text = [...known, message].filter((part) => part !== '').join('\n\n')
    return {
      description: 'What matters for the message',
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
    }
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    throw refusal(inOneLine(problemOf(error).problem))
  }
}

function refusal(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
