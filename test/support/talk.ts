/** Conversations for tests: everyday turns that speak of nothing in particular, in English and Chinese. */
import type { OpenMemory } from '../../src/doors/library/index.ts'

type Language = 'English' | 'Chinese'

export interface SaidTurn {
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly createdAt?: Date
}

const SUBJECTS = {
  English: [
    'menu colours',
    'login page',
    'weekly report',
    'search box',
    'release notes',
    'printer queue',
    'holiday plan',
  ],
  Chinese: ['菜单的颜色', '登录页面', '每周报告', '搜索框', '发布说明', '打印队列', '休假安排'],
} as const
const ASKED = {
  English: ['Could you look at the', 'I am not happy with the', 'What about the', 'Please tidy up the'],
  Chinese: ['请看一下', '我不太满意', '那么说说', '请整理一下'],
} as const
const ANSWERED = {
  English: [
    'I changed three lines for the',
    'That is done now: the',
    'There is nothing wrong with the',
    'I would leave the',
  ],
  Chinese: ['我改了三行，关于', '已经弄好了：', '没有什么问题：', '我建议先不动'],
} as const

/** Turn `number` of an everyday conversation; users and assistants take turns. */
export function everydayTurn(number: number, language: Language): SaidTurn {
  const subject = SUBJECTS[language][number % SUBJECTS[language].length]
  const asks = number % 2 === 1
  const opening = (asks ? ASKED : ANSWERED)[language][Math.floor(number / 2) % 4]
  const content =
    language === 'English'
      ? `${opening} ${subject}, item ${number} on the list.`
      : `${opening}${subject}，清单上的第${number}项。`
  return { role: asks ? 'user' : 'assistant', content }
}

/** `count` everyday turns with some of them, by number, replaced. */
export function talk(
  count: number,
  language: Language,
  special: Readonly<Record<number, string>> = {},
): readonly SaidTurn[] {
  return Array.from({ length: count }, (_, at) => {
    const turn = everydayTurn(at + 1, language)
    const content = special[at + 1]
    return content === undefined ? turn : { ...turn, content }
  })
}

/** Stores turns one by one, as a chat does, `minutes` apart from `start` on. */
export async function say(
  memory: OpenMemory,
  conversationId: string,
  turns: readonly SaidTurn[],
  start: Date,
  minutes = 1,
): Promise<void> {
  for (const [at, turn] of turns.entries())
    await memory.conversations.store({
      conversationId,
      turns: [{ ...turn, createdAt: new Date(start.getTime() + at * minutes * 60_000) }],
    })
}
