import { expect, test } from 'vitest'
import { MOUNTS } from '../cli/commands/serve.ts'
import { ALL_COMMANDS } from '../cli/find-command.ts'
import { createApp } from '../http/app.ts'
import { openMemory } from '../library/index.ts'
import { TOOLS } from '../mcp/tools.ts'
import { namesIn } from './operation.ts'
import { OPERATIONS } from './table.ts'

/** Routes that are no operation, and why. */
const SERVER_ROUTES: Readonly<Record<string, string>> = {
  'get /health': 'is about the server',
  'get /metrics': 'is about the server',
  'get /openapi.json': 'is about the server',
  'post /mcp': 'is a door',
  'all /mem0/*': 'is a door, with a table of its own in mem0’s shapes',
}

test('every route of the server is an operation’s, or one of the server itself, and every operation has its route', async () => {
  const memory = await openMemory({ path: ':memory:' })
  const { routes, document } = createApp({ memory }, '0', MOUNTS)
  await memory.close()
  const named = OPERATIONS.flatMap(({ rest }) => (rest !== undefined ? [`${rest.method} ${rest.path}`] : []))
  const served = [...new Set(routes)]
  expect(served.filter((route) => !named.includes(route) && !Object.hasOwn(SERVER_ROUTES, route))).toEqual([])
  expect([...named, ...Object.keys(SERVER_ROUTES)].filter((route) => !served.includes(route))).toEqual([])
  const paths = document.paths as Record<string, Record<string, { readonly operationId: string }>>
  for (const { name, rest } of OPERATIONS)
    if (rest !== undefined) expect(paths[rest.path]?.[rest.method]?.operationId, name).toBe(name)
})

test('every tool is an operation’s, and every operation that MCP has is a tool', () => {
  const named = OPERATIONS.flatMap(({ name, mcp }) => (mcp !== undefined ? [mcp.name ?? name] : []))
  expect([...TOOLS.keys()].sort()).toEqual([...named].sort())
})

test('names are unique, and so are the routes', () => {
  const names = OPERATIONS.map(({ name }) => name)
  const routes = OPERATIONS.flatMap(({ rest }) => (rest !== undefined ? [`${rest.method} ${rest.path}`] : []))
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(routes).size).toBe(routes.length)
})

test('every operation that the command line has is a command', () => {
  const commands = ALL_COMMANDS.map(({ name }) => name)
  expect(new Set(commands).size).toBe(commands.length)
  expect(
    OPERATIONS.flatMap(({ cli }) => (cli === undefined ? [] : [cli.command])).filter(
      (name) => !commands.includes(name),
    ),
  ).toEqual([])
})

test('every name in braces of a path is an input, and a model is offered only inputs that there are', () => {
  for (const { name, input, rest, mcp } of OPERATIONS) {
    const fields = Object.keys(input.shape)
    const inPath = rest !== undefined ? [...namesIn(rest.path)] : []
    expect(fields, name).toEqual(expect.arrayContaining(inPath))
    if (mcp !== undefined) expect(fields, name).toEqual(expect.arrayContaining([...(mcp.fields ?? [])]))
  }
})
