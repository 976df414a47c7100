import { describe, expect, test } from 'vitest'
import { extractFacts } from './extract-facts.ts'
import { asWritten, joinMarks, type Kind, valueOfKind } from './value-kinds.ts'

test.each<[Kind, string, string | null]>([
  ['place', 'your advice', null],
  ['place', 'Ghent was quite cold', null],
  ['place', 'Ghent with my aunt', 'Ghent'],
  ['place', 'a flat in Ghent', 'Ghent'],
  ['place', '象山路', '象山路'],
  ['person', 'the', null],
  ['person', 'Dr. O. Varga', 'Dr. O. Varga'],
  ['organisation', 'both of us', null],
  ['organisation', 'Monday', null],
  ['organisation', 'a law firm', 'a law firm'],
  ['job', 'expected', null],
  ['job', 'best cook', null],
  ['job', 'seeing a therapist', null],
  ['job', 'inviting 10 local artists', null],
  ['job', 'ferry pilot in Bergen', 'ferry pilot'],
  ['age', '8', '8'],
  ['age', '2024', null],
  ['food', 'confirm', 'confirm'],
  ['food', 'what they gave me', null],
])('as a %s, "%s" is %s', (kind, said, value) => {
  expect(valueOfKind(kind, said)).toBe(value)
})

test.each([
  'The plan is based on your advice.',
  'I am leaning on reasons rather than moods.',
  'Seeing the sun go down was lovely.',
  'I joined the walk on April 5.',
  'Use it as expected.',
  'A tool for guides to steer with.',
  'Drink plenty of water.',
  'Always confirm allergy details when I ask about menus.',
  'My hard work is paying off.',
  '我有两个女儿，大的九岁',
  '特别是秋天的风',
  '心里还是有点没底',
])('no attribute is read from "%s"', (text) => {
  expect(extractFacts(text)).toEqual([])
})

function valueRead(text: string, key: string): string | undefined {
  return extractFacts(text).find((fact) => fact.key === key)?.value
}

describe('a value with a date is not cut within it', () => {
  test.each([
    ['My aunt was born on 9 August 1961.', 'birthday', '9 August 1961'],
    ['My birthday is November 2, 1974.', 'birthday', 'November 2, 1974'],
    ['My birthday is the 2nd of November, 1974, a Saturday.', 'birthday', '2nd of November, 1974'],
    ["My wife's birthday is 9 Aug '61.", 'birthday', "9 Aug '61"],
    ['My nephew was born 2021-11-02.', 'birthday', '2021-11-02'],
    ['I was born in Graz on 9 August 1961.', 'birthday', '9 August 1961'],
    ['I was born in Graz on 9 August 1961.', 'hometown', 'Graz'],
    ['Our wedding is on Saturday, September 12, 2026.', 'wedding', 'Saturday, September 12, 2026'],
    ['My deadline is 9 August 2027 at 17:30.', 'deadline', '9 August 2027 at 17:30'],
    ['I started at Kiln & Co on August 9, 2021.', 'employer', 'Kiln & Co'],
    ['我侄子2021年11月2日出生', 'birthday', '2021年11月2日'],
    ['我的出生日期：1974-11-02', 'birthday', '1974-11-02'],
    ['我生日1974年11月2号', 'birthday', '1974年11月2号'],
    ['我11月2日生日', 'birthday', '11月2日'],
    ['我的航班是8月9日17:30', 'flight', '8月9日17:30'],
  ])('%s', (text, key, value) => {
    expect(valueRead(text, key)).toBe(value)
  })
})

describe('a number is not cut within it', () => {
  test.each([
    ['My rent is $1,475.50 a month.', 'rent', '$1,475.50 a month'],
    ['My salary is 91,000 euros.', 'salary', '91,000 euros'],
    ['My phone number is (030) 555-0182.', 'phone_number', '(030) 555-0182'],
    ['My phone number is +43 (0)316 555018.', 'phone_number', '+43 (0)316 555018'],
    ['I get up at 5:40 am.', 'wake_time', '5:40 am'],
    ["I'm 61.5 years old.", 'age', '61.5'],
    ['年薪三万七千六百四十五块', 'salary', '三万七千六百四十五块'],
    ['我工资 14,750 元', 'salary', '14,750 元'],
    ['房租是1450,水电另算', 'rent', '1450'],
    ['月薪从1.3万涨到1.7万', 'salary', '1.7万'],
    ['我早上5:40起床', 'wake_time', '5:40'],
    ['我奶奶一百零三岁', 'age', '一百零三岁'],
    ['我外甥今年6.5岁', 'age', '6.5岁'],
  ])('%s', (text, key, value) => {
    expect(valueRead(text, key)).toBe(value)
  })

  test('an address is no port', () => {
    expect(valueRead('It listens on port 10.1.2.3:8080.', 'port')).toBeUndefined()
  })
})

test('a word that is also a month is no birthday', () => {
  expect(valueRead('My birthday may be hard to remember.', 'birthday')).toBeUndefined()
})

test('other marks still end a value, and every mark comes back', () => {
  expect(valueRead('I live in Graz, 9 August is a holiday there.', 'home')).toBe('Graz')
  expect(valueRead('I live in Graz (the old town).', 'home')).toBe('Graz')
  const sentence = 'Dr. Ota (0316) says: 9,5 kg at 10:45, May 5, 1990.'
  expect(asWritten(joinMarks(sentence))).toBe(sentence)
})
