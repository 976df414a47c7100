/** Which messages is the write decision trained on? The labelled ones of the data folder and our own examples. */
import { readFile } from 'node:fs/promises'
import type { Category } from '../../../src/domain/memory.ts'
import type { DecisionReason } from '../../../src/domain/thought.ts'

/** One labelled message. */
export interface LabelledMessage {
  readonly id: string
  readonly lang: 'en' | 'zh'
  readonly text: string
  readonly store: boolean
  readonly reason: DecisionReason
  readonly importance: number
  readonly semantic: boolean
  readonly facts: readonly { readonly category: Category; readonly value_contains: readonly string[] }[]
  readonly must_not: readonly string[]
  readonly ambiguous: boolean
  /** Known of a sentence of a real chat in place of the reason. */
  readonly code?: SentenceCode
  /** A message of several sentences of a real chat: it teaches whether anything is kept, not what lasts. */
  readonly isWhole?: boolean
}

/** A lasting fact, an event, plan or state worth noting, an instruction, nothing. */
export type SentenceCode = 'L' | 'E' | 'I' | 'N'

/** The meaning of each code in the first column of our examples. */
const CODES: Readonly<Record<string, readonly [DecisionReason, boolean, boolean, Category]>> = {
  chat: ['chitchat', false, false, 'fact'],
  know: ['knowledge_question', false, false, 'fact'],
  frag: ['fragment', false, false, 'fact'],
  paste: ['code_paste', false, false, 'fact'],
  hypo: ['hypothetical', false, false, 'fact'],
  once: ['style_wish', false, false, 'fact'],
  mood: ['state', false, false, 'fact'],
  rumour: ['about_other', false, false, 'fact'],
  style: ['style_wish', true, false, 'preference'],
  state: ['state', true, false, 'fact'],
  other: ['about_other', true, false, 'fact'],
  event: ['event', true, false, 'fact'],
  plan: ['plan', true, false, 'fact'],
  solved: ['problem_solution', true, false, 'fact'],
  order0: ['explicit_remember', true, false, 'fact'],
  order: ['explicit_remember', true, true, 'fact'],
  who: ['identity', true, true, 'fact'],
  like: ['preference', true, true, 'preference'],
  habit: ['habit', true, true, 'pattern'],
  config: ['config', true, true, 'fact'],
  decide: ['decision', true, true, 'fact'],
}

/** The files of labelled messages in a folder, without `.jsonl`. */
const LABELLED_FILES = ['en-1', 'en-2', 'zh-1', 'zh-2'] as const

/** One file of labelled messages. */
export async function labelledMessages(folder: string, name: string): Promise<readonly LabelledMessage[]> {
  const lines = (await readFile(`${folder}/${name}.jsonl`, 'utf8')).trim().split('\n')
  return lines.map((line) => ({ ...JSON.parse(line), lang: name.slice(0, 2) }) as LabelledMessage)
}

/** The share of the second files (`en-2`, `zh-2`) that was looked at while features and examples were written: the first half. */
export const LOOKED_AT_SHARE = 0.5

/** The labelled messages in groups: the first files, and the second files before and after what was looked at. */
export async function labelledGroups(
  folder: string,
): Promise<Readonly<Record<'first' | 'secondSeen' | 'secondUnseen', readonly LabelledMessage[]>>> {
  const files = await Promise.all(LABELLED_FILES.map((name) => labelledMessages(folder, name)))
  const numbered = (number: string): readonly (readonly LabelledMessage[])[] =>
    files.filter((_, at) => LABELLED_FILES[at]!.endsWith(number))
  const middle = (file: readonly LabelledMessage[]): number => Math.floor(file.length * LOOKED_AT_SHARE)
  return {
    first: numbered('1').flat(),
    secondSeen: numbered('2').flatMap((file) => file.slice(0, middle(file))),
    secondUnseen: numbered('2').flatMap((file) => file.slice(middle(file))),
  }
}

/** Messages that were written and labelled for this project by the same rules, in a folder, as `own-messages-en.jsonl` and `-zh`. */
export async function ownMessages(folder: URL): Promise<readonly LabelledMessage[]> {
  const read = async (lang: 'en' | 'zh'): Promise<readonly LabelledMessage[]> => {
    const lines = (await readFile(new URL(`own-messages-${lang}.jsonl`, folder), 'utf8')).trim().split('\n')
    return lines.map((line) => ({ ...JSON.parse(line), lang }) as LabelledMessage)
  }
  return (await Promise.all([read('en'), read('zh')])).flat()
}

/** Where those lie that may be read and learnt from. */
export const OWN_TO_LEARN_FROM = new URL('../', import.meta.url)
/** Where those lie that only measure: nobody reads them. */
export const OWN_TO_MEASURE = new URL('../../quality/', import.meta.url)

/**
 * Our own examples, which lie beside this file: a code, a tab, a message. Look-alikes that are
 * worth keeping teach twice as much as the others: a lost fact is worse than a needless note.
 */
export async function ownExamples(): Promise<readonly LabelledMessage[]> {
  const contrasts = await contrastsIn(HERE)
  return [...(await examplesOf('examples')), ...contrasts, ...contrasts.filter(({ store }) => store)]
}

/**
 * Look-alikes in a folder, as `contrast-english.tsv` and `-chinese`: words about an answer, a task, a story or a
 * letter, beside words that people say of themselves.
 */
export function contrastsIn(folder: URL): Promise<readonly LabelledMessage[]> {
  return examplesOf('contrast', folder)
}

/**
 * Further examples of this form, odder and harder than most messages; each batch was measured before it was learnt from.
 * Those to be refused are more than people write, so they teach half as much.
 */
export async function freshExamples(): Promise<readonly LabelledMessage[]> {
  return (await examplesOf('fresh')).map((example) => ({ ...example, ambiguous: !example.store }))
}

const HERE = new URL('./', import.meta.url)

/** The examples of both languages in two files of a folder. */
async function examplesOf(kind: string, folder: URL = HERE): Promise<readonly LabelledMessage[]> {
  const read = [examplesIn('en', `${kind}-english`, folder), examplesIn('zh', `${kind}-chinese`, folder)]
  return (await Promise.all(read)).flat()
}

async function examplesIn(lang: 'en' | 'zh', name: string, folder: URL): Promise<readonly LabelledMessage[]> {
  const text = await readFile(new URL(`${name}.tsv`, folder), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line, number) => {
      const [code = '', said = ''] = line.split('\t')
      const label = CODES[code]
      if (label === undefined || said === '') throw new Error(`${name}.tsv, line ${number + 1}: ${line}`)
      const [reason, store, semantic, category] = label
      const facts = store ? [{ category, value_contains: [] }] : []
      const id = `${lang}-${name}-${number + 1}`
      return { id, lang, text: said, store, reason, importance: 0, semantic, facts, must_not: [], ambiguous: false }
    })
}
