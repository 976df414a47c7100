/** The commands that keep a database in order. */
import { existsSync } from 'node:fs'
import { JOB_STATES } from '../../../domain/contracts/job-queue.ts'
import { invalid, MnemeError, notFound } from '../../../domain/errors.ts'
import { wholeNumber } from '../../config/options.ts'
import type { OpenMemory } from '../../library/index.ts'
import { pageRecord, snakeNames } from '../../operations/names.ts'
import type { CommandDefinition, Context } from '../context.ts'
import { flagTable, oneWord, PAGE, textFlag, wholeFrom } from '../flags.ts'
import { EXIT_FAILED } from '../report-error.ts'
import type { FlagValues } from '../settings.ts'
import { jobCount, thinkAboutAll, watchedWork } from '../watched-work.ts'

const CONSOLIDATE = flagTable({
  maxModelCalls: [
    '--max-model-calls <count>',
    'most questions to a model; beyond it the rules answer (default: 200; without a model none)',
    (flag, text) => wholeFrom(flag, text, 0),
  ],
})

export const consolidate: CommandDefinition = {
  everyProject: true,
  configure: CONSOLIDATE.describe,
  run: async (context, flags) => {
    const asked = CONSOLIDATE.read(flags)
    const memory = await context.memory({ create: false, models: true, thought: true })
    const started = performance.now()
    const counts = await watchedWork({ doing: 'consolidating', unit: 'memories' }, ({ signal, onProgress }) =>
      memory.maintenance.consolidate({
        ...asked,
        ...(flags.user === undefined ? {} : { userId: context.userId }),
        signal,
        onProgress: ({ processed }) => onProgress?.(processed, null),
      }),
    )
    await context.print({ ...snakeNames(counts), took_ms: Math.round(performance.now() - started) })
  },
}

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

export const verify: CommandDefinition = {
  configure: (command) =>
    command.option('--repair', 'send the vector database anew what differs there; the file is never changed'),
  run: async (context, flags) => {
    const database = context.settings.db.value
    const memory = await context.memory({ create: false, vectorStore: true }).catch(async (error: MnemeError) => {
      if (error.code !== 'database_damaged') throw error
      // Too damaged to be opened is a finding, too.
      await context.print({ database, ok: false, findings: [{ check: 'file', ok: false, detail: error.message }] })
      return null
    })
    if (memory === null) return EXIT_FAILED
    const repair = flags.repair === true
    const findings = await memory.maintenance.verify({ repair })
    if (repair) await memory.idle()
    const ok = findings.every((finding) => finding.ok)
    await context.print({ database, ok, findings })
    return ok ? 0 : EXIT_FAILED
  },
}

export const stats: CommandDefinition = {
  everyProject: true,
  run: async (context, flags) => {
    const memory = await context.memory({ create: false })
    const { db, user } = context.settings
    const scope = flags.user === undefined ? { allUsers: true } : { userId: user.value }
    const counts = snakeNames(await memory.maintenance.stats(scope))
    const usage = await memory.maintenance.usage(scope)
    await context.print({
      database: db.value,
      ...(flags.user === undefined ? {} : { user_id: user.value }),
      ...counts,
      model_usage: usage.map(({ lastAt, ...row }) => snakeNames({ ...row, lastAt: new Date(lastAt).toISOString() })),
    })
  },
}

export const init: CommandDefinition = {
  run: async (context) => {
    const { db } = context.settings
    const created = db.value === ':memory:' || !existsSync(db.value)
    const memory = await context.memory()
    const { schemaVersion } = await memory.maintenance.stats({ allUsers: true })
    await context.print({ database: db.value, created, schema_version: schemaVersion })
  },
}

export const summarize: CommandDefinition = {
  configure: (command) =>
    command
      .requiredOption('--conversation <id>', 'the conversation')
      .requiredOption('--from-turn <number>', 'the first turn, from 1')
      .requiredOption('--to-turn <number>', 'the last turn, included'),
  run: async (context, flags) => {
    const request = {
      fromTurn: wholeNumber('--from-turn', textFlag(flags, 'fromTurn') ?? ''),
      toTurn: wholeNumber('--to-turn', textFlag(flags, 'toTurn') ?? ''),
    }
    const conversation = textFlag(flags, 'conversation') ?? ''
    const memory = await context.memory({ create: false })
    await context.print(snakeNames(await memory.conversations.summarize(conversation, request)))
  },
}

