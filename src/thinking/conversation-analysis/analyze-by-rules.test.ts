import { expect, test } from 'vitest'
import type { ThinkMessage } from '../../domain/thought.ts'
import { analyzeByRules, emotionOf, TOPIC_CHARACTERS } from './analyze-by-rules.ts'

function turns(...contents: readonly string[]): readonly ThinkMessage[] {
  return contents.map((content, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content,
    speaker: null,
    turnId: at + 1,
    createdAt: 0,
  }))
}

test('the topic is a headline in the words that the user said, in their language', () => {
  expect(analyzeByRules(turns('Could you help me plan a trip to the Faroe islands?')).topic).toBe(
    'trip to the Faroe islands',
  )
  expect(analyzeByRules(turns('帮我优化一下数据库的查询性能吧')).topic).toBe('数据库的查询性能')
})

test('a topic that is said again outweighs one that was mentioned once, and the newer one wins a tie', () => {
  const analysis = analyzeByRules(
    turns('My greenhouse heater is loud.', 'Which heater?', 'The greenhouse heater from Volt. Also buy milk.'),
  )
  expect(analysis.topic).toContain('greenhouse heater')
  expect(analyzeByRules(turns('Tell me about cheese.', 'Sure.', 'Tell me about volcanoes.')).topic).toMatch(
    /volcanoes$/,
  )
})

test('how somebody feels is no topic beside what it is about, and no topic has a hole in it', () => {
  const topicAfter = (text: string) => analyzeByRules(turns(text)).topic
  expect(topicAfter('气死我了，快递又丢了')).toBe('快递又丢')
  expect(topicAfter('我今天特别生气')).toBeNull()
  expect(topicAfter('I am so pissed off at the landlord')).toMatch(/landlord$/)
  expect(topicAfter('有点害怕做手术')).toBe('害怕做手术')
})

test('nothing is named: there is no topic', () => {
  for (const text of ['hello', '你好', '', '!!!']) expect(analyzeByRules(turns(text)).topic, text).toBeNull()
  expect(analyzeByRules([])).toEqual({ topic: null, contextVariables: {}, emotion: null })
})

test('the topic stays short, whatever is said', () => {
  const long = `${'Antidisestablishmentarianism '.repeat(20)} ${'电磁兼容测试报告'.repeat(30)}`
  expect([...(analyzeByRules(turns(long)).topic ?? '')].length).toBeLessThanOrEqual(TOPIC_CHARACTERS)
})

test('language, framework, project, file, function and error are taken from the last turns', () => {
  expect(
    analyzeByRules(
      turns(
        'We build the tide-table repo in TypeScript with Fastify and React.',
        'Which file?',
        'src/harbour/tideChart.ts, drawTide() throws a RangeError.',
      ),
    ).contextVariables,
  ).toMatchObject({
    language: 'TypeScript',
    framework: 'React',
    project: 'tide-table',
    file: 'src/harbour/tideChart.ts',
    function: 'drawTide',
    error: 'RangeError',
  })
  expect(analyzeByRules(turns('我们的项目叫潮汐，后端是 Python 写的')).contextVariables).toMatchObject({
    language: 'Python',
    project: '潮汐',
  })
})

test('a feeling before a question for the reason is the writer’s, and traditional characters tell it as well', () => {
  expect(emotionOf('特别生气，怎么又失败了')).toBe('angry')
  expect(emotionOf('Really angry, why does it fail again?')).toBe('angry')
  expect(emotionOf('你生气了，对吗？')).toBe('neutral')
  expect(emotionOf('我特別生氣')).toBe('angry')
  expect(emotionOf('我很難過')).toBe('sad')
})

test('another’s feeling, one that is over, supposed or asked about is none of the writer', () => {
  for (const text of [
    'My uncle Piet was furious.',
    'Are you nervous?',
    'I used to be depressed.',
    'If I get angry, what should I do?',
    '我老公特别生气。',
    '导师非常失望。',
    '我以前经常焦虑。',
    '万一我紧张了怎么办？',
    '伤心的时候听什么歌好？',
  ])
    expect(emotionOf(text), text).toBe('neutral')
  for (const [text, emotion] of [
    ['My landlord makes me so angry.', 'angry'],
    ['Why am I so sad?', 'sad'],
    ['他让我特别生气。', 'angry'],
    ['我妈去世了，我很难过。', 'sad'],
    ['为什么一直报错？', 'frustrated'],
  ])
    expect(emotionOf(text!), text).toBe(emotion)
})

