/** Differences between two days: memories learnt, changed, ended and buried. */
import { go, hashOf, place } from '../address.ts'
import { get } from '../api.ts'
import { Change, Empty, Failed, Field, Section, Segments } from '../parts/controls.tsx'
import { day as written } from '../parts/dates.ts'
import { useLoad } from '../parts/load.tsx'
import type { Counts, Memory, Page } from '../records.ts'
import { t, type Words } from '../translations.ts'
import { DAY_END, dayBefore, readEdits, timeOf, wordsAt } from './memory-list.ts'

/** Most memories of a kind that are listed; their number is told as it is. */
const MOST = 1000
/** Most edited memories whose earlier words are looked up. */
const MOST_EDITS = 200

interface Difference {
  /** null: it is deleted, and nothing of it is known. */
  readonly memory: Memory | null
  readonly before: string | null
  readonly after: string | null
  readonly when: string
}

type Kind = 'learnt' | 'changed' | 'doubted' | 'ended' | 'buried' | 'deleted'
/** Differences of a kind that are listed, and how many memories there are of it in all. */
type Differences = Readonly<Record<Kind, { readonly items: readonly Difference[]; readonly total: number }>>

const KINDS: Readonly<Record<Kind, Words>> = {
  learnt: 'Learnt',
  changed: 'Changed',
  doubted: 'In doubt',
  ended: 'Ended',
  buried: 'Buried',
  deleted: 'Deleted',
}

async function readChanges(from: string, to: string, signal: AbortSignal): Promise<Differences> {
  const [gt, lte] = [timeOf(from, DAY_END)!, timeOf(to, DAY_END)!]
  const list = (filters: object): Promise<Page<Memory>> => {
    const asked = { filters: JSON.stringify(filters), include_past: true, include_buried: true, limit: MOST }
    return get<Page<Memory>>(['memory', 'long-term'], signal, asked)
  }
  const within = { gt, lte }
  const [created, over, edited, doubted, hidden, { deleted }] = await Promise.all([
    list({ created_at: within }),
    list({ valid_to: within }),
    list({ updated_at: { gt }, created_at: { lte: gt }, superseded_by: null, valid_to: null, buried_at: null }),
    list({ suspect_since: within }),
    list({ buried_at: within }),
    get<Counts>('/overview', signal),
  ])
  const replaced = over.items.filter(({ superseded_by }) => superseded_by !== null)
  const successors = new Map(created.items.map((memory) => [memory.id, memory]))
  await Promise.all(
    replaced
      .filter(({ superseded_by }) => !successors.has(superseded_by!))
      .map(async ({ superseded_by: id }) => {
        const found = await get<Memory>(['memory', 'long-term', id!], signal).catch(() => null)
        if (found !== null) successors.set(id!, found)
      }),
  )
  const isSuccessor = new Set(replaced.map(({ superseded_by }) => superseded_by))
  const rewritten = await Promise.all(
    edited.items.slice(0, MOST_EDITS).map(async (memory) => {
      const edits = await readEdits(memory, signal)
      const when = edits.find(({ created_at }) => created_at > gt)?.created_at ?? ''
      return { memory, before: wordsAt(memory, edits, gt), after: wordsAt(memory, edits, lte), when }
    }),
  )
  const of = (differences: readonly Difference[], { items, total }: Page<Memory>) => ({
    items: differences.toSorted((a, b) => b.when.localeCompare(a.when)),
    total: total - items.length + differences.length,
  })
  const listed = (page: Page<Memory>, differenceOf: (memory: Memory) => Difference, items = page.items) =>
    of(items.map(differenceOf), page)
  const now = (memory: Memory, when: string) => ({ memory, before: null, after: memory.text, when })
  const before = (memory: Memory, when: string) => ({ memory, before: memory.text, after: null, when })
  const gone = deleted.filter(({ at }) => at > gt && at <= lte)
  const [learnt, ended] = [created.items.filter(({ id }) => !isSuccessor.has(id)), new Set(over.items)]
  for (const memory of replaced) ended.delete(memory)
  const changed = [
    ...replaced.map((memory) => {
      const after = successors.get(memory.superseded_by!)
      return { ...before(memory, memory.valid_to!), memory: after ?? memory, after: after?.text ?? null }
    }),
    ...rewritten.filter(({ before, after }) => before !== after),
  ]
  return {
    learnt: listed(created, (one) => now(one, one.created_at), learnt),
    changed: of(changed, { ...edited, total: edited.items.length }),
    doubted: listed(doubted, (one) => now(one, one.suspect!.since)),
    ended: listed(over, (one) => before(one, one.valid_to!), [...ended]),
    buried: listed(hidden, (one) => before(one, one.buried_at!)),
    deleted: {
      items: Object.values(Object.groupBy(gone, ({ at }) => written(at))).map((ofDay) => {
        const n = numberOf(ofDay!)
        const after = t('{n} memory, of which nothing is kept|{n} memories, of which nothing is kept', { n })
        return { memory: null, before: null, after, when: ofDay![0]!.at }
      }),
      total: numberOf(gone),
    },
  }
}

