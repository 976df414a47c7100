/**
 * Long work that streams, and a server that answers, leave much short-lived garbage, and V8 answers by letting its heap
 * grow: the space for new objects to 134 MB, whose pages it keeps, and the rest to four times what is in use before it
 * collects. Measured with Node 24: importing 209 MB took 345 to 414 MB at its peak, and 166 to 181 in the same time where the
 * space does not grow; 10,000 searches left 505 MB resident, and 300. A server that searched was at 600 MB, and at 360 MB where
 * half more than is in use is enough to collect; that costs it about a tenth of its time. A thread that is started later
 * begins with 1 MB for new objects and would stay there: 1,900 collections for 3,000 searches, and 340 with 8 MB or more.
 * While caches fill, much of what is made stays, and V8 takes from it that whatever is made at those places in the code
 * will stay: from then on it puts all of that among the old objects, for good. 7 to 16 KB of every search lived until a
 * full collection, and 1 KB where V8 is kept from it; a search took a tenth less of the processor.
 */
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** The V8 in which these flags are known to be read whenever they matter. Node warns of flags set late. */
const KNOWN_V8 = /^13\./

/** Megabytes for new objects: what a server keeps, and what a later thread begins with. */
const NURSERY_MB = 16

const FLAGS = [`--min-semi-space-size=${NURSERY_MB}`, '--heap-growing-percent=50', '--no-allocation-site-pretenuring']

/** Call it before the work begins; where V8 is another one it does nothing. */
export function keepHeapSmall(): void {
  if (!KNOWN_V8.test(process.versions.v8)) return
  for (const flag of FLAGS) setFlagsFromString(flag)
  growBy(1)
}

/**
 * The same for a process that answers for long. Whenever little is asked V8 takes the space for new objects back, down to
 * 1 MB, and where nothing may grow it stays there: a third of the servers took 30 % more of the processor for a search,
 * from then on. So it may grow again, as far as it was.
 */
export function keepHeapSteady(): void {
  if (!KNOWN_V8.test(process.versions.v8)) return
  keepHeapSmall()
  let factor = 1
  const afterCollection = (): void => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    if (space === undefined) return
    const capacity = space.space_used_size + space.space_available_size
    const missing = Math.max(1, Math.floor((NURSERY_MB * 1024 * 1024) / capacity))
    if (missing === factor) return
    factor = missing
    growBy(factor)
  }
  new PerformanceObserver(afterCollection).observe({ entryTypes: ['gc'] })
}

/** How many times as large the space for new objects becomes when V8 finds it too small; 1: it stays as it is. */
function growBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}
