/** The vector index in a real Milvus keeps the contract that the embedded one keeps (issue 5, items 1 and 5). */
import { openMilvus } from '../../src/adapters/milvus/open-milvus.ts'
import type { MilvusOptions } from '../../src/adapters/milvus/options.ts'
import type { MilvusServer } from '../support/milvus-server.ts'
import { type ContractSkips, vectorIndexContract } from './vector-index.ts'

/** For vectors of 48 dimensions, opened twice. FLAT compares all, as the oracle does. */
export function milvusContract(
  name: string,
  server: () => MilvusServer,
  more: Partial<MilvusOptions> = {},
  skips: ContractSkips = {},
): void {
  const open = async () => {
    const mirror = await openMilvus({
      provider: 'milvus',
      uri: server().uri,
      token: server().token,
      collection: 'exact',
      index: 'FLAT',
      timeoutMs: 20_000,
      ...more,
    })
    await mirror.prepare(48)
    return mirror
  }
  vectorIndexContract(
    name,
    async () => {
      const opened = [await open(), await open()]
      return {
        index: opened[0]!,
        other: opened[1]!,
        reopen: async () => {
          await opened[0]!.close()
          opened[0] = await open()
          return opened[0]
        },
        close: async () => {
          for (const mirror of opened) await mirror.close()
        },
      }
    },
    skips,
  )
}
