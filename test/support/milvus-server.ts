/**
 * Tests against a real Milvus. Where it is not installed they are skipped and say why, unless MILVUS_TESTS=required,
 * under which a skip is a failure.
 */
import { afterAll, beforeAll, describe } from 'vitest'
import { type MilvusKind, type MilvusServer, PLACES, programOf, READY_MS, startMilvus } from './start-milvus.ts'

export type { MilvusServer } from './start-milvus.ts'

/**
 * A group of tests with a server of this kind, which is started before them and ended after them. Skipped, with the
 * reason, where it is not installed.
 */
export function describeWithMilvus(
  kind: MilvusKind,
  tests: (server: () => MilvusServer) => void,
  options: { readonly token?: string } = {},
): void {
  const { variable, program } = PLACES[kind]
  if (programOf(kind) === undefined) {
    const reason = `${kind}: ${program} is not installed; .ci/run installs it, or set ${variable} to a virtual environment`
    if (process.env.MILVUS_TESTS === 'required') throw new Error(reason)
    console.warn(`skipped: ${reason}`)
    describe.skip(`${kind} (skipped: ${program} is not installed)`, () => tests(() => undefined as never))
    return
  }
  describe(kind, () => {
    let server: MilvusServer | undefined
    beforeAll(
      async () => {
        server = await startMilvus(kind, options)
      },
      6 * READY_MS + 10_000,
    )
    afterAll(async () => server?.stop())
    tests(() => server!)
  })
}
