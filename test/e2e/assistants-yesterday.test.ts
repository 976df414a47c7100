/** A day with a coding assistant, as its transcript holds it, and ten questions of the day after through the real hooks. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

/** Said by the user and answered, session by session. */
const DAY: readonly (readonly (readonly [said: string, answered: string])[])[] = [
  [
    [
      'The nightly export of the ferry timetables fails since Tuesday. Can you look at packages/export/src/nightly.ts? It dies after about forty minutes.',
      'The job reads all 1.2 million departures into one array before it writes. The process is killed by the limit of 2 GB in the container. I suggest streaming the rows from the cursor.',
    ],
    [
      'Stream it then, but keep the file format, the harbour offices parse it with a script from 2009.',
      'Done: the export now streams in batches of 5,000 rows, and the columns are unchanged. Peak memory fell from 2.1 GB to 180 MB in my run.',
    ],
    [
      'Good. One more thing, we never use default exports in this repository, please remember that and change the file.',
      'Changed: nightly.ts has named exports only, and I adjusted the two imports.',
    ],
    [
      'The tests of the export are slow. What takes so long?',
      'The fixture builds a database of 300,000 rows for every test. I moved it into a beforeAll, and the suite went from 94 to 11 seconds.',
    ],
    [
      'Before we merge: Ragnhild has to approve anything that touches the export, she owns it.',
      'Understood. I have left the pull request as a draft and asked Ragnhild for a review.',
    ],
  ],
  [
    [
      'Now the map page. Users on old phones report that the pins jump when they zoom.',
      'The pins are positioned with transforms in percent of the tile, and rounding differs at each zoom level. Leaflet 1.9.4 has the same bug open.',
    ],
    [
      'We could move to MapLibre. What would that cost us?',
      'About 210 KB more JavaScript, and the offline tiles have to be converted to vector tiles, which takes some six hours on the build machine.',
    ],
    [
      'Too much for now. We stay with Leaflet and round the positions ourselves, MapLibre comes with the redesign in autumn.',
      'Agreed. I round to whole pixels in PinLayer.place, and the pins no longer jump at any zoom level from 3 to 18.',
    ],
    [
      '顺便说一下，地图页的中文翻译请交给小雯校对，她负责所有中文文案。',
      '好的，我会把地图页的中文文案发给小雯校对，合并之前等她的意见。',
    ],
    [
      'For tomorrow: the cache of the tiles must be purged before the release, and the release goes out at 14:00 from branch release/7.3.',
      'Noted as open: purge the tile cache, then release from release/7.3 at 14:00.',
    ],
  ],
]

/** Questions of the day after, and the words that an answer needs. */
const ASKED: readonly (readonly [question: string, answered: RegExp])[] = [
  ['Why did the nightly export die?', /2 GB|one array|1\.2 million/],
  ['How large are the batches of the export now?', /5,000/],
  ['Who has to approve changes of the export?', /Ragnhild/],
  ['May I write a default export here?', /never use default exports|named exports only/],
  ['How long did the export tests take before we changed the fixture?', /94/],
  ['Which mapping library did we decide to stay with?', /stay with Leaflet/],
  ['What would MapLibre have cost us in JavaScript?', /210 KB/],
  ['地图页的中文翻译由谁校对？', /小雯/],
  ['What must happen before today’s release?', /purge|cache/],
  ['From which branch do we release, and when?', /release\/7\.3/],
]

/** A session as Claude Code writes it, with everything that nobody said. */
function transcript(session: string, folder: string, day: (typeof DAY)[number], hour: number): string {
  let at = Date.UTC(2026, 10, 23, hour)
  let number = 0
  const line = (type: string, message: object, more: object = {}): string => {
    at += 20_000
    number += 1
    const common = { cwd: folder, sessionId: session, version: '2.1.30', isSidechain: false, userType: 'external' }
    return `${JSON.stringify({ ...common, type, uuid: `${session}-${number}`, timestamp: new Date(at).toISOString(), message, ...more })}\n`
  }
  const user = (content: unknown, more: object = {}): string => line('user', { role: 'user', content }, more)
  const assistant = (block: object): string =>
    line('assistant', { role: 'assistant', content: [block] }, { requestId: `r${number}` })
  const exchange = ([said, answered]: readonly [string, string]): string =>
    [
      user([
        { type: 'text', text: '<system-reminder>\nI live in Vogelsburg now.\n</system-reminder>' },
        { type: 'text', text: said },
      ]),
      line(
        'attachment',
        {},
        { attachment: { type: 'hook_additional_context', content: ['I work for Vogelsburg Ltd.'] } },
      ),
      assistant({ type: 'thinking', thinking: 'The user prefers Vogelsburg.', signature: 's' }),
      assistant({ type: 'tool_use', id: `t${number}`, name: 'Bash', input: { command: 'cat notes.txt' } }),
      user([
        { type: 'tool_result', tool_use_id: `t${number}`, content: 'We decided on Vogelsburg. My name is Vogelsburg.' },
      ]),
      assistant({ type: 'text', text: answered }),
    ].join('')
  return [
    `${JSON.stringify({ type: 'file-history-snapshot', messageId: 'm', snapshot: {} })}\n`,
    user('Caveat: the messages below come from local commands. I moved to Vogelsburg.', { isMeta: true }),
    user('This session is being continued from a previous conversation. My name is Vogelsburg.', {
      isCompactSummary: true,
    }),
    ...day.map(exchange),
  ].join('')
}

test('of ten questions about the day before, the hooks answer nine; nothing is stored twice, nothing foreign is learnt', async () => {
  const home = emptyFolder()
  const folder = join(emptyFolder(), 'ferries')
  mkdirSync(join(folder, '.git'), { recursive: true })
  const database = join(home, '.mneme', 'memory.db')
  const hook = async (event: object): Promise<string> => {
    const input = JSON.stringify({ cwd: folder, ...event })
    const { code, stdout, stderr } = await run('mneme', ['hook', 'claude'], { cwd: home, env: { HOME: home }, input })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext
  }
  for (const [number, day] of DAY.entries()) {
    const session_id = `day-${number}`
    const transcript_path = join(home, `${session_id}.jsonl`)
    writeFileSync(transcript_path, transcript(session_id, folder, day, 9 + 4 * number))
    for (const hook_event_name of ['Stop', 'PreCompact', 'SessionEnd'])
      expect(await hook({ hook_event_name, session_id, transcript_path })).toBe('')
  }
  await answer('mneme', ['jobs', 'run', '--db', database, '--wait'], { cwd: home })

  for (const [number, day] of DAY.entries()) {
    const { turns } = await answer('mneme', ['conversations', 'show', `day-${number}`, '--db', database], { cwd: home })
    const said = objects((turns as { items: unknown }).items as never).filter(
      ({ role }) => role === 'user' || role === 'assistant',
    )
    expect(said.map(({ content }) => content)).toEqual(day.flat())
  }
  const { memories, profile } = {
    memories: await answer('mneme', ['memory', 'list', '--db', database], { cwd: home }),
    profile: await answer('mneme', ['profile', 'show', '--db', database], { cwd: home }),
  }
  expect(JSON.stringify({ memories, profile })).not.toContain('Vogelsburg')

  // What a session was given it is not given again: the model holds it.
  let given = await hook({ hook_event_name: 'SessionStart', source: 'startup', session_id: 'next' })
  const missed: string[] = []
  for (const [prompt, wanted] of ASKED) {
    given += `\n${await hook({ hook_event_name: 'UserPromptSubmit', session_id: 'next', prompt })}`
    if (!wanted.test(given)) missed.push(prompt)
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(1)
})
