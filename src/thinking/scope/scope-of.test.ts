import { expect, onTestFinished, test } from 'vitest'
import { watchReadings } from '../../domain/read-once.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { apartByScope, scopeOf, tellsRule } from './scope-of.ts'

function scope(text: string): string | null {
  const [fact] = extractFacts(text)
  return scopeOf({ text, key: fact?.key ?? null }, '/shop')
}

test.each([
  'The shop runs on Postgres 16 and listens on port 4010.',
  'We use SQLite here and the port is 9090.',
  'The database is Postgres 16.',
  'My port is 3000.',
  'Never edit the generated files under src/gen.',
  'We decided to drop Redis because of cost.',
  'Use pnpm, not npm.',
  'The build takes four minutes.',
  'The release is on Thursday.',
  'I moved the config to /etc/shop/app.toml.',
  'I fixed the login bug by clearing the session cache.',
  'We agreed that migrations are written by hand.',
  'The staging server is at staging.example.com.',
  'Our client wants the invoice page in German.',
  'We have moved the repo to GitLab.',
  'The retry limit is five.',
  '数据库用的是MySQL 8。',
  '服务监听 7001 端口。',
  '缩进用两个空格。',
  '我们决定不用 Redis 了，太贵。',
  '部署走 Kubernetes，集群在杭州。',
  '不要改 src/gen 里的文件。',
  '发布定在周四。',
  'Our child process crashes on start.',
  'I added a book table with an author column.',
  'We sell books and music in this shop.',
  'My tests run on Node 22.',
  '我想让购物车在退款后清空。',
  'I hate wildcard imports, keep them out in this codebase.',
  'I like short titles for the posts of this blog.',
  'Deploys go through Netlify. I write posts in src/content. I like short titles.',
  'Please answer in Dutch for this project.',
  '我讨厌缩写，本项目里变量名一律写全。',
  '文章用中文写，代码注释用英文。',
  '以后工单标题用英文写。',
  'No emojis in the headings.',
  'Use metric units in the recipes.',
])('of the project: %s', (text) => expect(scope(text)).toBe('/shop'))

test.each([
  "I'm allergic to peanuts.",
  'My name is Anna and I live in Bristol.',
  'My sister works at Google.',
  'My daughter goes to Hill School.',
  'Remember: I take metformin twice a day.',
  'Please answer in short sentences from now on.',
  'I prefer tabs over spaces.',
  'Always ask me before you delete anything.',
  'Shorter answers please.',
  '删东西前先问我。',
  'I love hiking.',
  'The user is vegetarian.',
  'My favourite database is SQLite.',
  'I use neovim.',
  'We have two cats.',
  "I'm a nurse.",
  '我对芒果过敏。',
  '我女儿叫小雨。',
  '我住在杭州。',
  '我喜欢用 Rust。',
  '以后回答请简短一点。',
  '用户对海鲜过敏。',
  '我是素食者。',
  '我养了两只猫。',
  "I'm left-handed.",
  '我是左撇子。',
  'I live in this project’s home town, Ghent.',
  '我喜欢这个项目。',
  '以后都用中文。',
  'No emojis please.',
  'Use metric units when you answer.',
])('of the user: %s', (text) => expect(scope(text)).toBeNull())

test('what is said in no project holds everywhere', () => {
  expect(scopeOf({ text: 'The port is 4010.', key: 'port' }, null)).toBeNull()
})

test('a rule tells how things are to be, a fact how they are', () => {
  const rules = ['Check the types before you push.', 'Amounts are kept in cents, never as floats.', '提交前先跑测试。']
  const facts = [
    'The leak came from never closing the pool.',
    'I never work weekends.',
    'Payments are handled by Stripe.',
    '网关用的是 Kong。',
  ]
  expect(rules.filter(tellsRule)).toEqual(rules)
  expect(facts.filter(tellsRule)).toEqual([])
})

test('of a long text only the beginning is read', () => {
  const read: number[] = []
  onTestFinished(watchReadings((_, text) => read.push(text.length)))
  const text = `I love tea, the port is 9100. ${'The kettle of the office is old. '.repeat(1000)}`
  expect(scopeOf({ text, key: null }, '/shop')).toBe('/shop')
  expect(Math.max(...read)).toBeLessThan(10_000)
})

test('sentences about the person stand apart from those that name their project, each with what goes on about it', () => {
  expect(apartByScope('This repo is deployed with Nix. The flake lies in ops. I am allergic to pollen.')).toEqual([
    'This repo is deployed with Nix. The flake lies in ops.',
    'I am allergic to pollen.',
  ])
  expect(apartByScope('我对花粉过敏。这个仓库用just，不用make。')).toEqual([
    '我对花粉过敏。',
    '这个仓库用just，不用make。',
  ])
  for (const text of ['I am allergic to pollen. I grew up in Oban.', 'Deploys go through Nix. The flake lies in ops.'])
    expect(apartByScope(text)).toEqual([text])
})
