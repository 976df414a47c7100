/**
 * What do an assistant's hooks put before its model? Chats are replayed session by session: the tokens of each start and
 * prompt, and the gold turns shown for questions a day later.
 */
import type { HookEvent } from '../../src/doors/assistants/event.ts'
import { handleEvent } from '../../src/doors/assistants/hook.ts'
import type { OpenMemory } from '../../src/doors/library/index.ts'
import { tokenCounter } from '../../src/language/count-tokens.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { CHAT_SETS, type Chat, chosenSets, inFreshMemory, isCore, lastSaid, readChats } from './chats.ts'
import { contentWords, shownIn } from './shown-in.ts'

const FOLDER = '/chat'
const DAY_MS = 86_400_000

interface Replayed {
  readonly starts: readonly number[]
  readonly prompts: readonly number[]
  /** Share of its gold turns that the start and the prompt of the day after show, a question each. */
  readonly shown: readonly number[]
}

/** `--sets a,b` (default beam and realtalk), `--every N` (one chat of N). */
export async function run(options: BenchOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  const sets =
    options.flags.sets === undefined ? ['beam', 'realtalk'] : chosenSets(options.flags, Object.keys(CHAT_SETS))
  for (const set of sets) {
    const chats = await readChats(set, options)
    const all: Replayed[] = []
    for (const chat of chats)
      all.push(await inFreshMemory({ background: false, userId: chat.userId }, (memory) => replay(memory, chat)))
    const figure = (name: string, value: number, unit: string, n: number): Figure => ({
      bench: 'hook-tokens',
      figure: `${set}: ${name}`,
      value,
      unit,
      n,
    })
    const tokens = (name: string, counts: readonly number[]): readonly Figure[] => [
      ...[0.5, 0.9, 1].map((share) =>
        figure(
          `tokens ${name}, ${share === 1 ? 'max' : `p${share * 100}`}`,
          quantile(counts, share),
          'tokens',
          counts.length,
        ),
      ),
      figure(
        `nothing ${name}`,
        (100 * counts.filter((count) => count === 0).length) / counts.length,
        '%',
        counts.length,
      ),
    ]
    const shown = all.flatMap((one) => one.shown)
    figures.push(
      ...tokens(
        'at a start',
        all.flatMap(({ starts }) => starts),
      ),
      ...tokens(
        'before a prompt',
        all.flatMap(({ prompts }) => prompts),
      ),
      figure(
        'gold turns shown the day after',
        (100 * shown.reduce((sum, one) => sum + one, 0)) / shown.length,
        '%',
        shown.length,
      ),
    )
  }
  return figures
}

async function replay(memory: OpenMemory, chat: Chat): Promise<Replayed> {
  const count = await tokenCounter()
  const [starts, prompts, shown]: [number[], number[], number[]] = [[], [], []]
  const said = async (event: Pick<HookEvent, 'kind' | 'sessionId' | 'prompt'>, now: number): Promise<string> => {
    const whole = { ...event, name: event.kind, folder: FOLDER, turn: '' }
    const answer = await handleEvent('claude', whole, {
      database: ':memory:',
      memory: async () => memory,
      think: () => {},
      now,
    })
    return (
      (answer as { hookSpecificOutput: { additionalContext: string } } | null)?.hookSpecificOutput.additionalContext ??
      ''
    )
  }
  for (const [sessionId, turns] of Map.groupBy(chat.turns, ({ conversationId }) => conversationId)) {
    starts.push(count(await said({ kind: 'session-start', sessionId }, Date.parse(turns[0]!.createdAt))))
    for (const turn of turns) {
      if (turn.role === 'user')
        prompts.push(count(await said({ kind: 'prompt', sessionId, prompt: turn.content }, Date.parse(turn.createdAt))))
      await memory.conversations.store({
        conversationId: sessionId,
        projectRoot: FOLDER,
        turns: [{ role: turn.role, content: turn.content, createdAt: new Date(turn.createdAt) }],
      })
    }
    await memory.idle()
  }
  const now = lastSaid(chat).getTime() + DAY_MS
  const begun = await said({ kind: 'session-start', sessionId: 'next' }, now)
  const contents = new Map(chat.turns.map(({ externalId, content }) => [externalId, content]))
  for (const { q, gold, category } of chat.questions) {
    if (!isCore(category)) continue
    const have = contentWords(`${begun}\n${await said({ kind: 'prompt', sessionId: 'next', prompt: q }, now)}`)
    shown.push(gold.filter((id) => shownIn(have, contents.get(id) ?? '')).length / gold.length)
  }
  return { starts, prompts, shown }
}
