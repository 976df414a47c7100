/** docs/cli.md has an example of every command. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ALL_COMMANDS } from '../../src/doors/cli/find-command.ts'

const DOCS = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
const typed = DOCS.split('\n').filter((line) => /^\s*\$ /.test(line))

test.each(ALL_COMMANDS.map((command) => [command.name, command] as const))(
  'docs/cli.md shows mneme %s',
  (name, { byDefault, program }) => {
    const [group] = name.split(' ')
    const ways = [
      `mneme ${name}`,
      ...(program === true ? [`memory_${name}`] : []),
      ...(byDefault === true ? [`mneme ${group}`] : []),
    ]
    const isShown = (way: string) => typed.some((line) => new RegExp(`(?:^|[ |])${way}(?:\\s|$)`).test(line))
    expect(ways.filter(isShown)).not.toEqual([])
  },
)
