/** `npm run campaign -- <name> [--seconds N] [--seed S] [--only NAME]`: tries a promise, prints what was tried and found. */
import { type Campaign, type Finding, isBroken } from './campaign.ts'

const CAMPAIGNS: Readonly<Record<string, () => Promise<{ run: Campaign }>>> = {
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

const { name, flags } = readArguments(process.argv.slice(2))
const load = CAMPAIGNS[name]
if (load === undefined) {
  process.stderr.write(`Name a campaign: ${Object.keys(CAMPAIGNS).join(', ')}\n`)
  process.exit(2)
}
const { run } = await load()
const seed = Number(flags.seed ?? 1)
const findings = await run({ seconds: Number(flags.seconds ?? 60), seed, only: flags.only ?? null })
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

function readArguments(words: readonly string[]): { name: string; flags: Readonly<Record<string, string>> } {
  const flags: Record<string, string> = {}
  const names: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    if (word.startsWith('--')) flags[word.slice(2)] = words[++at] ?? ''
    else names.push(word)
  }
  return { name: names[0] ?? '', flags }
}
