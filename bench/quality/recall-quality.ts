/**
 * Does recall find the turns that answer a question, on every development set? Compared with a plain FTS5 search over the
 * same turns; with a model of meaning, also with a run without one.
 */
import type { BenchOptions, Figure } from '../figure.ts'
import {
  CHAT_SETS,
  type Chat,
  chosenSets,
  inFreshMemory,
  isCore,
  lastSaid,
  readChats,
  storeChat,
  withoutCaptions,
} from './chats.ts'
import { readCmrc } from './cmrc.ts'
import { readCommits } from './commits.ts'
import { type Embedding, withModel } from './configured-model.ts'
import { plainSearch } from './plain-search.ts'
import { MEASURES, type Measures, meanOf, measure } from './retrieval-metrics.ts'

const SETS = [...Object.keys(CHAT_SETS), 'cmrc', 'cmrc-together', 'commits']
const LIMIT = 50
/** The weights of the ranking were fitted on these chats of LoCoMo. */
const FITTED: ReadonlySet<string> = new Set(['locomo-0', 'locomo-1', 'locomo-2'])

interface Answered {
  readonly category: string
  readonly userId: string
  readonly mneme: Measures
  readonly plain: Measures
  /** null where no model of meaning was asked for. */
  readonly withVectors: Measures | null
}

/**
 * Flags: `--sets a,b` of `locomo, realtalk, beam, lifebench, cmrc, cmrc-together, commits` (default all), `--every N` (one
 * chat of N), `--captions none` (without the captions of pictures), `--roles user` (nobody is an assistant: chats between
 * people are stored with one of them as `assistant`), and those of `withModel`.
 */
export async function run(options: BenchOptions): Promise<readonly Figure[]> {
  return withModel(options.flags, (embedding) => measureSets(options, embedding))
}

async function measureSets(options: BenchOptions, embedding: Embedding | null): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const set of chosenSets(options.flags, SETS)) {
    const chats = await chatsOf(set, options)
    const answered: Answered[] = []
    let leftOut = 0
    for (const chat of chats.map((chat) => changed(chat, options.flags))) {
      const known = new Set(chat.turns.map(({ externalId }) => externalId))
      const asked = [...chat.questions, ...(chat.apart ?? [])].map((one) => ({
        ...one,
        gold: one.gold.filter((id) => known.has(id)),
      }))
      const usable = asked.filter(({ gold }) => gold.length > 0)
      leftOut += asked.length - usable.length
      answered.push(...(await answer({ ...chat, questions: usable }, embedding)))
    }
    figures.push(...figuresOf(set, answered), {
      bench: 'recall-quality',
      figure: `${set}, questions left out (no usable evidence)`,
      value: leftOut,
      unit: '',
      n: leftOut + answered.length,
    })
  }
  return figures
}

async function chatsOf(set: string, options: BenchOptions): Promise<readonly Chat[]> {
  if (set === 'commits') return [await readCommits(options.data)]
  if (set.startsWith('cmrc')) return [await readCmrc(options.data, set === 'cmrc' ? 'each' : 'together')]
  return readChats(set, options)
}

function changed(chat: Chat, { captions, roles }: BenchOptions['flags']): Chat {
  const { turns } = captions === 'none' ? withoutCaptions(chat) : chat
  return { ...chat, turns: roles === 'user' ? turns.map((turn) => ({ ...turn, role: 'user' })) : turns }
}

/** Asks every question of the chat. */
async function answer(chat: Chat, embedding: Embedding | null): Promise<readonly Answered[]> {
  const mneme = await recallEach(chat, 'none')
  const withVectors = embedding === null ? null : await recallEach(chat, embedding)
  const search = plainSearch(chat.turns)
  return chat.questions.map(({ q, gold, category }, at) => ({
    category,
    userId: chat.userId,
    mneme: mneme[at]!,
    plain: measure(
      search(q)
        .slice(0, LIMIT)
        .map(({ externalId }) => externalId),
      gold,
    ),
    withVectors: withVectors?.[at] ?? null,
  }))
}

function recallEach(chat: Chat, embedding: Embedding | 'none'): Promise<readonly Measures[]> {
  return inFreshMemory({ thinking: false, embedding }, async (memory) => {
    await storeChat(memory, chat)
    await memory.maintenance.embed()
    const now = lastSaid(chat)
    const measures: Measures[] = []
    for (const { q, gold } of chat.questions) {
      const asked = { userId: chat.userId, limit: LIMIT, kinds: ['turn'] as const, now }
      const { results, warnings } = await memory.conversations.recall(q, asked)
      if (warnings?.[0] !== undefined) throw new Error(warnings[0])
      const found = results.map(({ externalId }) => externalId ?? '')
      measures.push(measure(found, gold))
    }
    return measures
  })
}

function figuresOf(set: string, answered: readonly Answered[]): readonly Figure[] {
  const core = answered.filter(({ category }) => isCore(category))
  const categories = Map.groupBy(answered, ({ category }) => category)
  const groups: (readonly [string, readonly Answered[]])[] = [[set, core]]
  if (categories.size > 1) for (const [category, of] of categories) groups.push([`${set}, ${category}`, of])
  if (set === 'locomo')
    groups.push(
      [`${set}, chats that weights were fitted on`, core.filter(({ userId }) => FITTED.has(userId))],
      [`${set}, other chats`, core.filter(({ userId }) => !FITTED.has(userId))],
    )
  return groups
    .filter(([, of]) => of.length > 0)
    .flatMap(([group, of]) =>
      MEASURES.flatMap((name): readonly Figure[] => {
        const mean = (which: 'mneme' | 'plain' | 'withVectors'): number =>
          100 *
          meanOf(
            of.map((one) => one[which]).filter((one) => one !== null),
            name,
          )
        const figure = (what: string, value: number, against: number, reference: string): Figure => ({
          bench: 'recall-quality',
          figure: `${group}, ${what}`,
          value,
          unit: '%',
          n: of.length,
          reference: `${reference}: ${against.toFixed(1)}`,
          ...(against === 0 ? {} : { ratio: value / against }),
        })
        const value = mean('mneme')
        return [
          figure(name, value, mean('plain'), 'plain FTS5'),
          ...(of[0]!.withVectors === null
            ? []
            : [figure(`${name} with vectors`, mean('withVectors'), value, 'without')]),
        ]
      }),
    )
}
