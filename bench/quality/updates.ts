/**
 * Does search answer with what holds now when facts change? Stories of one user end in a question; the odd ones are
 * reported apart, as rules were written looking at the even ones.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BenchOptions, Figure } from '../figure.ts'
import { requireData } from './data-folder.ts'
import { falseChanges } from './false-change.ts'
import { openStory, type Shown } from './updates-story.ts'

interface Story {
  readonly id: string
  readonly lang: string
  readonly kind: string
  readonly messages: readonly { readonly date: string; readonly text: string }[]
  readonly question: string
  readonly current_contains: readonly string[]
  readonly not_current: readonly string[]
  readonly history_contains: readonly string[]
  readonly suspect_contains?: readonly string[]
  /** Rules were written looking at it, whatever its number. */
  readonly looked_at?: boolean
}

interface Outcome {
  readonly story: Story
  readonly currentFirst: boolean
  /** null where nothing old could be shown. */
  readonly oldShown: boolean | null
  readonly oldInHistory: boolean
  /** null where nothing is doubtful. */
  readonly suspectMarked: boolean | null
}

const OWN: Readonly<Record<string, string>> = {
  2: './updates-own-2.jsonl',
  3: './updates-own-3.jsonl',
  4: './updates-own-4.jsonl',
  5: './updates-own-5.jsonl',
  6: './other-hand/updates.jsonl',
  7: './updates-own-7.jsonl',
  8: './updates-own-8.jsonl',
  9: './updates-own-9.jsonl',
}
/** How many results a reader looks at. */
const LOOKED_AT = 3

/** Messages that rules were tuned on, and messages that they were not. */
const UNRELATED = ['en-1', 'zh-1', 'en-2', 'zh-2']

/**
 * `--half even|odd|all`: default all
 * `--show 1`: the stories that fail, on standard error
 * `--file F`: stories inside the data folder
 * `--own 1`: our own stories (`2` to `9`: further sets, by other hands)
 * `--false 1`: also how often unrelated statements end a memory
 */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  const path =
    flags.own === undefined
      ? requireData(`${data}/${flags.file ?? 'extraction-dev/updates.jsonl'}`)
      : fileURLToPath(new URL(OWN[flags.own] ?? './updates-own.jsonl', import.meta.url))
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  const stories = lines.map((line) => JSON.parse(line) as Story)
  const half = flags.half ?? 'all'
  const outcomes: (Outcome & { readonly even: boolean })[] = []
  for (const [index, story] of stories.entries()) {
    // Stories are numbered from 1.
    const even = story.looked_at ?? index % 2 === 1
    if ((half === 'even' && !even) || (half === 'odd' && even)) continue
    outcomes.push({ ...(await tell(story, flags.show === '1')), even })
  }
  const figures: Figure[] = []
  const groups: readonly (readonly [string, (outcome: Outcome & { readonly even: boolean }) => boolean])[] = [
    ['all', () => true],
    ['even (looked at)', ({ even }) => even],
    ['odd (not looked at)', ({ even }) => !even],
    ['en', ({ story }) => story.lang === 'en'],
    ['zh', ({ story }) => story.lang === 'zh'],
    ...[...new Set(stories.map(({ kind }) => kind))].map(
      (kind) => [kind, ({ story }: Outcome) => story.kind === kind] as const,
    ),
  ]
  for (const [name, belongs] of groups) figures.push(...figuresOf(name, outcomes.filter(belongs)))
  if (flags.false !== undefined) figures.push(...(await falseChanges(data, UNRELATED, flags.show === 'false')))
  return figures
}

function figuresOf(group: string, outcomes: readonly Outcome[]): readonly Figure[] {
  const share = (figure: string, values: readonly (boolean | null)[], reference?: string): readonly Figure[] => {
    const known = values.filter((value) => value !== null)
    if (known.length === 0) return []
    const value = (100 * known.filter((held) => held).length) / known.length
    return [
      {
        bench: 'updates',
        figure: `${group}, ${figure}`,
        value,
        unit: '%',
        n: known.length,
        ...(reference === undefined ? {} : { reference }),
      },
    ]
  }
  const goals = group === 'all'
  return [
    ...share(
      'current value first',
      outcomes.map(({ currentFirst }) => currentFirst),
      goals ? 'goal 95' : undefined,
    ),
    ...share(
      'old shown as current',
      outcomes.map(({ oldShown }) => oldShown),
      goals ? 'goal 1' : undefined,
    ),
    ...share(
      'old in history',
      outcomes.map(({ oldInHistory }) => oldInHistory),
      goals ? 'goal 95' : undefined,
    ),
    ...share(
      'what rests on the change in doubt',
      outcomes.map(({ suspectMarked }) => suspectMarked),
    ),
  ]
}

async function tell(story: Story, show: boolean): Promise<Outcome> {
  const told = await openStory()
  try {
    for (const { date, text } of story.messages) await told.say(text, Date.parse(`${date}T12:00:00Z`))
    const asked = Date.parse(`${story.messages.at(-1)!.date}T12:00:00Z`) + 3_600_000
    const results = await told.ask(story.question, asked)
    const everything = await told.everything()
    const [first] = results
    const outcome: Outcome = {
      story,
      currentFirst:
        first !== undefined &&
        story.current_contains.some((item) => holds(first.text, item)) &&
        (first.past || !story.not_current.some((item) => holds(first.text, item))),
      oldShown:
        story.not_current.length === 0
          ? null
          : results
              .slice(0, LOOKED_AT)
              .some(
                ({ text, past, suspect }) => !past && !suspect && story.not_current.some((item) => holds(text, item)),
              ),
      oldInHistory: story.history_contains.every((item) => everything.some(({ text }) => holds(text, item))),
      suspectMarked:
        story.suspect_contains === undefined
          ? null
          : story.suspect_contains.every((item) =>
              everything.some(({ text, suspect }) => suspect && holds(text, item)),
            ),
    }
    const good =
      outcome.currentFirst && outcome.oldShown !== true && outcome.oldInHistory && outcome.suspectMarked !== false
    if (show && !good) explain(outcome, results, everything)
    return outcome
  } finally {
    await told.close()
  }
}

/** Every alternative of `a|b` counts, without regard to case. */
function holds(text: string, item: string): boolean {
  return item.split('|').some((part) => text.toLowerCase().includes(part.toLowerCase()))
}

function explain({ story, ...outcome }: Outcome, results: readonly Shown[], everything: readonly Shown[]): void {
  const line = ({ text, past, suspect, note }: Shown): string =>
    `    ${past ? 'past ' : ''}${suspect ? 'suspect ' : ''}${text}  {${note}}`
  process.stderr.write(
    [
      `${story.id} ${story.kind} ${JSON.stringify(outcome)}`,
      `  ${story.question}`,
      ...results.slice(0, LOOKED_AT).map(line),
      '  all:',
      ...everything.map(line),
      '',
    ].join('\n'),
  )
}
