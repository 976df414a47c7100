/** Does a file of every older schema come up, killed half-way or not, with all it holds and one backup? */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openMemory } from '../../src/doors/library/index.ts'
import { Connection } from '../../src/store/sqlite/file/connection.ts'
import { existingBackups, migrate, migrations } from '../../src/store/sqlite/file/migrate.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds, Tally } from './campaign.ts'

const CONVERSATIONS = 20

/** A file as the program of that time wrote it: the columns that the first schema has. */
export function oldFile(path: string, version: number): void {
  const connection = new Connection(path)
  migrate(connection, version)
  connection.write(() => {
    connection.run(`INSERT INTO users (user_id) VALUES ('one')`)
    for (let no = 1; no <= CONVERSATIONS; no += 1) {
      connection.run(
        `INSERT INTO conversations (id, public_id, project_root, created_at, last_active, conversation_no, user_no, turn_count,
           last_turn) VALUES (?1, ?1, '', '2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z', ?2, 1, 1, 1)`,
        `c${no}`,
        no,
      )
      connection.run(
        `INSERT INTO turns (conversation_id, role, content, created_at, user_no, turn_number)
         VALUES (?, 'user', ?, '2026-03-01T09:00:00.000Z', 1, 1)`,
        `c${no}`,
        `Line ${no} about the lighthouse 灯塔.`,
      )
    }
  })
  connection.close()
}

export async function run({ seconds, seed }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const whole = new Tally('files that are not whole after an upgrade')
  const copies = new Tally('copies that stay, or backups that are missing')
  const versions = migrations().map(({ version }) => version)
  let kills = 0
  await rounds(seconds, async (number) => {
    for (const version of versions)
      await inFolder(async (path) => {
        oldFile(path, version)
        // The first round kills nobody.
        if (number > 0) {
          kills += 1
          const child = fork(new URL('./upgrade-process.ts', import.meta.url), [path])
          const exited = once(child, 'exit')
          await Promise.race([once(child, 'message'), exited])
          setTimeout(() => child.kill('SIGKILL'), random() * 60)
          await exited
        }
        await using memory = await openMemory({ path, userId: 'one' })
        const { results } = await memory.conversations.recall('lighthouse', { limit: 50 })
        const wrong = (await memory.maintenance.verify()).filter(({ ok }) => !ok)
        whole.check(
          results.length === CONVERSATIONS && wrong.length === 0,
          `schema ${version}: ${JSON.stringify(wrong)}`,
        )
        const expected = version === versions.at(-1) ? 0 : 1
        copies.check(existingBackups(path).length === expected, `schema ${version}: ${existingBackups(path).join()}`)
      })
  })
  return [{ tried: 'upgrades killed', value: kills, unit: '', n: kills }, whole.finding, copies.finding]
}
