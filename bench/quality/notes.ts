/**
 * Would a person keep the memory file of a month of theirs? Four labelled months are digested day by day, by rules.
 *
 * `--list yes`: the misses and the wrong lines
 * `--person NAME`: the file of a speaker's busiest month in `locomo-turns-dev.json`, to be read
 * `--messages yes`: single messages of `extraction-dev`, by the importance of 004
 * `--passing yes`: tastes, habits and wishes told in passing, and look-alikes
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchOptions, Figure } from '../figure.ts'
import { inFreshMemory, readChats, withoutCaptions } from './chats.ts'
import { requireData } from './data-folder.ts'

/** The rules were written with the first two in sight; the second two showed afterwards what they still miss. */
const MONTHS = ['notes-month-en', 'notes-month-zh', 'notes-month-2-en', 'notes-month-2-zh'] as const

interface Message {
  readonly day: number
  readonly said: string
  /** Any of these is right; empty: no line. */
  readonly sections: readonly string[]
}

/** `--list yes`, `--person NAME`, `--messages yes`, `--passing yes`. */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  if (flags.person !== undefined) return personsMonth(data, flags.person)
  if (flags.messages !== undefined) return labelledMessages(data)
  if (flags.passing !== undefined) return toldInPassing(flags.list !== undefined)
  const figures: Figure[] = []
  for (const month of MONTHS) {
    const file = new URL(`./${month}.jsonl`, import.meta.url)
    const messages = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line): Message => JSON.parse(line))
    const sections = await digested(messages)
    const wanted = messages.filter((message) => message.sections.length > 0)
    const lines = messages.filter((message) => sections.has(message))
    const kept = lines.filter((message) => message.sections.length > 0)
    const rightly = kept.filter((message) => message.sections.includes(sections.get(message) ?? ''))
    if (flags.list !== undefined)
      for (const message of messages)
        if (sections.has(message) !== message.sections.length > 0)
          process.stdout.write(`${sections.has(message) ? 'too much' : 'missed  '} ${message.said}\n`)
    const share = (figure: string, of: readonly Message[], those: readonly Message[]): Figure => ({
      bench: 'notes',
      figure: `${month}: ${figure}`,
      value: (100 * those.length) / of.length,
      unit: '%',
      n: of.length,
    })
    figures.push(
      share('lines that deserve their place', lines, kept),
      share('of those, under a right heading', kept, rightly),
      share('messages worth a line that have one', wanted, kept),
    )
  }
  return figures
}

/** The section in which a line of each message came in. */
async function digested(messages: readonly Message[]): Promise<ReadonlyMap<Message, string>> {
  const sections = new Map<Message, string>()
  let now = new Date(2026, 9, 1)
  await inFreshMemory({ userId: 'one', clock: () => now }, async (memory) => {
    for (const [day, ofDay] of Map.groupBy(messages, (message) => message.day)) {
      now = new Date(2026, 9, day, 20)
      const conversationId = `day ${day}`
      for (const { said } of ofDay)
        await memory.conversations.store({ conversationId, turns: [{ role: 'user', content: said, createdAt: now }] })
      await memory.idle()
      const { added } = await memory.memoryFile.digest()
      for (const { turns, section } of added)
        for (const turn of turns) {
          const message = turn.conversationId === conversationId ? ofDay[turn.turnId - 1] : undefined
          if (message !== undefined && !sections.has(message)) sections.set(message, section)
        }
    }
  })
  return sections
}

/** A labelled message, as far as it is looked at. */
interface Labelled {
  readonly text: string
  readonly lang: string
  readonly store: boolean
  readonly reason: string
  readonly importance: number
  readonly ambiguous: boolean
}

/** Messages that share a memory, so that few of them end one another. */
const TOGETHER = 10
/** Reasons that 004 does not weigh and that have a heading all the same, or tell of somebody near. */
const HEADED = new Set(['identity', 'about_other'])

async function labelledMessages(data: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const lang of ['en', 'zh']) {
    const messages = ['1', '2'].flatMap((part) =>
      readFileSync(requireData(join(data, 'extraction-dev', `${lang}-${part}.jsonl`)), 'utf8')
        .trim()
        .split('\n')
        .map((line): Labelled => JSON.parse(line))
        .filter((message) => !message.ambiguous && message.lang === lang),
    )
    const lined = new Map<Labelled, number>()
    for (let from = 0; from < messages.length; from += TOGETHER)
      await noteTogether(messages.slice(from, from + TOGETHER), lined)
    const share = (figure: string, of: readonly Labelled[], those: (message: Labelled) => boolean): Figure => ({
      bench: 'notes',
      figure: `${lang}: ${figure}`,
      value: (100 * of.filter(those).length) / of.length,
      unit: '%',
      n: of.length,
    })
    const withLine = messages.filter((message) => lined.has(message))
    figures.push(
      share(
        'lines that deserve their place',
        withLine,
        (one) => one.store && (one.importance > 0 || HEADED.has(one.reason)),
      ),
      share(
        'of those, with the importance of the label',
        withLine.filter(({ importance }) => importance > 0),
        (one) => lined.get(one) === one.importance,
      ),
      ...[3, 2, 1].map((importance) =>
        share(
          `importance ${importance}, with a line`,
          messages.filter((one) => one.store && one.importance === importance),
          (one) => lined.has(one),
        ),
      ),
    )
  }
  return figures
}

