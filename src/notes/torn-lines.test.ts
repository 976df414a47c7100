import { expect, test } from 'vitest'
import { turnsDuring } from '../../test/support/loop-turns.ts'
import { parseNotes } from './parse-notes.ts'
import { tornParts } from './torn-lines.ts'

const MARK = '- [2026-05-07] '
const TEXTS = [
  'The ferry leaves from the northern harbour at nine.',
  'I prefer window seats on long journeys.',
  '图书馆周一不开门，周二下午才有人。',
  'The printer answers on port 9100.',
]
const lines = TEXTS.map((text, at) => `${MARK}${text} <!-- mneme:${String(at).repeat(12)} -->`)
const written = lines.map((raw, at) => ({ raw, from: MARK.length, to: MARK.length + TEXTS[at]!.length }))
const file = ['# MEMORY', '', '## User information', ...lines, '## Preferences', ''].join('\n')

/** The lines of a file that are torn. */
const tornIn = async (text: string): Promise<readonly string[]> =>
  (await tornParts(parseNotes(text), written)).map(({ raw }) => raw.trimEnd())
const place = (words: string): number => file.indexOf(words)

test('a stretch that is gone leaves one seam, and so does one that is doubled, copied or glued', async () => {
  const gone = file.slice(0, place('orthern')) + file.slice(place('ow seats'))
  expect(await tornIn(gone)).toEqual([
    `${MARK}The ferry leaves from the now seats on long journeys. <!-- mneme:${'1'.repeat(12)} -->`,
  ])
  const within = file.slice(0, place('rry leaves')) + file.slice(place('arbour at'))
  expect(await tornIn(within)).toHaveLength(1)
  const doubled = file.slice(0, place('ys.')) + file.slice(place('rthern'))
  expect(await tornIn(doubled)).toHaveLength(1)
  expect(await tornIn(file.slice(0, place('refer')) + file)).toEqual([`${MARK}I p# MEMORY`])
  expect(await tornIn(file.replace(lines[1]!, lines[1]!.slice(0, 26)))).toEqual([lines[1]!.slice(0, 26)])
  const inMark = file.slice(0, place('05-07] 图')) + file.slice(place('周二'))
  expect(await tornIn(inMark)).toEqual([`- [2026-周二下午才有人。 <!-- mneme:${'2'.repeat(12)} -->`])
})

test.each([
  ['as it was written', file],
  ['words taken out', file.replace('from the northern harbour ', '')],
  ['a letter taken out', file.replace('journeys', 'journey')],
  ['the end of a line taken out', file.replace(' on long journeys.', '')],
  ['half of a sentence in Chinese', file.replace('，周二下午才有人', '')],
  ['other words', file.replace('port 9100', 'port 9200').replace('window seats', 'the aisle')],
  ['a day as another line has it', file.replace(lines[3]!, lines[3]!.replace('05-07', '05-08'))],
  ['a line that begins as another', file.replace('The printer answers on', 'The ferry leaves from')],
  [
    'two lines made one',
    file.replace(`${lines[0]}\n`, '').replace('I prefer', 'The ferry leaves at nine, and I prefer'),
  ],
  ['a line copied and changed', file.replace(lines[1]!, `${lines[1]}\n${lines[1]!.replace('long', 'short')}`)],
  ['a word said twice', file.replace('long', 'long long')],
  ['a line of the person', `${file}\n- The printer\n- [2026-05-07] The ferry is red.\n`],
  ['a heading of the person', file.replace('## Preferences', '## What I prefer')],
])('what a person may have made of it is not torn: %s', async (_, text) => {
  expect(await tornIn(text)).toEqual([])
})

test('a long file is compared in pieces, with others between', async () => {
  const added = Array.from({ length: 20_000 }, (_, at) => `${MARK}The ferry ${at} is red.`).join('\n')
  expect(await turnsDuring(tornIn(`${file}${added}\n`))).toBeGreaterThan(8)
})
