/** Where does a sentence end, in English and Chinese? Blocks of code are left out; nothing else of the text is lost. */
import { codeRegions } from './code-regions.ts'

const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|etc|fig|no|vol|approx|inc|ltd|jr|sr|a\.m|p\.m|[a-z])\.$/i
const MAY_END = /[.。！？；!?\n]/g
const CLOSERS = '"\'”’)）]」』】》`*'

/** The sentences of a text in order, trimmed, without empty ones; a line break ends a sentence as a full stop does. */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = []
  let start = 0
  const prose = withoutBlocks(text)
  // Only where one of these stands can a sentence end; looking at every character would take ten times as long.
  for (const { index } of prose.matchAll(MAY_END)) {
    if (index < start) continue
    if (prose[index] === '\n') {
      push(sentences, prose.slice(start, index))
      start = index + 1
      continue
    }
    if (!endsSentence(prose, index, start)) continue
    let end = index + 1
    while (end < prose.length && ('。！？!?…'.includes(prose[end]!) || CLOSERS.includes(prose[end]!))) end++
    push(sentences, prose.slice(start, end))
    start = end
  }
  push(sentences, prose.slice(start))
  return sentences
}

function withoutBlocks(text: string): string {
  if (!text.includes('```')) return text
  let prose = ''
  let end = 0
  for (const region of codeRegions(text)) {
    if (region.kind !== 'block') continue
    prose += `${text.slice(end, text.lastIndexOf('```', region.from))}\n`
    end = Math.min(text.length, region.to + 3)
  }
  return prose + text.slice(end)
}

function endsSentence(text: string, at: number, start: number): boolean {
  const character = text[at]!
  if ('。！？；'.includes(character)) return true
  if (character === '!' || character === '?') return !/[\w=.]/.test(text[at + 1] ?? ' ')
  if (character !== '.') return false
  const next = text[at + 1]
  if (next !== undefined && !/\s/.test(next) && !CLOSERS.includes(next)) return false
  return !ABBREVIATION.test(text.slice(Math.max(start, at - 8), at + 1))
}

function push(sentences: string[], sentence: string): void {
  const trimmed = sentence.trim()
  if (trimmed !== '' && /[\p{L}\p{N}]/u.test(trimmed)) sentences.push(trimmed)
}
