/** Which texts are the word vectors fitted to? Our own English messages of this folder, singly and two at a time. */
import { readFileSync } from 'node:fs'
import { seeded } from '../../speed/synthetic.ts'

const SEED = 1

/** Each message, each with its neighbour, and each with an unrelated one; equal in every run. */
export function ownTexts(): readonly string[] {
  const messages = [
    ...new Set([
      ...lines('chats-en.tsv').map((line) => line.split('\t')[0]!),
      ...['examples', 'fresh'].flatMap((name) =>
        lines(`write-decision/${name}-english.tsv`).map((line) => line.split('\t').at(-1)!),
      ),
      ...['stance', 'own-messages'].flatMap((name) =>
        lines(`${name}-en.jsonl`).map((line) => (JSON.parse(line) as { text: string }).text),
      ),
    ]),
  ]
  return [...messages, ...pairs(messages), ...pairs(shuffled(messages))]
}

function pairs(messages: readonly string[]): readonly string[] {
  return messages.flatMap((message, at) => (at % 2 === 1 ? [`${messages[at - 1]} ${message}`] : []))
}

function shuffled(messages: readonly string[]): readonly string[] {
  const random = seeded(SEED)
  return messages
    .map((message) => ({ message, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ message }) => message)
}

function lines(file: string): readonly string[] {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
}
