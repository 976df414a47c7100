import { expect, test } from 'vitest'
import { decideByRules } from './decide-by-rules.ts'
import { writeJudgement } from './linear-model.ts'
import { answerKind, namedAt, refersBack, standingOf } from './self-contained.ts'

const stands = (text: string, heard = '') => standingOf(text, writeJudgement(text), heard)

test.each([
  ['My sister Ines moved to Utrecht in May to teach the cello.', 'Sure, that sounds like a good plan, I will try it.'],
  ['我妹妹五月搬到了乌得勒支，在那里教大提琴。', '明白了，这个思路很清晰，我会按你的建议去做。'],
])('a fact stands better than a reply that agrees: %s', (fact, reply) => {
  expect(stands(fact)).toBeGreaterThan(0)
  expect(stands(reply)).toBeLessThan(0)
})

test('what was just heard stands less well', () => {
  const text = 'The garden club plants tulips every autumn.'
  expect(stands(text, 'Garden clubs plant tulips every autumn.')).toBeLessThan(stands(text))
})

test('what points back stands less well than what names its matter', () => {
  expect(stands('It starts in Tartu on Friday.')).toBeLessThan(stands('Choir starts in Tartu on Friday.'))
})

test.each([
  'It keeps me awake at night.',
  'And honestly, they never call.',
  'No but thats a rumour',
  'I dont know he hardly talks',
  "I'm thankful for their patience, which got me through.",
  'I plan to try these recipes by inviting friends.',
  'I think it opens up new doors.',
  'Sharing these recipes takes time.',
  'I doubt he would win.',
  "It's something I always wanted to learn.",
  'I plan to share this with my cousin!',
  '而且它很安静。',
  '我希望这些故事能留下来，成为她的一部分。',
  '但是他不太爱说话。',
  '这次拍得很顺利。',
])('it is understood by what was said before: %s', (sentence) => {
  expect(refersBack(sentence)).toBe(true)
})

test.each([
  "It's hard to find a flat here.",
  'OK, pizza it is.',
  'This weekend I am off to Lisbon.',
  'There are two cellos in the hall.',
  'I told my sister that she should come.',
  'I prefer tablets for their weight.',
  "I'm worried that I will miss the train.",
  'I heard that in Tartu it rains a lot.',
  'I bought a kayak and it leaks.',
  '这周我要去苏州。',
  '我妈妈说她明天到。',
])('it is understood by itself: %s', (sentence) => {
  expect(refersBack(sentence)).toBe(false)
})

test('the nearest statement names what is meant, a question only where no statement does', () => {
  expect(namedAt(['I joined a choir.', 'Can you suggest some songs?', 'It meets on Mondays.'], 2, false)).toBe(0)
  expect(namedAt(['Do you know the choir downtown?', 'It changed my life.'], 1, false)).toBe(0)
  expect(namedAt(['我养了一只鹦鹉。', '它会说三句话。'], 1, false)).toBe(0)
  expect(namedAt(['Wow!', 'It meets on Mondays.'], 1, false)).toBe(-1)
})

test('a definite thing is named where it was told of', () => {
  const said = [
    'I accepted an offer from a bakery, a hard decision.',
    'I slept badly.',
    'I think my decision was right.',
  ]
  expect(namedAt(said, 2, true)).toBe(0)
  expect(namedAt(said, 2, false)).toBe(-1)
})

test.each([
  ['Porto', 'Nice to meet you! Where do you live?', 'identity', true],
  ['two girls and a boy', 'How many children do you have?', 'identity', true],
  ['杭州', '你住在哪个城市？', 'identity', true],
  ['早上六点', '你平时几点起床？', 'identity', true],
  ['Earl Grey', 'Which tea do you like best?', 'preference', true],
  ['Postgres 16', 'Which database do you use?', 'identity', true],
])('%s answers "%s" and is kept', (content, previous, reason, semantic) => {
  expect(answerKind(content, previous)).toEqual({ reason, semantic })
  const decision = decideByRules({ content }, { previous })
  expect(decision.store).toBe(true)
  expect(decision.parts[0]).toMatchObject({ text: content })
  expect(decision.parts.some((part) => part.semantic)).toBe(true)
})

test.each([
  ['French', 'Which language should I write it in for you?'],
  ['the second', 'Which one do you like?'],
  ['yes', 'Where do you live?'],
  ['no idea', 'What is your blood type?'],
  ['正式一点', '你想要什么语气？'],
  ['why do you ask?', 'Where do you live?'],
  ['Porto', 'Porto is in Portugal.'],
  ['Lisbon', 'What is the capital of Portugal?'],
])('%s after "%s" says nothing about the user', (content, previous) => {
  expect(answerKind(content, previous)).toBeNull()
})

test('the same word without a question before it is a fragment and not kept', () => {
  expect(decideByRules({ content: 'Porto' }).store).toBe(false)
})

test('what the user has just done or is doing is no lasting fact', () => {
  expect(answerKind('restarting the router', 'What have you tried so far?')).toMatchObject({ semantic: false })
  expect(answerKind('a cake', 'What are you baking?')).toMatchObject({ reason: 'state', semantic: false })
  expect(answerKind('1961 in Turku', 'When and where were you born?')).toMatchObject({ semantic: true })
  expect(answerKind('Node 22', 'Which runtime are you using?')).toMatchObject({ semantic: true })
})

test('an answer about what is planned is kept and is not lasting', () => {
  const decision = decideByRules({ content: 'Crete' }, { previous: 'Where will you go next summer?' })
  expect(decision).toMatchObject({ store: true, reason: 'plan' })
  expect(decision.parts.every(({ semantic }) => !semantic)).toBe(true)
})
