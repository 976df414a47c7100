/** Help and versions: what a stranger sees first. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { emptyFolder, run } from './cli-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const HELP = fileURLToPath(new URL('./help-of-commands.ts', import.meta.url))
const MANIFEST = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))

test('help lists every command, and every command explains its flags', async () => {
  const cwd = emptyFolder()
  const { stdout, code } = await run('mneme', ['--help'], { cwd })
  expect(code).toBe(0)
  const commands = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}\S/gm)].map((match) => String(match[1]))
  expect(commands).toEqual(expect.arrayContaining(['store', 'recall', 'memory add', 'conversations show', 'doctor']))
  const helps = JSON.parse(execFileSync(process.execPath, [HELP, ...commands], { cwd, encoding: 'utf8' }))
  for (const command of commands) {
    expect(helps[command]).toContain(`Usage: mneme ${command}`)
    expect(helps[command]).toContain('--db <file>')
  }
  const one = await run('mneme', ['memory', 'add', '--help'], { cwd })
  expect(one).toEqual({ code: 0, stdout: helps['memory add'], stderr: '' })
  expect((await run('mneme', ['--version'], { cwd })).stdout).toBe(`${MANIFEST.version}\n`)
})

test('help of a group lists its commands, however it is asked for', async () => {
  const cwd = emptyFolder()
  const asked = [['memory'], ['memory', '--help'], ['help', 'memory'], ['--help', 'memory'], ['memory', 'help']]
  for (const words of asked) {
    const { code, stdout, stderr } = await run('mneme', words, { cwd })
    expect([words, code, stderr]).toEqual([words, 0, ''])
    expect(stdout).toContain('memory history')
    expect(stdout).not.toContain('recall')
  }
  for (const words of [
    ['help', 'memory', 'edit'],
    ['memory', 'help', 'edit'],
    ['--help', 'memory', 'edit'],
  ])
    expect((await run('mneme', words, { cwd })).stdout).toContain('Usage: mneme memory edit')
  expect(readdirSync(cwd)).toEqual([])
})

test('every program of package.json exists and names itself', () => {
  const names = Object.keys(MANIFEST.bin)
  expect(names).toHaveLength(9)
  for (const name of names) {
    const program = readFileSync(`${ROOT}${MANIFEST.bin[name]}`, 'utf8')
    expect(program.startsWith('#!/usr/bin/env node\n')).toBe(true)
    expect(program).toContain(`start('${name}')`)
  }
})

/** Runs a module that takes its Node for an older one. */
function onOldNode(module: string): Promise<{ code: unknown; stderr: string }> {
  const code = `Object.defineProperty(process.versions, 'node', { value: '20.11.0' })\n${module}`
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    )
  })
}

test('an old Node is told what it needs instead of failing at something else', async () => {
  const { code, stderr } = await onOldNode(
    `const { start } = await import(${JSON.stringify(`${ROOT}bin/start.js`)})\nstart('mneme')`,
  )
  expect([code, stderr]).toEqual([1, expect.stringMatching(/needs Node 24.*20\.11\.0.*\nremedy: Install Node 24/)])
})

test('a hook of an old Node is silent, and its log says why', async () => {
  const home = emptyFolder()
  mkdirSync(join(home, '.mneme'))
  const { code, stderr } = await onOldNode(
    `process.env.HOME = ${JSON.stringify(home)}\nprocess.argv[2] = 'hook'\n` +
      `const { start } = await import(${JSON.stringify(`${ROOT}bin/start.js`)})\nawait start('mneme')`,
  )
  expect([code, stderr]).toEqual([undefined, ''])
  expect(readFileSync(join(home, '.mneme', 'memory.db.hooks.log'), 'utf8')).toMatch(/needs Node 24.*Install Node 24/)
})

// What is installed is built; `npm run check` does so before it tests.
test.skipIf(!existsSync(`${ROOT}dist`)).each(['mneme', 'mneme/mem0', 'mneme/assistants'])(
  'an old Node that imports %s is told so in a sentence',
  async (name) => {
    expect((await onOldNode(`await import('${name}')`)).stderr).toMatch(
      /Mneme needs Node 24 or newer; this is Node 20\.11\.0/,
    )
  },
)
