/**
 * How often does an unrelated statement end a memory? Each message of many people meets thirty random others; a few do
 * contradict each other (two towns), so the floor is a few percent.
 */
import { readFile } from 'node:fs/promises'
import { relateAll } from '../../src/thinking/change/relate.ts'
import type { Relation, Statement } from '../../src/thinking/change/statement-reading.ts'
import { statementOf } from '../../src/usecases/think/related-memories.ts'
import { thinkByRules } from '../../src/usecases/think/think-by-rules.ts'
import type { Figure } from '../figure.ts'
import { requireData } from './data-folder.ts'

const OTHERS = 30
const TRIED = 400
/** The others were said within the half year before, in milliseconds. */
const SPREAD = 180 * 86_400_000
const SEED = 20260521
const ENDING: ReadonlySet<Relation> = new Set(['supersedes', 'ends', 'corrects'])
const KINDS: readonly (readonly [name: string, relations: ReadonlySet<Relation>])[] = [
  ['ends at least one of 30', ENDING],
  ['taken for said before', new Set(['same'])],
  ['doubts at least one of 30', new Set(['doubts'])],
]

/** Figures for each file of labelled messages; `show` prints the pairs to standard error. */
export async function falseChanges(data: string, files: readonly string[], show: boolean): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const file of files) {
    const statements = await statementsIn(requireData(`${data}/extraction-dev/${file}.jsonl`))
    const random = randomNumbers(SEED)
    const pick = (): Statement => statements[Math.floor(random() * statements.length)]!
    const hit = KINDS.map(() => 0)
    for (let at = 0; at < TRIED; at += 1) {
      const newer = { ...pick() }
      const olders = Array.from({ length: OTHERS }, pick)
        .filter(({ text }) => text !== newer.text)
        .map((older) => ({ ...older, occurredAt: newer.occurredAt - Math.floor(random() * SPREAD) }))
      const related = relateAll(newer, olders)
      for (const [kind, [, relations]] of KINDS.entries())
        if (related.some(({ relation }) => relations.has(relation))) hit[kind] = hit[kind]! + 1
      if (show)
        for (const [index, { relation, reason }] of related.entries())
          if (ENDING.has(relation) || relation === 'same')
            process.stderr.write(`${relation}: ${reason}\n  + ${newer.text}\n  - ${olders[index]!.text}\n`)
    }
    for (const [kind, [name]] of KINDS.entries())
      figures.push({
        bench: 'updates',
        figure: `false change, ${file}, ${name}`,
        value: (100 * hit[kind]!) / TRIED,
        unit: '%',
        n: TRIED,
      })
  }
  return figures
}

async function statementsIn(path: string): Promise<readonly Statement[]> {
  const messages = (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly text: string; readonly store: boolean })
  const createdAt = Date.UTC(2026, 4, 1)
  const kept = messages
    .filter(({ store }) => store)
    .map(({ text: content }) => ({ role: 'user' as const, content, speaker: null, turnId: null, createdAt }))
  const statements: Statement[] = []
  for (const message of kept) {
    const thoughts = await thinkByRules(
      {
        userId: 'teller',
        conversationId: null,
        messages: [message],
        injected: [],
        now: createdAt,
        maxCharacters: 2_000,
      },
      false,
    )
    for (const { memory } of thoughts.drafts) statements.push(statementOf({ ...memory, id: '' }))
  }
  return statements
}

/** Mulberry32: the same pairs in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