test('feelings are told apart in English and Chinese', () => {
  const told: readonly (readonly [string, string])[] = [
    ['We finally sold the house, I am so happy!', 'happy'],
    ['I can’t wait, the tickets are here!', 'excited'],
    ['Thank you so much, that rescued my evening.', 'grateful'],
    ['It still doesn’t work and I have been at it for hours.', 'frustrated'],
    ['The landlord lied to me, I am furious.', 'angry'],
    ['Our dog passed away this morning.', 'sad'],
    ['I am really worried about the biopsy.', 'anxious'],
    ['This makes no sense to me, I am lost here.', 'confused'],
    ['I am completely exhausted after the night shift.', 'tired'],
    ['The bus leaves at nine.', 'neutral'],
    ['房子终于卖掉了，太开心了！', 'happy'],
    ['门票到手了，好激动！', 'excited'],
    ['真是太感谢了，帮了大忙。', 'grateful'],
    ['试了一下午还是不行，烦死了', 'frustrated'],
    ['房东骗人，气死我了', 'angry'],
    ['外婆昨天去世了', 'sad'],
    ['明天手术，我很害怕', 'anxious'],
    ['这段推导完全看不懂，一头雾水', 'confused'],
    ['连上三个夜班，好累', 'tired'],
    ['九点的车。', 'neutral'],
  ]
  for (const [text, emotion] of told) expect(emotionOf(text), text).toBe(emotion)
})

test('a denied feeling, the feeling of somebody else, and quoted or pasted words are not the writer’s', () => {
  for (const text of [
    'I am not angry about it.',
    'I was never worried.',
    'My boss is furious.',
    'Translate "I am so sad and lonely" into Dutch.',
    'Here is the code:\n```\nthrow new Error("I hate this, ugh")\n```',
    '我不生气。',
    '我没有很担心。',
    '老板很生气。',
    '把“我好难过”翻译成英文',
  ])
    expect(emotionOf(text), text).toBe('neutral')
})

test('a feeling that is asked for in a text is none of the writer, and one beside the order is', () => {
  for (const text of [
    '写一段主角特别生气的对白',
    '帮我写一封特别生气的投诉信',
    '帮我用愤怒的语气改写',
    '翻译：我特别生气',
    'Write an angry letter to my landlord.',
    'Please write a dialogue in which I am furious with my boss.',
    'I need a paragraph where the character gets really angry.',
  ])
    expect(emotionOf(text), text).toBe('neutral')
  for (const text of [
    '我特别生气，帮我写一封投诉信',
    '帮我写封信，我现在特别生气',
    'Write the letter again, I am furious!',
    'I wrote a letter and nobody answered, I am so angry.',
  ])
    expect(emotionOf(text), text).toBe('angry')
})

test('how much somebody feels does not part the verb from its word', () => {
  for (const text of ['Since Monday I feel so down.', 'I am feeling really low.'])
    expect(emotionOf(text), text).toBe('sad')
  expect(emotionOf('I never feel very low.')).toBe('neutral')
})

test('words between a denial and a feeling do not part them', () => {
  for (const text of [
    '我不是特别生气',
    '我谈不上生气',
    "I'm not angry at all.",
    "I wouldn't say I'm angry.",
    "I'm neither angry nor sad.",
  ])
    expect(emotionOf(text), text).toBe('neutral')
  expect(['我不是难过，我是特别生气', 'I am not sad, I am furious.'].map(emotionOf)).toEqual(['angry', 'angry'])
})

test('a word of every day is no framework, and what a project does is not its name', () => {
  const variables = (content: string) =>
    analyzeByRules([{ role: 'user', content, speaker: null, turnId: 1, createdAt: 0 }]).contextVariables
  expect(variables('The shop is closed till spring.')).not.toHaveProperty('framework')
  expect(variables('Our backend is built with Spring.')).toMatchObject({ framework: 'Spring' })
  expect(variables('This project uses brackets of steel.')).not.toHaveProperty('project')
  expect(variables('The project is called heron.')).toMatchObject({ project: 'heron' })
})

test('特别 raises a feeling, and only 别 by itself takes it back', () => {
  expect(['我今天特别生气', '特别开心！', '别生气', '我没有特别生气'].map(emotionOf)).toEqual([
    'angry',
    'happy',
    'neutral',
    'neutral',
  ])
})

test('a word of feeling within another Chinese word is none', () => {
  for (const text of [
    '麻烦你帮我订一张周五的票',
    '晚上用空气炸锅弄了点鸡胸肉',
    '这几年积累了不少经验',
    '给我妈的体检报告出来了',
  ])
    expect(emotionOf(text), text).toBe('neutral')
  for (const text of ['我真的气炸了', '最近好烦', '今天累死我了']) expect(emotionOf(text), text).not.toBe('neutral')
})

test('a feeling that is said of the thing after it is nobody’s', () => {
  for (const text of [
    'I love playing angry birds with my son.',
    'We saw Mad Max and I ordered a Happy Meal.',
    'I want to learn some sad songs on the guitar',
    '我天天玩愤怒的小鸟',
    '我在读《愤怒的葡萄》',
  ])
    expect(emotionOf(text), text).toBe('neutral')
  const felt = [
    'I am pretty sad today',
    'I got really angry yesterday',
    'What a lovely, lovely day!',
    '这是我最难过的一天',
  ]
  expect(felt.map(emotionOf)).toEqual(['sad', 'angry', 'happy', 'sad'])
})