/** Something said in passing, with the headings under which it may stand; empty: no line. */
interface Passing {
  readonly said: string
  readonly sections: readonly string[]
  /** Whether the rules may be written with it in sight; of the others nobody looks at the single answers. */
  readonly seen: boolean
}

async function toldInPassing(isListed: boolean): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const lang of ['en', 'zh']) {
    const messages = readFileSync(new URL(`./notes-passing-${lang}.jsonl`, import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .map((line): Passing => JSON.parse(line))
    const noted = new Map<Passing, string>()
    const groups = Math.ceil(messages.length / TOGETHER)
    for (let group = 0; group < groups; group += 1) {
      const some = messages.filter((_, at) => at % groups === group)
      await noteEach(
        some.map(({ said }) => said),
        (at, { section }) => noted.set(some[at]!, section),
      )
    }
    for (const seen of [true, false]) {
      const half = messages.filter((one) => one.seen === seen)
      const isRight = (one: Passing): boolean => one.sections.includes(noted.get(one) ?? '')
      const lines = half.filter((one) => noted.has(one))
      if (isListed && seen)
        for (const one of half)
          if (noted.has(one) ? !isRight(one) : one.sections.length > 0)
            process.stdout.write(`${noted.get(one) ?? 'missed'}\t${one.said}\n`)
      const share = (figure: string, of: readonly Passing[], those: (one: Passing) => boolean): Figure => ({
        bench: 'notes',
        figure: `${lang}, ${seen ? 'read' : 'unread'}: ${figure}`,
        value: (100 * of.filter(those).length) / of.length,
        unit: '%',
        n: of.length,
      })
      const worth = (section: string): readonly Passing[] => half.filter(({ sections }) => sections.includes(section))
      figures.push(
        share('lines that deserve their place', lines, ({ sections }) => sections.length > 0),
        share(
          'of those, under a right heading',
          lines.filter(({ sections }) => sections.length > 0),
          isRight,
        ),
        share('preferences told in passing that have a line', worth('preferences'), (one) => noted.has(one)),
        share(
          'others worth a line that have one',
          half.filter(({ sections }) => sections.length > 0 && !sections.includes('preferences')),
          (one) => noted.has(one),
        ),
      )
    }
  }
  return figures
}

async function noteTogether(messages: readonly Labelled[], lined: Map<Labelled, number>): Promise<void> {
  await noteEach(
    messages.map(({ text }) => text),
    (at, { importance }) => lined.set(messages[at]!, importance),
  )
}

/** Each message in a conversation of its own, all in one memory; `onLine` is told the place of a message that has a line. */
async function noteEach(
  messages: readonly string[],
  onLine: (at: number, line: { readonly section: string; readonly importance: number }) => void,
): Promise<void> {
  const now = new Date(2026, 9, 1, 20)
  await inFreshMemory({ userId: 'one', clock: () => now }, async (memory) => {
    for (const [at, content] of messages.entries())
      await memory.conversations.store({
        conversationId: String(at),
        turns: [{ role: 'user', content, createdAt: new Date(now.getTime() + at) }],
      })
    await memory.idle()
    for (const line of (await memory.memoryFile.digest()).added)
      for (const { conversationId } of line.turns) onLine(Number(conversationId), line)
  })
}

async function personsMonth(data: string, person: string): Promise<readonly Figure[]> {
  const chats = await readChats('locomo', { data, flags: {} })
  const chat = chats.find(({ turns }) => turns.some(({ speaker }) => speaker === person))
  if (chat === undefined) throw new Error(`nobody is called ${person}: name a speaker of locomo-turns-dev.json`)
  const months = Map.groupBy(withoutCaptions(chat).turns, ({ createdAt }) => createdAt.slice(0, 7))
  const turns = [...months.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
  let now = new Date(turns[0]?.createdAt ?? 0)
  return inFreshMemory({ userId: 'one', clock: () => now }, async (memory) => {
    let lines = 0
    for (const [conversationId, session] of Map.groupBy(turns, (turn) => turn.conversationId)) {
      now = new Date(Date.parse(session.at(-1)!.createdAt) + 1000)
      await memory.conversations.store({
        conversationId,
        turns: session.map(({ speaker, content, createdAt }) => ({
          role: speaker === person ? ('user' as const) : ('assistant' as const),
          content,
          createdAt,
        })),
      })
      await memory.idle()
      lines += (await memory.memoryFile.digest()).added.length
    }
    process.stdout.write((await memory.memoryFile.read()).text.replace(/ <!-- mneme:.*?-->/g, ''))
    const said = turns.filter(({ speaker }) => speaker === person).length
    return [{ bench: 'notes', figure: `lines of ${person}'s busiest month`, value: lines, unit: 'lines', n: said }]
  })
}
