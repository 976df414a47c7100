/** A model's answer as sanitised Markdown; plain text until the renderer has loaded. */
import { signal } from '@preact/signals'
import { t } from '../translations.ts'

const render = signal<((text: string) => string) | null>(null)
let isAsked = false

export function Markdown({ text }: { readonly text: string }) {
  if (!isAsked) {
    isAsked = true
    void import('./render-markdown.ts').then(({ renderMarkdown }) => {
      render.value = renderMarkdown
    })
  }
  if (render.value === null) return <div class="prose plain">{text}</div>
  // The rendered HTML is sanitised.
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: render.value(text) }} />
}

/** A tool's text is shown up to here while it is folded. */
const LINE_CHARACTERS = 80

/** The input or output of a tool: its first line, and the rest behind it. */
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
