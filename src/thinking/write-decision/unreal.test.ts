import { expect, test } from 'vitest'
import { withoutUnreal } from './unreal.ts'

const left = (text: string): string => withoutUnreal(text).text.replace(/\s+/g, ' ').trim()

test('dreams, songs and figures of a story are taken out to the end of their sentence', () => {
  for (const text of [
    'I dreamed that I ran a hotel in Bergen.',
    'had a strange dream, I was a beekeeper',
    '昨晚梦见我开了家旅馆',
    'My protagonist is a deaf sailor with two sons',
    '🎶 I am sailing 🎶',
    '小说里的男主是个厨子',
  ])
    expect(withoutUnreal(text).taken, text).toBeGreaterThan(0)
  expect(left('I work in Bergen. I dreamed that I owned a whale.')).toBe('I work in Bergen.')
  expect(left('I write novels, my protagonist is a deaf sailor.')).toBe('I write novels')
  expect(left('我写连载，女主是个瞎子。')).toBe('我写连载')
})

test('quoted speech is taken out, quoted names and terms stay', () => {
  expect(left('She said "I am a nurse" and left')).toBe('She said … and left')
  expect(left("what does 'I feel blue' mean")).toBe('what does … mean')
  expect(left('他说“我住在青岛”')).toBe('')
  expect(left("she goes 'I am moving to Perth'. Twelve years my best friend")).toBe('Twelve years my best friend')
  for (const text of ['our base is called "heron"', "that's my sister's flat, isn't it", '群名叫“三缺一”'])
    expect(withoutUnreal(text)).toEqual({ text, taken: 0 })
})

test('what a program said is no speech, and stays', () => {
  for (const text of [
    "The backup kept failing with 'no space left on device'. Rotated the logs.",
    'the log said "cannot open the socket file" until I moved it',
    '打包一直报错“找不到指定的入口模块文件”，换成绝对路径就好了',
  ])
    expect(withoutUnreal(text), text).toEqual({ text, taken: 0 })
  expect(left('Her log says "I live in Turin now"')).toBe('')
})

test('what somebody wrote into a log or warned of is speech, as soon as it tells of a person', () => {
  for (const text of [
    'He logged "works at Siemens as an engineer since May"',
    'My doctor left a warning: "always drink two litres of water a day"',
    '医生警告说“每天最多只能喝一杯咖啡”',
    '他给警察报了：“住在北京海淀区中关村大街”',
  ])
    expect(left(text), text).toBe('')
})

test('what is played lasts to the end of the message', () => {
  expect(left("Let's role-play. I am a pirate. I have one leg.")).toBe('')
  expect(left('我在学校教书。角色扮演：我是海盗，你是船长。')).toBe('我在学校教书。')
})

test('hopes and plain words are nobody’s dream', () => {
  for (const text of ['This is my dream job', 'I dreamed of becoming a pilot as a child', '我的梦想是开书店'])
    expect(withoutUnreal(text).taken, text).toBe(0)
})

test('long texts of marks are read in bounded time', () => {
  for (const unit of ['"', "'", '“', 'I dreamed ', '🎶', 'my a b character '])
    expect(withoutUnreal(unit.repeat(4000 / unit.length)).text.length).toBeLessThanOrEqual(4100)
})
