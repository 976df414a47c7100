import { expect, test } from 'vitest'
import { givesOtherValue } from './new-notes.ts'

test.each([
  ['The API listens on port 8081.', 'The API listens on port 8080.'],
  ['Node runs in version 24.1 here.', 'Node runs in version 22.1 here.'],
  ['The wiki is kept by Joana.', 'The wiki is kept by Joaquim.'],
  ['Guests may use the side door.', 'Guests may not use the side door.'],
  ['The heating goes off at night.', 'The heating goes on at night.'],
  ['Call the landlord before noon.', 'Call the landlord after noon.'],
  ['I am always home on Sundays.', 'I am never home on Sundays.'],
  ['Error E1043 means a full queue.', 'Error E1044 means a full queue.'],
  ['接口返回用 snake_case。', '接口返回用 camelCase。'],
  ['妹妹在厦门读大学。', '妹妹在南京读大学。'],
  ['周会改到星期二了。', '周会改到星期四了。'],
  ['发布前不用通知运维。', '发布前要通知运维。'],
  ['仓库在三号楼。', '仓库在五号楼。'],
  ['我爱吃辣的菜。', '我爱吃甜的菜。'],
  ['网关放在腾讯云后面。', '网关放在阿里云后面。'],
  ['照片都存在百度网盘里。', '照片都存在阿里网盘里。'],
])('%s is no duplicate of: %s', (text, known) => {
  expect(givesOtherValue(text, known)).toBe(true)
  expect(givesOtherValue(known, text)).toBe(true)
})

test.each([
  ['The wiki is kept by Joana!', 'The wiki is kept by Joana.'],
  ['Our heating goes off at night.', 'The heating goes off at night.'],
  ['The nightly backups run at three.', 'The nightly backup runs at three.'],
  ['我妹妹在厦门读大学。', '妹妹在厦门读大学。'],
  ['我十分爱吃辣的菜。', '我爱吃辣的菜。'],
])('%s says the same as: %s', (text, known) => {
  expect(givesOtherValue(text, known)).toBe(false)
})

test('a number that the known line does not give is news, one that it gives beside is none', () => {
  expect(givesOtherValue('The lease ends in 2029.', 'The lease ends soon.')).toBe(true)
  expect(givesOtherValue('The lease ends in Lisbon.', 'The lease ends in Lisbon in 2029.')).toBe(false)
})
