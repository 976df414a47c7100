/**
 * Does the outside vector store hold the vectors of the record? The answer is a finding among those about the file.
 */
import type { CheckFinding } from '../../../domain/contracts/store.ts'
import type { MirrorCases } from '../../../domain/contracts/vector-mirror.ts'
import { MnemeError } from '../../../domain/errors.ts'

/** The findings of a mirror, none when there is no mirror. One that does not answer is a finding, too. */
export async function checkMirror(mirror: MirrorCases | null, repair: boolean): Promise<readonly CheckFinding[]> {
  if (mirror === null) return []
  const { provider } = await mirror.status()
  try {
    const { vectors, equal, missing, stale, leftOver, foreign } = await mirror.compare(repair)
    const without = await mirror.record.pendingCount()
    const { waiting, toFill } = await mirror.status()
    const ok = equal === vectors && missing + stale + leftOver === 0
    const parts = [
      `${equal} of ${vectors} vectors agree`,
      ...(ok ? [] : [`${missing} are missing, ${stale} say something else, ${leftOver} rows are left over`]),
      ...(without === 0
        ? []
        : [`${without} memories and turns have no vector yet: mneme reindex --to-milvus embeds them`]),
      ...(foreign === 0 ? [] : [`${foreign} rows are of others`]),
      ...(waiting + toFill === 0 ? [] : [`${waiting + toFill} changes wait to be sent`]),
      ...(!ok && repair ? ['what differs is sent anew'] : []),
    ]
    return [{ check: `vector store (${provider})`, ok, detail: parts.join('; ') }]
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    return [{ check: `vector store (${provider})`, ok: false, detail: error.toString() }]
  }
}
