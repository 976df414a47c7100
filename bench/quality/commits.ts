/**
 * Commit messages of two TypeScript projects as a chat: each body is a turn of one user. A title must find its own body,
 * and an identifier, asked as spaced words ("use ref") and as it is written, the bodies that hold it.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Chat } from './chats.ts'
import { requireData } from './data-folder.ts'

interface RawCommit {
  readonly repo: string
  readonly date: string
  readonly title: string
  readonly body: string
}

/** camelCase, PascalCase with an inner capital, and snake_case; dotted names are taken apart at the dots first. */
const IDENTIFIER =
  /(?<![\w$])(?:[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)(?![\w$])/g

/** An identifier that more bodies hold than this is no question for five places. */
const MOST_BODIES = 5

/** The bodies, with three kinds of questions. */
export async function readCommits(data: string): Promise<Chat> {
  const path = requireData(join(data, 'commits-dev.json'))
  const commits = JSON.parse(await readFile(path, 'utf8')) as readonly RawCommit[]
  const holders = new Map<string, Set<string>>()
  const turns = commits.map(({ repo, date, body }, index) => {
    const externalId = `${repo}/${index}`
    for (const [name] of body.matchAll(IDENTIFIER)) holders.set(name, (holders.get(name) ?? new Set()).add(externalId))
    return {
      conversationId: externalId,
      externalId,
      speaker: null,
      role: 'user' as const,
      content: body,
      createdAt: date,
    }
  })
  const titles = commits.map(({ repo, title }, index) => ({
    q: title,
    gold: [`${repo}/${index}`],
    category: 'title → its body',
  }))
  const identifiers = [...holders]
    .filter(([, gold]) => gold.size <= MOST_BODIES)
    .flatMap(([name, gold]) => [
      { q: spacedWords(name), gold: [...gold], category: 'identifier as spaced words → bodies' },
      { q: name, gold: [...gold], category: 'identifier as written → bodies' },
    ])
  return { userId: 'committer', turns, questions: [...titles, ...identifiers] }
}

/** "HonoRequest" → "hono request", "error_description" → "error description". */
function spacedWords(identifier: string): string {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}
