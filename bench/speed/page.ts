/**
 * Is the page quick with very many memories? Measured in a real browser over a real server.
 *
 * `--memories 100000`: the memories of the user
 * `--minutes 1`: the time of scripted use (the goal is for 20)
 * `--v8 "--no-sparkplug --no-maglev --no-turbofan"`: flags of the browser's engine; these make no machine code
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { startModelServer } from '../../test/support/model-server.ts'
import { buildPage, noBrowser, startBrowser } from '../../test/support/page.ts'
import { type BenchOptions, type Figure, processorMs, quantile } from '../figure.ts'
import { heapGrowth } from './page-heap.ts'

const A_WRITE = 1000
const WORDS = [
  'harbour',
  'bicycle',
  'sourdough',
  'timetable',
  'museum',
  'dentist',
  'window',
  'lantern',
  'garden',
  'ferry',
]
const QUESTIONS = ['bicycle garden', 'museum 71', '渡轮 时刻表', 'dentist window']
/** Goals of the page's issue: kilobytes, milliseconds, milliseconds, percent. */
const GOALS = { script: 80, usable: 500, keystroke: 50, heap: 20 }
/** The views whose layout is watched while they load. */
const VIEWS = ['chat', 'memories?q=museum', 'changes', 'context?message=museum', 'profile', 'overview', 'settings']

/** Views for which the server looks through all memories. */
const HEAVY_VIEWS = [
  'memories',
  'memories?state=doubt',
  'memories?state=unused',
  'memories?at=2026-01-01',
  'overview',
  'changes',
]

/** Measures. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  if (noBrowser !== undefined) throw new Error(noBrowser)
  const count = Number(flags.memories ?? 100_000)
  const minutes = Number(flags.minutes ?? 1)
  const folder = mkdtempSync(join(tmpdir(), 'mneme-bench-page-'))
  const web = await buildPage(folder)
  const choice = { delta: { content: 'It stands **there**.' }, finish_reason: 'stop' }
  const model = await startModelServer({ events: [{ model: 'm', choices: [choice] }, '[DONE]'] })
  const llm = { provider: 'openai', baseUrl: model.url, model: 'm', apiKey: 'k' } as const
  const memory = await openMemory({ path: join(folder, 'memory.db'), userId: 'local', thinking: false, llm })
  for (let from = 0; from < count; from += A_WRITE) {
    const add = Array.from({ length: Math.min(A_WRITE, count - from) }, (_, at) => ({ text: textOf(from + at) }))
    const expectedRevision = await memory.revision()
    if (!(await memory.write({ expectedRevision, add }))) throw new Error('Somebody else wrote.')
  }
  await memory.idle()
  const listening = await serve({ memory, port: 0, version: '0', page: web, requestsPerMinute: 1_000_000 })
  const browser = await startBrowser(flags.v8)
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${listening.url}/#/memories`)
    await page.locator('.memory-row').first().waitFor()
    const usable: number[] = []
    for (let round = 0; round < 10; round += 1)
      usable.push(await timeToUse(page, `${listening.url}/?${round}#/memories`))
    const bare = await bareRequests(page)
    // The meanings that a first search makes in the background are no work of a keystroke.
    await memory.search(QUESTIONS[0]!)
    await memory.idle()
    const typed: Keystrokes[] = []
    for (const question of [...QUESTIONS, ...QUESTIONS]) typed.push(await type(page, question))
    const keystrokes = typed.flatMap(({ times }) => times)
    const spent = typed.flatMap(({ page }, at) => page.map((one, letter) => one + typed[at]!.server[letter]!))
    const ofEach = (name: string, times: readonly number[]): Figure => ({
      bench: 'page',
      figure: `processor time of a keystroke ${name}, median`,
      value: quantile(times, 0.5),
      unit: 'ms',
      n: times.length,
    })
    const views = await costOfViews(page)
    const shift = await layoutShift(page, listening.url)
    // In a page of its own, which nobody has used.
    const fresh = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const heap = await heapGrowth(fresh, listening.url, minutes)
    const scripts = /src="(\/assets\/[^"]+\.js)"/.exec(readFileSync(join(web, 'index.html'), 'utf8'))![1]!
    const size = brotliCompressSync(readFileSync(join(web, scripts))).length / 1024
    return [
      figure('script of the first page, compressed', size, 'KiB', 1, GOALS.script),
      figure('first byte to first memory, median', quantile(usable, 0.5), 'ms', usable.length, GOALS.usable),
      {
        bench: 'page',
        figure: 'an empty request and a frame, median',
        value: quantile(bare, 0.5),
        unit: 'ms',
        n: bare.length,
      },
      figure(
        'keystroke to painted result, median',
        quantile(keystrokes, 0.5),
        'ms',
        keystrokes.length,
        GOALS.keystroke,
      ),
      figure('keystroke to painted result, p95', quantile(keystrokes, 0.95), 'ms', keystrokes.length, GOALS.keystroke),
      ofEach(
        'in the page',
        typed.flatMap(({ page }) => page),
      ),
      ofEach(
        'in the server',
        typed.flatMap(({ server }) => server),
      ),
      figure('processor time of a keystroke, p95', quantile(spent, 0.95), 'ms', spent.length, GOALS.keystroke),
      ...views,
      { bench: 'page', figure: 'layout shift while views load', value: shift, unit: 'score', n: VIEWS.length },
      ...(['sinceHalf', 'sinceFirstMinute', 'sinceFirstRound', 'sinceFirstPaint'] as const).flatMap((since) => {
        const begun = since.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
        const name = `heap after ${minutes} min of use, growth ${begun}`
        const { used, held } = heap[since]
        return [
          figure(name, used, '%', heap.rounds, GOALS.heap),
          figure(`${name}: what the page holds`, held, '%', heap.rounds, GOALS.heap),
        ]
      }),
    ]
  } finally {
    await browser.close()
    await listening.close(1000)
    await memory.close()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function figure(name: string, value: number, unit: string, n: number, goal: number): Figure {
  return { bench: 'page', figure: name, value, unit, n, reference: `the goal of ${goal}`, ratio: value / goal }
}

function textOf(at: number): string {
  const word = (step: number): string => WORDS[(at * step + Math.floor(at / 7)) % WORDS.length]!
  return at % 5 === 4
    ? `第 ${at} 次渡轮的时刻表在${at % 12}月改过。`
    : `The ${word(3)} beside the ${word(7)} number ${at} was painted in ${1950 + (at % 70)}.`
}

/** Milliseconds from the first byte of the document to the first row. */
async function timeToUse(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('.memory-row').first().waitFor()
  return page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => {
    const { responseStart } = performance.getEntriesByType('navigation')[0]
    resolve(performance.now() - responseStart)
  }))`)
}

/** The time of an empty request and the frame after it, which is the least that a keystroke takes. */
async function bareRequests(page: Page): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < 30; round += 1)
    times.push(
      (await page.evaluate(`(async () => {
        const begun = performance.now()
        await (await fetch('/memory/long-term?limit=1')).json()
        await new Promise((resolve) => requestAnimationFrame(resolve))
        return performance.now() - begun
      })()`)) as number,
    )
  return times
}

interface Keystrokes {
  /** Milliseconds from each letter until the list that it asks for is painted. */
  readonly times: readonly number[]
  /** Milliseconds of processor time of each letter. */
  readonly page: readonly number[]
  readonly server: readonly number[]
}

/** A meter of work: milliseconds of processor time, whatever else the machine does, until so many have passed. */
async function meterOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
  return async (work: () => Promise<unknown>, waitMs: number) => {
    const [before, cpu] = [await busy(), process.cpuUsage()]
    await work()
    await page.waitForTimeout(waitMs)
    const server = processorMs(cpu)
    return { page: (await busy()) - before, server }
  }
}

/** Milliseconds of processor time, of page and server, that each view takes. */
async function costOfViews(page: Page): Promise<readonly Figure[]> {
  const measured = await meterOf(page)
  const figures: Figure[] = []
  for (const view of HEAVY_VIEWS) {
    const spent: number[] = []
    for (let round = 0; round < 5; round += 1) {
      await page.evaluate(`location.hash = '#/settings/connect'`)
      await page.waitForTimeout(300)
      const { page: own, server } = await measured(() => page.evaluate(`location.hash = '#/${view}'`), 1500)
      spent.push(own + server)
    }
    const figure = `processor time of #/${view}, median`
    figures.push({ bench: 'page', figure, value: quantile(spent, 0.5), unit: 'ms', n: spent.length })
  }
  return figures
}

