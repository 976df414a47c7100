/**
 * One user's flood of work in a process of its own: `fork` with a kind and a server's address. It floods from the message
 * `go` to `stop`, and answers each by what was called so far.
 */

/** Calls that were answered, and those of them that were refused. */
export interface Flooded {
  readonly calls: number
  readonly refused: number
}

/** Calls at once. */
const LANES = 4

const NOTHING = { project_root: '', summary: null, turn_count: 50, last_turn_id: 50 }
const NOON = '2026-05-06T12:00:00.000Z'
const said = (at: number): object => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `I moved mooring ${at} to pier ${at % 97} and pay ${at % 50} euros for it. 我把第 ${at} 艘船停在 ${at % 31} 号码头。`,
})
/** The flood of one user, without a pause; `at` makes every call another. */
const FLOODS: Readonly<Record<string, (at: number) => readonly [path: string, body: string]>> = {
  writes: (at) => [
    `/conversations/flood-${at % 20}/turns`,
    JSON.stringify({ turns: Array.from({ length: 20 }, (_, turn) => said(20 * at + turn)) }),
  ],
  imports: (at) => [
    '/import',
    JSON.stringify({
      mneme_export: 1,
      exported_at: NOON,
      user_id: 'flood',
      conversations: [
        {
          conversation_id: `import-${at}`,
          created_at: NOON,
          last_active: NOON,
          ...NOTHING,
          turns: Array.from({ length: 50 }, (_, turn) => ({
            turn_id: turn + 1,
            created_at: NOON,
            ...said(50 * at + turn),
          })),
        },
      ],
    }),
  ],
  thinking: (at) => ['/memory/long-term', JSON.stringify({ text: (said(2 * at) as { content: string }).content })],
  consolidation: () => ['/maintenance/consolidate', '{}'],
}

const [, , name = '', url = ''] = process.argv
let [calls, refused, isOver]: [number, number, boolean] = [0, 0, true]
let lanes: readonly Promise<void>[] = []

async function lane(): Promise<void> {
  while (!isOver) {
    const [path, body] = FLOODS[name]!(calls++)
    const headers = {
      'content-type': name === 'imports' ? 'application/x-ndjson' : 'application/json',
      'x-user-id': 'flood',
    }
    const answer = await fetch(url + path, { method: 'POST', headers, body })
    await answer.text()
    if (!answer.ok) refused += 1
  }
}

process.on('message', async (told) => {
  isOver = told === 'stop'
  if (isOver) await Promise.all(lanes)
  else lanes = Array.from({ length: LANES }, lane)
  process.send?.({ calls, refused } satisfies Flooded)
})