export const repair: CommandDefinition = {
  run: async (context) => {
    const path = context.settings.db.value
    if (!existsSync(path)) throw notFound('database', path, 'Name an existing file with --db.')
    const { inspectStore, repairStore } = await import('../../../usecases/open.ts')
    const isSound = await inspectStore(path).then(
      ({ findings }) => findings.every(({ ok }) => ok),
      (error: unknown) => {
        if (error instanceof MnemeError && error.code === 'database_damaged') return false
        throw error
      },
    )
    if (isSound) {
      await context.print({ database: path, ok: true, repaired: false })
      return 0
    }
    const { findings, madeAnew, userIds: _, ...salvaged } = await repairStore(path)
    const ok = findings.every((finding) => finding.ok)
    await context.print({
      database: path,
      ok,
      repaired: true,
      ...snakeNames(salvaged),
      made_anew: madeAnew,
      findings: findings.filter((finding) => !finding.ok),
    })
    return ok ? 0 : EXIT_FAILED
  },
}

export const reindex: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .option('--to-milvus', 'embed what has no vector yet, and send Milvus every vector that it lacks; nothing else')
      .option('--from-milvus', 'take memories back from Milvus, and nothing else')
      .option(
        '--without-milvus',
        'stop keeping what Milvus must be told of, after MILVUS_URI was removed; nothing else',
      ),
  run: async (context, flags) => {
    const started = performance.now()
    const ways = [flags.toMilvus, flags.fromMilvus, flags.withoutMilvus].filter((given) => given === true).length
    if (ways > 1)
      throw invalid('--to-milvus', 'and --from-milvus and --without-milvus exclude each other', 'Pass one of them.')
    const print = (counts: object, embedded = 0): Promise<void> => {
      const took = { took_ms: Math.round(performance.now() - started) }
      return context.print({ ...snakeNames(counts), ...(embedded === 0 ? {} : { embedded }), ...took })
    }
    const embed = (memory: OpenMemory) =>
      watchedWork({ doing: 'embedding', unit: 'texts' }, (work) => memory.maintenance.embed(work))
    if (flags.withoutMilvus === true) {
      const memory = await context.memory({ create: false, vectorStore: true })
      await print(await memory.maintenance.detachVectorStore())
      return undefined
    }
    const memory = await context.memory({ create: flags.fromMilvus === true, models: true })
    const { maintenance } = memory
    if (flags.fromMilvus === true) {
      const sought = { doing: 'restoring', unit: 'rows' }
      await print(await watchedWork(sought, (work) => maintenance.fromVectorStore(work)))
    } else if (flags.toMilvus === true) {
      const { embedded } = await embed(memory)
      const sending = { doing: 'sending', unit: 'vectors' }
      await print(await watchedWork(sending, (work) => maintenance.toVectorStore(work)), embedded)
    } else {
      const indexing = { doing: 'indexing', unit: 'turns' }
      const counts = await watchedWork(indexing, (work) => maintenance.reindex(undefined, work))
      await print(counts, (await embed(memory)).embedded)
    }
    return undefined
  },
}

const JOBS = flagTable({
  ...PAGE,
  state: ['--state <state>', `only ${JOB_STATES.join(', ')}`, (flag, text) => oneWord(flag, text, JOB_STATES)],
})

export const jobsList: CommandDefinition = {
  everyProject: true,
  configure: JOBS.describe,
  run: async (context, flags) => {
    const asked = JOBS.read(flags)
    const memory = await context.memory({ create: false })
    const jobs = await memory.maintenance.jobs({ ...asked, ...whoseJobs(context, flags) })
    await context.print(pageRecord(jobs, asked, snakeNames))
  },
}

/** Jobs are those of every user, unless one is named. */
function whoseJobs({ userId }: Context, { user }: FlagValues) {
  return user === undefined ? { allUsers: true } : { userId }
}

export const jobsRetry: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command.argument('[id]', 'one job, as `mneme jobs` names it').option('--all', 'all that failed for good'),
  run: async (context, flags, [id]) => {
    if ((id === undefined) !== (flags.all === true)) {
      const reason = id === undefined ? 'is not told what to retry' : 'is told more than one thing'
      throw invalid(context.program, reason, 'Pass the id of a job, or --all.')
    }
    const memory = await context.memory({ create: false })
    await context.print(await memory.maintenance.retryJobs({ id, ...whoseJobs(context, flags) }))
  },
}

export const jobsRun: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command.option('--wait', 'stay until nothing waits or runs any more; jobs that failed for good do not count'),
  run: async (context, flags) => {
    const memory = await context.memory({ create: false, models: true, background: true })
    const started = performance.now()
    await thinkAboutAll(memory, { wait: flags.wait === true })
    await context.print({
      waiting: await jobCount(memory, 'waiting'),
      running: await jobCount(memory, 'running'),
      dead: await jobCount(memory, 'dead'),
      took_ms: Math.round(performance.now() - started),
    })
  },
}
