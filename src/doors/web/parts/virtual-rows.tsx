/** A list of any length that renders only visible rows. All rows have one height, so that the scrollbar is exact. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

const BEYOND = 6

export function rowsInSight(
  scrolled: number,
  height: number,
  rowHeight: number,
  count: number,
): readonly [number, number] {
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - BEYOND)
  return [first, Math.min(count, Math.ceil((scrolled + height) / rowHeight) + BEYOND)]
}

/** Moves between rows with the arrow keys. */
function walk(event: KeyboardEvent): void {
  const step =
    event.key === 'ArrowDown' ? 'nextElementSibling' : event.key === 'ArrowUp' ? 'previousElementSibling' : null
  const link = step === null ? null : (event.target as Element).closest('.row')?.[step]?.querySelector('a')
  if (link == null) return
  event.preventDefault()
  link.focus()
}

interface RowsProps {
  readonly count: number
  readonly rowHeight: number
  readonly label: string
  /** A row's stable identity, which keeps its state when rows before it come or go. */
  readonly keyOf: (index: number) => string
  readonly render: (index: number) => ComponentChildren
  readonly onSight: (from: number, to: number) => void
  readonly resetBy: string
}

/** The list. `onSight` gets the visible range, and a new value of `resetBy` scrolls to the top. */
export function VirtualRows({ count, rowHeight, label, keyOf, render, onSight, resetBy }: RowsProps) {
  const box = useRef<HTMLDivElement>(null)
  const [scrolled, setScrolled] = useState(0)
  const [height, setHeight] = useState(800)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 800))
    const list = box.current!
    watch.observe(list)
    list.addEventListener('keydown', walk)
    return () => watch.disconnect()
  }, [])
  useEffect(() => {
    box.current!.scrollTop = 0
    setScrolled(0)
  }, [resetBy])
  // A row that moves, because it was edited, loses the focus.
  const focused = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    if (focused.current === null || document.activeElement !== document.body) return
    const held = focused.current.isConnected ? focused.current : box.current!.querySelector('a')
    held?.focus()
  })
  const [from, to] = rowsInSight(scrolled, height, rowHeight, count)
  useEffect(() => onSight(from, to), [from, to])
  return (
    <div
      class="rows scrolls"
      ref={box}
      onScroll={({ currentTarget: { scrollTop } }) => setScrolled(scrollTop - (scrollTop % rowHeight))}
      onFocusIn={({ target }) => (focused.current = target as HTMLElement)}
      onFocusOut={() => (focused.current = null)}
    >
      <ul class="rows-inner" aria-label={label} style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at).map((index) => (
          <li
            key={keyOf(index)}
            class="row"
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
          >
            {render(index)}
          </li>
        ))}
      </ul>
    </div>
  )
}
