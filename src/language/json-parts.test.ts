import { expect, test } from 'vitest'
import { jsonItems, jsonMembers } from './json-parts.ts'

const slice = (text: string) => (part: { readonly from: number; readonly to: number }) => text.slice(part.from, part.to)

test('the members of an object are found with their bytes as they were written', () => {
  const text =
    ' { "model" : "m", "seed": 12345678901234567890, "t":1.0 ,"最爱":{"2":[1,{"a":"]}"}],"1":null}, "e":"\\"}\\\\" }'
  const members = jsonMembers(text)
  expect(members.map(({ name }) => name)).toEqual(['model', 'seed', 't', '最爱', 'e'])
  expect(members.map(({ value }) => value).map(slice(text))).toEqual([
    '"m"',
    '12345678901234567890',
    '1.0',
    '{"2":[1,{"a":"]}"}],"1":null}',
    '"\\"}\\\\"',
  ])
  expect(slice(text)(members[0]!)).toBe('"model" : "m"')
})

test('the items of a list are found, also where the list begins inside a text', () => {
  const text = '{"messages": [ {"role":"user"} , "b,]" ,[], 3 ] }'
  const [messages] = jsonMembers(text)
  expect(jsonItems(text, messages!.value.from).map(slice(text))).toEqual(['{"role":"user"}', '"b,]"', '[]', '3'])
})

test('empty objects and lists have no parts', () => {
  expect(jsonMembers('{ }')).toEqual([])
  expect(jsonItems(' [ ] ')).toEqual([])
})
