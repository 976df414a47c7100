import { expect, test } from 'vitest'
import { ownWords } from './own-words.ts'

test.each([
  "df = pd.read_excel('bom.xlsx')",
  "df.groupby('料号').sum()",
  "app.use(origin='*');",
  'Traceback (most recent call last):',
])('a line of code: %s', (line) => {
  expect(ownWords(line).text.trim()).toBe('')
})

test.each(['Lotte(3)', 'foo(bar) is broken', 'timeout=30', '我妈(退休教师,六十二岁)', 'Pauline (my wife)'])(
  'something said: %s',
  (line) => {
    expect(ownWords(line).text).toBe(line)
  },
)
