/** A small sample memory: an export of a fictional person, with days counted back from today. */
import { call, pathOf, send } from './api.ts'
import { DAY_MS } from './parts/dates.ts'
import SAMPLE from './sample.json' with { type: 'json' }

const PREFIX = 'mneme-sample-'

/** A conversation: how long ago in days, its title and line, its turns by turns (user first). */
type Talk = readonly [name: string, days: number, title: string, line: string, turns: readonly string[]]

type Fact = readonly [text: string, talk: string, turn: number, more?: Extra]

interface Extra {
  readonly type?: 'episodic'
  readonly category?: 'preference' | 'pattern'
  readonly by?: number
  readonly doubt?: string
  readonly project?: string
  readonly source?: 'inferred'
  readonly used?: number
  /** Indices of the facts that it was made from. */
  readonly from?: readonly number[]
}

export async function addSample(language: 'en' | 'zh'): Promise<void> {
  const talks = SAMPLE[language].talks as unknown as readonly Talk[]
  const facts = SAMPLE.en.facts as unknown as readonly Fact[]
  const inChinese = facts.map(([, ...rest], at): Fact => [SAMPLE.zh.texts[at]!, ...rest])
  await send('POST', '/import', exportOf(talks, language === 'zh' ? inChinese : facts, Date.now()))
}

/** Removes those of these conversations that are of the sample. */
export async function removeSample(conversations: readonly string[]): Promise<void> {
  for (const id of conversations) if (id.startsWith(PREFIX)) await call('DELETE', pathOf(['conversations', id]))
}

function exportOf(talks: readonly Talk[], facts: readonly Fact[], now: number): object {
  // Every talk begins at nine in the morning, UTC, and goes on a minute a turn.
  const today = Math.floor(now / DAY_MS) * DAY_MS - 15 * 3_600_000
  const timeOf = (days: number, turn: number): string => new Date(today - days * DAY_MS + turn * 60_000).toISOString()
  const talkOf = (name: string): Talk => talks.find(([one]) => one === name)!
  const saidAt = ([, talk, turn]: Fact): string => timeOf(talkOf(talk)[1], turn)
  const idOf = (at: number): string => `${PREFIX}${at}`
  return {
    mneme_export: 1,
    exported_at: new Date(now).toISOString(),
    user_id: 'sample',
    conversations: talks.map(([name, days, , , turns]) => ({
      conversation_id: PREFIX + name,
      project_root: name === 'ferry' || name === 'deploy' ? '/home/mara/ferry' : '',
      created_at: timeOf(days, 1),
      last_active: timeOf(days, turns.length),
      turn_count: turns.length,
      last_turn_id: turns.length,
      turns: turns.map((content, at) => ({
        turn_id: at + 1,
        role: at % 2 === 0 ? 'user' : 'assistant',
        content,
        created_at: timeOf(days, at + 1),
      })),
    })),
    memories: facts.map((fact, at) => {
      const [text, talk, turn, more = {}] = fact
      const said = saidAt(fact)
      const successor = more.by === undefined ? null : saidAt(facts[more.by]!)
      return {
        id: idOf(at),
        memory_type: more.type ?? 'semantic',
        text,
        category: more.category ?? 'fact',
        conversation_id: PREFIX + talk,
        who: 'user',
        occurred_at: said,
        created_at: said,
        updated_at: successor ?? said,
        confidence: more.source === undefined ? 0.9 : 0.6,
        source: more.source ?? 'user_stated',
        importance: 1,
        access_count: more.used ?? 0,
        last_accessed: more.used && timeOf(2, turn),
        valid_from: said,
        valid_to: successor,
        superseded_by: more.by === undefined ? null : idOf(more.by),
        suspect: more.doubt && { reason: more.doubt, since: timeOf(41, 1) },
        source_turn_ids: [turn],
        metadata: more.from && { source_ids: more.from.map(idOf) },
        project_root: more.project,
        ...(successor === null ? {} : { history: [{ event: 'SUPERSEDE', created_at: successor }] }),
      }
    }),
    session_summaries: talks.map(([name, days, title, snippet]) => ({
      conversation_id: PREFIX + name,
      title,
      snippet,
      created_at: timeOf(days, 5),
      updated_at: timeOf(days, 5),
      edited: false,
    })),
  }
}
