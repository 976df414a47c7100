/** The parts of every view: buttons, choices, fields, icons, bars, tabs, dialogs, columns and notes. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { hashOf, place, type View } from '../address.ts'
import { attempt, reasonOf } from '../notices.ts'
import { t, type Words } from '../translations.ts'
import PATHS from './icons.json' with { type: 'json' }

/** Whether work that a person began goes on, and what begins it; its words and failures are told. */
export function useWork(): readonly [boolean, (work: () => Promise<unknown>) => Promise<void>] {
  const [isBusy, setBusy] = useState(false)
  const begin = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await attempt(work)
    setBusy(false)
  }
  return [isBusy, begin]
}

interface ActProps extends Omit<ButtonHTMLAttributes, 'icon'> {
  readonly icon?: IconName
  readonly words?: string
  readonly look?: string
  /** Work that is begun once at a time; its words and failures are told. */
  readonly does?: () => Promise<unknown>
}

/** A button with an icon, words, or both; without words it needs `aria-label`. Either shows as a tip, where there is room for the icon alone. */
export function Act({ icon, words, look = 'small', does, ...rest }: ActProps) {
  const [isBusy, work] = useWork()
  const begin = does && (() => !isBusy && work(does))
  return (
    <button
      type="button"
      title={rest['aria-label'] ?? words}
      aria-busy={isBusy || undefined}
      onClick={begin}
      {...rest}
      class={look}
    >
      {icon !== undefined && <Icon name={icon} />}
      {words !== undefined && <span>{words}</span>}
    </button>
  )
}

/** Handles a form that is sent, instead of leaving the page. */
export function onSend(work: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault()
    void work()
  }
}

interface ChoiceProps<Value extends string> {
  readonly value: string
  readonly options: Readonly<Record<Value, string>>
  readonly onPick: (value: Value) => void
  /** For a choice that no label names. */
  readonly label?: string
  readonly id?: string
}

export function Choice<Value extends string>({ value, options, onPick, label, id }: ChoiceProps<Value>) {
  return (
    <select id={id} aria-label={label} value={value} onChange={(event) => onPick(event.currentTarget.value as Value)}>
      {(Object.keys(options) as Value[]).map((one) => (
        <option key={one} value={one}>
          {options[one]}
        </option>
      ))}
    </select>
  )
}

/** The options of a choice whose values are their own words. */
export function named<Value extends string>(values: readonly Value[]): Readonly<Record<Value, string>> {
  return Object.fromEntries(values.map((one) => [one, one] as const)) as unknown as Record<Value, string>
}

export function Field({ name, children }: { readonly name: ComponentChildren; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="field">
      {name}
      {children}
    </label>
  )
}

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}

interface SectionProps {
  readonly title: string
  readonly count?: ComponentChildren
  /** The end of the line of the title. */
  readonly end?: ComponentChildren
  readonly look?: string
  readonly children: ComponentChildren
}

export function Section({ title, count, end, look, children }: SectionProps) {
  return (
    <section class={look} aria-label={title}>
      <h2 class="section-head line">
        {title} {count !== undefined && <span class="count">{count}</span>}
        {end}
      </h2>
      {children}
    </section>
  )
}

