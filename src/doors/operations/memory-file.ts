/** Operations on the memory file: the notes that a person can open. */
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, relative } from 'node:path'
import { z } from 'zod'
import { MEMORY_FILE_SECTIONS } from '../../domain/memory-file.ts'
import { operationsOf } from './operation.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Memory file')

const section = z.enum(MEMORY_FILE_SECTIONS)
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'is no day')
  .meta({ examples: ['2026-05-07'] })

export const getMemoryFile = operation({
  summary: 'Show the memory file as it stands on the disk, as text and by entries.',
  input: z.strictObject({ reveal_secrets: schema.revealSecrets }),
  output: z
    .object({
      file: z.string(),
      text: z.string(),
      updated_at: schema.time.nullable(),
      entries: z.array(
        z.object({
          section: section.nullable(),
          text: z.string(),
          date: day.nullable(),
          memory_id: z.string().nullable(),
          mark: z.enum(['over', 'doubt']).nullable().describe('It holds no longer, or may not.'),
        }),
      ),
      sections: z.array(z.object({ section, name: z.string() })),
    })
    .meta({ id: 'MemoryFile' }),
  rest: { method: 'get', path: '/memory-file' },
  handler: async ({ memory, userId }, input) => {
    const read = await memory.memoryFile.read({ ...input, userId })
    return { ...read, file: shownPath(read.file) }
  },
})

export const listMemoryFileBackups = operation({
  summary: 'List the backups that were kept of the memory file, newest first.',
  output: z.object({
    items: z.array(z.object({ name: z.string(), kept_at: schema.time, bytes: schema.count })),
  }),
  rest: { method: 'get', path: '/memory-file/backups' },
  handler: async ({ memory, userId }) => ({ items: await memory.memoryFile.backups({ userId }) }),
})

export const getMemoryFileBackup = operation({
  summary: 'Show one backup of the memory file; secrets in it are masked.',
  input: z.strictObject({ name: schema.id }),
  output: z.object({ name: z.string(), text: z.string() }),
  rest: { method: 'get', path: '/memory-file/backups/{name}' },
  handler: async ({ memory, userId }, { name }) => ({ name, text: await memory.memoryFile.backup(name, { userId }) }),
})

const ofConversation = z
  .string()
  .min(1)
  .optional()
  .describe('Only what was said in this conversation, on whatever day.')

const report = z
  .object({
    date: day,
    file: z.string(),
    added: z.array(
      z.object({
        text: z.string(),
        section,
        importance: schema.importance,
        memory_id: z.string().nullable(),
        turns: z.array(z.object({ conversation_id: z.string(), turn_id: z.int() })),
      }),
    ),
    skipped: z.array(
      z.object({
        text: z.string(),
        reason: z.enum(['duplicate', 'similar', 'refused', 'limit']),
        twin: z.string().nullable(),
        similarity: z.number().nullable(),
      }),
    ),
    removed: z.array(z.object({ text: z.string(), reason: z.enum(['ended', 'deleted', 'limit', 'person']) })),
    updated: z.array(z.object({ text: z.string() })),
    edits: z.array(
      z.object({
        edit: z.enum(['added', 'changed', 'removed', 'restored']),
        text: z.string(),
        memory_id: z.string().nullable(),
      }),
    ),
    conflicts: z.array(z.object({ in_file: z.string(), in_memory: z.string().nullable(), explanation: z.string() })),
    repairs: z.array(z.string()),
    backup: z.string().nullable(),
    written: z.boolean(),
    conversation_id: ofConversation,
    dry_run: z.boolean(),
    answered_by: z.enum(['model', 'rules']).nullable(),
  })
  .meta({ id: 'MemoryFileReport' })

export const digest = operation({
  summary: 'Bring the memory file up to date: edits become memories, and what mattered on the day comes in.',
  input: z.strictObject({
    date: day.optional().describe('The day. Default: today, and what earlier digests did not see.'),
    since: day.optional().describe('From this day on.'),
    conversation_id: ofConversation,
    dry_run: schema.flag('Only tell what would be done.'),
  }),
  output: report,
  rest: { method: 'post', path: '/memory-file/digest' },
  handler: async ({ memory, userId, signal }, input) => {
    const { file, backup, ...report } = await memory.memoryFile.digest({ ...input, userId }, { signal })
    const kept = backup === null ? null : `${basename(dirname(backup))}/${basename(backup)}`
    return { ...report, file: shownPath(file), backup: kept }
  },
})

/** `~/notes/MEMORY.md` for a file in the home folder of this process, `MEMORY.md` for any other. */
export function shownPath(path: string, home: string = homedir()): string {
  const inside = relative(home, path)
  const isInside = inside !== '' && !isAbsolute(inside) && inside.split(/[\\/]/)[0] !== '..'
  return isInside ? `~/${inside.replaceAll('\\', '/')}` : basename(path)
}
