/** The command `context`: what a model would get to see. */
import { z } from 'zod'
import { invalid, messageOf } from '../../../domain/errors.ts'
import { buildContext } from '../../operations/context-and-profile.ts'
import { getMemoryFile } from '../../operations/memory-file.ts'
import { fromLibrary } from '../../operations/operation.ts'
import * as schema from '../../operations/schemas.ts'
import type { Context } from '../command-context.ts'
import { command } from '../fields.ts'
import { flagName } from '../report-error.ts'
import { writeOut } from '../standard-streams.ts'
import { thinkForAMoment } from '../watched-work.ts'

const { message, ...asked } = buildContext.input.shape
const CONTEXT = z.strictObject({
  query: message.optional().describe('The message that the model is to answer.'),
  ...asked,
  count: schema.flag('Count what is shown as used, as a chat does.'),
  file: schema.flag('Show the memory file instead: what is worth knowing whatever the message.'),
  text: schema.flag('Print the text alone instead of JSON.'),
})

export const contextCommand = command(CONTEXT, { either: 'query' })(
  async (context, { query, file, text = false, count = false, ...request }) => {
    if (file === true) return showFile(context, { ...request, query, count: count || undefined }, text)
    if (query === undefined) throw invalid('--query', 'is missing', 'Say what the model is to answer.')
    const memory = await context.memory({ create: false, models: true, thought: true })
    const built = await memory.context.build(query, { ...request, count })
    if (text) {
      for (const warning of built.warnings) process.stderr.write(`warn: ${warning}\n`)
      await writeOut(`${built.text}\n`)
    } else await context.print(fromLibrary(buildContext.output)(built))
    if (count) await thinkForAMoment(context.settings, memory)
  },
)

type ContextAsked = Readonly<Record<string, unknown>> & { readonly revealSecrets?: boolean | undefined }

async function showFile(context: Context, { revealSecrets, ...asked }: ContextAsked, inText: boolean): Promise<void> {
  // A project is named for every command alike.
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined && name !== 'projectRoot')
      throw invalid(`--${flagName(name)}`, 'does not go with --file', 'Leave one of them out.')
  const memory = await context.memory({ create: false })
  try {
    await memory.memoryFile.sync()
  } catch (error) {
    // It was logged; what stands in the file can be read all the same.
    process.stderr.write(`warn: ${messageOf(error)}\n`)
  }
  const read = await memory.memoryFile.read({ revealSecrets })
  if (inText) await writeOut(read.text)
  else await context.print(fromLibrary(getMemoryFile.output)(read))
}
