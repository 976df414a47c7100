/** Counts or shares as bars, the longest one full. */

interface BarRow {
  readonly name: string
  readonly value: number
  readonly look?: string
}

/** A bar of a share from 0 to 1. */
export function Bar({ share }: { readonly share: number }) {
  return (
    <span class="bar-track">
      <span class="bar-fill" style={{ width: `${share * 100}%` }} />
    </span>
  )
}

/** Named bars with their numbers. */
export function Bars({ rows }: { readonly rows: readonly BarRow[] }) {
  const most = Math.max(1, ...rows.map(({ value }) => value))
  return (
    <ul class="bars">
      {rows.map(({ name, value, look = '' }, at) => (
        <li key={at} class={`bar ${look}`}>
          <span class="soft">{name}</span>
          <Bar share={value / most} />
          <span class="number">{value}</span>
        </li>
      ))}
    </ul>
  )
}
