/** `mneme profile edit`: the document in the person's own editor; nothing is written when it comes back unchanged. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { invalid, MnemeError } from '../../../domain/errors.ts'
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { textFlag } from '../flag-values.ts'
import type { Settings } from '../settings.ts'
import { readText, writeOut } from '../standard-streams.ts'

/** The editor writes to stderr, so that stdout holds nothing but the answer. */
const STDERR = 2

export const profileEdit: CommandDefinition = {
  everyProject: true,
  configure: (command) => command,
  run: async (context) => {
    const editor = editorOf(context.settings)
    if (editor === null)
      throw invalid('EDITOR', 'is not set', 'Set VISUAL or EDITOR, or use `mneme profile set --text -`.')
    const memory = await context.memory()
    const before = await memory.profile.get()
    // mkdtemp makes a folder that only its owner may enter.
    const folder = mkdtempSync(join(tmpdir(), 'mneme-profile-'))
    const file = join(folder, 'profile.md')
    writeFileSync(file, before.text === '' ? '' : `${before.text}\n`)
    try {
      edit(editor, file)
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
    const text = readFileSync(file, 'utf8').trimEnd()
    // The profile may have gained a line meanwhile, which this text would remove.
    if ((await memory.profile.get()).text !== before.text)
      throw new MnemeError(
        'conflict',
        `The profile changed meanwhile; nothing was written. Your text lies in ${file}.`,
        {
          remedy: 'Run it again and take your changes over.',
        },
      )
    rmSync(folder, { recursive: true, force: true })
    const after = text === before.text.trimEnd() ? before : await memory.profile.set({ text })
    await context.print(snakeNames(after))
  },
}

/** The program that a person edits texts with; null where none is named. */
function editorOf({ environment }: Settings): string | null {
  return environment.VISUAL ?? environment.EDITOR ?? null
}

/** Runs the editor through a shell, because EDITOR may hold flags; the file's name has no special characters. */
function edit(editor: string, file: string): void {
  const { status, error } = spawnSync(`${editor} "${file}"`, { shell: true, stdio: ['inherit', STDERR, 'inherit'] })
  if (status === 0) return
  throw invalid(
    'EDITOR',
    `${JSON.stringify(editor)} ended with ${error?.message ?? `status ${status}`}; nothing was written`,
    'Set VISUAL or EDITOR to an editor that works.',
  )
}

/** `mneme profile set`: replaces the document; what is not in it any more does not come back by itself. */
export const profileSet: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command.option('--text <text>', 'the whole document; - reads it from standard input; "" empties it'),
  run: async (context, flags) => {
    const given = textFlag(flags, 'text')
    if (given === undefined) throw invalid('--text', 'is missing', 'Pass the whole document, or - for standard input.')
    const text = await readText('--text', given, context.settings.max_content_bytes.value)
    const memory = await context.memory()
    await context.print(snakeNames(await memory.profile.set({ text })))
  },
}

/** `mneme profile`: the document about the user, in which the user has the last word. */
export const profileShow: CommandDefinition = {
  everyProject: true,
  configure: (command) => command.option('--text', 'print the text alone instead of JSON'),
  run: async (context, flags) => {
    const memory = await context.memory({ create: false, thought: true })
    const profile = await memory.profile.get()
    if (flags.text !== true) await context.print(snakeNames(profile))
    else if (profile.text !== '') await writeOut(`${profile.text}\n`)
  },
}
