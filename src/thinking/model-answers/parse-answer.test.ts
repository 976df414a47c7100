import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseAnswer } from './parse-answer.ts'

const schema = z.object({ write: z.boolean(), text: z.string() })
const GOOD = { write: true, text: '用户下个月搬到成都。' }
const JSON_TEXT = JSON.stringify(GOOD)

test.each([
  ['plain JSON', JSON_TEXT],
  ['a fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
  ['a fence that is never closed', `Here you are:\n\`\`\`\n${JSON_TEXT}`],
  ['prose around it', `Sure! This is my decision: ${JSON_TEXT} I hope that {this} helps.`],
  ['a brace in the prose before it', `With {name as a placeholder, the object is ${JSON_TEXT}`],
  ['Chinese prose around it', `好的，结果如下：\n${JSON_TEXT}\n以上。`],
  ['reasoning before it', `<think>Maybe {"write": false, "text": "no"}?</think>${JSON_TEXT}`],
  ['reasoning whose opening tag is missing', `Maybe {"write": false, "text": "no"}?\n</think>\n${JSON_TEXT}`],
  ['a list around it', `[${JSON_TEXT}]`],
  ['an object around it', `{"answer": ${JSON_TEXT}}`],
  ['JSON in a JSON string', JSON.stringify(JSON_TEXT)],
  ['another object before it', `{"note": 1} ${JSON_TEXT}`],
  ['single quotes and a trailing comma', `{'write': true, 'text': '用户下个月搬到成都。',}`],
  ['unquoted names and comments', `{write: true, /* moving */ text: "用户下个月搬到成都。"}`],
  ['a raw line break in front', `\ufeff\n\n${JSON_TEXT}\n`],
])('the answer is found in %s', (_case, text) => {
  expect(parseAnswer(text, schema)).toMatchObject({ ok: true, value: GOOD })
})

const listSchema = z.object({ records: z.array(z.object({ text: z.string() }).partial()) })

test('of a cut answer the complete pieces are kept and half a sentence is not', () => {
  const text = '{"records": [{"text": "She sold the bakery."}, {"text": "She does not want to mo'
  expect(parseAnswer(text, listSchema)).toMatchObject({
    ok: true,
    isCut: true,
    value: { records: [{ text: 'She sold the bakery.' }, {}] },
  })
  const value = JSON.stringify(parseAnswer(text, listSchema))
  expect(value).not.toContain('does not want')
})

test.each([
  ['nothing', '', 'empty'],
  ['only reasoning', '<think>{"write": true, "text": "x"}', 'empty'],
  ['prose', 'I am sorry, but I cannot help with that.', 'no JSON'],
  ['a list of numbers', '[1, 2, 3]', 'another shape'],
  ['a wrong shape', '{"write": "perhaps", "text": 7}', 'write'],
])('%s is no answer, and the reason is one short line', (_case, text, reason) => {
  const parsed = parseAnswer(text, schema)
  expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(reason) })
  expect(parsed.ok ? '' : parsed.error).not.toMatch(/\n/)
  expect(parsed.ok ? 0 : parsed.error.length).toBeLessThan(400)
})

test('nonsense of every kind is refused without an exception', () => {
  const kinds = [
    '[',
    '{',
    '{"a":',
    '"',
    '\\',
    '{}',
    '[{',
    '```',
    '{"',
    "'",
    '/*',
    '\u0000',
    '\ud800',
    '记忆{',
    'lorem ipsum {dolor} ',
    '-1e',
    '<think>',
  ]
  for (const kind of kinds) {
    const text = kind.repeat(Math.ceil(50_000 / kind.length))
    expect(parseAnswer(text, schema).ok).toBe(false)
    expect(parseAnswer(`${JSON_TEXT}\n${text}`, schema).ok).toBe(true)
  }
})
