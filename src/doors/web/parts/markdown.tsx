/** A model's answer as sanitised Markdown; plain text until the renderer has loaded. */
import { signal } from '@preact/signals'

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