/** Types letter by letter. */
async function type(page: Page, question: string): Promise<Keystrokes> {
  const measured = await meterOf(page)
  await page.locator('#search').fill('')
  await page.waitForTimeout(400)
  // The list says for which words it stands.
  await page.evaluate(`{
    const box = document.querySelector('#search')
    globalThis.painted = []
    box.addEventListener('input', () => {
      const begun = performance.now()
      const wanted = box.value
      const look = () => {
        if (box.value !== wanted) return
        const { shownFor } = document.querySelector('[data-shown-for]').dataset
        if (shownFor === wanted) requestAnimationFrame(() => globalThis.painted.push(performance.now() - begun))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  }`)
  const spent = { page: [] as number[], server: [] as number[] }
  for (const letter of question) {
    const { page: own, server } = await measured(() => page.keyboard.insertText(letter), 250)
    spent.page.push(own)
    spent.server.push(server)
  }
  const times = (await page.evaluate('globalThis.painted')) as readonly number[]
  // A word of which one letter had reached the address may find nothing.
  await page.goto(page.url().replace(/#.*/, '#/memories'))
  await page.reload()
  await page.locator('.memory-row').first().waitFor()
  await page.locator('#search').focus()
  return { times, ...spent }
}

/** The sum of the layout shift scores of every view as it loads. */
async function layoutShift(page: Page, url: string): Promise<number> {
  let total = 0
  for (const view of VIEWS) {
    await page.goto(`${url}/?${view.length}#/${view}`)
    await page.waitForTimeout(1500)
    total += (await page.evaluate(`new Promise((resolve) => {
      let sum = 0
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) sum += value
      }).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve(sum), 100)
    })`)) as number
  }
  return total
}
