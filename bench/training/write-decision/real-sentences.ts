/**
 * Sentences of real chats, labelled by hand: `real-sentences.tsv` holds set, id of the turn and a code for each sentence (L a
 * lasting fact, E an event, plan or state worth noting, I an instruction, N nothing; + with the sentence before), never a
 * text. The texts are read from the data folder.
 */
import { existsSync, readFileSync } from 'node:fs'
import { splitSentences } from '../../../src/language/sentences.ts'
import type { LabelledMessage, SentenceCode } from './messages.ts'

/** A labelled sentence; `measured`: it belongs to the half that is kept for measuring. */
export interface LabelledSentence extends LabelledMessage {
  readonly set: string
  readonly measured: boolean
}

interface DataSet {
  readonly users: readonly {
    readonly userId: string
    readonly turns: readonly { readonly externalId: string; readonly content: string }[]
  }[]
}

/** Sets of few users are parted by turn, others by user. */
const FEW_USERS = 3
/** Labelled of one turn at most. */
const MOST_SENTENCES = 25

/** The codes, from the one that tells least. */
const CODES = 'NIEL'

/**
 * The labelled sentences whose set lies in the folder, none where the folder has none of them; with them each message of
 * several sentences as a whole (`isWhole`), which is worth keeping where one of its sentences is.
 */
export function realSentences(folder: string): readonly LabelledSentence[] {
  const lines = readFileSync(new URL('real-sentences.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const labels = Map.groupBy(
    lines.map((line) => line.split('\t')),
    ([set]) => set!,
  )
  return [...labels].flatMap(([set, rows]) => {
    const path = `${folder}/${set}.json`
    if (!existsSync(path)) return []
    const { users } = JSON.parse(readFileSync(path, 'utf8')) as DataSet
    const turns = new Map(
      users.flatMap(({ userId, turns }) =>
        turns.map(({ externalId, content }) => [externalId, { userId, content }] as const),
      ),
    )
    return rows.flatMap(([, id, codes]) => {
      const { userId, content } = turns.get(id!)!
      const measured = isOdd(users.length < FEW_USERS ? id! : userId)
      const given = codes!.split(' ')
      const sentences = splitSentences(content).slice(0, MOST_SENTENCES)
      // A sentence more or less: the border of one was drawn anew since it was labelled.
      if (sentences.length !== given.length) return []
      const most = given.reduce((a, b) => (CODES.indexOf(b[0]!) > CODES.indexOf(a[0]!) ? b : a))
      const each = sentences.map((text, at) => labelled(set, text, given[at]!, measured))
      return each.length < 2 ? each : [...each, { ...labelled(set, content, most, measured), isWhole: true }]
    })
  })
}

function labelled(set: string, text: string, code: string, measured: boolean): LabelledSentence {
  return {
    id: 'real',
    set,
    measured,
    lang: /\p{Script=Han}/u.test(text) ? 'zh' : 'en',
    text,
    store: code !== 'N',
    semantic: code.startsWith('L'),
    reason: 'state',
    importance: 0,
    facts: [],
    must_not: [],
    ambiguous: false,
    code: code[0] as SentenceCode,
  }
}

function isOdd(name: string): boolean {
  let sum = 7
  for (const character of name) sum = (sum * 31 + character.charCodeAt(0)) >>> 0
  return sum % 2 === 1
}