/** Names and values; rows without a value are left out. */
export function Facts({ rows }: { readonly rows: readonly (readonly [ComponentChildren, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows
        .filter((row) => row[1] !== null)
        .flatMap((row, at) => [<dt key={`name ${at}`}>{row[0]}</dt>, <dd key={at}>{row[1]}</dd>])}
    </dl>
  )
}

export function LeftOut({ rows }: { readonly rows: readonly (readonly [what: ComponentChildren, reason: string])[] }) {
  return (
    <ul class="hint">
      {rows.map(([what, reason], at) => (
        <li key={at}>
          <strong>{what}</strong>: {reason}
        </li>
      ))}
    </ul>
  )
}

export function Chip({ words, onRemove }: { readonly words: ComponentChildren; readonly onRemove: () => void }) {
  return (
    <button type="button" class="chip removable" onClick={onRemove}>
      {words} <Icon name="close" />
    </button>
  )
}

interface SegmentsProps<Value> {
  readonly label: string
  readonly options: readonly (readonly [Value, Words])[]
  readonly isOn: (value: Value) => boolean
  readonly onPick: (value: Value) => void
  readonly look?: string
}

export function Segments<Value extends string | number>({
  label,
  options,
  isOn,
  onPick,
  look = '',
}: SegmentsProps<Value>) {
  return (
    <fieldset class={`segments ${look}`} aria-label={label}>
      {options.map(([value, words]) => (
        <button key={value} type="button" aria-pressed={isOn(value)} onClick={() => onPick(value)}>
          {t(words)}
        </button>
      ))}
    </fieldset>
  )
}

interface InputProps {
  readonly label: string
  readonly value: string
  readonly onType: (value: string) => void
}

/** The field of a view that `/` leads to. */
export function SearchField({ label, value, onType }: InputProps) {
  return (
    <label class="search">
      <Icon name="search" />
      <input
        id="search"
        type="search"
        placeholder={label}
        aria-label={label}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  )
}

export function Check({
  label,
  value,
  onPick,
}: {
  readonly label: string
  readonly value: boolean
  readonly onPick: (value: boolean) => void
}) {
  return (
    <label>
      <input type="checkbox" checked={value} onChange={({ currentTarget }) => onPick(currentTarget.checked)} /> {label}
    </label>
  )
}

/** A text before and after. */
export function Change({ before, after }: { readonly before: string | null; readonly after: string | null }) {
  return (
    <span class="texts">
      {before !== null && before !== after && <del>{before}</del>}
      {after !== null && <ins>{after}</ins>}
    </span>
  )
}

export function Bar({ share }: { readonly share: number }) {
  return (
    <span class="bar-track">
      <span class="bar-fill" style={{ width: `${share * 100}%` }} />
    </span>
  )
}

export function Bars({ rows }: { readonly rows: readonly { name: string; value: number; look?: string }[] }) {
  const most = Math.max(1, ...rows.map(({ value }) => value))
  return (
    <ul class="bars">
      {rows.map(({ name, value, look = '' }, at) => (
        <li key={at} class={`bar ${look}`}>
          <span class="soft">{name}</span>
          <Bar share={value / most} />
          <span class="number">{value}</span>
        </li>
      ))}
    </ul>
  )
}

interface OverProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, onClose, children }: OverProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="card dialog" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}

/** Focuses what takes the place of a focused element that has just gone, else the last undo, or what makes something new. */
export function focusSoon(find: () => Element | null | undefined | false = () => null): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    const found =
      find() || (document.querySelector('.notice:has(kbd) button') ?? document.querySelector('#new, #message'))
    if (found instanceof HTMLElement) found.focus()
  })
}

export function Side({ title, onClose, children }: OverProps) {
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const opener = document.activeElement
    // As an overlay it takes the keyboard focus.
    if (matchMedia('(max-width: 1099px)').matches) box.current?.querySelector('button')?.focus()
    return () => focusSoon(() => opener?.isConnected === true && opener)
  }, [])
  useLayoutEffect(() => {
    const onKey = ({ key, defaultPrevented }: KeyboardEvent): void => {
      // A dialog over it handles the key itself.
      const isOver = document.querySelector('dialog[open]') !== null
      if (key === 'Escape' && !defaultPrevented && !isOver) onClose()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onClose])
  return (
    <aside ref={box} class="side column" aria-label={title}>
      <header class="side-head line spread">
        <h2>{title}</h2>
        <Act look="quiet icon-button" icon="close" aria-label={t('Close')} onClick={onClose} />
      </header>
      <div class="side-body scrolls">{children}</div>
    </aside>
  )
}

/** The drawing of what is empty, or may be begun. */
export function Badge({ icon }: { readonly icon: IconName }) {
  return (
    <span class="empty-icon">
      <Icon name={icon} />
    </span>
  )
}

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <Badge icon={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export function Failed({ error }: { readonly error: unknown }) {
  if (error === null) return null
  return (
    <p class="failed" role="alert">
      <strong>{t('That did not work.')}</strong> {reasonOf(error)}
    </p>
  )
}

/** A view of several parts, each with a tab and an address of its own. */
export function Parts({
  view,
  title,
  parts,
}: {
  readonly view: View
  readonly title: string
  readonly parts: Readonly<Record<string, readonly [Words, () => ComponentChildren]>>
}) {
  const bar = useRef<HTMLElement>(null)
  const { id: shown } = place.value
  const Shown = parts[Object.hasOwn(parts, shown) ? shown : '']![1]
  useEffect(() => {
    // Scrolls the current tab into view.
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [shown])
  return (
    <div class="page narrow">
      <h1>{title}</h1>
      <nav ref={bar} class="tabs" aria-label={t('Parts of this view')}>
        {Object.entries(parts).map(([id, [name]]) => (
          <a key={id} class="tab" href={hashOf(view, id)} aria-current={shown === id ? 'page' : undefined}>
            {t(name)}
          </a>
        ))}
      </nav>
      <Shown />
    </div>
  )
}
