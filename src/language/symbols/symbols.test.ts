import { expect, test } from 'vitest'
import { extractSymbols, MOST_SYMBOLS, querySymbols } from './symbols.ts'

const named = (text: string) => extractSymbols(text).map((mention) => mention.symbol)
const kinds = (text: string) =>
  Object.fromEntries(extractSymbols(text).map((mention) => [mention.symbol, mention.kind]))

test.each([
  ['The timeout comes from fetchInvoices, not from the queue.', { fetchInvoices: 'function' }],
  ['Call `retry()` before you give up', { retry: 'function' }],
  ['processPayment函数里有竞态', { processPayment: 'function' }],
  ['修复了OrderService的bug，顺便改了PaymentHandler。', { OrderService: 'class', PaymentHandler: 'class' }],
  ['重命名为load_user_profile比较好', { load_user_profile: 'function' }],
  ['save方法没有加锁', { save: 'function' }],
  ['def rebuild(index):', { rebuild: 'function' }],
  ['func (s *Server) Listen(port int) error {', { Listen: 'function' }],
  ['export const toSlug = (title: string) => title', { toSlug: 'function' }],
  ['then it runs drop(table, 3)', { drop: 'function' }],
  ['_dropStale and $digestAll run twice', { _dropStale: 'function', $digestAll: 'function' }],
])('functions: %s', (text, expected) => {
  expect(kinds(text)).toMatchObject(expected)
})

test.each([
  ['class Basket extends Container {', { Basket: 'class' }],
  ['throw from `Parser` when the input ends', { Parser: 'class' }],
  ['const basket = new Basket(3)', { Basket: 'class', basket: 'variable' }],
  ['We call Basket.total() twice', { Basket: 'class', total: 'function' }],
  ['HTTPClient and XMLReader disagree', { HTTPClient: 'class', XMLReader: 'class' }],
  ['Order类需要拆分', { Order: 'class' }],
  ['（CacheManager）的实现', { CacheManager: 'class' }],
])('classes: %s', (text, expected) => {
  expect(kinds(text)).toMatchObject(expected)
})

test.each([
  ['look at src/api/routes.ts.', ['src/api/routes.ts']],
  ['at render (src/view/table.tsx:88:13)', ['src/view/table.tsx']],
  ['在lib/utils.js里，还有./a/b.py。', ['lib/utils.js', './a/b.py']],
  ['打开 C:\\work\\Billing\\Invoice.cs 看看', ['C:\\work\\Billing\\Invoice.cs']],
  ['edit service.ts and package.json', ['service.ts', 'package.json']],
  ['the `Dockerfile` and .gitignore are missing', ['Dockerfile', '.gitignore']],
  ['move everything under src/components', ['src/components']],
  ['logs go to /var/log/mneme/app.log', ['/var/log/mneme/app.log']],
  ['app/[slug]/page.tsx renders twice', ['app/[slug]/page.tsx']],
  ['routes/[team].vue, blog/[...rest].js and docs/[lang]/index.ts', ['routes/[team].vue', 'blog/[...rest].js']],
  ['import "@heron/ui/dialog.vue" fails', ['@heron/ui/dialog.vue']],
  ['go.mod and tools/go.sum disagree', ['go.mod', 'tools/go.sum']],
])('paths: %s', (text, expected) => {
  for (const path of expected) expect(kinds(text)).toHaveProperty([path], 'path')
})

test.each([
  ['`config` is read before `options`', { config: 'variable', options: 'variable' }],
  ['let result = compute', { result: 'variable' }],
  ['set MOST_RETRIES to 5', { MOST_RETRIES: 'variable' }],
  ['config.timeout 太小了', { config: 'variable', timeout: 'variable' }],
  ['const { host, port } = settings', { host: 'variable', port: 'variable' }],
  ['把 options 变量传进去', { options: 'variable' }],
  ['userId is undefined', { userId: 'variable' }],
  ['变量config、options和result都要改', { config: 'variable', options: 'variable', result: 'variable' }],
])('variables: %s', (text, expected) => {
  expect(kinds(text)).toMatchObject(expected)
})

test.each([
  ['TypeError: x is not a function', { TypeError: 'error' }],
  ['捕获NetworkError之后重试', { NetworkError: 'error' }],
  ['open failed with ENOENT', { ENOENT: 'error' }],
  ['java.lang.NullPointerException at line 4', { NullPointerException: 'error' }],
  ['code ERR_MODULE_NOT_FOUND', { ERR_MODULE_NOT_FOUND: 'error' }],
])('error types: %s', (text, expected) => {
  expect(kinds(text)).toMatchObject(expected)
})

