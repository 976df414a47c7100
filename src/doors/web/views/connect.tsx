/** Instructions to connect an assistant: the two lines that it needs. */
import { tell, tellProblem } from '../told.ts'
import { t, type Words } from '../words.ts'

const server = JSON.stringify({ mcpServers: { mneme: { command: 'npx', args: ['mneme', 'mcp'] } } }, null, 2)

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
    <section>
      <p class="lead">{t('Whatever is connected remembers in this same memory, and you see it here.')}</p>
      {ways.map(([title, words, text]) => (
        <div key={title} class="card connect">
          <h2>{t(title)}</h2>
          <p class="hint">{t(words)}</p>
          <pre class="command">{text}</pre>
          <button
            type="button"
            class="small"
            aria-label={`${t('Copy')}: ${t(title)}`}
            onClick={() => void navigator.clipboard?.writeText(text).then(() => tell(t('Copied.')), tellProblem)}
          >
            {t('Copy')}
          </button>
        </div>
      ))}
    </section>
  )
}
