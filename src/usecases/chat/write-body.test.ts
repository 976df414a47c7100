import { expect, test } from 'vitest'
import { writeBody } from './complete-chat.ts'

const changes = { recalled: '<recalled-memory>\n猫叫 "Miso"\n</recalled-memory>', model: 'configured' }
const TEXT = JSON.stringify(changes.recalled).slice(1, -1)

test('without anything to add the body stays as it is, to the last byte', () => {
  const body = ' {"model":"m",\n "messages" : [ ], "seed": 1.0e3 }\n'
  expect(writeBody(body, { ...changes, recalled: null })).toBe(body)
})

test('what was recalled stands behind the client’s own instructions, in the same message', () => {
  const body =
    '{"model":"m","messages":[{"role":"system","content":"说中文。","name":"x"},{"role":"user"}],"seed":1.0e3}'
  expect(writeBody(body, changes)).toBe(
    `{"model":"m","messages":[{"role":"system","content":"说中文。\\n\\n${TEXT}","name":"x"},{"role":"user"}],"seed":1.0e3}`,
  )
})

test('instructions in parts get another part', () => {
  const body = '{"model":"m","messages":[{"role":"developer","content":[{"type":"text","text":"Be brief."}]}]}'
  expect(JSON.parse(writeBody(body, changes)).messages[0].content).toEqual([
    { type: 'text', text: 'Be brief.' },
    { type: 'text', text: changes.recalled },
  ])
})

test.each(['{"role":"system"}', '{"role":"system","content":null}', '{"role":"user","content":"Hi"}'])(
  'before a first message without instructions (%s) a system message is put in front',
  (first) => {
    expect(writeBody(`{"model":"m","messages":[ ${first} ]}`, changes)).toBe(
      `{"model":"m","messages":[{"role":"system","content":"${TEXT}"},${first}]}`,
    )
  },
)

test.each(['{"messages":[]}', '{"model":null,"messages":[]}', '{"model":"","messages":[]}'])(
  'a request that names no model (%s) gets the configured one',
  (body) => expect(JSON.parse(writeBody(body, { ...changes, recalled: null })).model).toBe('configured'),
)

test('`session_id` is ours and stays here; what has the same name further inside goes along', () => {
  const body = '{"session_id":"s","model":"m","messages":[],"metadata":{"session_id":"t"}}'
  expect(writeBody(body, { ...changes, recalled: null })).toBe(
    '{"model":"m","messages":[],"metadata":{"session_id":"t"}}',
  )
})
