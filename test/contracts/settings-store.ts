/** The duties of every store of settings. A backend runs it with a function that opens an empty one, twice. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SettingsStore } from '../../src/domain/contracts/store.ts'

const START = Date.parse('2026-03-02T09:00:00Z')

/** Runs the suite. */
export function settingsStoreContract(
  name: string,
  open: () => Promise<{
    readonly settings: SettingsStore
    readonly other: SettingsStore
    readonly close: () => Promise<void>
  }>,
): void {
  describe(`settings store: ${name}`, () => {
    let settings: SettingsStore
    let other: SettingsStore
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ settings, other, close } = await open())
    })
    afterEach(() => close())

    test('what was not set is not there', async () => {
      expect(await settings.get('memory.rag_top_n')).toBeUndefined()
      expect([...(await settings.all())]).toEqual([])
    })

    test('values of every kind come back, to every process at once', async () => {
      const values = {
        'memory.rag_top_n': 3,
        'memory.enable_user_profile': false,
        greeting: '你好',
        list: [1, { a: '' }],
      }
      await settings.set(values, START)
      expect(Object.fromEntries(await other.all())).toEqual(values)
      expect(await other.get('memory.enable_user_profile')).toBe(false)
    })

    test('a new value takes the place of the old one, null takes it back, others stay', async () => {
      await settings.set({ a: 1, b: 2, c: 3 }, START)
      await other.set({ a: 10, b: null }, START + 1)
      expect([...(await settings.all())]).toEqual([
        ['a', 10],
        ['c', 3],
      ])
    })

    test('of several values all are set or none', async () => {
      await expect(settings.set({ a: 1, b: 10n }, START)).rejects.toThrow()
      expect((await settings.all()).size).toBe(0)
    })
  })
}
