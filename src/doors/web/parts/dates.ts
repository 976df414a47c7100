/** Days and times in the reader's language and zone. */
import { computed } from '@preact/signals'
import { region } from '../translations.ts'

export const DAY_MS = 86_400_000

/** The writers of dates, made once a language: making one takes longer than all that it writes on a screen. */
const writers = computed(() => {
  const write = (more: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(region.value, { day: 'numeric', month: 'short', ...more })
  const [year, time] = [{ year: 'numeric' }, { hour: '2-digit', minute: '2-digit' }] as const
  return {
    day: [write({}), write(year)] as const,
    moment: [write(time), write({ ...year, ...time })] as const,
    ago: new Intl.RelativeTimeFormat(region.value, { numeric: 'auto', style: 'short' }),
  }
})

const written =
  (form: 'day' | 'moment') =>
  (iso: string): string => {
    const date = new Date(iso)
    // A writer throws for what is no time.
    if (Number.isNaN(date.getTime())) return ''
    const [short, long] = writers.value[form]
    return (date.getFullYear() === new Date().getFullYear() ? short : long).format(date)
  }

export const day = written('day')
export const moment = written('moment')

/** Time since then in the largest fitting unit; distant days as dates. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  const { ago: words } = writers.value
  if (Math.abs(seconds) < 3600) return words.format(Math.round(seconds / 60), 'minute')
  if (Math.abs(seconds) < 86_400) return words.format(Math.round(seconds / 3600), 'hour')
  return Math.abs(seconds) < 7 * 86_400 ? words.format(Math.round(seconds / 86_400), 'day') : day(iso)
}

/** Age class: `new` for a day, `recent` for a month, then `old`. */
export function freshness(iso: string, now = Date.now()): 'new' | 'recent' | 'old' {
  const age = now - Date.parse(iso)
  return age < DAY_MS ? 'new' : age < 30 * DAY_MS ? 'recent' : 'old'
}
