/** The records of an export with their secrets masked, and how many there were. Ids are left as they are. */
import { maskSecretsIn } from '../../language/secrets/mask-secrets.ts'
import type { ExportRecord } from './export-record.ts'

/** The number of secrets masked so far. */
export interface MaskedCount {
  masked: number
}

/** Masks secrets in records; a record without secrets is passed on as the same object. */
export async function* maskRecords(
  records: AsyncIterable<ExportRecord>,
  count: MaskedCount,
): AsyncGenerator<ExportRecord> {
  const onMasked = (): void => {
    count.masked += 1
  }
  for await (const record of records) yield maskSecretsIn(record, onMasked)
}
