import { expect, test } from 'vitest'
import { oneOf, seeded, wholeNumber } from '../../../test/support/random.ts'
import type { EntryState, LedgerListing, ListedEntry } from '../../contracts/memory-file-ledger.ts'
import { keep, takeKept } from './kept.ts'
import { LedgerView } from './ledger-view.ts'

function listed(memoryId: string, entryId: string, state: EntryState, changedAt: number): ListedEntry {
  const hashes = { nextState: null, nextHash: null, hashes: ['h'], memoryHash: 'h' }
  return { row: { memoryId, entryId, byPerson: false, state, ...hashes, changedAt }, memory: null }
}

/** The order in which a ledger is read. */
const byMemory = (a: ListedEntry, b: ListedEntry): number => (a.row.memoryId < b.row.memoryId ? -1 : 1)

const ledgerOf = (listing: Omit<LedgerListing, 'state'>) => ({ listing: async () => ({ ...listing, state: 's' }) })

test('the view of a ledger that changes again and again is the one of a ledger read for the first time', async () => {
  const random = seeded(5)
  const view = new LedgerView()
  const rows = new Map<string, ListedEntry>()
  await view.refresh(ledgerOf({ entries: [], changed: null }), 'ana')
  for (let round = 0; round < 500; round += 1) {
    const changed = Array.from({ length: wholeNumber(random, 1, 3) }, () => `m${wholeNumber(random, 0, 12)}`)
    for (const id of changed) {
      rows.delete(id)
      const state = oneOf(random, ['listed', 'struck', 'replaced', 'removed'] as const)
      // What the person changed goes on under the id that the entry had.
      if (random() < 0.8) rows.set(id, listed(id, `e${wholeNumber(random, 0, 12)}`, state, wholeNumber(random, 0, 3)))
    }
    const entries = [...new Set(changed)].flatMap((id) => rows.get(id) ?? [])
    await view.refresh(ledgerOf({ entries, changed: [...new Set(changed)] }), 'ana')
    expect(new Set(view.places.map(({ row }) => row))).toEqual(new Set(rows.values().map(({ row }) => row)))
    const fresh = new LedgerView()
    await fresh.refresh(ledgerOf({ entries: [...rows.values()].toSorted(byMemory), changed: null }), 'ana')
    for (let entry = 0; entry <= 12; entry += 1) {
      expect(view.ofEntry(`e${entry}`)?.row).toBe(fresh.ofEntry(`e${entry}`)?.row)
      const may = rows.values().filter(({ row }) => row.entryId === `e${entry}` && row.state !== 'replaced')
      const states = [...may].map(({ row }) => row.state)
      const state = view.ofEntry(`e${entry}`)?.row.state
      if (states.includes('listed')) expect(state).toBe('listed')
      else if (states.length === 0) expect(state).toBeUndefined()
      else expect(states).toContain(state)
    }
  }
})

test('two looks at one file at a time share nothing, and what is kept is bounded', () => {
  const ledger = {} as Parameters<typeof keep>[0]
  const first = takeKept(ledger, 'ana')
  keep(ledger, 'ana', first)
  expect(takeKept(ledger, 'ana')).toBe(first)
  expect(takeKept(ledger, 'ana')).not.toBe(first)
  const read = { bytes: new Uint8Array(3_000_000) } as NonNullable<typeof first.read>
  for (const user of ['ana', 'bea', 'chen']) keep(ledger, user, { ...first, read })
  expect(takeKept(ledger, 'ana').read).toBeNull()
  expect(takeKept(ledger, 'chen').read).toBe(read)
})

test('files with nothing in them are not kept for ever either', () => {
  const ledger = {} as Parameters<typeof keep>[0]
  const first = takeKept(ledger, 'ana')
  keep(ledger, 'ana', first)
  for (let user = 0; user < 5000; user += 1) keep(ledger, `user ${user}`, { ...first })
  expect(takeKept(ledger, 'ana')).not.toBe(first)
})
