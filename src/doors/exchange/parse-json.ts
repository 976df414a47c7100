/** Values in the JSON of files that others wrote: what they are, or why there is none. */
import { MnemeError, messageOf } from '../../domain/errors.ts'

export function importError(at: string, reason: string, remedy: string, cause?: unknown): MnemeError {
  return new MnemeError('import_failed', `${at}: ${reason}`, { remedy, ...(cause === undefined ? {} : { cause }) })
}

export const EXPORT_AGAIN = 'Export again, or copy the file again; conversations that were read whole can be kept.'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

export function parseJson(bytes: Uint8Array, at: string): unknown {
  const text = decodeUtf8(bytes)
  if (text === null) throw importError(at, 'these bytes are not UTF-8', 'Save the file as UTF-8 and import it again.')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw importError(at, `this is not valid JSON (${describe(cause)})`, EXPORT_AGAIN, cause)
  }
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The parser's own words without the excerpt of the text, which may be private. */
function describe(cause: unknown): string {
  const message = messageOf(cause)
  // linear: a message of the parser is short.
  return message.replace(/(?:,\s*)?\.{0,3}"[\s\S]*"\.{0,3} is not valid JSON$/, '').slice(0, 120) || 'syntax error'
}

/** The object of a line; '' for a blank line, otherwise why there is none. A power cut leaves NULs before or behind it. */
export function jsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | string {
  const whole = decodeUtf8(bytes)
  if (whole === null) return 'the line is not UTF-8'
  const text = whole.includes('\0') ? (whole.split('\0').findLast((part) => part.trim() !== '') ?? '') : whole
  if (text.trim() === '') return ''
  try {
    return asObject(JSON.parse(text)) ?? 'the line is not a JSON object'
  } catch {
    return 'the line is not valid JSON'
  }
}

/** Text, or the text blocks of a list such as `[{"type": "text", "text": "…"}]`; null when there is no text. */
export function textOfContent(content: unknown): string | null {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  const texts = content.flatMap((block: unknown) => {
    if (typeof block === 'string') return [block]
    const text = asObject(block)?.text
    return typeof text === 'string' ? [text] : []
  })
  return texts.length === 0 ? null : texts.join('\n\n')
}
