/**
 * The doors as files: a change of a door shows as a difference that somebody meant. `npx vitest run test/golden -u`
 * writes them anew.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ALL_COMMANDS } from '../../src/doors/cli/find-command.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { TOOLS } from '../../src/doors/mcp/tools.ts'
import { Memory } from '../../src/doors/mem0/index.ts'
import { freshDatabase, freshFolder } from '../support/folder.ts'
import { startForTest } from '../support/rest-server.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const HELP = join(ROOT, 'test/e2e/help-of-commands.ts')
const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

/** One line a part: what stands below the names is taken apart, the rest is a line each. */
function parts(value: object, names: readonly string[]): string {
  return Object.entries(value)
    .flatMap(([name, part]) => {
      if (!names.includes(name)) return [`${name} ${JSON.stringify(part)}`]
      if (name !== 'paths') return [`${name}:`, parts(part, names)]
      return Object.entries<object>(part).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => `${method} ${path} ${JSON.stringify(operation)}`),
      )
    })
    .join('\n')
}

/** Ids and hashes are drawn anew each time, and times go on. */
function steady(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\b[0-9a-f]{32}\b/g, '<hash>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
}

test('the OpenAPI document', async () => {
  const { ask } = await startForTest()
  const { body } = await ask('GET', '/openapi.json')
  await expect(parts(body, ['paths', 'components', 'schemas'])).toMatchFileSnapshot('openapi.txt')
})

test('the tools of MCP', async () => {
  await expect(json([...TOOLS.values()].map(({ listed }) => listed))).toMatchFileSnapshot('mcp-tools.json')
})

test('the help of every command', async () => {
  const names = ALL_COMMANDS.map(({ name }) => name)
  const options = {
    cwd: freshFolder(),
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: '120', NO_COLOR: '1' },
  } as const
  const helps: Record<string, string> = JSON.parse(execFileSync(process.execPath, [HELP, ...names], options))
  await expect(names.map((name) => helps[name]).join('\n')).toMatchFileSnapshot('cli-help.txt')
})

test('the declarations of the package', async () => {
  const folder = freshFolder()
  const compiler = join(ROOT, 'node_modules/.bin/tsc')
  execFileSync(compiler, ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder], { cwd: ROOT })
  const texts = ['doors/library', 'doors/mem0', 'doors/assistants'].flatMap((room) =>
    readdirSync(join(folder, room))
      .filter((name) => name.endsWith('.d.ts'))
      .sort()
      .map((name) => `// ${room}/${name}\n${readFileSync(join(folder, room, name), 'utf8')}`),
  )
  await expect(texts.join('\n')).toMatchFileSnapshot('declarations.txt')
})

test('an export', async () => {
  const memory = await openMemory({ path: freshDatabase(), userId: 'ann', background: false })
  await memory.conversations.store({
    conversationId: 'monday',
    projectRoot: '/work/kite',
    turns: [
      { role: 'user', content: '我更喜欢 SQLite', createdAt: '2026-05-01T10:00:00Z', externalId: 'm1' },
      { role: 'assistant', content: 'Noted.', createdAt: '2026-05-01T10:00:05Z', metadata: { model: 'm' } },
    ],
  })
  await memory.add('Ann plays the oud.', {
    infer: false,
    key: 'instrument',
    value: 'oud',
    createdAt: '2026-05-02T10:00:00Z',
  })
  await memory.profile.set({ text: '## Background\n- Ann plays the oud.' })
  let text = ''
  for await (const piece of memory.conversations.export()) text += piece
  await memory.close()
  await expect(steady(text)).toMatchFileSnapshot('export.json')
})

test('the answers of mem0', async () => {
  const opened = await openMemory({ path: ':memory:' })
  const memory = new Memory(opened)
  const added = await memory.add('Ann plays the oud.', { userId: 'ann', infer: false })
  const [first] = added.results
  const id = first?.id ?? ''
  const answers = {
    added,
    found: (await memory.search('oud', { filters: { user_id: 'ann' } })).results.map(({ score: _, ...one }) => one),
    all: await memory.getAll({ filters: { user_id: 'ann' } }),
    updated: await memory.update(id, 'Ann plays the ney.'),
    history: await memory.history(id),
    deleted: await memory.delete(id),
  }
  await opened.close()
  await expect(steady(json(answers))).toMatchFileSnapshot('mem0.json')
})
