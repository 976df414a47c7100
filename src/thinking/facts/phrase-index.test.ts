import { expect, test } from 'vitest'
import { wordTable } from '../../language/word-lists.ts'
import { cutWords, phraseIndex } from './phrase-index.ts'

const attributes = () =>
  phraseIndex([{ lines: wordTable('attributes'), entryOf: (columns, isHint) => `${isHint ? '~' : ''}${columns}` }])

const TEXTS = [
  "I'm allergic to peanuts and have lived near the harbour since I moved house.",
  '我搬到了苏州，住在地铁口旁边，妈妈的生日是五月三号。',
  'We deploy the backend with Docker; the database is Postgres 16 behind .NET.',
  'The responsibilities of my new job are many, and my cat is called Momo.',
]

test('an index finds the same phrases in its first text and after many', () => {
  const asked = attributes()
  for (let times = 0; times < 10; times += 1) asked.find(cutWords(`Nothing to see here, only word ${times}.`))
  for (const text of TEXTS) {
    const found = asked.find(cutWords(text))
    expect(attributes().find(cutWords(text)), text).toEqual(found)
    expect(found.length, text).toBeGreaterThan(0)
  }
})

test('every phrase of the table is found by an index that was asked nothing before', () => {
  for (const line of wordTable('attributes')) {
    const [name, kind, english = '', chinese = ''] = line.split('|')
    for (const phrase of [...english.split(','), ...chinese.split(' ')].map((one) => one.trim()).filter((one) => one))
      expect(
        attributes()
          .find(cutWords(phrase))
          .map(({ entry }) => entry),
        phrase,
      ).toContain(`${phrase.startsWith('~') ? '~' : ''}${name}|${kind}`)
  }
})
