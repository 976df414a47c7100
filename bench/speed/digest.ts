/** How long does a digest take with a large memory file? Read, merge, compare 100 new entries with 10,000, write. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../../src/doors/library/index.ts'
import { editSimilarity } from '../../src/language/spelling.ts'
import { knownTexts } from '../../src/notes/new-notes.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { seeded } from './synthetic.ts'

const ENTRIES = 10_000
const NEW = 100
const ROUNDS = 7
/** At 10,000 entries, a hundred times the usual limit, a digest takes seconds. */
const GOAL_MS = 3000

const WORDS =
  `server port key branch release the our your nightly backup report customer invoice queue retry timeout kitchen garden
  bicycle piano teacher allergy coffee morning evening always never prefers uses keeps moved decided switched`.split(
    /\s+/,
  )
const HAN = [
  ...'我们的服务器端口数据库备份周报客户发票重试超时厨房花园钢琴老师过敏咖啡早上晚上总是从不喜欢使用保持决定',
]

/** `--entries N`, `--new N`, `--rounds N` for other numbers. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const entries = Number(flags.entries ?? ENTRIES)
  const fresh = Number(flags.new ?? NEW)
  const rounds = Number(flags.rounds ?? ROUNDS)
  const random = seeded(Number(flags.seed ?? 4))
  const folder = mkdtempSync(join(tmpdir(), 'mneme-bench-'))
  try {
    let now = new Date(2026, 4, 7, 12)
    await using memory = await openMemory({
      path: join(folder, 'memory.db'),
      userId: 'one',
      clock: () => now,
      memoryFile: { maxEntries: 100_000, backups: 5 },
    })
    const add = async (text: string): Promise<unknown> =>
      memory.add(text, { infer: false, importance: 2, createdAt: now })
    const texts = Array.from({ length: entries }, (_, at) => sentence(random, at))
    for (const text of texts) await add(text)
    const first = await memory.memoryFile.digest({ date: '2026-05-07' })
    const times: number[] = []
    const looks: number[] = []
    const work: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      now = new Date(2026, 4, 9 + round, 12)
      for (let at = 0; at < fresh; at += 1) await add(sentence(random, entries + round * fresh + at))
      const file = join(folder, 'MEMORY.md')
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(/(mneme:\w+ -->\n)/, `$1- a line of the person's, ${round}\n`),
      )
      const used = process.cpuUsage()
      const started = performance.now()
      const report = await memory.memoryFile.digest()
      times.push(performance.now() - started)
      const { user, system } = process.cpuUsage(used)
      work.push((user + system) / 1000)
      if (report.added.length < fresh / 2) throw new Error(`only ${report.added.length} of ${fresh} came in`)
      const again = performance.now()
      await memory.memoryFile.sync()
      looks.push(performance.now() - again)
    }
    const figure = (
      name: string,
      value: number,
      unit: string,
      n: number,
      reference?: string,
      base?: number,
    ): Figure => ({
      bench: 'digest',
      figure: name,
      value,
      unit,
      n,
      ...(reference === undefined ? {} : { reference }),
      ...(base === undefined ? {} : { ratio: value / base }),
    })
    const { bounded, all } = comparisons(texts, fresh, random)
    return [
      figure(
        `${first.added.length} entries, ${fresh} new: digest, median`,
        quantile(times, 0.5),
        'ms',
        rounds,
        `goal ${GOAL_MS} ms`,
        GOAL_MS,
      ),
      figure('the same in processor time, median', quantile(work, 0.5), 'ms', rounds),
      figure('the same, slowest', Math.max(...times), 'ms', rounds),
      figure('nothing new: look at the file, median', quantile(looks, 0.5), 'ms', rounds),
      figure('finding twins', bounded, 'ms', fresh, 'comparing all pairs', all),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sentence(random: () => number, serial: number): string {
  const han = random() < 0.4
  const words = Array.from({ length: 4 + Math.floor(random() * 12) }, () => {
    const from = han ? HAN : WORDS
    return from[Math.floor(random() * from.length)]
  })
  return han ? `${words.join('')}${serial}` : `${words.join(' ')} ${serial}`
}

function comparisons(texts: readonly string[], fresh: number, random: () => number) {
  const known = knownTexts()
  for (const text of texts) known.add(text)
  const candidates = Array.from({ length: fresh }, (_, at) => sentence(random, at))
  const started = performance.now()
  for (const candidate of candidates) known.twinOf(candidate, 0.8)
  const bounded = performance.now() - started
  const again = performance.now()
  for (const candidate of candidates) for (const text of texts) editSimilarity(candidate, text)
  return { bounded, all: performance.now() - again }
}
