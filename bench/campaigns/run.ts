/** `npm run campaign -- <name> [--seconds N] [--seed S] [--only NAME]`: tries a promise, prints what was tried and found. */
import { parseArgs } from 'node:util'
import { type Campaign, type Finding, isBroken } from './campaign.ts'

const CAMPAIGNS: Readonly<Record<string, () => Promise<{ run: Campaign; parts?: readonly string[] | null }>>> = {
  'text-cost': () => import('./text-cost.ts'),
  starvation: () => import('./starvation.ts'),
  quoting: () => import('./quoting.ts'),
  secrets: () => import('./secrets.ts'),
  crash: () => import('./crash.ts'),
  'lost-fsync': () => import('./lost-fsync.ts'),
  disk: () => import('./disk.ts'),
  memory: () => import('./memory.ts'),
  users: () => import('./users.ts'),
  clock: () => import('./clock.ts'),
  erase: () => import('./erase.ts'),
  'long-run': () => import('./long-run.ts'),
  upgrade: () => import('./upgrade.ts'),
}

const { load, options } = readArguments()
const { seed, only } = options
const { run, parts = [] } = await load()
if (only !== null && parts !== null && !parts.some((part) => part.includes(only)))
  refuse(`--only: no part is called ${JSON.stringify(only)}; there are: ${parts.join(', ') || 'none'}`)
const findings = await run(options)
const width = Math.max(...findings.map(({ tried }) => tried.length))
for (const finding of findings) process.stdout.write(`${lineOf(finding)}\n`)
const broken = findings.filter(isBroken)
const over = findings.filter(({ value, most }) => most !== undefined && value > most).length - broken.length
process.stdout.write(`seed ${seed}: ${findings.length} findings, ${broken.length} broken, ${over} over their figure\n`)
process.exit(broken.length === 0 ? 0 : 1)

function lineOf(finding: Finding): string {
  const { tried, value, unit, n, most, detail } = finding
  const figure = Number.isInteger(value) ? String(value) : value.toPrecision(3)
  const goal =
    most === undefined ? '' : `  ${isBroken(finding) ? 'BROKEN, at most' : value > most ? 'over' : 'within'} ${most}`
  return `${tried.padEnd(width)} ${figure.padStart(9)} ${unit.padEnd(8)} n=${n}${goal}${detail === undefined ? '' : `  ${detail}`}`
}

function readArguments() {
  try {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      options: { seconds: { ...text, default: '60' }, seed: { ...text, default: '1' }, only: text },
      allowPositionals: true,
    })
    const [name = '', ...more] = positionals
    const load = Object.hasOwn(CAMPAIGNS, name) ? CAMPAIGNS[name] : undefined
    if (load === undefined || more.length > 0)
      throw new Error(`Name one campaign: ${Object.keys(CAMPAIGNS).join(', ')}`)
    const numberOf = (flag: 'seconds' | 'seed'): number => {
      const text = values[flag]
      if (/^\d{1,9}$/.test(text)) return Number(text)
      throw new Error(`--${flag}: ${JSON.stringify(text)} is no whole number from 0 to 999999999`)
    }
    return { load, options: { seconds: numberOf('seconds'), seed: numberOf('seed'), only: values.only ?? null } }
  } catch (error) {
    return refuse((error as Error).message)
  }
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}
