/** How is the memory doing? Sizes, growth, kept and refused texts, queries and health. */
import { hashOf } from '../address.ts'
import { get } from '../api.ts'
import { Bars, Facts, Failed, Section } from '../parts/controls.tsx'
import { ago, DAY_MS, day, moment } from '../parts/dates.ts'
import { useLoad } from '../parts/load.tsx'
import type { Counts, Sizes } from '../records.ts'
import { region, t, type Words } from '../translations.ts'
import { readConversations } from './conversations.tsx'
import { FirstRun, isSampleHere, SampleNote } from './first-run.tsx'

/** Reasons for not keeping a message, in words; an unlisted reason is shown as it is. */
const REASONS: Readonly<Record<string, Words>> = {
  chitchat: 'chit-chat',
  knowledge_question: 'a question',
  fragment: 'a piece of a sentence',
  code_paste: 'pasted code',
  hypothetical: 'only supposed',
  about_other: 'about somebody else',
  state: 'a passing state',
  recalled: 'recalled text',
  forbidden: 'was not to be kept',
  model_declined: 'the model kept nothing',
}

async function readEverything(signal: AbortSignal) {
  const [counts, sizes, health] = await Promise.all([
    get<Counts>('/overview', signal),
    get<Sizes>('/stats', signal),
    get<{ status: string }>('/health', signal).catch((error: Error) => ({ status: error.message })),
    // They say whether the sample is here.
    readConversations(signal),
  ])
  return { counts, sizes, health }
}

export function Overview() {
  const { data, error } = useLoad(readEverything, [])
  if (error !== null)
    return (
      <div class="page">
        <Failed error={error} />
      </div>
    )
  if (data === null) return <div class="page" aria-busy="true" />
  const { counts, sizes, health } = data
  const { holding, in_doubt, ended, buried, unused, recall_ms: times } = counts
  if (holding + ended + buried + sizes.conversations === 0)
    return (
      <div class="page narrow">
        <FirstRun />
      </div>
    )
  const tiles: readonly (readonly [number, Words, string])[] = [
    [holding, 'current', hashOf('memories')],
    [in_doubt, 'in doubt', hashOf('memories', '', { state: 'doubt' })],
    [ended, 'ended', hashOf('memories', '', { state: 'ended' })],
    [buried, 'buried', hashOf('memories', '', { state: 'buried' })],
    [unused, 'never shown to a model', hashOf('memories', '', { state: 'unused' })],
  ]
  return (
    <div class="page">
      <header class="page-head line">
        <h1>{t('Overview')}</h1>
        <span class={`chip ${health.status === 'ok' ? 'holds' : 'doubt'}`}>
          {health.status === 'ok' ? t('all is well') : health.status}
        </span>
        <a class="quiet-link end" href={hashOf('changes')}>
          {t('What changed')}
        </a>
      </header>
      {isSampleHere.value && <SampleNote />}
      <ul class="tiles">
        {tiles.map(([number, words, href]) => (
          <li key={words}>
            <a class="card tile" href={href}>
              <strong>{number.toLocaleString(region.value)}</strong> <span>{t(words)}</span>
            </a>
          </li>
        ))}
      </ul>
      <Growth growth={counts.growth} />
      <div class="halves">
        <Section look="column" title={t('Recalls')}>
          <div class="card">
            <Facts
              rows={[
                [
                  t('Since the start'),
                  <span key="since" title={moment(counts.since)}>
                    {t('{n} recall|{n} recalls', { n: counts.recalls })} · {ago(counts.since)}
                  </span>,
                ],
                [t('Time'), times === null ? t('none yet') : t('{median} ms, 19 of 20 under {p95} ms', times)],
              ]}
            />
            <h3>{t('Questions that found nothing')}</h3>
            {counts.unanswered.length === 0 && <p class="nothing">{t('None since the start.')}</p>}
            <ul>
              {counts.unanswered.slice(0, 8).map(({ question, asked_at }) => (
                <li key={question}>
                  <a href={hashOf('context', '', { message: question })}>{question}</a>{' '}
                  <time class="hint" dateTime={asked_at}>
                    {ago(asked_at)}
                  </time>
                </li>
              ))}
            </ul>
          </div>
        </Section>
        <Section look="column" title={t('Kept and refused')}>
          <div class="card">
            <Bars rows={reasonsOf(counts)} />
            <p class="hint">{t('Since the start: statements kept, and messages that were not, by reason.')}</p>
          </div>
        </Section>
      </div>
      <Section title={t('Storage')}>
        <div class="card">
          <Facts
            rows={[
              [
                t('Conversations'),
                `${sizes.conversations.toLocaleString(region.value)} · ${t('{n} turn|{n} turns', { n: sizes.turns })}`,
              ],
              [t('Size on disk'), sizeOf(sizes.bytes)],
              [
                t('Background work'),
                <a key="jobs" href={hashOf('settings', 'jobs')}>
                  {t('{n} waits|{n} wait', { n: sizes.jobs })} · {t('{n} failed|{n} failed', { n: sizes.dead_jobs })}
                </a>,
              ],
              [t('Last consolidation'), consolidationOf(counts)],
              [t('Model usage'), askedOf(sizes.model_usage)],
            ]}
          />
        </div>
      </Section>
    </div>
  )
}

