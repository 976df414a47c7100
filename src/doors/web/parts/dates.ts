/** Days and times in the reader's language and zone. */
import { region } from '../words.ts'

const DAY_MS = 86_400_000

/** The day, without the current year. */
export function day(iso: string): string {
  return new Date(iso).toLocaleDateString(region.value, formOf(iso))
}

/** Day and time, without the current year. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString(region.value, { ...formOf(iso), hour: '2-digit', minute: '2-digit' })
}

function formOf(iso: string): Intl.DateTimeFormatOptions {
  const isThisYear = new Date(iso).getFullYear() === new Date().getFullYear()
  return { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }
}

/** Time since then in the largest fitting unit; distant days as dates. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  const words = new Intl.RelativeTimeFormat(region.value, { numeric: 'auto', style: 'short' })
  if (Math.abs(seconds) < 3600) return words.format(Math.round(seconds / 60), 'minute')
  if (Math.abs(seconds) < 86_400) return words.format(Math.round(seconds / 3600), 'hour')
  return Math.abs(seconds) < 7 * 86_400 ? words.format(Math.round(seconds / 86_400), 'day') : day(iso)
}

/** Age class: `new` for a day, `recent` for a month, then `old`. */
export function freshness(iso: string, now = Date.now()): 'new' | 'recent' | 'old' {
  const age = now - Date.parse(iso)
  return age < DAY_MS ? 'new' : age < 30 * DAY_MS ? 'recent' : 'old'
}
