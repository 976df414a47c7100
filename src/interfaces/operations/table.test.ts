import { expect, test } from 'vitest'
import { ALL_COMMANDS } from '../cli/all-commands.ts'
import { isPresent } from './operation.ts'
import { OPERATIONS } from './table.ts'

/** Commands that are no operation: they are about files, programs and this machine. */
const LOCAL_COMMANDS = [
  'init',
  'export',
  'import',
  'memory',
  'profile edit',
  'settings unset',
  'jobs run',
  'serve',
  'mcp',
  'keys list',
  'keys add',
  'keys revoke',
  'think',
  'doctor',
  'demo',
]

test('every door has every operation, or says in a sentence why it does not', () => {
  const silent = OPERATIONS.flatMap(({ name, rest, mcp, cli }) =>
    Object.entries({ rest, mcp, cli })
      .filter(([, door]) => 'absent' in door && !/^\S.{10,}\.$/.test(door.absent))
      .map(([door]) => `${name} is not at the door ${door}, without a reason`),
  )
  expect(silent).toEqual([])
  expect(OPERATIONS.filter(({ rest }) => !isPresent(rest)).map(({ name }) => name)).toEqual([])
})

test('names are unique, and so are the routes', () => {
  const names = OPERATIONS.map(({ name }) => name)
  const routes = OPERATIONS.map(({ rest }) => (isPresent(rest) ? `${rest.method} ${rest.path}` : ''))
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(routes).size).toBe(routes.length)
})

test('the command that an operation names exists, and every other command is one of this machine', () => {
  const commands = ALL_COMMANDS.map(({ name }) => name)
  const named = OPERATIONS.flatMap(({ cli }) => (isPresent(cli) ? [cli.command] : []))
  expect(named.filter((name) => !commands.includes(name))).toEqual([])
  expect(commands.filter((name) => !named.includes(name) && !LOCAL_COMMANDS.includes(name))).toEqual([])
})

test('every name in braces of a path is an input, and a model is offered only inputs that there are', () => {
  for (const { name, input, rest, mcp } of OPERATIONS) {
    const fields = Object.keys(input.shape)
    const inPath = isPresent(rest) ? [...rest.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]) : []
    expect(fields, name).toEqual(expect.arrayContaining(inPath))
    if (isPresent(mcp)) expect(fields, name).toEqual(expect.arrayContaining([...(mcp.fields ?? [])]))
  }
})
