/** Which words name which role in the logs of other programs, in English and Chinese? */
import { ROLES, type Role } from '../../domain/turn.ts'

/** Words that mark a speaker even in plain text ("User: …"). */
const CLEAR_WORDS: Readonly<Record<Role, string>> = {
  user: 'user human you me 用户 人类 我 问',
  assistant:
    'assistant ai claude chatgpt gpt gpt-4 gpt-4o gpt-5 gemini copilot bot 助手 助理 ai助手 智能助手 机器人 答',
  system: 'system 系统',
  tool: 'tool 工具',
}

/** Words that also begin ordinary lines ("Model: …"); they mark a speaker only as a heading or in bold. */
const VAGUE_WORDS: Readonly<Record<Role, string>> = {
  user: 'customer developer 提问 开发者',
  assistant: 'model llm deepseek qwen kimi 模型 回答',
  system: '',
  tool: 'function',
}

const CLEAR = roleMap(CLEAR_WORDS)
const ALL: ReadonlyMap<string, Role> = new Map([...CLEAR, ...roleMap(VAGUE_WORDS)])

function roleMap(words: Readonly<Record<Role, string>>): ReadonlyMap<string, Role> {
  return new Map(
    ROLES.flatMap((role) =>
      words[role]
        .split(' ')
        .filter(Boolean)
        .map((word) => [word, role] as const),
    ),
  )
}

/** The role that a word names, in any case; null when it names none. */
export function roleOfWord(word: string): Role | null {
  return ALL.get(word.trim().toLowerCase()) ?? null
}

/** All words, and those for plain text, as the alternatives of a pattern, longest first. */
export const ROLE_PATTERN = alternatives(ALL)
export const PLAIN_ROLE_PATTERN = alternatives(CLEAR)

function alternatives(words: ReadonlyMap<string, Role>): string {
  return [...words.keys()]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll('.', '\\.'))
    .join('|')
}

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
