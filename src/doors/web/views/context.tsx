/**
 * What would a model get to see? The context of any message: layers, recalled evidence with explanations, and
 * omissions.
 */
import { useEffect, useState } from 'preact/hooks'
import { go, hashOf, place } from '../address.ts'
import { call, pathOf } from '../api.ts'
import { EvidenceCard } from '../parts/evidence.tsx'
import { Icon } from '../parts/icon.tsx'
import { useLoad } from '../parts/load.ts'
import { Empty, Failed } from '../parts/states.tsx'
import type { BuiltContext, FoundMemory, Memory, Recalled } from '../records.ts'
import { user } from '../session.ts'
import { t, type Words } from '../words.ts'
import { projects, readConversations } from './conversations.ts'

/** Candidates requested, and their token budget, above any context's size. */
const CANDIDATES = 30
const CANDIDATE_TOKENS = 20_000
const USUAL_BUDGET = '8000'

const LAYERS: Readonly<Record<string, Words>> = {
  system: 'Instructions',
  profile: 'Profile',
  working_memory: 'This conversation’s state',
  memories: 'Recalled',
  session_summaries: 'Other conversations',
  rolling_window: 'Last turns and the message',
}

interface Replay {
  readonly built: BuiltContext
  readonly others: readonly Recalled[]
}

async function replay(params: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Replay | null> {
  const message = params.message ?? ''
  if (message.trim() === '') return null
  const asked = {
    ...(params.project === undefined ? {} : { project_root: params.project }),
    ...(params.now === undefined ? {} : { now: new Date(`${params.now}T12:00:00`).toISOString() }),
  }
  const without = withoutOf(params)
  const as = params.user ?? user.value
  const token_budget = Number(params.tokens ?? USUAL_BUDGET)
  const [built, { results }] = await Promise.all([
    call<BuiltContext>(
      'POST',
      '/context',
      { message, explain: true, count: false, token_budget, without, ...asked },
      { signal, as },
    ),
    call<{ results: Recalled[] }>(
      'POST',
      '/recall',
      {
        query: message,
        kinds: ['turn', 'memory'],
        explain: true,
        limit: CANDIDATES,
        token_budget: CANDIDATE_TOKENS,
        ...asked,
      },
      { signal, as },
    ),
  ])
  const nameOf = ({ kind, id, conversation_id, turn_id }: Recalled): string =>
    kind === 'memory' ? `${id}` : `${conversation_id} ${turn_id}`
  const shown = new Set(built.recalled.map(nameOf))
  const off = new Set(without)
  return { built, others: results.filter((one) => !shown.has(nameOf(one)) && !off.has(one.id ?? '')) }
}

/** Ids of the memories that are switched off. */
function withoutOf({ without = '' }: Readonly<Record<string, string>>): readonly string[] {
  return without.split(' ').filter((id) => id !== '')
}

/** Switches a memory off or on, and reloads. */
function toggle(id: string): void {
  const { params } = place.value
  const off = withoutOf(params)
  const next = off.includes(id) ? off.filter((one) => one !== id) : [...off, id]
  go(hashOf('context', '', { ...params, without: next.join(' ') }))
}

/** The view. */
export function Context() {
  const { params } = place.value
  const { data, error, isLoading } = useLoad((signal) => replay(params, signal), [JSON.stringify(params), user.value])
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t('What a model gets to see')}</h1>
      </header>
      <p class="lead">{t('Type a message as you would send it. Nothing is stored, and nothing counts as used.')}</p>
      <Question key={JSON.stringify(params)} params={params} isBusy={isLoading && params.message !== undefined} />
      {error !== null && <Failed error={error} />}
      {data === null && error === null && !isLoading && (
        <Empty icon="context" title={t('Nothing asked yet.')}>
          <p>{t('You will see each layer with its tokens, what was recalled and why, and what stayed out.')}</p>
        </Empty>
      )}
      {data !== null && <SwitchedOff ids={withoutOf(params)} />}
      {data !== null && <Packed {...data} />}
      {data !== null && <Rankings message={params.message ?? ''} />}
    </div>
  )
}

