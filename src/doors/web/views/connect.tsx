/** Instructions to connect an assistant: the two lines that it needs. */
import { Act } from '../parts/controls.tsx'
import { attempt } from '../told.ts'
import { t, type Words } from '../words.ts'

const server = JSON.stringify({ mcpServers: { mneme: { command: 'npx', args: ['mneme', 'mcp'] } } }, null, 2)

/** A button that copies a text. */
export function Copy({ text, name }: { readonly text: string; readonly name: string }) {
  const copy = async (): Promise<string> => {
    await navigator.clipboard.writeText(text)
    return t('Copied.')
  }
  return <Act words={t('Copy')} aria-label={`${t('Copy')}: ${name}`} onClick={() => attempt(copy)} />
}

/** The part of the view. */
export function Connect() {
  const here = location.origin
  const ways: readonly (readonly [Words, Words, string])[] = [
    ['Assistants that start their tools (MCP)', 'Claude Code, Cursor, VS Code and others read this:', server],
    ['Assistants that call an address (MCP)', 'Point them at this address:', `${here}/mcp`],
    [
      'Chats that speak OpenAI’s interface',
      'Memory is added to whatever model is configured here:',
      `OPENAI_BASE_URL=${here}/v1`,
    ],
    ['Programs written for mem0', 'Their own client works against:', `${here}/mem0`],
  ]
  return (
    <section class="stack">
      <p class="lead">{t('Whatever is connected remembers in this same memory, and you see it here.')}</p>
      {ways.map(([title, words, text]) => (
        <div key={title} class="card connect">
          <h2>{t(title)}</h2>
          <p class="hint">{t(words)}</p>
          <pre class="sunk">{text}</pre>
          <Copy text={text} name={t(title)} />
        </div>
      ))}
    </section>
  )
}
