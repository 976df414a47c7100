/** The container without a daemon: what its two files say, and what its commands do in a copy of what the image would hold. */
import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder } from './cli-process.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split('\n')
const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
const only = (word: string): string => {
  const found = last.filter((line) => line.startsWith(`${word} `))
  expect([word, found.length]).toEqual([word, 1])
  return found[0]!.slice(word.length + 1)
}
const environment = Object.fromEntries(
  only('ENV')
    .split(' ')
    .map((pair) => pair.split('=')),
)

test('the image runs as nobody special, keeps the file in a volume and says how it is', () => {
  expect(only('USER')).toBe('node')
  expect(environment.MNEME_DB.startsWith(`${only('VOLUME')}/`)).toBe(true)
  expect(only('EXPOSE')).toBe(environment.MNEME_PORT)
  expect(only('HEALTHCHECK')).toContain('/health')
  // The image copies the files that the package ships, besides documents.
  const copied = last.filter((line) => line.startsWith('COPY ')).flatMap((line) => line.split(' ').slice(2, -1))
  for (const path of copied)
    if (!path.endsWith('dist'))
      expect([path, existsSync(join(ROOT, path.replace('/mneme/', '')))]).toEqual([path, true])
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const needed of ['bin', 'data', 'migrations', 'dist']) {
    expect(files).toContain(needed)
    expect(copied).toContain(`/mneme/${needed}`)
  }
})

test('compose asks for a key, stays on this machine and takes the port and volume of the image', () => {
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  expect(compose).toMatch(/MNEME_API_KEY: \$\{MNEME_API_KEY:\?/)
  expect(compose).toContain(`"127.0.0.1:${environment.MNEME_PORT}:${environment.MNEME_PORT}"`)
  expect(compose).toContain(`mneme:${only('VOLUME')}`)
  expect(compose).toMatch(/milvus:\n {4}profiles: \[milvus\]/)
})

test.skipIf(!existsSync(join(ROOT, 'dist/doors/cli/main.cjs')))(
  'its commands start a server that has the page and is found healthy (skipped where nothing is built)',
  async () => {
    const image = emptyFolder()
    onTestFinished(() => rmSync(image, { recursive: true, force: true }))
    for (const name of ['bin', 'data', 'migrations', 'dist', 'package.json'])
      cpSync(join(ROOT, name), join(image, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(image, 'node_modules'))
    mkdirSync(join(image, 'volume'))
    // An unset variable reaches the image as an empty text.
    const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
    const unset = Object.fromEntries([...compose.matchAll(/^ {6}(\w+): \$\{\1:-\}$/gm)].map(([, name]) => [name!, '']))
    expect(Object.keys(unset)).toContain('MNEME_EMBEDDING')
    const own = { MNEME_DB: join(image, 'volume/memory.db'), MNEME_HOST: '127.0.0.1', MNEME_PORT: '0' }
    const env = { ...process.env, ...environment, ...unset, ...own, MNEME_API_KEY: 'a-key-of-twenty-letters' }
    const [, ...words] = JSON.parse(only('CMD')) as string[]
    const child = spawn(process.execPath, words, { cwd: image, env, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    const [chunk] =
      (await new Promise<[Buffer]>((resolve) => child.stdout.once('data', (data) => resolve([data])))) ?? []
    const { url } = JSON.parse(String(chunk).split('\n')[0]!) as { url: string }
    const port = new URL(url).port
    const [, ...check] = JSON.parse(only('HEALTHCHECK').replace(/^.*? CMD /, '')) as string[]
    const asked = promisify(execFile)
    await asked(process.execPath, check, { env: { ...env, MNEME_PORT: port } })
    await expect(asked(process.execPath, check, { env: { ...env, MNEME_PORT: '1' } })).rejects.toMatchObject({
      code: 1,
    })
    expect(await (await fetch(url)).text()).toContain('<div id="app">')
    expect((await fetch(`${url}/settings`)).status).toBe(401)
    expect(existsSync(own.MNEME_DB)).toBe(true)
  },
)
