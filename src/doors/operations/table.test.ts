import { expect, test } from 'vitest'
import { ALL_COMMANDS } from '../cli/find-command.ts'
import { MOUNTS } from '../cli/serve-doors.ts'
import { createApp } from '../http/app.ts'
import { openMemory } from '../library/index.ts'
import { TOOLS } from '../mcp/tool.ts'
import { isPresent, namesIn } from './operation.ts'
import { OPERATIONS } from './table.ts'

/** Commands that are no operation, and why. */
const LOCAL_COMMANDS: Readonly<Record<string, string>> = {
  init: 'makes the file that every other door opens',
  'profile edit': 'opens an editor, then does set_profile',
  'settings unset': 'update_settings with null, in words for a shell',
  serve: 'is a door',
  mcp: 'is a door',
  doctor: 'looks at this machine and its configuration',
  demo: 'has a memory of its own',
  connect: 'changes files of assistants on this machine',
  hook: 'is a door, for the hooks of assistants',
  pause: 'is about the assistants on this machine',
  repair: 'is about a file that cannot be opened',
  'conversations collect': 'is update_turn with the mark alone',
}

/** Routes that are no operation, and why. */
const SERVER_ROUTES: Readonly<Record<string, string>> = {
  'get /health': 'is about the server',
  'get /metrics': 'is about the server',
  'get /openapi.json': 'is about the server',
  'post /mcp': 'is a door',
  'all /mem0/*': 'is a door, with a table of its own in mem0’s shapes',
}

test('every door has every operation, or the operation says in a sentence why that door does not', () => {
  const silent = OPERATIONS.flatMap(({ name, rest, mcp, cli }) =>
    Object.entries({ rest, mcp, cli })
      .filter(([, door]) => 'absent' in door && !/^\S.{10,}\.$/.test(door.absent))
      .map(([door]) => `${name} is not at the door ${door}, without a reason`),
  )
  expect(silent).toEqual([])
})

test('every route of the server is an operation’s, or one of the server itself, and every operation has its route', async () => {
  const memory = await openMemory({ path: ':memory:' })
  const { routes, document } = createApp({ memory }, '0', MOUNTS)
  await memory.close()
  const named = OPERATIONS.flatMap(({ rest }) => (isPresent(rest) ? [`${rest.method} ${rest.path}`] : []))
  const served = [...new Set(routes)]
  expect(served.filter((route) => !named.includes(route) && !Object.hasOwn(SERVER_ROUTES, route))).toEqual([])
  expect([...named, ...Object.keys(SERVER_ROUTES)].filter((route) => !served.includes(route))).toEqual([])
  const paths = document.paths as Record<string, Record<string, { readonly operationId: string }>>
  for (const { name, rest } of OPERATIONS)
    if (isPresent(rest)) expect(paths[rest.path]?.[rest.method]?.operationId, name).toBe(name)
})

test('every tool is an operation’s, and every operation that MCP has is a tool', () => {
  const named = OPERATIONS.flatMap(({ name, mcp }) => (isPresent(mcp) ? [mcp.name ?? name] : []))
  expect([...TOOLS.keys()].sort()).toEqual([...named].sort())
})

test('names are unique, and so are the routes', () => {
  const names = OPERATIONS.map(({ name }) => name)
  const routes = OPERATIONS.flatMap(({ rest }) => (isPresent(rest) ? [`${rest.method} ${rest.path}`] : []))
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(routes).size).toBe(routes.length)
})

test('the command that an operation names exists, and every other command is one of this machine', () => {
  const commands = ALL_COMMANDS.map(({ name }) => name)
  const named = OPERATIONS.flatMap(({ cli }) => (isPresent(cli) ? [cli.command] : []))
  expect(named.filter((name) => !commands.includes(name))).toEqual([])
  expect(commands.filter((name) => !named.includes(name) && !Object.hasOwn(LOCAL_COMMANDS, name))).toEqual([])
  expect(Object.keys(LOCAL_COMMANDS).filter((name) => !commands.includes(name) || named.includes(name))).toEqual([])
})

test('every name in braces of a path is an input, and a model is offered only inputs that there are', () => {
  for (const { name, input, rest, mcp } of OPERATIONS) {
    const fields = Object.keys(input.shape)
    const inPath = isPresent(rest) ? [...namesIn(rest.path)] : []
    expect(fields, name).toEqual(expect.arrayContaining(inPath))
    if (isPresent(mcp)) expect(fields, name).toEqual(expect.arrayContaining([...(mcp.fields ?? [])]))
  }
})
