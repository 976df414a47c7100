/** Loads data for a view: the data so far, and whether it is still loading. */
import { useEffect, useState } from 'preact/hooks'
import { changes } from '../session.ts'
import { attempt } from '../told.ts'

/** The data fetched so far. */
export interface Loaded<T> {
  readonly data: T | null
  readonly error: unknown
  readonly isLoading: boolean
}

/** Loads again whenever one of `causes` changes, or memories do; the earlier data stays until then. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  causes: readonly unknown[],
): Loaded<T> & { readonly set: (data: T) => void } {
  const [state, setState] = useState<Loaded<T>>({ data: null, error: null, isLoading: true })
  useEffect(() => {
    const gone = new AbortController()
    setState(({ data }) => ({ data, error: null, isLoading: true }))
    load(gone.signal).then(
      (data) => {
        if (!gone.signal.aborted) setState({ data, error: null, isLoading: false })
      },
      (error: unknown) => {
        if (!gone.signal.aborted) setState(({ data }) => ({ data, error, isLoading: false }))
      },
    )
    return () => gone.abort()
  }, [...causes, changes.value])
  return { ...state, set: (data) => setState({ data, error: null, isLoading: false }) }
}

/** Whether work that a person began goes on, and what begins it; its words and failures are told. */
export function useWork(): readonly [boolean, (work: () => Promise<unknown>) => Promise<void>] {
  const [isBusy, setBusy] = useState(false)
  const begin = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await attempt(work)
    setBusy(false)
  }
  return [isBusy, begin]
}
