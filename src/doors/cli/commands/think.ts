/** `mneme think`: thinks about what was stored without being thought about, as imports are, and waits until that is done. */
import { type CommandDefinition, textFlag } from '../command.ts'
import { jobCount, thinkAboutAll } from '../think-about-all.ts'

export const think: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command.option('--conversation <id>', 'only this conversation (default: every one of the user)'),
  run: async (context, flags) => {
    const conversationId = textFlag(flags, 'conversation')
    const memory = await context.memory({ create: false, models: true, background: true })
    const started = performance.now()
    const { conversations, turns } = await memory.maintenance.think({ userId: context.userId, conversationId })
    await thinkAboutAll(memory)
    await context.print({
      conversations,
      turns,
      waiting: await jobCount(memory, 'waiting'),
      dead: await jobCount(memory, 'dead'),
      took_ms: Math.round(performance.now() - started),
    })
  },
}
