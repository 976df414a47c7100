/** `mneme --help` and `mneme --version`: what there is, before any command is loaded. */
import { COMMANDS } from './commands.ts'
import { packageVersion } from './package-root.ts'
import { writeOut } from './write-out.ts'

/** Answers words that name no command; false when they name one. */
export async function answerWithoutCommand(words: readonly string[]): Promise<boolean> {
  const [first] = words
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && words.length === 1)) {
    await writeOut(overview())
    return true
  }
  if (first === '--version' || first === '-V') {
    await writeOut(`${packageVersion()}\n`)
    return true
  }
  return false
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Mneme remembers conversations and recalls the right few of them, in English and Chinese, without a model.

Usage: mneme <command> [flags]      mneme <command> --help for its flags

${lines.join('\n')}

memory_init, memory_store, memory_recall, memory_summarize, memory_cleanup, memory_export, memory_import and
memory_reindex are the same commands under the names of the specification.

Every command takes --db FILE (else MNEME_DB, else .devbooks/conversation-memory.db), --user ID (else "local"),
--config FILE (else mneme.config.json beside the database) and --pretty. Answers are JSON on stdout; logs, progress
and errors go to stderr. Exit codes: 0 done, 1 failed, 2 bad input or usage, 130 interrupted.
`
}
