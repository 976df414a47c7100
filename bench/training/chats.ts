/** Chats typed for this project: what one user says within the hour, most of which changes nothing of what was said before. */
import { readFileSync } from 'node:fs'

/** The user's words. */
export interface ChatLine {
  readonly text: string
  /** Numbers, from 1, of the lines before it that it changes or makes doubtful. */
  readonly changes: readonly number[]
}

/** The chats of a language, from `chats-en.tsv` or `-zh`: a line each, an empty line between two chats. */
export function chatsOf(lang: 'en' | 'zh'): readonly (readonly ChatLine[])[] {
  const file = readFileSync(new URL(`chats-${lang}.tsv`, import.meta.url), 'utf8')
  return file
    .trim()
    .split('\n\n')
    .map((chat) =>
      chat.split('\n').map((line) => {
        const [text = '', changes = ''] = line.split('\t')
        return { text, changes: changes.split(',').filter(Boolean).map(Number) }
      }),
    )
}
