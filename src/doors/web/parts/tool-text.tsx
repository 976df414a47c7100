/** The text of a tool in a conversation, unlike an answer and folded behind its first line. */
import { t } from '../words.ts'

/** A tool's text is shown up to here while it is folded. */
const LINE_CHARACTERS = 80

/** What a tool was given or gave back: its first line, and the rest behind it. */
export function ToolText({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }) {
  const [first = '', ...rest] = text.trim().split('\n')
  const line = (
    <>
      <span class="tag">{t('tool')}</span> <code>{first.slice(0, LINE_CHARACTERS)}</code>
    </>
  )
  if (rest.length === 0 && first.length <= LINE_CHARACTERS) return <p class="tool">{line}</p>
  return (
    <details class="tool" open={isOpen}>
      <summary>{line}</summary>
      <pre class="quote">{text}</pre>
    </details>
  )
}
