import { expect, test } from 'vitest'
import { questionParts } from './candidates.ts'

test.each([
  [
    'What is my sister called, and where did I park the bike?',
    ['What is my sister called', 'where did I park the bike'],
  ],
  ['Which ward is hers and until when?', ['Which ward is hers', 'until when']],
  ['Who is Lena? When does the lease end?', ['Who is Lena', 'When does the lease end']],
  ['我妹妹叫什么？自行车停在哪里了？', ['我妹妹叫什么', '自行车停在哪里了']],
  ['我对什么过敏，医生约在几点', ['我对什么过敏', '医生约在几点']],
  ['After the move, what broke? And who repaired it?', ['After the move, what broke', 'And who repaired it']],
])('%s has parts', (message, parts) => {
  expect(questionParts(message)).toEqual(parts)
})

test.each([
  'What do Kate and Elise both do to relax?',
  'Where did Ana and her brother go?',
  '我和小王都喜欢什么运动？',
  'ok?',
  '',
  'a? b? c? d?',
  '搬家之后，花瓶是谁打碎的？',
  'List what we ordered. Answer in one line.',
])('%s asks for one thing', (message) => {
  expect(questionParts(message)).toEqual([])
})
