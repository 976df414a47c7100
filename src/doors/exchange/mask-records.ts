/** The records of an export with their secrets masked, and how many there were. Ids are left as they are. */
import { maskSecretsIn } from '../../language/secrets/mask-secrets.ts'
import type { ExportRecord } from './export-record.ts'

/** What was masked so far. */
export interface MaskedCount {
  masked: number
}

/** The same records; those without secrets are the same objects. */
export async function* maskRecords(
  records: AsyncIterable<ExportRecord>,
  count: MaskedCount,
): AsyncGenerator<ExportRecord> {
  const onMasked = (): void => {
    count.masked += 1
  }
  for await (const record of records) yield maskSecretsIn(record, onMasked)
}