/** When memories were last consolidated, and what became of them. */
function consolidationOf({ consolidated_at: at, consolidated: done }: Counts): string {
  if (at === null) return t('not yet')
  const told = done && t('{processed} looked at, {merged} merged, {separated} told apart, {promoted} made facts', done)
  return told ? `${moment(at)} · ${told}` : moment(at)
}

function askedOf(rows: Sizes['model_usage']): string {
  const calls = rows.reduce((total, row) => total + row.calls, 0)
  const tokens = rows.reduce((total, row) => total + row.prompt_tokens + row.completion_tokens, 0)
  return calls === 0
    ? t('nothing')
    : `${t('{n} call|{n} calls', { n: calls })} · ${t('{n} token|{n} tokens', { n: tokens })}`
}

function sizeOf(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const options = { style: 'unit', unit: units[power]!, maximumFractionDigits: power === 0 ? 0 : 1 } as const
  return (bytes / 1000 ** power).toLocaleString(region.value, options)
}

function reasonsOf({ kept, refused }: Counts): readonly { readonly name: string; readonly value: number }[] {
  const reasons = Object.entries(refused).sort(([, one], [, other]) => other - one)
  return [
    { name: t('kept'), value: kept },
    ...reasons.map(([reason, value]) => {
      const words = REASONS[reason]
      return { name: words === undefined ? reason.replaceAll('_', ' ') : t(words), value, look: 'is-refused' }
    }),
  ]
}

const WIDTH = 720
const HEIGHT = 120
function Growth({ growth }: Pick<Counts, 'growth'>) {
  if (growth.length === 0) return null
  const first = Date.parse(growth[0]!.day)
  const days = Math.max(1, Math.round((Date.now() - first) / DAY_MS))
  const total = growth.reduce((sum, { memories }) => sum + memories, 0)
  let known = 0
  const steps = growth.map(({ day: at, memories }) => {
    known += memories
    const x = Math.min(WIDTH, ((Date.parse(at) - first) / DAY_MS / days) * WIDTH)
    return `H${x.toFixed(1)}V${(HEIGHT - (known / total) * (HEIGHT - 8)).toFixed(1)}`
  })
  const line = `M0 ${HEIGHT}${steps.join('')}H${WIDTH}`
  // A day of the server's, and the same day in every zone.
  const begun = day(`${growth[0]!.day}T12:00:00`)
  const words = t('{n} memory since {day}|{n} memories since {day}', { n: total, day: begun })
  return (
    <Section title={t('Growth')} count={words}>
      <div class="card growth">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
          <path class="area" d={`${line}V${HEIGHT}Z`} />
          <path class="top" d={line} />
        </svg>
        <p class="line spread tiny">
          <span>{begun}</span>
          <span>{t('Today')}</span>
        </p>
      </div>
    </Section>
  )
}
