import { expect, test } from 'vitest'
import { isCallLine } from './own-words.ts'

test.each([
  "df = pd.read_excel('bom.xlsx')",
  "df.groupby('料号').sum()",
  "rows = list(csv.reader(open('stock.csv')))",
  'print(len(rows))',
  'library(ggplot2)',
  'ggplot(d, aes(x=trt, y=height)) + geom_boxplot()',
  'self.weights = np.zeros((3, 4))',
  'x <- c(1, 2, 3)',
  "app.use(cors({ origin: '*' }));",
  "print(':)')",
])('a line of code: %s', (line) => {
  expect(isCallLine(line)).toBe(true)
})

test.each([
  'Lotte(3)',
  'Pauline (my wife)',
  'I use foo() and bar() all the time',
  'foo(bar) is broken',
  'call me (after 5)',
  'timeout=30',
  '加了个theme(axis.text.x=element_text(angle=45))好了',
  '我妈(退休教师,六十二岁)',
  'My flat (B2, 3rd floor)',
  'f(((',
])('something said: %s', (line) => {
  expect(isCallLine(line)).toBe(false)
})
