/** A small sample memory: an export of a fictional person, with days counted back from today. */
import { call, pathOf, send } from './api.ts'
import type { Conversation, Page } from './records.ts'

const PREFIX = 'mneme-sample-'
const DAY_MS = 86_400_000

/** A conversation: how long ago in days, its title and line, its turns by turns (user first). */
type Talk = readonly [name: string, days: number, title: string, line: string, turns: readonly string[]]

type Fact = readonly [text: string, talk: string, turn: number, more?: Extra]

interface Extra {
  readonly type?: 'episodic'
  readonly category?: 'preference' | 'pattern'
  /** Index of the fact that replaced it. */
  readonly by?: number
  /** Reason of the doubt. */
  readonly doubt?: string
  readonly project?: string
  readonly source?: 'inferred'
  /** Number of accesses by a model's context. */
  readonly used?: number
  /** Indices of the facts that it was made from. */
  readonly from?: readonly number[]
}

/** The talks of a text: of each its name, its age in days, its title, its line, and a turn on every further line. */
function talksOf(text: string): readonly Talk[] {
  return text
    .trim()
    .split('\n\n')
    .map((talk) => {
      const [head = '', title = '', line = '', ...turns] = talk.split('\n')
      const [name = '', days] = head.split(' ')
      return [name, Number(days), title, line, turns]
    })
}

interface Sample {
  readonly talks: readonly Talk[]
  readonly facts: readonly Fact[]
}

const ENGLISH: Sample = {
  talks: talksOf(`
porto 172
A flat in Porto
Mara lives in Porto and bakes bread.
I live in Porto, five minutes from the river. On Sundays I bake sourdough.
That sounds lovely. Which flour do you use?
Rye from the mill in Barcelos. I am allergic to sesame, so nothing with tahini, please.
Understood: no sesame.

ferry 96
The ferry timetable
A web page for the ferries: Deno and SQLite.
The ferry timetable runs on Deno with SQLite. We deploy it every Friday.
Noted. I will keep that in mind for the deployment questions.
Please answer briefly, and show the command before the explanation.
Will do.

ghent 41
Moving to Ghent
The move from Porto to Ghent, and the new job.
Big news: I moved to Ghent last week. I work at the brewery museum now.
Congratulations! How was the move?
Fine. My sister Ines helped, we drove for two days with the sourdough starter on her knees.
The starter survived?
It did. My new dentist is Dr. Kwan on Mill Road, by the way.

deploy 6
Deployments move to Mondays
The ferry timetable is deployed on Mondays now.
We deploy the ferry timetable on Mondays now, Fridays were too stressful.
Good decision. Shall I adjust the checklist?
Yes. And remind me to renew the certificate before the winter timetable.`),
  facts: [
    ['Mara lives in Porto.', 'porto', 1, { by: 1, used: 9 }],
    ['Mara moved to Ghent and lives there.', 'ghent', 1, { used: 6 }],
    ['Mara bakes sourdough on Sundays.', 'porto', 1, { category: 'pattern', used: 4 }],
    ['Mara buys rye flour from the mill in Barcelos.', 'porto', 3, { doubt: 'Mara does not live in Porto any more.' }],
    ['Mara is allergic to sesame.', 'porto', 3, { used: 11 }],
    ['The ferry timetable runs on Deno with SQLite.', 'ferry', 1, { project: '/home/mara/ferry', used: 7 }],
    ['The ferry timetable is deployed every Friday.', 'ferry', 1, { by: 7, project: '/home/mara/ferry', used: 3 }],
    ['The ferry timetable is deployed on Mondays.', 'deploy', 1, { project: '/home/mara/ferry', used: 1 }],
    ['Answer briefly, and show the command before the explanation.', 'ferry', 3, { category: 'preference', used: 14 }],
    ['Mara works at the brewery museum in Ghent.', 'ghent', 1, { used: 2 }],
    [
      'Mara’s sister Ines helped with the move: two days by car, the sourdough starter on her knees.',
      'ghent',
      3,
      { type: 'episodic', used: 1 },
    ],
    ['Mara’s dentist is Dr. Kwan on Mill Road.', 'ghent', 5],
    ['Mara wants to renew the certificate before the winter timetable.', 'deploy', 3, { project: '/home/mara/ferry' }],
    ['Mara has a sister called Ines.', 'ghent', 3, { source: 'inferred', from: [10] }],
  ],
}