function Question({ params, isBusy }: { readonly params: Readonly<Record<string, string>>; readonly isBusy: boolean }) {
  const [message, setMessage] = useState(params.message ?? '')
  const [project, setProject] = useState(params.project ?? '')
  const [whose, setWhose] = useState(params.user ?? '')
  const [tokens, setTokens] = useState(params.tokens ?? USUAL_BUDGET)
  const [now, setNow] = useState(params.now ?? '')
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    readConversations().then(
      () => setNames(projects()),
      () => {},
    )
  }, [])
  const ask = (): void =>
    go(
      hashOf('context', '', {
        message: message.trim(),
        project,
        user: whose.trim(),
        tokens: tokens === USUAL_BUDGET ? '' : tokens,
        now,
      }),
    )
  return (
    <form
      class="card question"
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <textarea
        id="search"
        class="grows"
        rows={2}
        dir="auto"
        aria-label={t('Message')}
        placeholder={t('For example: What should I cook tonight?')}
        value={message}
        onInput={({ currentTarget }) => setMessage(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          ask()
        }}
      />
      <div class="question-row">
        <label>
          {t('User')}
          <input
            value={whose}
            placeholder={user.value || 'local'}
            onInput={({ currentTarget }) => setWhose(currentTarget.value)}
          />
        </label>
        <label>
          {t('Project')}
          <select value={project} onChange={({ currentTarget }) => setProject(currentTarget.value)}>
            <option value="">{t('Any project')}</option>
            {[...new Set([...names, ...(project === '' ? [] : [project])])].map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('Token budget')}
          <input
            type="number"
            min="1"
            max="1000000"
            value={tokens}
            onInput={({ currentTarget }) => setTokens(currentTarget.value)}
          />
        </label>
        <label>
          {t('As if it were')}
          <input type="date" value={now} onInput={({ currentTarget }) => setNow(currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={message.trim() === '' || isBusy}>
          {t('Show')}
        </button>
      </div>
    </form>
  )
}

/** Memories excluded from this preview, which can be put back. */
function SwitchedOff({ ids }: { readonly ids: readonly string[] }) {
  const { data } = useLoad(
    (signal) =>
      Promise.all(
        ids.map((id) =>
          call<Memory>('GET', pathOf(['memory', 'long-term', id]), undefined, { signal }).catch(() => null),
        ),
      ),
    [ids.join(' ')],
  )
  if (ids.length === 0) return null
  return (
    <p class="note switched-off">
      {t('Without:')}
      {ids.map((id, at) => (
        <button key={id} type="button" class="chip removable" onClick={() => toggle(id)}>
          <bdi>{data?.[at]?.text ?? id}</bdi> <Icon name="close" />
        </button>
      ))}
    </p>
  )
}

const RANKINGS = ['hybrid', 'long-term', 'associative'] as const
const RANKED = 10

/** Results of two rankings, side by side, with each result's change of rank. */
function Rankings({ message }: { readonly message: string }) {
  const { params } = place.value
  const names = [params.left ?? '', params.right ?? '']
  const { data } = useLoad(
    (signal) =>
      Promise.all(
        names.map(async (ranking) => {
          if (ranking === '') return []
          const asked = { query: message.slice(0, 4000), ranking, limit: RANKED, explain: true }
          return (await call<{ results: FoundMemory[] }>('POST', '/memory/search', asked, { signal })).results
        }),
      ),
    [message, ...names],
  )
  const show = (left: string, right: string): void => go(hashOf('context', '', { ...params, left, right }), true)
  if (names.includes(''))
    return (
      <p class="links">
        <button type="button" class="link" onClick={() => show('hybrid', 'long-term')}>
          {t('Compare two rankings')}
        </button>
      </p>
    )
  return (
    <section aria-label={t('Two rankings')}>
      <h2 class="section-head">
        {t('Two rankings')}
        <button type="button" class="quiet small" onClick={() => show('', '')}>
          <Icon name="close" /> {t('Close')}
        </button>
      </h2>
      <div class="halves">
        {names.map((name, side) => (
          <div key={side} class="card ranking">
            <select
              aria-label={side === 0 ? t('Left ranking') : t('Right ranking')}
              value={name}
              onChange={({ currentTarget: { value } }) =>
                side === 0 ? show(value, names[1]!) : show(names[0]!, value)
              }
            >
              {RANKINGS.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
            <ol>
              {(data?.[side] ?? []).map(({ id, text, score }, at) => {
                const other = (data?.[1 - side] ?? []).findIndex((one) => one.id === id)
                return (
                  <li key={id}>
                    <span class="rank">{at + 1}</span>
                    <a href={hashOf('memories', id, { state: 'all' })} dir="auto">
                      {text}
                    </a>
                    <span class="hint">
                      {score.toFixed(2)}{' '}
                      {other < 0
                        ? t('only here')
                        : other === at
                          ? ''
                          : other > at
                            ? `↑${other - at}`
                            : `↓${at - other}`}
                    </span>
                  </li>
                )
              })}
            </ol>
            {data?.[side]?.length === 0 && <p class="nothing">{t('Nothing found.')}</p>}
          </div>
        ))}
      </div>
    </section>
  )
}

function Packed({ built, others }: Replay) {
  const most = Math.max(1, ...built.layers.map(({ tokens }) => tokens))
  return (
    <>
      <section aria-label={t('Layers')}>
        <h2 class="section-head">
          {t('Layers')} <span class="count">{t('{n} token|{n} tokens', { n: built.tokens })}</span>
        </h2>
        <div class="layers">
          {built.layers.map(({ level, name, text, tokens }) => {
            const words = LAYERS[name]
            const head = (
              <>
                <span class="layer-name">{words === undefined ? name : t(words)}</span>
                <span class="bar-track">
                  <span class="bar-fill" style={{ width: `${(tokens / most) * 100}%` }} />
                </span>
                <span class="layer-tokens">{tokens}</span>
              </>
            )
            return text === '' ? (
              <div key={level} class="layer is-empty">
                <div class="layer-head">{head}</div>
              </div>
            ) : (
              <details key={level} class="layer" open={name === 'memories'}>
                <summary class="layer-head">{head}</summary>
                <pre dir="auto">{text}</pre>
              </details>
            )
          })}
        </div>
      </section>
      <section aria-label={t('What was recalled')}>
        <h2 class="section-head">
          {t('What was recalled')} <span class="count">{built.recalled.length}</span>
        </h2>
        {built.recalled.length === 0 && <p class="nothing">{t('Nothing that is remembered answers this message.')}</p>}
        <div class="cards">
          {built.recalled.map((item) => (
            <EvidenceCard
              key={`${item.kind} ${item.id} ${item.conversation_id} ${item.turn_id}`}
              item={item}
              onSwitch={toggle}
            />
          ))}
        </div>
      </section>
      {(others.length > 0 || built.omitted.length > 0) && (
        <section aria-label={t('What stayed out')}>
          <h2 class="section-head">
            {t('What stayed out')} <span class="count">{others.length + built.omitted.length}</span>
          </h2>
          {others.length > 0 && (
            <p class="hint">{t('These were found as well, but stand behind what fits or do not answer enough:')}</p>
          )}
          {built.omitted.length > 0 && (
            <ul class="omitted">
              {built.omitted.map(({ what, reason }, at) => (
                <li key={at}>
                  <strong>{what}</strong>: {reason}
                </li>
              ))}
            </ul>
          )}
          <div class="cards">
            {others.map((item) => (
              <EvidenceCard key={`${item.kind} ${item.id} ${item.conversation_id} ${item.turn_id}`} item={item} />
            ))}
          </div>
        </section>
      )}
    </>
  )
}
