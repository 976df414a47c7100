/**
 * Asks for confirmation before irreversible actions and changes to other programs' files; without a terminal a flag
 * must confirm.
 */
import { createInterface } from 'node:readline/promises'
import { invalid, MnemeError } from '../../domain/errors.ts'

/** Resolves when the person types `yes`; throws otherwise, or without a terminal. */
export async function confirm(question: string, flag: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw invalid(flag, 'needs --yes, because nobody can be asked here', 'Pass --yes when you are sure.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const controller = new AbortController()
  terminal.on('SIGINT', () => controller.abort()).on('close', () => controller.abort())
  try {
    const answer = await terminal.question(`${question} Type yes to go on: `, { signal: controller.signal })
    if (answer.trim().toLowerCase() === 'yes') return
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    terminal.close()
  }
  throw new MnemeError('aborted', 'Nothing was changed.', { remedy: 'Run it again and type yes, or pass --yes.' })
}
