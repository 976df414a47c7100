/** A vector store in the memory of a test, which fails when it is told to. Rows get new ids, as Milvus gives them. */
import type {
  MirroredVector,
  MirrorMatch,
  MirrorRow,
  VectorFilter,
  VectorMirror,
  WholeMirrorRow,
} from '../../src/domain/contracts/vector-index.ts'
import { MnemeError } from '../../src/domain/errors.ts'
import { nearestByComparison } from '../contracts/vector-index.ts'

/** When it fails. */
export type Failing = 'before insert' | 'after insert' | 'before remove' | 'after remove' | 'always' | null

export class InMemoryMirror implements VectorMirror {
  readonly provider = 'memory'
  readonly target = 'memory of the test'
  readonly #rows = new Map<string, WholeMirrorRow>()
  #next: number
  failAt: Failing = null

  /** @param rowsGiven it has given so many row ids already */
  constructor(rowsGiven = 0) {
    this.#next = rowsGiven
  }

  rows(): readonly WholeMirrorRow[] {
    return [...this.#rows.values()]
  }

  texts(): readonly string[] {
    return this.rows()
      .map(({ record }) => record.text)
      .sort()
  }

  put(row: WholeMirrorRow): void {
    this.#rows.set(row.rowId, row)
  }

  drop(rowId: string): void {
    this.#rows.delete(rowId)
  }

  async prepare(): Promise<{ readonly isEmpty: boolean }> {
    this.#maybeFail('always')
    return { isEmpty: this.#rows.size === 0 }
  }

  async insertRows(records: readonly MirroredVector[]): Promise<readonly string[]> {
    if (records.length > 0) this.#maybeFail('before insert')
    const ids = records.map((record) => {
      this.#next += 1
      const rowId = String(this.#next)
      const { userId, id, version, storeId } = record
      this.put({ rowId, userId, id, version, storeId, record, shortened: [] })
      return rowId
    })
    if (records.length > 0) this.#maybeFail('after insert')
    return ids
  }

  async removeRows(rows: readonly Pick<MirrorRow, 'rowId' | 'id'>[]): Promise<void> {
    this.#maybeFail('before remove')
    for (const { rowId } of rows) this.drop(rowId)
    this.#maybeFail('after remove')
  }

  async findRows(keys: readonly Pick<MirrorRow, 'userId' | 'id'>[]): Promise<readonly MirrorRow[]> {
    return this.rows().filter((row) => keys.some(({ userId, id }) => userId === row.userId && id === row.id))
  }

  async *allRows(): AsyncGenerator<readonly WholeMirrorRow[]> {
    yield this.rows()
  }

  async searchSettled(
    userId: string,
    vector: Float32Array,
    limit: number,
    filter?: VectorFilter,
  ): Promise<readonly MirrorMatch[]> {
    this.#maybeFail('always')
    const mine = this.rows().filter((row) => row.userId === userId)
    const records = mine.map(({ rowId, record }) => ({ ...record, id: rowId }))
    return nearestByComparison(records, vector, limit, filter).map(({ id: rowId, score }) => {
      const { id, version, storeId } = this.#rows.get(rowId)!
      return { id, version, storeId, score }
    })
  }

  async close(): Promise<void> {}

  #maybeFail(moment: Failing): void {
    if (this.failAt === moment || this.failAt === 'always')
      throw new MnemeError('vector_store_failed', `It failed ${moment}.`, { remedy: 'Go on with the test.' })
  }
}
