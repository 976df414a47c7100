/** What a stranger can type next, in a clone of the project. */
import { paint } from '../paint.ts'
import { textWidth } from '../text-width.ts'

const STEPS: readonly (readonly [command: string, meaning: string])[] = [
  ['npx mneme store --role user --content "We deploy on Fridays, 部署在周五"', 'remember something'],
  ['npx mneme recall --query "什么时候 deploy?" --explain', 'ask for it, from any later process'],
  ['npx mneme import --from-logs ~/.claude/projects', 'bring the coding chats that you have'],
  ['npx mneme doctor', 'see where it is kept'],
  ['npm test', 'see that it works'],
]

/** The closing lines. */
export function nextSteps(): string {
  const width = Math.max(...STEPS.map(([command]) => textWidth(command)))
  const lines = STEPS.map(
    ([command, meaning]) =>
      `  ${paint('command', command)}${' '.repeat(width - textWidth(command))}  ${paint('quiet', meaning)}`,
  )
  return `${paint('title', 'Now you')}\n${lines.join('\n')}\n\n`
}
