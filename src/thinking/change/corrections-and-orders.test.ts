import { expect, test } from 'vitest'
import { orderChanged } from './corrections-and-orders.ts'

test.each([
  ['From now on I want long, detailed replies', 'keep your replies brief', 'supersedes'],
  ['Always give distances in imperial units', 'Always give distances in metric units', 'supersedes'],
  ['以后讲解详细一点', '讲解尽量简洁', 'supersedes'],
  ['Always give lengths in centimetres', 'Always give distances in metric units', null],
  ['I would like a long holiday from now on', 'I like short walks', null],
  ['Keep your replies friendly', 'keep your replies brief', null],
  ['My brother keeps his replies long', 'keep your replies brief', null],
  ['讲解别太长', '以后讲解详细一点', 'supersedes'],
  ['emojis are fine again', 'Never use emojis when you reply.', 'ends'],
  ['Please reply in English from now on', 'Always answer in Portuguese.', 'supersedes'],
  ['回复可以稍微长一点了，但还是不要emoji', '以后回复我简短点，别用emoji', 'supersedes'],
  ['Longer answers are fine from now on', 'Keep your answers short, like two lines each', 'supersedes'],
  ['go back to English please', 'answer me in Polish', 'supersedes'],
  ['Actually stop using tables, plain text is better.', 'Please always answer me in tables.', 'ends'],
  ['算了，还是用中文回答我吧。', '以后回答都用法语。', 'supersedes'],
  ['算了，回答详细点吧', '以后回答简短一点', 'supersedes'],
  ['By the way, code blocks are fine from now on.', "Please don't use code blocks in your answers.", 'ends'],
  ['You can use headings again, I missed them.', 'No headings please.', 'ends'],
  ['链接现在可以发了。', '回答不要发链接。', 'ends'],
  ['可以重新用感叹号了', '别用感叹号。', 'ends'],
  ['还是用中文吧。', '以后都用日语回答我。', 'supersedes'],
  [
    "Let's go back to English, my Italian course is over.",
    "Always answer me in Italian, I'm practising.",
    'supersedes',
  ],
  ['You can use the garage again', 'No headings please.', null],
  ['还是用电饭锅吧', '以后都用日语回答我。', null],
  ['answer me in Danish', 'explain Polish grammar in simple words please', null],
])('an order at the other end of a scale of manners takes its place: %s', (newer, older, relation) => {
  expect(orderChanged(newer, older)).toBe(relation)
})
