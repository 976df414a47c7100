/** Limits V8's heap growth for streaming imports and servers, which leave much short-lived garbage. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** V8 versions that read these flags even when set late; Node warns about late flags. */
const KNOWN_V8 = /^13\./

/** Megabytes for new objects: from 1 MB a thread needs 1,900 collections for 3,000 searches; from 8 MB, 340. */
const NURSERY_MB = 16

/** Growing by 50 %, not fourfold, keeps searching servers at 360 MB instead of 600, for a tenth of their time. */
const FLAGS = [`--min-semi-space-size=${NURSERY_MB}`, '--heap-growing-percent=50', '--no-allocation-site-pretenuring']

export function keepHeapSmall(): void {
  if (!KNOWN_V8.test(process.versions.v8)) return
  for (const flag of FLAGS) setFlagsFromString(flag)
  growBy(1)
}

/** As `keepHeapSmall`, for servers: an idle V8 shrinks the space for new objects to 1 MB, and may stay there. */
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

/** Has V8 improve code again, for a hook that reads a transcript; `bin/compiled.js` starts each without. */
export function improveCode(): void {
  if (!KNOWN_V8.test(process.versions.v8)) return
  for (const flag of ['--opt', '--maglev', '--regexp-optimization']) setFlagsFromString(flag)
}

/** Sets the factor by which V8 enlarges the space for new objects (by default up to 134 MB); 1 keeps its size. */
function growBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}
