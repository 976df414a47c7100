/** Does some of everything on a disk that fails, and tells what was acknowledged and how the rest was refused. */
import { MnemeError, openMemory } from '../../src/doors/library/index.ts'

/** The conversation that was stored, is to be removed or was; or a refusal and whether it is one of ours. */
export type Told =
  | { readonly stored: string }
  | { readonly removing: string }
  | { readonly removed: string }
  | { readonly refused: string; readonly isOurs: boolean }

const [path = '', run = ''] = process.argv.slice(2)
const ROUNDS = 40
const tell = (told: Told): Promise<void> => new Promise((heard) => process.send!(told, () => heard()))
const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
  try {
    return await work()
  } catch (error) {
    await tell({ refused: String(error), isOurs: error instanceof MnemeError && error.remedy !== '' })
    return null
  }
}

const memory = await attempt(() => openMemory({ path, userId: 'one' }))
if (memory !== null) {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = `${run}-${round}`
    const turns = [
      { role: 'user' as const, content: `I keep ${round} bees. ${'wax '.repeat(round ** 2)}`, externalId: id },
    ]
    const stored = await attempt(() => memory.conversations.store({ conversationId: id, turns }))
    if (stored !== null) await tell({ stored: id })
    if (round % 10 === 4) await attempt(() => memory.recall('How many bees do I keep?'))
    if (round % 10 === 5) await attempt(() => memory.add(`The hive number ${round} is green.`))
    if (round % 10 === 6) await attempt(() => memory.memoryFile.digest())
    if (round % 10 === 7 && stored !== null) {
      // One that is refused may have been done in part.
      await tell({ removing: id })
      if ((await attempt(() => memory.conversations.delete({ conversationId: id }))) !== null)
        await tell({ removed: id })
    }
    if (round % 10 === 8) await attempt(() => memory.profile.set({ text: `Beekeeper of ${round}.` }))
    if (round % 10 === 9) await attempt(() => memory.idle())
  }
  await attempt(() => memory.close())
}
process.disconnect()
