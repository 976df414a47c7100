/** Which files of a folder may be chat logs? All below it in the order of their names; hidden ones are left out. */
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MnemeError } from '../../domain/errors.ts'

/** One file of the folder. */
export interface LogFile {
  readonly path: string
  /** The path within the folder, with `/` on every system. */
  readonly name: string
  /** The reason why it is skipped; null when it may be a log. */
  readonly refused: string | null
  readonly bytes: number
}

const EXTENSIONS = ['.jsonl', '.ndjson', '.json', '.md', '.markdown', '.txt', '.log', '.zip', '.af', '.vscdb', '.db']
const FOLDERS_PASSED_OVER = new Set(['node_modules'])

/** The files below `folder`, or `folder` itself when it is a file; links are not followed. Throws not_found. */
export async function* findLogFiles(folder: string): AsyncGenerator<LogFile> {
  const found = await stat(folder).catch(() => null)
  if (found === null) {
    throw new MnemeError('not_found', `There is no folder ${JSON.stringify(folder)}.`, {
      field: 'fromLogs',
      remedy: 'Name a folder with chat logs (.jsonl, .md, .txt).',
    })
  }
  if (found.isFile()) yield { path: folder, name: folder.replace(/^.*[\\/]/, ''), refused: null, bytes: found.size }
  else yield* walk(folder, '')
}

async function* walk(folder: string, prefix: string): AsyncGenerator<LogFile> {
  const entries: { readonly name: string; readonly kind: 'file' | 'folder' | 'other' }[] = []
  for await (const entry of await opendir(folder)) {
    if (entry.name.startsWith('.')) continue
    entries.push({ name: entry.name, kind: entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other' })
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { name, kind } of entries) {
    const path = join(folder, name)
    const shown = prefix + name
    if (kind === 'folder') {
      if (!FOLDERS_PASSED_OVER.has(name)) yield* walk(path, `${shown}/`)
    } else if (kind === 'other') yield { path, name: shown, refused: 'it is a link or no plain file', bytes: 0 }
    else {
      const refused = refusalOf(name)
      yield { path, name: shown, refused, bytes: refused === null ? (await stat(path)).size : 0 }
    }
  }
}

function refusalOf(name: string): string | null {
  const lower = name.toLowerCase()
  if (EXTENSIONS.some((extension) => lower.endsWith(extension))) return null
  return `only ${EXTENSIONS.join(', ')} are read`
}
