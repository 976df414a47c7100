/**
 * Does use of the page leave anything in its heap? Twenty minutes of what people do in every view, by mouse and keys of the
 * browser's own protocol: no script of a driver runs in the page, whose heap and machine code it would share.
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
  /** Since the middle of the time: what does not flatten, goes on. */
  readonly sinceHalf: Heap
  readonly rounds: number
}

type Step = (hands: Hands) => Promise<unknown>

const FIND_MS = 50
const MOST_FINDS = 400
const MOUSE = ['mouseMoved', 'mousePressed', 'mouseReleased'] as const

/** What a person does, without a script in the page; elements are named by XPath. */
class Hands {
  private readonly session: CDPSession
  private readonly url: string

  constructor(session: CDPSession, url: string) {
    this.session = session
    this.url = url
  }

  async go(view: string): Promise<void> {
    await this.session.send('Page.navigate', { url: `${this.url}/#/${view}` })
    await this.see('//main//h1')
  }

  /** Where the first shown one is, once there is one. */
  async see(path: string): Promise<readonly [x: number, y: number]> {
    for (let turn = 0; turn < MOST_FINDS; turn += 1) {
      for (const nodeId of await this.find(path)) {
        const at = await this.placeOf(nodeId).catch(() => null)
        if (at !== null) return at
      }
      await pause(FIND_MS)
    }
    throw new Error(`There is no ${path}.`)
  }

  async click(path: string): Promise<void> {
    const [x, y] = await this.see(path)
    for (const type of MOUSE)
      await this.session.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 })
  }

  press(name: string): Promise<void> {
    return this.click(`//main//button[normalize-space(.)="${name}" or @aria-label="${name}"]`)
  }

  async type(text: string): Promise<void> {
    await this.session.send('Input.insertText', { text })
  }

  async scroll(deltaY: number): Promise<void> {
    await this.session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 600, y: 500, deltaX: 0, deltaY })
  }

  private async find(query: string): Promise<readonly number[]> {
    await this.session.send('DOM.getDocument', { depth: 0 })
    const { searchId, resultCount: toIndex } = await this.session.send('DOM.performSearch', { query })
    if (toIndex === 0) return []
    return (await this.session.send('DOM.getSearchResults', { searchId, fromIndex: 0, toIndex })).nodeIds
  }

  private async placeOf(nodeId: number): Promise<readonly [x: number, y: number] | null> {
    await this.session.send('DOM.scrollIntoViewIfNeeded', { nodeId })
    const [quad] = (await this.session.send('DOM.getContentQuads', { nodeId })).quads
    return quad === undefined ? null : [(quad[0]! + quad[2]!) / 2, (quad[1]! + quad[5]!) / 2]
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function of(name: string): string {
  return `//*[contains(concat(" ", @class, " "), " ${name} ")]`
}

const FIRST_BOX = `${of('choose')}//input`

/** A message, every few rounds: nobody sends one between any two looks. */
const TALK: Step = async (hands) => {
  await hands.go('chat')
  await hands.click('//textarea[@id="message"]')
  await hands.type('What stands beside the museum number 71?')
  await hands.press('Send')
  await hands.see(of('prose'))
  await hands.press('Why this?')
}
const TALK_EVERY = 4

function look(view: string, seen = '//main//h1'): Step {
  return async (hands) => {
    await hands.go(view)
    await hands.see(seen)
  }
}

const ROUND: readonly Step[] = [
  async (hands) => {
    await hands.go('memories?q=museum')
    await hands.click(of('memory-link'))
    await hands.see(of('map'))
    await hands.press('Correct')
    await hands.see('//aside//textarea')
    await hands.type('!')
    await hands.press('Save')
    await hands.see(`//aside${of('memory-whole')}`)
  },
  async (hands) => {
    await look('memories', of('memory-link'))(hands)
    await hands.scroll(40_000)
    await hands.scroll(400_000)
  },
  async (hands) => {
    await hands.click(FIRST_BOX)
    await hands.press('Bury')
  },
  async (hands) => {
    await hands.go('memories?state=buried')
    await hands.click(FIRST_BOX)
    await hands.press('Unbury')
  },
  async (hands) => {
    await hands.go('memories?state=all')
    await hands.click(FIRST_BOX)
    await hands.press('Delete')
    await hands.click(`${of('notice')}//button[normalize-space(.)="Undo"]`)
  },
  look('memories?at=2026-01-01'),
  look('changes'),
  look('context?message=Which+museum%3F&left=hybrid&right=long-term', of('evidence')),
  ...['profile', 'profile/conversations', 'profile/file'].map((view) => look(view)),
  look('overview', of('tile')),
  async (hands) => {
    await hands.go('settings')
    await hands.click('//input[@role="switch"]')
  },
  ...['jobs', 'data', 'connect', 'keys'].map((part) => look(`settings/${part}`)),
]
const FIRST_PAINT_MS = 2000
const WARM_MS = 60_000
/** Milliseconds that a person's look at each of them is made of here. */
const LOOK_MS = 300

/** Opens the list of memories in a page that is new, and uses it for so many minutes. */
export async function heapGrowth(page: Page, url: string, minutes: number): Promise<HeapGrowth> {
  const session = await page.context().newCDPSession(page)
  const hands = new Hands(session, url)
  await hands.go('memories')
  await pause(FIRST_PAINT_MS)
  const begun = Date.now()
  const first = await heapOf(session)
  let round: Heap | undefined
  let minute: Heap | undefined
  let half: Heap | undefined
  let rounds = 0
  for (; Date.now() - begun < minutes * 60_000 || rounds < 3; rounds += 1) {
    if (rounds === 1) round = await heapOf(session)
    if (rounds > 0 && Date.now() - begun > WARM_MS) minute ??= await heapOf(session)
    if (rounds > 0 && Date.now() - begun > minutes * 30_000) half ??= await heapOf(session)
    for (const step of rounds % TALK_EVERY === 0 ? [TALK, ...ROUND] : ROUND) {
      await step(hands)
      await pause(LOOK_MS)
    }
  }
  const last = await heapOf(session)
  const since = ({ used, held }: Heap = last): Heap => ({
    used: (last.used / used - 1) * 100,
    held: (last.held / held - 1) * 100,
  })
  return {
    sinceFirstPaint: since(first),
    sinceFirstRound: since(round),
    sinceFirstMinute: since(minute),
    sinceHalf: since(half),
    rounds,
  }
}

/** The heap after a full collection. */
async function heapOf(session: CDPSession): Promise<Heap> {
  // What the protocol knows of elements would hold them.
  await session.send('DOM.disable')
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
