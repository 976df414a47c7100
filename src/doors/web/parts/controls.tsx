/** What every view is made of: buttons, choices, fields, icons, bars, tabs, dialogs, columns and notes. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { hashOf, place, type View } from '../address.ts'
import { reasonOf } from '../told.ts'
import { t, type Words } from '../words.ts'

interface ActProps extends Omit<ButtonHTMLAttributes, 'icon'> {
  readonly icon?: IconName
  readonly words?: string
  readonly look?: string
}

/** A button with an icon, words, or both; without words it needs `aria-label`. */
export function Act({ icon, words, look = 'small', ...rest }: ActProps) {
  return (
    <button type="button" {...rest} class={look}>
      {icon !== undefined && <Icon name={icon} />}
      {words !== undefined && <span>{words}</span>}
    </button>
  )
}

/** What a form does when it is sent, instead of leaving the page. */
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

const PATHS = {
  chat: 'M3.500 9.500c0-3.300 2.900-6 6.500-6s6.500 2.700 6.500 6-2.900 6-6.500 6c-.9 0-1.800-.2-2.600-.5L4 16l.8-2.700A5.700 5.700 0 0 1 3.500 9.500Z',
  memories: 'M4 5h12M4 10h12M4 15h8',
  context:
    'M2.500 10S5 5 10 5s7.500 5 7.500 5-2.500 5-7.500 5-7.500-5-7.500-5Zm7.500 2.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400Z',
  profile: 'M10 9.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-6 7c.5-3 3-4.500 6-4.500s5.500 1.500 6 4.500',
  settings: 'M3 6h8m4 0h2M3 14h2m4 0h8M13 4.200v3.600M7 12.200v3.600',
  plus: 'M10 4v12M4 10h12',
  search: 'M9 14.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11Zm4-1.500 3.500 3.500',
  trash: 'M4 6h12M8 6V4h4v2m-6.500 0 .6 10h7.800l.6-10',
  pencil: 'm4 16 .7-3.200L13 4.500a1.600 1.600 0 0 1 2.300 2.300L7 15.200 4 16Z',
  close: 'm5 5 10 10M15 5 5 15',
  send: 'M10 16V4m0 0L5 9m5-5 5 5',
  stop: 'M6 6h8v8H6z',
  retry: 'M15.500 10a5.500 5.500 0 1 1-1.700-4M14 2.800V6h-3.200',
  arrow: 'M4 10h12m-4.500-4.500L16 10l-4.500 4.500',
  help: 'M7.500 7.500a2.500 2.500 0 1 1 3.500 2.300c-.7.3-1 .8-1 1.700m0 2.500v.1',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm0-10.500V10l2.500 2',
  overview: 'M3.500 16.500V11m4.300 5.500V6m4.400 10.500V9m4.300 7.500V3.500',
  bury: 'M4 8.500h12M6 8.500v7h8v-7M10 2.500v3.800M8 4.500l2 2 2-2',
  download: 'M10 3v9m0 0 4-4m-4 4L6 8M4 16.500h12',
  upload: 'M10 12.500V3.500m0 0 4 4m-4-4-4 4M4 16.500h12',
  plug: 'M7.500 3v4m5-4v4M5 7h10v2.500a5 5 0 0 1-10 0V7Zm5 7.500V17',
  undo: 'M7 5 3.500 8.500 7 12M4 8.500h7.500a4.500 4.500 0 0 1 0 9H9',
  key: 'M12.500 11a3.800 3.800 0 1 0-3.600-2.600L3.500 13.800V16.500h3v-2h2v-2h1.600l1-1.600c.4.1.9.1 1.400.1Z',
  mute: 'M4 4l12 12M5.500 8H4v4h3l4 3.500v-4M11 7.800V4.500L8.800 6.400M14 8.500c.8 1 .8 2 0 3',
  spark: 'M10 3c.6 3.900 2.100 6 7 7-4.900 1-6.400 3.100-7 7-.6-3.900-2.100-6-7-7 4.900-1 6.400-3.100 7-7Z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}

interface BarRow {
  readonly name: string
  readonly value: number
  readonly look?: string
}

export function Bar({ share }: { readonly share: number }) {
  return (
    <span class="bar-track">
      <span class="bar-fill" style={{ width: `${share * 100}%` }} />
    </span>
  )
}

export function Bars({ rows }: { readonly rows: readonly BarRow[] }) {
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

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="card dialog" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}

interface SideProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Side({ title, onClose, children }: SideProps) {
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    // As an overlay it takes the keyboard focus.
    if (matchMedia('(max-width: 1099px)').matches) box.current?.querySelector('button')?.focus()
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

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
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

export function Tabs({ view, parts }: { readonly view: View; readonly parts: Readonly<Record<string, Words>> }) {
  const bar = useRef<HTMLElement>(null)
  const { id: shown } = place.value
  useEffect(() => {
    // Scrolls the current tab into view.
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [shown])
  return (
    <nav ref={bar} class="tabs" aria-label={t('Parts of this view')}>
      {Object.entries(parts).map(([id, name]) => (
        <a key={id} class="tab" href={hashOf(view, id)} aria-current={shown === id ? 'page' : undefined}>
          {t(name)}
        </a>
      ))}
    </nav>
  )
}
