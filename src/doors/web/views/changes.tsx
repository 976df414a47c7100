/** Differences between two days: memories learnt, changed, ended and buried. */
import { go, hashOf, place } from '../address.ts'
import { get } from '../api.ts'
import { Change, Empty, Failed, Field, Section, Segments } from '../parts/controls.tsx'
import { day } from '../parts/dates.ts'
import { useLoad } from '../parts/load.tsx'
import type { Memory, MemoryEvent, Page } from '../records.ts'
import { user } from '../session.ts'
import { t, type Words } from '../words.ts'
import { dayBefore } from './memory-list.ts'

const MOST = 300
const MOST_EDITS = 40

interface Difference {
  readonly memory: Memory
  readonly before: string | null
  readonly after: string | null
}

type Kind = 'learnt' | 'changed' | 'ended' | 'buried'
type Differences = Readonly<Record<Kind, readonly Difference[]>>

const KINDS: Readonly<Record<Kind, Words>> = {
  learnt: 'Learnt',
  changed: 'Changed',
  ended: 'Ended',
  buried: 'Buried',
}

async function readChanges(from: string, to: string, signal: AbortSignal): Promise<Differences> {
  const [gt, lte] = [from, to].map((one) => new Date(`${one}T23:59:59.999`).toISOString())
  const list = async (filters: object): Promise<readonly Memory[]> => {
    const asked = { filters: JSON.stringify(filters), include_past: true, include_buried: true, limit: MOST }
    return (await get<Page<Memory>>(['memory', 'long-term'], signal, asked)).items
  }
  const within = { gt, lte }
  const [created, over, edited, hidden] = await Promise.all([
    list({ created_at: within }),
    list({ valid_to: within }),
    list({ updated_at: within, created_at: { lte: gt }, superseded_by: null, valid_to: null, buried_at: null }),
    list({ buried_at: within }),
  ])
  const replaced = over.filter(({ superseded_by }) => superseded_by !== null)
  const successors = new Map(created.map((memory) => [memory.id, memory]))
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
    edited.slice(0, MOST_EDITS).map(async (memory) => {
      const { items } = await get<Page<MemoryEvent>>(['memory', 'long-term', memory.id, 'history'], signal)
      const first = items.find(
        ({ memory_id, created_at, previous_text }) =>
          memory_id === memory.id && previous_text !== null && created_at > gt! && created_at <= lte!,
      )
      return { memory, before: first?.previous_text ?? null, after: memory.text }
    }),
  )
  return {
    learnt: created
      .filter(({ id }) => !isSuccessor.has(id))
      .map((memory) => ({ memory, before: null, after: memory.text })),
    changed: [
      ...replaced.map((memory) => {
        const after = successors.get(memory.superseded_by!)
        return { memory: after ?? memory, before: memory.text, after: after?.text ?? null }
      }),
      ...rewritten.filter(({ before, after }) => before !== null && before !== after),
    ],
    ended: over
      .filter(({ superseded_by }) => superseded_by === null)
      .map((memory) => ({ memory, before: memory.text, after: null })),
    buried: hidden.map((memory) => ({ memory, before: memory.text, after: null })),
  }
}

const STRETCHES: readonly (readonly [number, Words])[] = [
  [1, 'Since yesterday'],
  [7, 'The last week'],
  [30, 'The last month'],
  [365, 'The last year'],
]

export function Changes() {
  const { params } = place.value
  const from = params.from ?? dayBefore(7)
  const to = params.to ?? dayBefore(0)
  const { data, error, isLoading } = useLoad((signal) => readChanges(from, to, signal), [from, to, user.value])
  const show = (part: { readonly from?: string; readonly to?: string }): void => {
    // A date that is only half typed is empty.
    if (!Object.values(part).includes('')) go(hashOf('changes', '', { from, to, ...part }), true)
  }
  const count = data === null ? 0 : Object.values(data).reduce((total, { length }) => total + length, 0)
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
      {data !== null && !isLoading && count === 0 && (
        <Empty icon="clock" title={t('Nothing changed.')}>
          <p>{t('What was deleted leaves no trace, here neither.')}</p>
        </Empty>
      )}
      {data !== null &&
        (Object.keys(KINDS) as Kind[])
          .filter((kind) => data[kind].length > 0)
          .map((kind) => (
            <Section key={kind} look={`difference is-${kind}`} title={t(KINDS[kind])} count={data[kind].length}>
              <ul class="listing">
                {data[kind].map(({ memory, before, after }, at) => (
                  <li key={at}>
                    <a class="item line spread" href={hashOf('memories', memory.id, { state: 'all' })}>
                      <Change before={before} after={after} />
                      <time class="tiny" dateTime={memory.updated_at}>
                        {day(memory.updated_at)}
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