function numberOf(deleted: Counts['deleted']): number {
  return deleted.reduce((sum, { memories }) => sum + memories, 0)
}

const STRETCHES: readonly (readonly [number, Words])[] = [
  [1, 'Since yesterday'],
  [7, 'The last week'],
  [30, 'The last month'],
  [365, 'The last year'],
]

export function Changes() {
  const { params } = place.value
  const day = (name: 'from' | 'to', otherwise: string): string =>
    timeOf(params[name] ?? '', DAY_END) === null ? otherwise : params[name]!
  const [from, to] = [day('from', dayBefore(7)), day('to', dayBefore(0))].sort() as [string, string]
  const { data, error, isLoading } = useLoad((signal) => readChanges(from, to, signal), [from, to])
  const show = (part: { readonly from?: string; readonly to?: string }): void => {
    // A date that is only half typed is empty.
    if (!Object.values(part).includes('')) go(hashOf('changes', '', { from, to, ...part }), true)
  }
  const count = data === null ? 0 : Object.values(data).reduce((sum, { total }) => sum + total, 0)
  return (
    <div class="page">
      <header class="page-head line">
        <h1>{t('What changed')}</h1>
        <a class="quiet-link end" href={hashOf('memories')}>
          {t('All memories')}
        </a>
      </header>
      <p class="lead">{t('The difference between what was known on two days.')}</p>
      <div class="card line wrap">
        <Field name={t('From the end of')}>
          <input type="date" value={from} max={to} onChange={({ currentTarget: { value } }) => show({ from: value })} />
        </Field>
        <Field name={t('to the end of')}>
          <input type="date" value={to} min={from} onChange={({ currentTarget: { value } }) => show({ to: value })} />
        </Field>
        <Segments
          look="end"
          label={t('Stretches')}
          options={STRETCHES}
          isOn={(days) => to === dayBefore(0) && from === dayBefore(days)}
          onPick={(days) => show({ from: dayBefore(days), to: dayBefore(0) })}
        />
      </div>
      <Failed error={error} />
      {data !== null && !isLoading && count === 0 && <Empty icon="clock" title={t('Nothing changed.')} />}
      {data !== null &&
        (Object.keys(KINDS) as Kind[])
          .map((kind) => [kind, data[kind]] as const)
          .filter(([, { items }]) => items.length > 0)
          .map(([kind, { items, total }]) => (
            <Section key={kind} look={`difference is-${kind}`} title={t(KINDS[kind])} count={total}>
              {total > items.length && kind !== 'deleted' && (
                <p class="hint">{t('The last {n} are listed.', { n: items.length })}</p>
              )}
              <ul class="listing">
                {items.map(({ memory, before, after, when }, at) => (
                  <li key={at}>
                    <a
                      class="item line spread"
                      {...(memory === null ? {} : { href: hashOf('memories', memory.id, { state: 'all' }) })}
                    >
                      <Change before={before} after={after} />
                      <time class="tiny" dateTime={when}>
                        {written(when)}
                      </time>
                    </a>
                  </li>
                ))}
              </ul>
            </Section>
          ))}
    </div>
  )
}
