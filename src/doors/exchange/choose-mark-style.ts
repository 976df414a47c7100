/** Which style of marks does this log use? The one with two speakers and the most marks; headings before bold words. */
import { type Fence, fenceAfter } from './code-fence.ts'
import { type MarkStyle, speakerMark } from './speaker-mark.ts'

/** The style, or null without any mark. `text` is the beginning of the log. */
export function chooseMarkStyle(text: string): MarkStyle | null {
  const counts = new Map<MarkStyle, { marks: number; roles: Set<string> }>()
  let fence: Fence | null = null
  for (const line of text.split(/\r?\n/)) {
    const before: Fence | null = fence
    fence = fenceAfter(line, before)
    const mark = before === null && fence === null ? speakerMark(line) : null
    if (mark === null) continue
    const count = counts.get(mark.style) ?? { marks: 0, roles: new Set() }
    count.marks++
    count.roles.add(mark.role)
    counts.set(mark.style, count)
  }
  const ranked = [...counts].sort(
    ([a, first], [b, second]) =>
      Math.min(second.roles.size, 2) - Math.min(first.roles.size, 2) ||
      second.marks - first.marks ||
      a.localeCompare(b),
  )
  return ranked[0]?.[0] ?? null
}
