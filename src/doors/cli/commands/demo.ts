/** `mneme demo`: a bundled conversation, four questions, what was recalled and why; the clock stands on the day after it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { DAY_MS } from '../../../domain/clock.ts'
import { packageFile } from '../../../language/package-file.ts'
import type { OpenMemory, RecallResultView } from '../../library/index.ts'
import type { CommandDefinition } from '../command-context.ts'
import { writeOut } from '../standard-streams.ts'

interface DemoQuestion {
  readonly query: string
  /** The expected find. */
  readonly shows: string
}

const RESULTS = 3
/** Characters of a result that are shown, and reasons that are named. */
const SHOWN = 200
const REASONS = 3

export const demo: CommandDefinition = {
  run: async () => {
    const { openMemory } = await import('../../library/open-memory.ts')
    const file = packageFile('examples/demo/conversation.jsonl')
    const questions: readonly DemoQuestion[] = JSON.parse(
      readFileSync(packageFile('examples/demo/questions.json'), 'utf8'),
    )
    const last = JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1)!)
    const now = new Date(Date.parse(last.created_at) + DAY_MS)
    const folder = mkdtempSync(join(tmpdir(), 'mneme-demo-'))
    const memory = await openMemory({ path: join(folder, 'demo.db'), userId: 'demo', clock: () => now })
    try {
      const started = performance.now()
      const { turnsAdded } = await memory.conversations.importLogs(file)
      const took = Math.round(performance.now() - started)
      await writeOut(
        `\n${bold('Mneme')} remembers conversations and recalls the right few of them: no model, no key, no service.\n
Imported ${turnsAdded} turns in ${took} ms. Now it is ${dayText(now)}, and you ask:\n\n`,
      )
      for (const question of questions) await writeOut(await answer(memory, question))
      await writeOut(NEXT_STEPS)
    } finally {
      await memory.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function answer(memory: OpenMemory, { query, shows }: DemoQuestion): Promise<string> {
  const asked = { limit: RESULTS, explain: true }
  const { results, totalSearched, latencyMs } = await memory.conversations.recall(query, asked)
  const figures = `${totalSearched} turns searched in ${latencyMs.toFixed(1)} ms`
  return `${bold(query)}\n  ${quiet(figures)}\n  ${quiet(shows)}\n${results.map(shown).join('')}\n`
}

function shown({ relevance, createdAt, speaker, role, content, summary, explanation }: RecallResultView): string {
  const text = (content ?? summary ?? '').replace(/\s+/g, ' ')
  const line = text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text
  const reasons = (explanation?.features ?? [])
    .toSorted((a, b) => b.contribution - a.contribution)
    .slice(0, REASONS)
    .map(({ feature, contribution }) => `${feature} ${contribution.toFixed(2)}`)
  const head = `${relevance.toFixed(2)}  ${speaker ?? role ?? 'summary'}, ${dayText(new Date(createdAt))}`
  return `\n  ${bold(head)}\n      ${line}\n      ${quiet(`why: ${reasons.join(', ')}`)}\n`
}

function dayText(time: Date): string {
  return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
}

const NEXT_STEPS = `Now you:
  npx mneme store --role user --content "We deploy on Fridays, 部署在周五"    remember something
  npx mneme recall --query "什么时候 deploy?" --explain                      ask for it, from any later process
  npx mneme import --from-logs ~/.claude/projects                            bring the coding chats that you have
  npx mneme doctor                                                           see where it is kept

`

const bold = (text: string): string => styleText('bold', text, { stream: process.stdout })
const quiet = (text: string): string => styleText('gray', text, { stream: process.stdout })
