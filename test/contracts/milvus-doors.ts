/**
 * Milvus from the command line and by mem0's configuration: named, filled, emptied into a new database, left for good.
 * Run against every kind of server.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Memory } from '../../src/doors/mem0/index.ts'
import { answer, emptyFolder, run } from '../e2e/cli-process.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { rowsSeen } from '../support/milvus-reader.ts'
import type { MilvusServer } from '../support/milvus-server.ts'
import { bagEmbedder, fresh, SHARED } from './milvus-memory.ts'

/** A dozen processes, each of which loads the SDK. */
const PROCESSES_MS = 240_000
const ENTRY = join(import.meta.dirname, '../e2e/cli-entry.ts')

/** A folder, and an environment with a model but no Milvus. */
async function place() {
  const embeddings = await startEmbeddingServer({ dimension: 64 })
  onTestFinished(() => embeddings.close())
  const env = {
    MNEME_EMBEDDING: 'openai',
    OPENAI_BASE_URL: embeddings.url,
    OPENAI_API_KEY: 'sk-test',
    MNEME_EMBEDDING_MODEL: 'bag',
    MILVUS_URI: '',
    MILVUS_TOKEN: '',
  }
  return { cwd: emptyFolder(), env }
}

const milvusOf = ({ uri, token }: MilvusServer) => ({ MILVUS_URI: uri, MILVUS_TOKEN: token ?? '' })

/** Runs the cases. */
export function milvusDoorCases(server: () => MilvusServer): void {
  test(
    'commands: what was there is sent, verified, taken back into a new database, and Milvus is left again',
    async () => {
      const { cwd, env } = await place()
      const ann = fresh('ann')
      const collection = fresh('cli')
      // The collection can be named in the config file only.
      writeFileSync(
        join(cwd, 'mneme.config.json'),
        JSON.stringify({ user: ann, vector_store: { provider: 'milvus', collection, timeout_ms: 10_000 } }),
      )
      const config = ['--config', 'mneme.config.json']
      const alone = { cwd, env: { ...env, MNEME_DB: join(cwd, 'a.db') } }
      const on = { cwd, env: { ...alone.env, ...milvusOf(server()) } }
      for (const text of ['The cellar is damp.', '阁楼很干燥。', 'The roof was mended in May.'])
        await answer('mneme', ['memory', 'add', text, '--no-infer', ...config], alone)
      expect(await answer('mneme', ['reindex', ...config], alone)).toMatchObject({ embedded: 3 })

      expect(await answer('mneme', ['reindex', '--to-milvus', ...config], on)).toMatchObject({ missing: 0, equal: 3 })
      const verified = await answer('mneme', ['verify', ...config], on)
      expect(JSON.stringify(verified)).toContain('3 of 3 vectors agree')
      expect((await rowsSeen(server(), collection, ann)).map(({ text }) => text)).toContain('阁楼很干燥。')
      const doctor = JSON.stringify(await answer('mneme', ['doctor', ...config], on))
      expect(doctor).toContain(server().uri)
      if (server().token !== undefined) expect(doctor).not.toContain(server().token)

      const other = { cwd, env: { ...on.env, MNEME_DB: join(cwd, 'b.db') } }
      expect(await answer('mneme', ['reindex', '--from-milvus', ...config], other)).toMatchObject({
        restored: 3,
        shortened: 0,
      })
      expect(JSON.stringify(await answer('mneme', ['memory', 'search', 'damp cellar', ...config], other))).toContain(
        'The cellar is damp.',
      )

      const refused = await run('mneme', ['reindex', '--without-milvus', ...config], on)
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('still configured') })
      expect(await answer('mneme', ['reindex', '--without-milvus', ...config], alone)).toMatchObject({
        detached: expect.stringContaining(collection),
      })
      const found = await answer(
        'mneme',
        ['memory', 'search', 'damp cellar', '--ranking', 'associative', ...config],
        alone,
      )
      expect(JSON.stringify(found)).toContain('The cellar is damp.')
      expect(await rowsSeen(server(), collection, ann)).toHaveLength(3)
    },
    PROCESSES_MS,
  )

  test(
    'a person at a terminal sees how far sending and restoring are',
    async () => {
      const { cwd, env } = await place()
      const own = { ...env, ...milvusOf(server()), MNEME_DB: join(cwd, 'a.db') }
      for (const text of ['The oven is old.', 'The fridge is new.'])
        await answer('mneme', ['memory', 'add', text, '--no-infer', '--user', fresh('tty')], { cwd, env: own })
      expect(await onTerminal(`mneme reindex --to-milvus`, cwd, own)).toMatch(/sending.*vectors/)
      expect(await onTerminal(`mneme reindex --from-milvus`, cwd, own)).toMatch(/restoring.*rows/)
    },
    PROCESSES_MS,
  )

  test.each([
    [['--to-milvus', '--from-milvus'], 'exclude each other'],
    [['--to-milvus'], 'is not configured'],
  ])('reindex %j without a Milvus is refused with what to do', async (flags, said) => {
    const { cwd, env } = await place()
    await answer('mneme', ['memory', 'add', 'The kettle whistles.', '--no-infer'], { cwd, env })
    const { code, stderr } = await run('mneme', ['reindex', ...flags], { cwd, env })
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
  })

  test('the configuration of mem0 names a Milvus by mem0’s own names', async () => {
    const ann = fresh('ann')
    const { uri, token } = server()
    const memory = Memory.fromConfig({
      vectorStore: {
        provider: 'milvus',
        config: { url: uri, ...(token === undefined ? {} : { token }), collectionName: SHARED, embeddingModelDims: 64 },
      },
      mneme: { path: join(emptyFolder(), 'm.db'), embedding: bagEmbedder() },
    })
    await memory.add('I row on Sundays.', { userId: ann, infer: false })
    // It is sent in the background, for which mem0 has no word to wait by.
    await expect
      .poll(async () => (await rowsSeen(server(), SHARED, ann)).map(({ text }) => text))
      .toEqual(['I row on Sundays.'])
    await memory.close()
    expect(() => new Memory({ vectorStore: { provider: 'milvus', config: { colour: 1 } } } as never)).toThrow(/colour/)
  })
}

/** The output of a command on a terminal, which `script` of util-linux makes. */
async function onTerminal(words: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const child = spawn('script', ['-qec', `${process.execPath} ${ENTRY} ${words}`, '/dev/null'], {
    cwd,
    env: { ...inherited, TERM: 'xterm', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let seen = ''
  child.stdout.on('data', (chunk) => {
    seen += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${words} ended with ${code}: ${seen}`)
  return seen
}
