/** The flags that every command takes, before its name and after it. */
import { Command, CommanderError } from 'commander'
import { refused } from './refusal.ts'

/** What stood before the name of a command. */
export interface LeadingFlags {
  /** Flags with their values, as they were typed. */
  readonly flags: readonly string[]
  readonly help: boolean
  readonly version: boolean
  /** The words from the command's name on. */
  readonly rest: readonly string[]
}

/** Adds the common flags. `project` says what --project means where a command has none of its own. */
export function commonFlags(command: Command): Command {
  if (!command.options.some(({ long }) => long === '--project'))
    command.option(
      '--project <dir>',
      'the project at hand; it bounds store, recall, ask, context, memories and conversations list',
    )
  return command
    .option('--db <file>', 'the database (else MNEME_DB, else .devbooks/conversation-memory.db)')
    .option('--user <id>', 'whose memory it is (default: "local")')
    .option('--config <file>', 'settings (default: mneme.config.json beside the database)')
    .option('--milvus-uri <uri>', 'the Milvus in which vectors are searched (else MILVUS_URI, else none)')
    .option('--milvus-collection <name>', 'its collection (default: "memories")')
    .option('--pretty', 'JSON on several lines, as on a terminal')
}

/** A command that throws instead of writing and exiting. */
export function quietCommand(program: string): Command {
  return new Command(program).exitOverride().configureOutput({ writeErr: () => {} })
}

/** Takes what stands before the first word that is no flag. Throws `invalid` for a flag that is not common. */
export function takeLeadingFlags(program: string, words: readonly string[]): LeadingFlags {
  if (words[0]?.startsWith('-') !== true) return { flags: [], help: false, version: false, rest: words }
  const command = commonFlags(quietCommand(program))
    .helpOption(false)
    .option('-h, --help')
    .option('-V, --version')
    .argument('[words...]')
    .passThroughOptions()
  try {
    command.parse([...words], { from: 'user' })
  } catch (error) {
    throw error instanceof CommanderError ? refused(program, error) : error
  }
  const { help, version } = command.opts<{ help?: boolean; version?: boolean }>()
  const flags = words.slice(0, words.length - command.args.length)
  return {
    flags: flags.filter((word) => !['-h', '--help', '-V', '--version', '--'].includes(word)),
    help: help === true,
    version: version === true,
    rest: command.args,
  }
}
