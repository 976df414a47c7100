/** The commands that keep a database and its memory file in order. */
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { invalid, MnemeError, notFound } from '../../../domain/errors.ts'
import { isEmptied, writeRefusal } from '../../../domain/plain-file.ts'
import { rendered } from '../../library/binding.ts'
import type { OpenMemory } from '../../library/index.ts'
import { pageOf, snakeNames } from '../../operations/field-names.ts'
import { digest as digestOperation } from '../../operations/memory-file.ts'
import { fromLibrary } from '../../operations/operation.ts'
import * as schema from '../../operations/schemas.ts'
import {
  consolidate as consolidateOperation,
  listJobs,
  stats as statsOperation,
  think as thinkOperation,
} from '../../operations/upkeep.ts'
import type { CommandDefinition, Context } from '../command-context.ts'
import { checkOne, command } from '../fields.ts'
import { EXIT_FAILED } from '../report-error.ts'
import type { FlagValues } from '../resolve-options.ts'
import { jobCount, thinkAboutAll, watchedWork } from '../watched-work.ts'

export const consolidate = command(consolidateOperation.input, { everyProject: true })(
  async (context, asked, flags) => {
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
)

export const think = command(thinkOperation.input, { everyProject: true })(async (context, { conversationId }) => {
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
})

const VERIFY = z.strictObject({
  repair: schema.flag('Send the vector database anew what differs there; the file is never changed.'),
})

export const verify = command(VERIFY)(async (context, { repair = false }) => {
  const database = context.settings.db.value
  const memory = await context.memory({ create: false, vectorStore: true }).catch(async (error: MnemeError) => {
    if (error.code !== 'database_damaged') throw error
    // Too damaged to be opened is a finding, too.
    await context.print({ database, ok: false, findings: [{ check: 'file', ok: false, detail: error.message }] })
    return null
  })
  if (memory === null) return EXIT_FAILED
  const findings = await memory.maintenance.verify({ repair })
  if (repair) await memory.idle()
  const ok = findings.every((finding) => finding.ok)
  await context.print({ database, ok, findings })
  return ok ? 0 : EXIT_FAILED
})

export const stats: CommandDefinition = {
  everyProject: true,
  run: async (context, _, flags) => {
    const memory = await context.memory({ create: false })
    const { db, user } = context.settings
    const scope = flags.user === undefined ? { allUsers: true } : { userId: user.value }
    const counts = await memory.maintenance.stats(scope)
    const modelUsage = (await memory.maintenance.usage(scope)).map((row) => rendered(row, 'lastAt'))
    await context.print({
      database: db.value,
      ...(flags.user === undefined ? {} : { user_id: user.value }),
      ...(fromLibrary(statsOperation.output)({ ...counts, modelUsage }) as object),
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

export const repair: CommandDefinition = {
  run: async (context) => {
    const path = context.settings.db.value
    if (!existsSync(path) && !isEmptied(path)) throw notFound('database', path, 'Name an existing file with --db.')
    const refused = writeRefusal(path)
    if (refused !== null) throw refused
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

const REINDEX = z.strictObject({
  to_milvus: schema.flag('Embed what has no vector yet, and send Milvus every vector that it lacks; nothing else.'),
  from_milvus: schema.flag('Take memories back from Milvus, and nothing else.'),
  without_milvus: schema.flag('Stop keeping what Milvus must be told of, after MILVUS_URI was removed; nothing else.'),
})

export const reindex = command(REINDEX, { everyProject: true })(async (context, ways) => {
  const started = performance.now()
  if (Object.keys(ways).length > 1)
    throw invalid('--to-milvus', 'and --from-milvus and --without-milvus exclude each other', 'Pass one of them.')
  const print = (counts: object, embedded = 0): Promise<void> => {
    const took = { took_ms: Math.round(performance.now() - started) }
    return context.print({ ...snakeNames(counts), ...(embedded === 0 ? {} : { embedded }), ...took })
  }
  const embed = (memory: OpenMemory) =>
    watchedWork({ doing: 'embedding', unit: 'texts' }, (work) => memory.maintenance.embed(work))
  if (ways.withoutMilvus === true) {
    const memory = await context.memory({ create: false, vectorStore: true })
    return print(await memory.maintenance.detachVectorStore())
  }
  const memory = await context.memory({ create: ways.fromMilvus === true, models: true })
  const { maintenance } = memory
  if (ways.fromMilvus === true) {
    const sought = { doing: 'restoring', unit: 'rows' }
    await print(await watchedWork(sought, (work) => maintenance.fromVectorStore(work)))
  } else if (ways.toMilvus === true) {
    const { embedded } = await embed(memory)
    const sending = { doing: 'sending', unit: 'vectors' }
    await print(await watchedWork(sending, (work) => maintenance.toVectorStore(work)), embedded)
  } else {
    const indexing = { doing: 'indexing', unit: 'turns' }
    const counts = await watchedWork(indexing, (work) => maintenance.reindex(undefined, work))
    await print(counts, (await embed(memory)).embedded)
  }
})

export const jobsList = command(listJobs.input, { everyProject: true })(async (context, asked, flags) => {
  const { maintenance } = await context.memory({ create: false })
  const jobs = await maintenance.jobs({ ...asked, ...whoseJobs(context, flags) })
  await context.print(fromLibrary(listJobs.output)(pageOf(jobs, asked)))
})

/** Jobs are those of every user, unless one is named. */
function whoseJobs({ userId }: Context, { user }: FlagValues) {
  return user === undefined ? { allUsers: true } : { userId }
}

const RETRY = z.strictObject({
  id: schema.id.optional().describe('One job, as `mneme jobs` names it; one that waits is tried now.'),
  all: schema.flag('All that failed for good.'),
})

export const jobsRetry = command(RETRY, { everyProject: true, positional: ['id'] })(
  async (context, { id, all = false }, flags) => {
    checkOne(context.program, [id, all], 'retry', 'Pass the id of a job, or --all.')
    const memory = await context.memory({ create: false })
    await context.print(await memory.maintenance.retryJobs({ id, ...whoseJobs(context, flags) }))
  },
)

const RUN = z.strictObject({
  wait: schema.flag('Stay until nothing waits or runs any more; jobs that failed for good do not count.'),
})

export const jobsRun = command(RUN, { everyProject: true })(async (context, { wait = false }) => {
  const memory = await context.memory({ create: false, models: true, background: true })
  const started = performance.now()
  await thinkAboutAll(memory, { wait })
  await context.print({
    waiting: await jobCount(memory, 'waiting'),
    running: await jobCount(memory, 'running'),
    dead: await jobCount(memory, 'dead'),
    took_ms: Math.round(performance.now() - started),
  })
})

const DIGEST = digestOperation.input.extend({
  reveal_secrets: schema.revealSecrets,
  show: schema.flag('Only print what was talked about on the day.'),
  with_secrets: schema.flag('Write keys and passwords out, into a file that only you can read.'),
})

export const digest = command(DIGEST, { everyProject: true })(
  async (context, { show, dryRun, withSecrets, ...day }) => {
    if (show === undefined) {
      const memory = await context.memory({ create: false, models: dryRun === undefined })
      const report = await memory.memoryFile.digest({ ...day, dryRun, withSecrets })
      return context.print(fromLibrary(digestOperation.output)(report))
    }
    if (dryRun !== undefined || withSecrets !== undefined)
      throw invalid('--show', 'writes nothing', 'Leave it out, or the other flag.')
    const memory = await context.memory({ create: false })
    const { date, conversations } = await memory.memoryFile.day(day)
    await context.print({ date, conversations: conversations.map(snakeNames) })
  },
)