const CHINESE: Sample = {
  talks: talksOf(`
porto 172
杭州的公寓
玛拉住在杭州，周日烤面包。
我住在杭州，离西湖五分钟。每个周日我都烤酸面包。
真不错。用什么面粉？
用临安磨坊的黑麦粉。我对芝麻过敏，请别推荐带芝麻酱的。
明白：不放芝麻。

ferry 96
渡轮时刻表
渡轮网页：Deno 和 SQLite。
渡轮时刻表用的是 Deno 和 SQLite，每周五部署。
记下了，以后回答部署问题时会考虑。
请回答得简短些，先给命令，再解释。
好的。

ghent 41
搬到成都
从杭州搬到成都，换了新工作。
好消息：我上周搬到成都了，现在在啤酒博物馆工作。
恭喜！搬家顺利吗？
挺好。我姐姐小宁帮了忙，我们开了两天车，酸面团放在她腿上。
酸面团活下来了吗？
活下来了。对了，我的新牙医是磨坊路的关医生。

deploy 6
部署改到周一
渡轮时刻表现在周一部署。
渡轮时刻表现在改到周一部署，周五压力太大。
好决定。要我更新清单吗？
好。另外提醒我在冬季时刻表之前更新证书。`),
  facts: ENGLISH.facts.map(([, ...rest], at) => [
    [
      '玛拉住在杭州。',
      '玛拉搬到成都，现在住在那里。',
      '玛拉每个周日烤酸面包。',
      '玛拉从临安的磨坊买黑麦粉。',
      '玛拉对芝麻过敏。',
      '渡轮时刻表用 Deno 和 SQLite。',
      '渡轮时刻表每周五部署。',
      '渡轮时刻表在周一部署。',
      '回答要简短，先给命令，再解释。',
      '玛拉在成都的啤酒博物馆工作。',
      '玛拉的姐姐小宁帮忙搬家：开了两天车，酸面团放在她腿上。',
      '玛拉的牙医是磨坊路的关医生。',
      '玛拉想在冬季时刻表之前更新证书。',
      '玛拉有个姐姐叫小宁。',
    ][at]!,
    ...rest,
  ]),
}

export async function addSample(language: string): Promise<void> {
  await send('POST', '/import', exportOf(language === 'zh' ? CHINESE : ENGLISH, Date.now()))
}

export async function removeSample(): Promise<void> {
  for (const id of await sampleConversations()) await call('DELETE', pathOf(['conversations', id]))
}

async function sampleConversations(): Promise<readonly string[]> {
  const { items } = await call<Page<Conversation>>('GET', pathOf(['conversations'], { limit: 1000 }))
  return items.map((one) => one.conversation_id).filter((id) => id.startsWith(PREFIX))
}

function exportOf({ talks, facts }: Sample, now: number): object {
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
      summary: null,
      turn_count: turns.length,
      last_turn_id: turns.length,
      turns: turns.map((content, at) => ({
        turn_id: at + 1,
        role: at % 2 === 0 ? 'user' : 'assistant',
        content,
        created_at: timeOf(days, at + 1),
        is_collected: false,
      })),
      summaries: [],
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
        key: null,
        value: null,
        tags: [],
        conversation_id: PREFIX + talk,
        who: 'user',
        occurred_at: said,
        created_at: said,
        updated_at: successor ?? said,
        confidence: more.source === undefined ? 0.9 : 0.6,
        source: more.source ?? 'user_stated',
        importance: 1,
        access_count: more.used ?? 0,
        last_accessed: more.used === undefined ? null : timeOf(2, turn),
        valid_from: said,
        valid_to: successor,
        superseded_by: more.by === undefined ? null : idOf(more.by),
        suspect: more.doubt === undefined ? null : { reason: more.doubt, since: timeOf(41, 1) },
        source_turn_ids: [turn],
        external_id: null,
        metadata: more.from === undefined ? null : { source_ids: more.from.map(idOf) },
        project_root: more.project ?? null,
        ...(successor === null ? {} : { history: [{ event: 'SUPERSEDE', created_at: successor }] }),
      }
    }),
    working_memories: [],
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
