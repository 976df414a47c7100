/** The context of a model for any message: layers, recalled evidence with explanations, and omissions. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { go, hashOf, place } from '../address.ts'
import { call, get } from '../api.ts'
import { Act, Bar, Chip, Choice, Empty, Failed, Field, LeftOut, named, Section } from '../parts/controls.tsx'
import { Evidence, sourceHash } from '../parts/evidence.tsx'
import { useLoad } from '../parts/load.tsx'
import type { BuiltContext, FoundMemory, Memory, Recalled } from '../records.ts'
import { user } from '../session.ts'
import { t, told, type Words } from '../translations.ts'
import { conversations, nameOf, projects, readConversations } from './conversations.tsx'
import { DAY_END, timeOf } from './memory-list.ts'

/** Candidates requested, and their token budget, above any context's size. */
const CANDIDATES = 30
const CANDIDATE_TOKENS = 20_000
const USUAL_BUDGET = '8000'
/** Characters of a message: it stands in the address. */
const LONGEST = 20_000

const LAYERS: Readonly<Record<string, Words>> = {
  system: 'Instructions',
  profile: 'Profile',
  working_memory: 'This conversation’s state',
  memories: 'Recalled',
  session_summaries: 'Other conversations',
  rolling_window: 'Last turns and the message',
}

type Params = Readonly<Record<string, string>>

interface Replay {
  readonly built: BuiltContext
  readonly others: readonly Recalled[]
}

/** Conditions of an address for any question, with the end of the day that it is asked on. */
function conditionsOf({ project, now = '' }: Params): { readonly [name: string]: unknown; readonly as_of?: string } {
  const end = timeOf(now, DAY_END)
  return {
    explain: true,
    ...(project === undefined ? {} : { project_root: project }),
    ...(end === null ? {} : { as_of: end, now: end }),
  }
}

function userOf(params: Params): string {
  return params.user ?? user.value
}

async function replay(params: Params, signal: AbortSignal): Promise<Replay | null> {
  const { message = '' } = params
  if (message.trim() === '') return null
  const asked = conditionsOf(params)
  const without = withoutOf(params)
  const options = { signal, as: userOf(params) }
  const context = { ...asked, message, count: false, token_budget: Number(params.tokens ?? USUAL_BUDGET), without }
  const budget = { limit: CANDIDATES, token_budget: CANDIDATE_TOKENS, until: asked.as_of }
  const recall = { ...asked, ...budget, query: message.slice(0, 4000), kinds: ['turn', 'memory'] }
  const [built, { results }] = await Promise.all([
    call<BuiltContext>('POST', '/context', context, options),
    call<{ results: Recalled[] }>('POST', '/recall', recall, options),
  ])
  const nameOf = ({ kind, id, conversation_id, turn_id }: Recalled): string =>
    kind === 'memory' ? `${id}` : `${conversation_id} ${turn_id}`
  const shown = new Set([...built.recalled.map(nameOf), ...without])
  return { built, others: results.filter((one) => !shown.has(nameOf(one))) }
}

function withoutOf({ without = '' }: Params): readonly string[] {
  return without.split(' ').filter((id) => id !== '')
}

function toggle(id: string): void {
  const { params } = place.value
  const without = new Set(withoutOf(params)).symmetricDifference(new Set([id]))
  go(hashOf('context', '', { ...params, without: [...without].join(' ') }))
}

export function Context() {
  const { params } = place.value
  const { data, error, isLoading } = useLoad((signal) => replay(params, signal), [JSON.stringify(params)])
  return (
    <div class="page">
      <h1>{t('What a model gets to see')}</h1>
      <p class="lead">{t('Type a message as you would send it. Nothing is stored, and nothing counts as used.')}</p>
      <Question key={JSON.stringify(params)} params={params} isBusy={isLoading && params.message !== undefined} />
      <Failed error={error} />
      {data === null && error === null && !isLoading && (
        <Empty icon="context" title={t('Nothing asked yet.')}>
          <p>{t('You will see each layer with its tokens, what was recalled and why, and what was left out.')}</p>
        </Empty>
      )}
      {data !== null && (
        <>
          <SwitchedOff ids={withoutOf(params)} of={userOf(params)} />
          <Packed {...data} of={userOf(params)} />
          <Rankings message={params.message ?? ''} />
        </>
      )}
    </div>
  )
}

function Question({ params, isBusy }: { readonly params: Params; readonly isBusy: boolean }) {
  const [typed, setTyped] = useState({ message: '', project: '', user: '', tokens: USUAL_BUDGET, now: '', ...params })
  const type =
    (name: keyof typeof typed) =>
    ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setTyped((before) => ({ ...before, [name]: currentTarget.value }))
  useEffect(() => {
    if (conversations.value === null) readConversations().catch(() => {})
  }, [])
  const message = typed.message.trim()
  const tokens = typed.tokens === USUAL_BUDGET ? '' : typed.tokens
  const ask = (event: Event): void => {
    event.preventDefault()
    const { project, now } = typed
    go(hashOf('context', '', { message, project, user: typed.user.trim(), tokens, now }))
  }
  return (
    <form class="card writing" onSubmit={ask}>
      <textarea
        id="search"
        class="grows"
        rows={2}
        maxLength={LONGEST}
        aria-label={t('Message')}
        placeholder={t('For example: What should I cook tonight?')}
        value={typed.message}
        onInput={type('message')}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) ask(event)
        }}
      />
      <div class="question-row line wrap">
        <Field name={t('User')}>
          <input value={typed.user} placeholder={user.value || 'local'} onInput={type('user')} />
        </Field>
        <Field name={t('Project')}>
          <Choice
            value={typed.project}
            options={{ '': t('Any project'), ...named([...projects(), typed.project].filter((one) => one !== '')) }}
            onPick={(value) => type('project')({ currentTarget: { value } })}
          />
        </Field>
        <Field name={t('Token budget')}>
          <input type="number" min="1" max="1000000" value={typed.tokens} onInput={type('tokens')} />
        </Field>
        <Field name={t('As if it were')}>
          <input type="date" value={typed.now} onInput={type('now')} />
        </Field>
        <Act type="submit" look="primary end" disabled={message === '' || isBusy} words={t('Show')} />
      </div>
    </form>
  )
}

