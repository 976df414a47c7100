/** Which episodes did the model find? Each record is checked by itself; what is refused leaves a problem behind. */
import { checkTime } from '../../domain/checks.ts'
import { bounded, oneLine } from '../answers/bounded.ts'
import { personName } from './people.ts'
import { refuseText, saidSentences } from './refuse.ts'
import { booleanSchema, listSchema, recordSchema } from './schema.ts'
import type { ExchangeSources } from './sources.ts'
import { type ExchangeEpisodes, type ExchangeRecord, RECORD_CHARACTERS } from './types.ts'

const MOST_RECORDS = 5
const LONGEST_CONTEXT = 300

/** The parts `write_episodic` and `records`; null when the rules should answer instead. */
export function readRecords(
  answer: Readonly<Record<string, unknown>>,
  sources: ExchangeSources,
  problems: string[],
): ExchangeEpisodes | null {
  const write = booleanSchema.safeParse(answer.write_episodic)
  if (write.success && !write.data) return { write: false, records: [] }
  const list = listSchema.safeParse(answer.records)
  if (!list.success) {
    problems.push('records: missing or no list')
    return null
  }
  if (!write.success) problems.push('write_episodic: missing or no boolean')
  if (list.data.length > MOST_RECORDS)
    problems.push(`records: ${list.data.length}, only the first ${MOST_RECORDS} are taken`)
  const records: ExchangeRecord[] = []
  let repeated = 0
  list.data.slice(0, MOST_RECORDS).forEach((item, index) => {
    const name = `records[${index}]`
    const record = readRecord(item, name, sources, problems)
    if (record === null || records.some(({ text }) => text === record.text)) return
    const refusal = refuseText(record.text, sources)
    if (refusal === null) {
      records.push(record)
      return
    }
    problems.push(`${name}: ${refusal}`)
    if (refusal === 'repeats what was already remembered') repeated++
  })
  if (records.length > 0) return { write: true, records: records.map((record) => withTrustedFields(record, sources)) }
  // Nothing new was said; any other reason, or a promise without records, says that the model failed.
  return repeated > 0 && repeated === list.data.length ? { write: false, records: [] } : null
}

function readRecord(item: unknown, name: string, sources: ExchangeSources, problems: string[]): ExchangeRecord | null {
  const read = recordSchema.safeParse(typeof item === 'string' ? { text: item } : item)
  const whole = read.success ? bounded(read.data.text, RECORD_CHARACTERS) : ''
  const text = saidSentences(whole, sources)
  if (text !== whole) problems.push(`${name}: a sentence was not said`)
  if (!read.success || text === '') {
    problems.push(`${name}: no text`)
    return null
  }
  const { context, thing, time, importance } = read.data
  const who = personName(read.data.who, sources)
  if (who === null) problems.push(`${name}: nobody spoke of its person`)
  return {
    text,
    who: who ?? 'user',
    context: oneLine(context, LONGEST_CONTEXT),
    thing: oneLine(thing, LONGEST_CONTEXT),
    time: readTime(time, name, problems),
    importance: clampImportance(importance),
  }
}

/** The small fields are dropped by themselves where the text may stay. */
function withTrustedFields(record: ExchangeRecord, sources: ExchangeSources): ExchangeRecord {
  const trusted = (text: string): string => {
    const refusal = text === '' ? null : refuseText(text, sources)
    return refusal === null || refusal === 'was not said' ? text : ''
  }
  return { ...record, context: trusted(record.context), thing: trusted(record.thing) }
}

function readTime(time: string | null | undefined, name: string, problems: string[]): string | null {
  const given = oneLine(time, 40)
  if (given === '' || /^(?:null|none|unknown|n\/a)$/i.test(given)) return null
  try {
    checkTime('time', given)
    return given
  } catch {
    problems.push(`${name}: its time is no ISO 8601`)
    return null
  }
}

function clampImportance(importance: number): number {
  return Number.isFinite(importance) ? Math.min(3, Math.max(0, Math.round(importance))) : 0
}
