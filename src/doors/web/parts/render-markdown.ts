/** Renders Markdown as safe HTML: no scripts, styles or foreign pictures, and links open in a new tab. */
import DOMPurify from 'dompurify'
import { Marked } from 'marked'

/** HTML in a model's answer is shown as text; comments are not, and MEMORY.md names its memories in them. */
const html = ({ text }: { readonly text: string }): string =>
  text.startsWith('<!--') && text.indexOf('-->') === text.trimEnd().length - 3
    ? ''
    : text.replace(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'))

const marked = new Marked({ gfm: true, breaks: true, async: false, renderer: { html } })

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  // Parts that may be wider than the page are scrolled with the keyboard, too.
  if (node.tagName === 'PRE' || node.tagName === 'TABLE') node.setAttribute('tabindex', '0')
  if (node.tagName !== 'A') return
  node.setAttribute('rel', 'noopener noreferrer')
  node.setAttribute('target', '_blank')
})

DOMPurify.setConfig({
  USE_PROFILES: { html: true },
  FORBID_TAGS: 'img style form input button textarea select video audio picture source'.split(' '),
  FORBID_ATTR: ['style', 'class', 'id', 'name'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
})

export function renderMarkdown(text: string): string {
  return DOMPurify.sanitize(marked.parse(text) as string)
}