test.each([
  'See https://example.com/src/fooBar.ts?userId=3#OrderService for more.',
  'www.example.org/a/b.html or docs.rs/serde or example.com',
  'Mail jane.doe@mailServer.com or devTeam@corp.cn',
  'Upgrade from v1.2.3 to 3.11 at 10:30, not 2026/01/17 or 17.01.2026',
  'GitHub, JavaScript, TypeScript5, YouTube, OpenAI, MySQL, PostgreSQL and my iPhones',
  'Node.js, Vue.js, Three.js and ASP.NET are frameworks',
  'and/or, he/she, TCP/IP, CI/CD, 24/7, input/output, yes/no/maybe',
  'e.g. this, i.e. that, U.S. mail, at 5 p.m. with Dr. Strange',
  'commit 3f2a9c1d, id 550e8400-e29b-41d4-a716-446655440000, video dQw4w9WgXcQ',
  'Content-Type: application/json, text/html',
  'New York is lovely. My new Toyota arrived; a class Monday, a class of twelve',
  'the function is slow and the method of payment is new',
  'file(s), colour(s), Paris (France), API(Application Programming Interface)',
  'URLs, PDFs, APIs, PhD, IoT, 2.00 GiB, NaN, McDonald',
  'It is done.Then we left.So what',
  '用 Python 函数处理，Redis类工具，Docker 对象',
  '今天天气很好，我们去公园吧。',
  '那个函数有问题，这个类的方法报错了',
  'I **really** mean it, _honestly_, __truly__',
  '#ThrowbackThursday with @JohnSmith',
  'eyJhbGciOiJub25lIn0.eyJzdWIiOiI0MiIsImV4cCI6MTcwMDAwMDAwMH0.',
  'git push origin/main feature/login',
  '1 + 1 = 2, x = 5',
  'https://例子.com/路径/OrderService',
])('no symbols in: %s', (text) => {
  expect(named(text)).toEqual([])
})

test.each([
  ['The function sanitize drops accents.', { sanitize: 'function' }],
  ['the helper function slugify and the class Invoice', { slugify: 'function', Invoice: 'class' }],
  ['functions: load, purge, save', { load: 'function', purge: 'function', save: 'function' }],
  ['the variables lo and hi are swapped', { lo: 'variable', hi: 'variable' }],
  ['rename the method run to execute', { run: 'function', execute: 'function' }],
  ['a parameter named depth', { depth: 'variable' }],
  ['变量名：timeout、backoff', { timeout: 'variable', backoff: 'variable' }],
  ['方法名是 resolve，参数叫 token', { resolve: 'function', token: 'variable' }],
  ['名为 Reactor 的类', { Reactor: 'class' }],
  ['类 Matrix 少一个方法', { Matrix: 'class' }],
  ['调用 init 方法', { init: 'function' }],
  ['常量 MAX 太小', { MAX: 'variable' }],
  ['connect(host, port) hangs', { connect: 'function', host: 'variable', port: 'variable' }],
  ['before send(payload) returns', { send: 'function', payload: 'variable' }],
  ["def tokenize(words, lang='en'):", { tokenize: 'function', words: 'variable', lang: 'variable' }],
  ['We rewrote the flush function, and our Parser class too.', { flush: 'function', Parser: 'class' }],
  ['Is the offset variable ever read?', { offset: 'variable' }],
  ['items is an empty array, cursor 没有传进来', { items: 'variable', cursor: 'variable' }],
])('words that their neighbours make names: %s', (text, expected) => {
  expect(kinds(text)).toMatchObject(expected)
})

test.each([
  'Please sign resume.pdf, photo.jpg and 报价单.xlsx',
  'The file is in ~/Documents/letter.docx',
  'We flew with EasyJet, then watched WandaVision',
  '2026-03-01 12:00:01 INFO user=42 status=200',
  'level=warn msg="slow" rows=10',
  'The API and HTTP are a TODO',
  'the function room is booked and the property tax is due',
  'method: boil, simmer, serve',
  'It is a constant challenge',
  'a method called yoga, a class called Pilates',
  'Variables: some are hidden, others are not.',
  '我们班类似的问题很多，方法总比困难多',
  '他叫 Tom 的方法不错',
  'rice (two cups), call me(at home)',
  'the wedding function, the new function, our cooking class and the yoga method',
  'the search option on the form and the date field of the letter',
  `Use the search function of the catalogue. ${'It lists what stands on the shelves of our branch. '.repeat(7)}`,
  'Life is an empty string of days, and @heron/ui is a package.',
])('no names of code in: %s', (text) => {
  expect(named(text)).toEqual([])
})

test('a document inside a project, or between backticks, is a path', () => {
  expect(kinds('`cover.png`, src/assets/logo.png and ./cat.gif')).toEqual({
    'cover.png': 'path',
    'src/assets/logo.png': 'path',
    './cat.gif': 'path',
  })
})

test('a name of two humps is a class, in prose of any kind; names of products are none', () => {
  expect(named('We changed the RateLimiter yesterday, and TokenVerifier too.')).toEqual([
    'RateLimiter',
    'TokenVerifier',
  ])
  expect(named('上次说的 InventorySync 改好了吗？')).toEqual(['InventorySync'])
  expect(named('We moved from GitHub to JavaScript on YouTube.')).toEqual([])
})

test('a path may be written in any letters, and ends with its file', () => {
  expect(named('lib/支付/回调.py 报错了')).toEqual(['lib/支付/回调.py'])
  expect(named('在src/工具/日期.ts里加函数')).toEqual(['src/工具/日期.ts'])
  expect(named('src/données/modèle.py breaks')).toEqual(['src/données/modèle.py'])
  expect(named('src/目录下的文件很多')).toEqual(['src/'])
})

