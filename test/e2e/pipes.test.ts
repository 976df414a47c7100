/** Nobody waits forever: a pipe in the place of a file that Mneme reads or writes is passed over or refused. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { answer, emptyFolder, run } from './cli-process.ts'

const event = (cwd: string): string =>
  JSON.stringify({ session_id: 's', cwd, hook_event_name: 'UserPromptSubmit', prompt: 'Where is the office?' })

const PLACES: readonly (readonly [place: string, code: number, words: readonly string[]])[] = [
  ['mneme.config.json', 2, ['search', 'office']],
  ['m.db', 1, ['doctor']],
  ['m.db', 2, ['repair']],
  ['m.db-journal', 2, ['verify']],
  ['m.db-reserve', 0, ['store', '--role', 'user', '--content', 'The bus is red.']],
  ['MEMORY.md', 1, ['digest']],
  ['MEMORY.md.backups/database', 0, ['digest']],
  ['MEMORY.md.backups/2026-05-07T10-10-10-000Z.md', 0, ['memory', 'delete', '--all', '--yes']],
  ['m.db.hooks.log', 0, ['hook', 'nobody']],
  ['m.db.given/NOTE', 0, ['hook', 'claude']],
  ['m.db.paused', 0, ['hook', 'claude']],
  ['.mneme-ignore', 0, ['hook', 'claude']],
  ['.claude/settings.json', 1, ['connect', 'claude', '--yes']],
  ['.claude/settings.json.mneme-new', 0, ['connect', 'claude', '--yes']],
  ['log.jsonl', 2, ['import', 'log.jsonl']],
]

test.runIf(process.platform !== 'win32').for(PLACES)(
  'a pipe at %s keeps nobody waiting',
  async ([place, code, words]) => {
    const cwd = emptyFolder()
    const db = ['--db', join(cwd, 'm.db')]
    const options = { cwd, env: { HOME: cwd } }
    const asHook = { ...options, input: event(cwd) }
    await answer('mneme', ['store', '--role', 'user', '--content', 'Remember: the office is in Porto.', ...db], options)
    await answer('mneme', ['digest', ...db], options)
    if (place.endsWith('NOTE')) await run('mneme', ['hook', 'claude', ...db], asHook)
    const notes = place.endsWith('NOTE') ? readdirSync(join(cwd, dirname(place))) : []
    const path = join(cwd, notes.length === 0 ? place : `${dirname(place)}/${notes[0]}`)
    mkdirSync(dirname(path), { recursive: true })
    rmSync(path, { force: true })
    execFileSync('mkfifo', [path])
    const isHook = words[0] === 'hook'
    const ended = await run('mneme', [...words, ...(words[0] === 'connect' ? [] : db)], isHook ? asHook : options)
    expect(ended).toMatchObject({ code })
    if (code !== 0) expect(ended.stdout + ended.stderr).toContain('no plain file')
  },
)
