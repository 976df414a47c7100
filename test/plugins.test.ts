/** The plugin folders say what `mneme connect` writes, and hold every file that they name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectionOf } from '../src/doors/assistants/connections.ts'
import { emptyFolder, run } from './e2e/cli-process.ts'

const ROOT = new URL('../', import.meta.url).pathname
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const PLUGIN = 'plugins/mneme'

/** The events that a connected assistant calls us for. */
function events(target: 'claude' | 'codex'): readonly unknown[] {
  const start = { program: 'node', script: '/mneme/bin/mneme.js', flags: [] }
  const { files } = connectionOf(target, { home: '/home/ann', environment: {}, start })
  return files.flatMap(({ content }) =>
    content.kind === 'json' ? content.entries.filter(({ path }) => path[0] === 'hooks').map(({ path }) => path[1]) : [],
  )
}

test.each([
  ['claude', 'hooks/hooks.json'],
  ['codex', 'hooks/codex.json'],
] as const)('the plugin hears of the same events of %s as a connected one', (target, file) => {
  const { hooks } = read(join(PLUGIN, file))
  expect(Object.keys(hooks).sort()).toEqual([...events(target)].sort())
  for (const [entry] of Object.values<{ hooks: { command: string; args?: string[] }[] }[]>(hooks)) {
    const { command, args = [] } = entry?.hooks[0] ?? { command: '' }
    expect([command, ...args].join(' ')).toBe(`mneme hook ${target}`)
  }
})

test('both marketplaces lead to the folder, and its manifests to files that are there', () => {
  const [claude] = read('.claude-plugin/marketplace.json').plugins
  const [codex] = read('.agents/plugins/marketplace.json').plugins
  expect([claude.source, codex.source.path]).toEqual([`./${PLUGIN}`, `./${PLUGIN}`])
  const manifest = read(join(PLUGIN, '.codex-plugin/plugin.json'))
  for (const path of [
    manifest.skills,
    manifest.mcpServers,
    manifest.hooks,
    'hooks/hooks.json',
    'skills/memory/SKILL.md',
  ])
    expect(existsSync(join(ROOT, PLUGIN, path)), path).toBe(true)
})

test('the server of the plugin remembers in the home folder, where nobody expands variables', async () => {
  const home = emptyFolder()
  const { command, args } = read(join(PLUGIN, '.mcp.json')).mcpServers.mneme
  expect((await run(command, args, { cwd: home, env: { HOME: home } })).code).toBe(0)
  expect(readdirSync(home)).toEqual(['.mneme'])
})

test('the versions are those of the package', () => {
  const { version } = read('package.json')
  expect([
    read('.claude-plugin/marketplace.json').plugins[0].version,
    read(join(PLUGIN, '.claude-plugin/plugin.json')).version,
    read(join(PLUGIN, '.codex-plugin/plugin.json')).version,
  ]).toEqual([version, version, version])
})
