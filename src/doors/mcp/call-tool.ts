/**
 * Runs a tool call of a model: checks its right and input, then works until done, cancelled or timed out. Failures are
 * results that the model can act on, never protocol errors.
 */
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { MnemeError } from '../../domain/errors.ts'
import { requireScope } from '../http/caller.ts'
import { DoorError, problemOf } from '../http/problem.ts'
import { snakeName } from '../operations/names.ts'
import type { Call } from '../operations/operation.ts'
import { InputRefusal } from '../operations/read-input.ts'
import type { Session } from './session.ts'
import type { Tool, ToolAnswer } from './tool.ts'

/** Milliseconds between two notices of progress. */
const PROGRESS_EVERY_MS = 100

/** A remedy's general wording, and its wording with tool names for a model. */
const LIST_OR_SEARCH = ['List or search the memories', 'Call get_memories or search_memories'] as const

/** Calls a tool. Never rejects. */
export async function callTool(
  session: Session,
  tool: Tool,
  raw: unknown,
  context: ServerContext,
): Promise<CallToolResult> {
  try {
    requireScope(session, tool.scope)
    await checkSetting(session, tool)
    const signal = signalOf(session, context)
    const call: Call = {
      memory: session.memory,
      userId: session.userId,
      isOperator: session.isOperator,
      signal,
      ...progressOf(context),
    }
    return resultOf(await untilStopped(tool.call(call, raw), signal))
  } catch (error) {
    if (!(error instanceof MnemeError || error instanceof DoorError))
      session.logger.error('a tool failed', { tool: tool.listed.name, reason: reasonOf(error) })
    return errorResult(error, tool)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Whether the setting that the tool needs is on. */
export async function isThere({ memory }: Session, { needs }: Tool): Promise<boolean> {
  if (needs === undefined) return true
  return (await memory.settings.get())[needs].value === true
}

async function checkSetting(session: Session, tool: Tool): Promise<void> {
  if (await isThere(session, tool)) return
  throw new MnemeError('unsupported', `${tool.listed.name} is off: the setting ${tool.needs} is false.`, {
    remedy: `Answer without it; the user can turn it on with \`mneme settings set ${tool.needs} true\`.`,
  })
}

function signalOf({ signal, cancelSignalOf, timeoutMs }: Session, { mcpReq }: ServerContext): AbortSignal {
  const signals = [mcpReq.signal]
  const cancelled = cancelSignalOf?.(mcpReq.id)
  if (cancelled !== undefined) signals.push(cancelled)
  if (signal !== undefined) signals.push(signal)
  if (timeoutMs !== undefined) signals.push(AbortSignal.timeout(timeoutMs))
  return signals.length === 1 ? mcpReq.signal : AbortSignal.any(signals)
}

/** Tells the client how far the work is, if it asked for that. */
function progressOf({ mcpReq }: ServerContext): Pick<Call, 'onProgress'> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return {}
  let told = 0
  return {
    onProgress: (progress, total) => {
      const now = performance.now()
      if (progress !== total && now - told < PROGRESS_EVERY_MS) return
      told = now
      const params = { progressToken, progress, ...(total === null ? {} : { total }) }
      // A failed notice is ignored: the client gets the answer soon, or has gone.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    },
  }
}

/** The result of `work`, or a rejection when it must stop. */
async function untilStopped(work: Promise<ToolAnswer>, signal: AbortSignal): Promise<ToolAnswer> {
  return new Promise((resolve, reject) => {
    const stop = (): void =>
      reject(new DoorError('timeout', 503, 'This took too long, or was cancelled.', 'Ask for less at once.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function resultOf({ structured, text }: ToolAnswer): CallToolResult {
  return { content: [{ type: 'text', text: text ?? JSON.stringify(structured, told) }], structuredContent: structured }
}

/** Drops null values, which tell a model nothing; the structured content keeps them. */
function told(_name: string, value: unknown): unknown {
  return value === null ? undefined : value
}

/** An error that a model can act on: what is wrong, and what to do. */
function errorResult(error: unknown, { camelFields }: Tool): CallToolResult {
  const { code, detail, remedy, field } = problemOf(error).problem
  // Refusals of the input already use the model's own names.
  const worded = (text: string): string => (error instanceof InputRefusal ? text : inToolWords(text, camelFields))
  const shown = {
    code,
    detail: worded(detail),
    remedy: worded(remedy.replace(...LIST_OR_SEARCH)),
    ...(field === undefined ? {} : { field: worded(field) }),
  }
  return {
    isError: true,
    content: [{ type: 'text', text: `${shown.detail}\n${shown.remedy}` }],
    structuredContent: { error: shown },
  }
}

/** The doors write every field in snake_case; some tools have it otherwise. */
function inToolWords(text: string, camelFields: readonly string[]): string {
  return camelFields.reduce((said, name) => said.replaceAll(snakeName(name), name), text)
}
