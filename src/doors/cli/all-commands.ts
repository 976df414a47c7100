/** Every command of `mneme`: those with their own file, and those rendered from the table of operations. */
import { isPresent } from '../operations/operation.ts'
import { OPERATIONS } from '../operations/table.ts'
import { COMMANDS, type CommandEntry } from './commands.ts'

const rendered: readonly CommandEntry[] = OPERATIONS.flatMap((operation) => {
  const { cli, summary } = operation
  if (!isPresent(cli) || cli.look === undefined) return []
  const { look, command: name } = cli
  return [
    {
      name,
      summary: summary.replace(/\.$/, ''),
      ...(look.byDefault === true ? { byDefault: true } : {}),
      load: async () => (await import('./operation-command.ts')).operationCommand(operation, look),
    },
  ]
})

const firstWord = ({ name }: CommandEntry): string => name.split(' ')[0] ?? ''

/** The most wanted commands follow those for storing and asking. */
const UP_TO_RECALL = 1 + COMMANDS.findIndex(({ name }) => name === 'recall')
const ASKING: ReadonlySet<string> = new Set(['ask', 'search'])
const { asking = [], others = [] } = Object.groupBy(rendered, ({ name }) => (ASKING.has(name) ? 'asking' : 'others'))

/** All commands; those of a group are adjacent, at the place of its first one. */
export const ALL_COMMANDS: readonly CommandEntry[] = [
  ...Map.groupBy(
    [...COMMANDS.slice(0, UP_TO_RECALL), ...asking, ...COMMANDS.slice(UP_TO_RECALL), ...others],
    firstWord,
  ).values(),
].flat()
