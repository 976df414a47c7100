/** `memory_store`: one turn from flags, one from standard input, or many as JSON lines. */
import { invalid } from '../../../domain/errors.ts'
import { ROLES } from '../../../domain/turn.ts'
import { camelName } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'
import type { Context } from '../context.ts'
import { type FlagValues, given, jsonObject, oneWord, projectFlag, textFlag } from '../flag-values.ts'
import { readText } from '../read-text.ts'
import { flagName } from '../report-error.ts'
import { checkTurn, storedJson, type TurnLine } from '../store-lines.ts'
import { thinkForAMoment } from '../think-for-a-moment.ts'

export const store: CommandDefinition = {
  configure: (command) =>
    command
      .option('--conversation <id>', 'the conversation (default: a new one, whose id is returned)')
      .option('--role <role>', `who speaks: ${ROLES.join(', ')}`)
      .option('--content <text>', 'what was said; - reads it from standard input, without the last line break')
      .option('--speaker <name>', 'the name of the one who speaks')
      .option('--created-at <time>', 'when it was said, ISO 8601 (default: now)')
      .option('--external-id <id>', 'your own id: the same one is stored once in a conversation')
      .option('--metadata <json>', 'a JSON object that is kept with the turn')
      .option('--think', 'think about it at once; otherwise the next command that asks for memories does')
      .option('--project <dir>', 'the project that the conversation belongs to')
      .option('--stdin', 'many turns as JSON lines: {"role", "content", "conversation_id"?, "created_at"?, …}'),
  run: async (context, flags) => {
    if (flags.stdin === true) {
      const { storeLines } = await import('../store-lines.ts')
      await storeLines(context, flags)
    } else await storeOne(context, flags)
  },
}

async function storeOne(context: Context, flags: FlagValues): Promise<void> {
  const { conversationId, projectRoot, turn } = await readTurn(context, flags)
  const memory = await context.memory()
  const stored = await memory.conversations.store({ conversationId, projectRoot, turns: [turn] })
  for (const result of stored) await context.print(storedJson(result))
  if (flags.think === true) await thinkForAMoment(context.settings, memory)
}

/** The turn that the flags describe, checked. */
async function readTurn(context: Context, flags: FlagValues): Promise<TurnLine> {
  const maxContentBytes = context.settings.max_content_bytes.value
  const role = required(flags, 'role', `Say who speaks: ${ROLES.join(', ')}.`)
  const content = required(flags, 'content', 'Say what was said, or pass - to read it from standard input.')
  const record = {
    role: oneWord('--role', role, ROLES),
    content: await readText('--content', content, maxContentBytes),
    conversation_id: textFlag(flags, 'conversation'),
    project_root: projectFlag(flags),
    speaker: textFlag(flags, 'speaker'),
    created_at: textFlag(flags, 'createdAt'),
    external_id: textFlag(flags, 'externalId'),
    metadata: given(flags, 'metadata', jsonObject),
  }
  return checkTurn(record, (name) => `--${flagName(camelName(name))}`, maxContentBytes)
}

function required(flags: FlagValues, name: string, remedy: string): string {
  const value = textFlag(flags, name)
  if (value === undefined) throw invalid(`--${name}`, 'is missing', remedy)
  return value
}
