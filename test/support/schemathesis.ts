/**
 * schemathesis, which asks a server everything that its OpenAPI document allows and forbids. `.ci/run` installs it into
 * `.venv`; elsewhere `python3 -m venv .venv/schemathesis && .venv/schemathesis/bin/pip install schemathesis` does.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../.venv/schemathesis/bin/schemathesis')
const CONFIG = join(import.meta.dirname, 'schemathesis.toml')

/** Why it cannot run; undefined when it can. Throws under CI, where it has to. */
export function whySkipped(): string | undefined {
  if (existsSync(PROGRAM)) return undefined
  const reason = 'schemathesis is not installed in .venv/schemathesis'
  const isRequired = process.env.SCHEMATHESIS_TESTS === 'required' || (process.env.CI ?? '') !== ''
  if (isRequired) throw new Error(reason)
  console.warn(`skipped: ${reason}`)
  return reason
}

/** Runs all phases for so many seconds, or what `more` leaves; what it printed, and whether every check held. */
export function examine(
  url: string,
  seconds: number,
  more: readonly string[],
): Promise<{ readonly passed: boolean; readonly report: string }> {
  // A key that it makes would shut it out.
  const flags = [
    '--exclude-path',
    '/keys',
    '--max-time',
    String(seconds),
    '--request-timeout',
    '20',
    '--workers',
    '1',
    '--no-color',
    ...more,
  ]
  const call = ['--config-file', CONFIG, 'run', `${url}/openapi.json`, ...flags]
  const child = spawn(PROGRAM, call, { stdio: ['ignore', 'pipe', 'pipe'] })
  let report = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      report += piece
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ passed: code === 0, report }))
  })
}
