/**
 * Does use of the page leave anything in its heap? Twenty minutes of what people do in every view, driven by the browser's own
 * protocol: a test library would put a heap of its own beside the page's. Counted from the first paint, before anything is used.
 */
import type { CDPSession, Page } from 'playwright-core'

/** Kinds of nodes of a heap snapshot that the browser makes by itself: the page does not hold them. */
const OF_BROWSER = ['code', 'native', 'hidden', 'synthetic', 'object shape']

interface Snapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[]; readonly node_types: [string[]] } }
  readonly nodes: readonly number[]
}

interface Heap {
  readonly used: number
  /** Of it objects, closures and texts of the page. */
  readonly held: number
}

/** Percent by which the heap, and of it what the page holds, has grown at the end. */
export interface HeapGrowth {
  readonly sinceFirstPaint: Heap
  /** Since every view was opened, and everything in it done, once. */
  readonly sinceFirstRound: Heap
  /** Since the first minute: by then most code that is used again and again is compiled. */
  readonly sinceFirstMinute: Heap
  readonly rounds: number
}

/** What happens in the page: expressions, of which each is done when it resolves. */
const TOOLS = `
  const wait = async (find) => {
    for (let turn = 0; turn < 400; turn += 1) {
      const found = find()
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(String(find) + ' at ' + location.hash)
  }
  const one = (selector) => wait(() => document.querySelector(selector))
  const button = (words) => wait(() => [...document.querySelectorAll('main button')].find((each) =>
    each.checkVisibility() && (each.innerText.trim() === words || each.ariaLabel === words)))
  const type = (field, text) => {
    field.value = text
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
`
const at = (hash: string, then = ''): string => `location.hash = '${hash}'; await one('main h1'); ${then}`
/** A message, every few rounds: nobody sends one between any two looks. */
const TALK: readonly string[] = [
  at(
    '#/chat',
    `type(await one('#message'), 'What stands beside the museum number 71?'); (await button('Send')).click()
    await one('.prose'); await one('.evidence'); (await button('Why this?')).click()`,
  ),
]
const TALK_EVERY = 4
const ROUND: readonly string[] = [
  at('#/memories?q=museum', `(await one('.memory-link')).click(); await one('.map')`),
  `(await button('Correct')).click(); const field = await one('.side textarea'); type(field, field.value + '!')
   ;(await button('Save')).click(); await wait(() => document.querySelector('.side textarea') === null)`,
  at('#/memories', `await one('.memory-link'); document.querySelector('.rows').scrollBy(0, 40000)`),
  `document.querySelector('.rows').scrollBy(0, 400000)`,
  `(await one('.choose input')).click(); (await button('Bury')).click()`,
  at('#/memories?state=buried', `(await one('.choose input')).click(); (await button('Unbury')).click()`),
  at(
    '#/memories?state=all',
    `(await one('.choose input')).click(); (await button('Delete')).click()
    ;(await wait(() => document.querySelector('.notice .link'))).click()`,
  ),
  at('#/memories?at=2026-01-01'),
  at('#/changes'),
  at('#/context?message=Which+museum%3F&left=hybrid&right=long-term', `await one('.evidence')`),
  at('#/profile'),
  at('#/profile/conversations'),
  at('#/profile/file'),
  at('#/overview', `await one('.tile')`),
  at('#/settings', `(await one('.switch')).click()`),
  ...['jobs', 'data', 'connect', 'keys'].map((part) => at(`#/settings/${part}`)),
]
const FIRST_PAINT_MS = 2000
const WARM_MS = 60_000
/** Milliseconds that a person's look at each of them is made of here. */
const LOOK_MS = 300

/** Opens the address in a page that is new, and uses it for so many minutes. */
export async function heapGrowth(page: Page, url: string, minutes: number): Promise<HeapGrowth> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.navigate', { url })
  await new Promise((resolve) => setTimeout(resolve, FIRST_PAINT_MS))
  const begun = Date.now()
  const first = await heapOf(session)
  let round: Heap | undefined
  let minute: Heap | undefined
  let rounds = 0
  for (; Date.now() - begun < minutes * 60_000 || rounds < 3; rounds += 1) {
    if (rounds === 1) round = await heapOf(session)
    if (rounds > 0 && Date.now() - begun > WARM_MS) minute ??= await heapOf(session)
    for (const step of rounds % TALK_EVERY === 0 ? [...TALK, ...ROUND] : ROUND) {
      const expression = `(async () => { ${TOOLS} ${step} })()`
      const asked = { expression, awaitPromise: true, returnByValue: true }
      const { exceptionDetails: failed } = await session.send('Runtime.evaluate', asked)
      if (failed !== undefined) throw new Error(`${step}: ${failed.exception?.description ?? failed.text}`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }
  const last = await heapOf(session)
  const since = ({ used, held }: Heap = last): Heap => ({
    used: (last.used / used - 1) * 100,
    held: (last.held / held - 1) * 100,
  })
  return { sinceFirstPaint: since(first), sinceFirstRound: since(round), sinceFirstMinute: since(minute), rounds }
}

/** The heap after a full collection. */
async function heapOf(session: CDPSession): Promise<Heap> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize: used } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
  const chunks: string[] = []
  const take = ({ chunk }: { readonly chunk: string }): void => void chunks.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', take)
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', take)
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as Snapshot
  const { node_fields: fields, node_types: types } = snapshot.meta
  let held = 0
  for (let node = 0; node < nodes.length; node += fields.length)
    if (!OF_BROWSER.includes(types[0][nodes[node]!]!)) held += nodes[node + fields.indexOf('self_size')]!
  return { used, held }
}
