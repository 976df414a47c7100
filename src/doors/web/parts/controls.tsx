/** Buttons, choices and labelled fields, the same in every view. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

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
  /** The offered values with their words, in order. */
  readonly options: Readonly<Record<Value, string>>
  readonly onPick: (value: Value) => void
  /** For a choice that no label names. */
  readonly label?: string
  readonly id?: string
}

/** A choice of one value. */
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

/** A field under its name. */
export function Field({ name, children }: { readonly name: ComponentChildren; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="field">
      {name}
      {children}
    </label>
  )
}