test('what is empty or not yet defined in Chinese is a variable', () => {
  for (const text of ['session 为空', 'session尚未定义', 'session 仍未赋值'])
    expect(kinds(text)).toEqual({ session: 'variable' })
  expect(named('Tesla为空调付费')).toEqual([])
})

test('what is undefined or was never initialised is a variable', () => {
  expect(kinds('为什么 config 没有初始化？')).toEqual({ config: 'variable' })
  expect(kinds('It says options is undefined.')).toEqual({ options: 'variable' })
  expect(kinds('ReferenceError: config is not defined')).toMatchObject({ config: 'variable' })
  expect(named('The behaviour we want is not defined by this; it is null and void.')).toEqual([])
  expect(kinds('Why is options undefined?')).toEqual({ options: 'variable' })
  expect(kinds("The dispatcher isn't there, and cursor isn't initialised.")).toEqual({ cursor: 'variable' })
  expect(kinds("settings has not been initialized, and broker hasn't been defined.")).toEqual({
    settings: 'variable',
    broker: 'variable',
  })
  expect(kinds('刷新之后 store 变成了 null')).toEqual({ store: 'variable' })
  expect(kinds('It says the options are undefined.')).toEqual({ options: 'variable' })
  expect(kinds('Error: cache not initialized')).toEqual({ cache: 'variable' })
  expect(kinds("The headers weren't initialized.")).toEqual({ headers: 'variable' })
  expect(named('The roles are not defined, and our future plans are undefined.')).toEqual([])
  expect(named('My future is undefined, and the marriage was null and void.')).toEqual([])
})

test('a block of code gives its names, an unclosed one too, and comments give no plain words', () => {
  const block =
    '```ts\n// the plain words here\nimport { OrderStore } from "./store"\nfunction sweep(limit: number) {\n  return orders.prune(limit)\n}\n'
  for (const text of [block, `${block}\`\`\`\nthat is all`]) {
    expect(kinds(text)).toMatchObject({ OrderStore: 'class', './store': 'path', sweep: 'function', prune: 'function' })
    expect(named(text)).not.toContain('plain')
    expect(named(text)).not.toContain('ts')
  }
})

test('a lone backtick changes nothing', () => {
  expect(named('it`s the OrderService again')).toEqual(['OrderService'])
})

test('a definition, an early place and repeats raise the relevance, which stays within 0 and 1', () => {
  const [first, second] = extractSymbols(
    `function loadCart() {} loadCart(); loadCart(); ${'and so on '.repeat(30)} saveCart()`,
  )
  expect(first!.relevance).toBeGreaterThan(second!.relevance)
  expect(first!.relevance).toBeLessThanOrEqual(1)
  expect(second!.relevance).toBeGreaterThan(0)
})

test('each symbol comes once, at most MOST_SYMBOLS of a text', () => {
  const text = Array.from({ length: 500 }, (_, index) => `handleEvent${String.fromCharCode(97 + (index % 26))}${index}`)
  expect(named(text.join(' '))).toHaveLength(MOST_SYMBOLS)
  expect(named('OrderService und OrderService')).toEqual(['OrderService'])
})

test('a query names its symbols and no generic word', () => {
  expect(querySymbols('之前 processPayment 的问题解决了吗')).toEqual(['processPayment'])
  expect(querySymbols('what was wrong with the function in that class, the bug, the error')).toEqual([])
  expect(querySymbols('函数 方法 问题 bug')).toEqual([])
})

test.each([
  'x'.repeat(1e6),
  'a.'.repeat(5e5),
  '/'.repeat(1e6),
  '('.repeat(1e6),
  '`'.repeat(1e6),
  'aB_'.repeat(3e5),
  '```'.repeat(3e5),
  'let '.repeat(2e5),
  '=\\'.repeat(5e5),
])('a megabyte of nonsense is read once and bounded (%#)', (text) => {
  expect(extractSymbols(text).length).toBeLessThanOrEqual(MOST_SYMBOLS)
  expect(extractSymbols(`${text} \n OrderService`).length).toBeGreaterThanOrEqual(0)
})

test.each(['\ud800', '\0', '', '`', '```', '``', '\ud83d`a`'])('odd input %j is taken', (text) => {
  expect(() => extractSymbols(text)).not.toThrow()
})

test('the secrets of a stored text are kept out of its symbols in pieces', () => {
  const text = 'The key of `OrderService` is kept by the API, its password too. '.repeat(500)
  expect([...extractSymbols.pieces(text)].length).toBeGreaterThan(8)
  expect(extractSymbols(text).map(({ symbol }) => symbol)).toContain('OrderService')
})

test('a text that is all names is read in pieces', () => {
  const text = 'heron_x=stork_y='.repeat(2048)
  let pieces = 0
  for (const _ of extractSymbols.pieces(text)) pieces += 1
  expect(pieces).toBeGreaterThan(5)
})
