/** Which words name which role in the logs of other programs, in English and Chinese? */
import type { Role } from '../../domain/turn.ts'

const WORDS: Readonly<Record<Role, string>> = {
  user: 'user human you me customer developer 用户 人类 我 用户提问 提问 问 开发者',
  assistant:
    'assistant ai claude chatgpt gpt gpt-4 gpt-4o gpt-5 gemini copilot bot model llm deepseek qwen kimi 助手 助理 ai助手 智能助手 机器人 模型 回答 答 通义千问 文心一言',
  system: 'system 系统',
  tool: 'tool function 工具',
}

const ROLE_OF: ReadonlyMap<string, Role> = new Map(
  (Object.keys(WORDS) as Role[]).flatMap((role) => WORDS[role].split(' ').map((word) => [word, role] as const)),
)

/** The role that a word names, in any case; null when it names none. */
export function roleOfWord(word: string): Role | null {
  return ROLE_OF.get(word.trim().toLowerCase()) ?? null
}

/** Every word as the alternatives of a pattern, longest first. */
export const ROLE_PATTERN = [...ROLE_OF.keys()]
  .sort((a, b) => b.length - a.length)
  .map((word) => word.replace(/[-.]/g, '\\$&'))
  .join('|')

/** Roles as JSON logs write them. */
const JSON_ROLES: Readonly<Record<string, Role>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
}

/** The role of a JSON field; null for anything unknown. */
export function roleOfValue(value: unknown): Role | null {
  return typeof value === 'string' && Object.hasOwn(JSON_ROLES, value) ? JSON_ROLES[value]! : null
}
