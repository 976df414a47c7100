/** `mneme --help`, `mneme memory --help` and `mneme --version`: what there is, before any command is loaded. */
import { ALL_COMMANDS } from './all-commands.ts'
import type { CommandEntry } from './commands.ts'
import { packageVersion } from './package-root.ts'
import { writeOut } from './write-out.ts'

/** Prints the help of all commands, or of those that begin with the word `group`. */
export async function printHelp(group: string | null): Promise<void> {
  await writeOut(group === null ? overview() : groupOverview(group))
}

/** Prints the version of this package. */
export async function printVersion(): Promise<void> {
  await writeOut(`${packageVersion()}\n`)
}

function overview(): string {
  return `Mneme remembers conversations and recalls the right few of them, in English and Chinese, without a model.

Usage: mneme <command> [flags]      mneme <command> --help for its flags

${commandLines(ALL_COMMANDS)}

memory_init, memory_store, memory_recall, memory_summarize, memory_cleanup, memory_export, memory_import and
memory_reindex are the same commands under the names of the specification.

Every command takes, before or after its name, --db FILE (else MNEME_DB, else .devbooks/conversation-memory.db),
--user ID (else "local"), --project DIR, --config FILE (else mneme.config.json beside the database) and --pretty.
Answers are JSON on stdout; logs, progress and errors go to stderr. Exit codes: 0 done, 1 failed, 2 bad input or usage,
130 interrupted.
`
}

function groupOverview(group: string): string {
  return `Usage: mneme ${group} <command> [flags]      mneme ${group} <command> --help for its flags

${commandLines(ALL_COMMANDS.filter(({ name }) => name.startsWith(`${group} `)))}
`
}

function commandLines(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
}