function SwitchedOff({ ids, of }: { readonly ids: readonly string[]; readonly of: string }) {
  const { data } = useLoad(
    (signal) =>
      Promise.all(ids.map((id) => get<Memory>(['memory', 'long-term', id], signal, {}, of).catch(() => null))),
    [ids.join(' '), of],
  )
  if (ids.length === 0) return null
  return (
    <p class="note line wrap switched-off">
      {t('Without:')}
      {ids.map((id, at) => (
        <Chip key={id} words={<bdi class="clip">{data?.[at]?.text ?? id}</bdi>} onRemove={() => toggle(id)} />
      ))}
    </p>
  )
}

const RANKINGS = named(['hybrid', 'long-term', 'associative'])
const RANKED = 10

function Rankings({ message }: { readonly message: string }) {
  const { params } = place.value
  const names = [params.left ?? '', params.right ?? '']
  const { data } = useLoad(
    (signal) =>
      Promise.all(
        names.map(async (ranking) => {
          if (ranking === '') return []
          const asked = { ...conditionsOf(params), query: message.slice(0, 4000), ranking, limit: RANKED }
          const options = { signal, as: userOf(params) }
          return (await call<{ results: FoundMemory[] }>('POST', '/memory/search', asked, options)).results
        }),
      ),
    [JSON.stringify(params)],
  )
  const show = (left: string, right: string): void => go(hashOf('context', '', { ...params, left, right }), true)
  if (names.includes(''))
    return (
      <p class="links">
        <Act look="link" words={t('Compare two rankings')} onClick={() => show('hybrid', 'long-term')} />
      </p>
    )
  return (
    <Section
      title={t('Two rankings')}
      end={<Act look="quiet small end" icon="close" words={t('Close')} onClick={() => show('', '')} />}
    >
      <div class="halves">
        {names.map((name, side) => (
          <div key={side} class="card ranking">
            <Choice
              label={side === 0 ? t('Left ranking') : t('Right ranking')}
              value={name}
              options={RANKINGS}
              onPick={(value) => (side === 0 ? show(value, names[1]!) : show(names[0]!, value))}
            />
            <ol>
              {data?.[side]?.map(({ id, text, score }, at) => {
                const other = (data[1 - side] ?? []).findIndex((one) => one.id === id)
                const move = other > at ? `↑${other - at}` : other === at ? '' : `↓${at - other}`
                return (
                  <li key={id}>
                    <span class="soft">{at + 1}</span>
                    <a href={hashOf('memories', id, { state: 'all' })}>{text}</a>
                    <span class="hint">
                      {score.toFixed(2)} {other < 0 ? t('only here') : move}
                    </span>
                  </li>
                )
              })}
            </ol>
            {data?.[side]?.length === 0 && <p class="nothing">{t('Nothing found.')}</p>}
          </div>
        ))}
      </div>
    </Section>
  )
}

/** A left-out text, as a link to it where it has a place. */
function linked(what: string): ComponentChildren {
  const [, turn, id] = /^(?:turn (\d+) of conversation|memory) (.+)$/s.exec(what) ?? []
  if (id === undefined) return told(what)
  if (turn === undefined) return <a href={hashOf('memories', id, { state: 'all' })}>{t('Memory')}</a>
  return <a href={sourceHash(id, Number(turn))}>{`${nameOf(id)} · ${told(`turn ${turn}`)}`}</a>
}

function Packed({
  built: { layers, tokens: total, recalled, omitted },
  others,
  ...how
}: Replay & { readonly of: string }) {
  const most = Math.max(1, ...layers.map(({ tokens }) => tokens))
  return (
    <>
      <Section title={t('Layers')} count={t('{n} token|{n} tokens', { n: total })}>
        <div class="listing">
          {layers.map(({ level, name, text, tokens }) => {
            const words = LAYERS[name]
            const head = (
              <>
                <span class="layer-name">{words === undefined ? name : t(words)}</span>
                <Bar share={tokens / most} />
                <span class="soft number">{tokens}</span>
              </>
            )
            return text === '' ? (
              <div key={level} class="layer item layer-head soft">
                {head}
              </div>
            ) : (
              <details key={level} class="layer" open={name === 'memories'}>
                <summary class="item layer-head">{head}</summary>
                <pre>{text}</pre>
              </details>
            )
          })}
        </div>
      </Section>
      <Section title={t('What was recalled')} count={recalled.length}>
        {recalled.length === 0 && <p class="nothing">{t('Nothing that is remembered answers this message.')}</p>}
        <Evidence items={recalled} onSwitch={toggle} {...how} />
      </Section>
      {others.length + omitted.length > 0 && (
        <Section look="stack" title={t('What was left out')} count={others.length + omitted.length}>
          <LeftOut rows={omitted.map(({ what, reason }) => [linked(what), told(reason)])} />
          {others.length > 0 && (
            <p class="hint">{t('These were found as well, but stand behind what fits or do not answer enough:')}</p>
          )}
          <Evidence items={others} {...how} />
        </Section>
      )}
    </>
  )
}
