/** The context of a command: settings, memory and output. Everything is opened at first use. */
import type { Command } from 'commander'
import type { MnemeError } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import type { OpenMemory, OpenOptions } from '../library/index.ts'
import type { FlagValues, Settings } from './resolve-options.ts'
import { homeDatabase, modelOf, optionsOf, vectorStoreOptions } from './resolve-options.ts'
import { stderrLogger, writeOut } from './standard-streams.ts'
import { thinkForAMoment } from './watched-work.ts'

interface OpenMode {
  readonly path?: string
  /** false: an absent file is an error. Default true. */
  readonly create?: boolean
  /** true: with the configured models. Default false. */
  readonly models?: boolean
  /** true: with the configured vector database and its embedding model. Default: as `models`. */
  readonly vectorStore?: boolean
  /** true: stored turns are thought about first, for a command that reads the result. Default false. */
  readonly thought?: boolean
  /** true: jobs run while the command runs. Default false: it ends with its answer. */
  readonly background?: boolean
  readonly elsewhere?: OpenOptions['elsewhere']
  readonly logger?: Logger
}

export interface Context {
  /** How the command was called, for messages: `memory_store`, `mneme memory add`. */
  readonly program: string
  readonly settings: Settings
  readonly userId: string
  /** Opens the database on the first call; later calls get the same, whatever their mode. */
  memory(mode?: OpenMode): Promise<OpenMemory>
  print(value: unknown): Promise<void>
  close(): Promise<void>
}

export function createContext(program: string, settings: Settings, pretty: boolean): Context {
  let opened: Promise<OpenMemory> | undefined
  return {
    program,
    settings,
    userId: settings.user.value,
    memory: (mode) => {
      opened ??= open(settings, mode)
      return opened
    },
    print: (value) => writeOut(`${JSON.stringify(value, null, pretty || process.stdout.isTTY ? 2 : undefined)}\n`),
    close: async () => {
      // A failure to open was reported already.
      const memory = await opened?.catch(() => undefined)
      await memory?.close()
    },
  }
}

async function open(
  settings: Settings,
  {
    create = true,
    models = false,
    vectorStore = models,
    background = false,
    elsewhere,
    thought = false,
    logger,
    path,
  }: OpenMode = {},
): Promise<OpenMemory> {
  const { openMemory } = await import('../library/open-memory.ts')
  // The words told to all assistants are for their owner alone; another place is the caller's choice.
  if ((path ?? settings.db.value) === homeDatabase()) process.umask(0o077)
  const store = vectorStoreOptions(settings)
  const memory = await openMemory({
    ...openOptions(settings),
    ...(path === undefined ? {} : { path }),
    ...(models ? modelOptions(settings) : {}),
    ...(vectorStore && store !== undefined ? { embedding: modelOf(settings, 'embedding'), vectorStore: store } : {}),
    background,
    elsewhere,
    create,
    logger: logger ?? stderrLogger(settings.log_level.value),
  })
  if (thought) await thinkForAMoment(settings, memory)
  return memory
}

export function modelOptions(settings: Settings) {
  return { llm: modelOf(settings, 'llm'), embedding: modelOf(settings, 'embedding') }
}

export function openOptions(settings: Settings): OpenOptions {
  return {
    ...optionsOf(settings, ''),
    settings: settings.overrides,
    settingsSource: 'environment',
    memoryFile: optionsOf(settings, 'memory_file'),
  }
}

export interface CommandDefinition {
  readonly fields?: {
    readonly describe: (command: Command) => Command
    readonly read: (context: Context, flags: FlagValues, words: readonly string[]) => unknown
    readonly named?: (error: MnemeError) => MnemeError
  }
  /** true: it works on all projects alike, so --project is refused. */
  readonly everyProject?: boolean
  /** Takes what `fields` read. Resolves to the exit code, where it is a number; default 0. */
  readonly run: (context: Context, input: unknown, flags: FlagValues) => Promise<unknown>
}
