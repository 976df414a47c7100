/** Every exported rule that reads one text, found in the sources: what is written tomorrow is tried tomorrow. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = new URL('../../src/', import.meta.url).pathname
/** The rooms that read what users wrote. */
const ROOMS = ['language', 'thinking', 'search', 'store', 'usecases']
/** Names of parameters that hold a text of a user, however long; `word` and the like are pieces that an expression has bounded. */
const A_TEXT =
  /^(?:text|query|sentence|clause|message|question|content|document|line|raw|written|answer|statement|told|run|earlier|newer|older|value|whole|fileText|body)$/

export interface TextRule {
  readonly name: string
  readonly read: (text: string) => unknown
}

/** Rules whose other parameters are a second text or a moment. */
export async function textRules(): Promise<readonly TextRule[]> {
  const rules: TextRule[] = []
  for (const room of ROOMS) {
    for (const file of readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' })) {
      if (!/(?<!\.test)\.ts$/.test(file)) continue
      const code = readFileSync(join(SOURCE, room, file), 'utf8')
      for (const [, name, given] of code.matchAll(/^export (?:async )?function (\w+)\(([^()]*)\)/gm)) {
        const fill = argumentsFor(given!)
        if (fill === null) continue
        const module = (await import(join(SOURCE, room, file))) as Record<string, (...given: unknown[]) => unknown>
        rules.push({
          name: `${room}/${file.replace(/\.ts$/, '')} ${name!}`,
          read: (text) => module[name!]!(...fill(text)),
        })
      }
    }
  }
  return rules
}

function argumentsFor(given: string): ((text: string) => readonly unknown[]) | null {
  const kinds: ('text' | 'moment')[] = []
  for (const parameter of given.split(',').map((one) => one.trim())) {
    if (parameter === '') continue
    const [, name = '', optional, type = ''] = /^(\w+)(\?)?: ?(.*)$/s.exec(parameter) ?? []
    if (/=/.test(parameter) || optional !== undefined) break
    if (type === 'string' && (A_TEXT.test(name) || kinds.length > 0)) kinds.push('text')
    else if (type === 'number' && /^(?:now|saidAt|time)$/.test(name)) kinds.push('moment')
    else return null
  }
  if (kinds[0] !== 'text') return null
  return (text) => kinds.map((kind) => (kind === 'text' ? text : Date.UTC(2026, 4, 6)))
}
