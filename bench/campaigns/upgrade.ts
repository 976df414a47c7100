/** Does a file of every older schema come up, killed half-way or not, with all it holds and one backup? */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { migrations } from '../../src/store/sqlite/file/open-database.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds, Tally } from './campaign.ts'

/** Files as the program of each schema made them, by the code of its time; versions that never ran alone have none. */
const FILES = new URL('../../test/old-files/', import.meta.url)
const TURNS = [
  'I keep a small boat called Marigold at the north pier.',
  'Noted, the Marigold.',
  'The function moorBoat in src/pier.ts throws a TideError.',
  'Check the tide first.',
]
const TURNS_IN_CHINESE = ['我在青岛开了一家茶室，喜欢喝龙井。', '好的，记下了。']
const MEMORIES = ['The spare key hangs behind the blue door.', '备用钥匙在书架第二层。']
const PROFILE = ['Repairs wooden boats', '住在青岛']
/** The first schema with a profile. */
const WITH_PROFILE = 3

/** Everything that the file does not hold as it was told. */
async function missing(memory: OpenMemory, version: number): Promise<readonly string[]> {
  const texts = async (id: string): Promise<readonly string[]> =>
    (await memory.conversations.turns(id)).items.map(({ content }) => content)
  const turns = [...(await texts('harbour')), ...(await texts('茶室'))]
  const memories = (await memory.getAll({ includePast: true })).items.map(({ text }) => text)
  const { text } = await memory.profile.get()
  const { results } = await memory.conversations.recall('Marigold north pier')
  return [
    ...[...TURNS, ...TURNS_IN_CHINESE].filter((turn, at) => turns[at] !== turn),
    ...MEMORIES.filter((one) => !memories.includes(one)),
    ...(version < WITH_PROFILE ? [] : PROFILE.filter((line) => !text.includes(line))),
    ...(results.some(({ turnId }) => turnId === 1) ? [] : ['recall']),
    ...(await memory.maintenance.verify()).filter(({ ok }) => !ok).map((one) => JSON.stringify(one)),
  ]
}

export async function run({ seconds, seed }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const whole = new Tally('files that are not whole after an upgrade')
  const copies = new Tally('copies that stay, or backups that are missing')
  const newest = migrations().at(-1)!.version
  const files = readdirSync(FILES).sort()
  let kills = 0
  await rounds(seconds, async (number) => {
    for (const name of files)
      await inFolder(async (path) => {
        const version = Number(name.slice('schema-'.length, -'.db.br'.length))
        writeFileSync(path, brotliDecompressSync(readFileSync(new URL(name, FILES))))
        // The first round kills nobody.
        if (number > 0) {
          kills += 1
          const child = fork(new URL('./upgrade-process.ts', import.meta.url), [path])
          const exited = once(child, 'exit')
          await Promise.race([once(child, 'message'), exited])
          // Every other one while the copy is made, which is short.
          const isCopying = (): boolean => readdirSync(dirname(path)).some((file) => file.includes('.before-'))
          while (kills % 2 === 0 && child.exitCode === null && !isCopying()) await setImmediate()
          setTimeout(() => child.kill('SIGKILL'), random() * (kills % 2 === 0 ? 6 : 60))
          await exited
        }
        await using memory = await openMemory({ path, userId: 'mira' })
        const lost = await missing(memory, version)
        whole.check(lost.length === 0, `schema ${version}: ${lost.join(', ')}`)
        const beside = readdirSync(dirname(path)).filter(
          (file) => !/^memory\.db(?:-wal|-shm|-reserve|\.lock)?$/.test(file),
        )
        const expected = version === newest ? 0 : 1
        copies.check(
          beside.length === expected && beside.every((file) => file.endsWith('.bak')),
          `schema ${version}: ${beside.join()}`,
        )
      })
  })
  return [{ tried: 'upgrades killed', value: kills, unit: '', n: kills }, whole.finding, copies.finding]
}
