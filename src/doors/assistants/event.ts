/**
 * Converts each tool's hook events to one shape, and text for its model to that tool's JSON. An unknown event or tool
 * is ignored, never an error.
 */
import { withoutProgramText } from '../../domain/program-text.ts'

export const TOOLS = ['claude', 'codex', 'gemini', 'cursor', 'vscode'] as const
export type Tool = (typeof TOOLS)[number]

export type EventKind = 'session-start' | 'prompt' | 'answered' | 'compact' | 'session-end'

export interface HookEvent {
  readonly kind: EventKind
  /** The tool's own name of the event, which its answer repeats. */
  readonly name: string
  readonly sessionId: string
  /** The assistant's working folder; '' where the tool does not report it. */
  readonly folder: string
  /** The text that the person typed; present with `prompt`, and with `answered` where the tool repeats it. */
  readonly prompt?: string
  /** The assistant's answer; present with `answered` where the tool reports it. */
  readonly answer?: string
  /** The id of this exchange within the session, or its time; '' where the tool gives neither. */
  readonly turn: string
  /** Path of the session's transcript (JSON lines); absent where the tool keeps none. */
  readonly transcript?: string
}

type Raw = Readonly<Record<string, unknown>>

interface Dialect {
  /** The place of the messages: a transcript, the event after the answer, or a part in each event. */
  readonly said: 'transcript' | 'exchange' | 'parts'
  readonly events: Readonly<Record<string, EventKind>>
  /** Whether this kind of event accepts text for the model. */
  readonly takesText: (kind: EventKind) => boolean
}

const CLAUDE: Dialect = {
  said: 'transcript',
  events: {
    SessionStart: 'session-start',
    UserPromptSubmit: 'prompt',
    Stop: 'answered',
    PreCompact: 'compact',
    SessionEnd: 'session-end',
  },
  takesText: (kind) => kind === 'session-start' || kind === 'prompt',
}

const DIALECTS: Readonly<Record<Tool, Dialect>> = {
  claude: CLAUDE,
  codex: CLAUDE,
  vscode: CLAUDE,
  gemini: {
    said: 'exchange',
    events: {
      SessionStart: 'session-start',
      BeforeAgent: 'prompt',
      AfterAgent: 'answered',
      PreCompress: 'compact',
      SessionEnd: 'session-end',
    },
    takesText: CLAUDE.takesText,
  },
  // Cursor takes no text from hooks: its model asks over MCP.
  cursor: {
    said: 'parts',
    events: {
      sessionStart: 'session-start',
      beforeSubmitPrompt: 'prompt',
      afterAgentResponse: 'answered',
      preCompact: 'compact',
      stop: 'answered',
      sessionEnd: 'session-end',
    },
    takesText: () => false,
  },
}

export function isTool(name: string | undefined): name is Tool {
  return TOOLS.some((tool) => tool === name)
}

/** Parses an event; null where the input is no object, names no session or has an unknown event. */
export function readEvent(tool: Tool, input: unknown): HookEvent | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null
  const raw = input as Raw
  const name = text(raw.hook_event_name) ?? ''
  const kind = Object.hasOwn(DIALECTS[tool].events, name) ? DIALECTS[tool].events[name] : undefined
  const sessionId = text(raw.session_id) ?? text(raw.conversation_id)
  if (kind === undefined || sessionId === undefined) return null
  const roots = Array.isArray(raw.workspace_roots) ? raw.workspace_roots : []
  const prompt = text(withoutProgramText(text(raw.prompt) ?? ''))
  const answer = text(raw.last_assistant_message) ?? text(raw.prompt_response) ?? text(raw.text)
  const { said } = DIALECTS[tool]
  const transcript = said === 'transcript' ? text(raw.transcript_path) : undefined
  return {
    kind,
    name,
    sessionId,
    turn: text(raw.generation_id) ?? text(raw.turn_id) ?? text(raw.timestamp) ?? '',
    folder: text(raw.cwd) ?? text(roots[0]) ?? '',
    ...(prompt === undefined ? {} : { prompt }),
    ...(answer === undefined ? {} : { answer }),
    ...(transcript === undefined ? {} : { transcript }),
  }
}

/** Whether a prompt is stored at once, because neither a transcript nor a later event of the tool repeats it. */
export function comesAlone(tool: Tool, { transcript }: HookEvent): boolean {
  const { said } = DIALECTS[tool]
  return said === 'parts' || (said === 'transcript' && transcript === undefined)
}

export function takesText(tool: Tool, kind: EventKind): boolean {
  return DIALECTS[tool].takesText(kind)
}

export function answerWith(event: HookEvent, additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName: event.name, additionalContext } }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0') ? value : undefined
}
