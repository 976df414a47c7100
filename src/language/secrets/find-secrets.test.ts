import { expect, test, vi } from 'vitest'
import { atOnce } from '../../domain/scheduling.ts'
import { findSecrets } from './find-secrets.ts'
import { columnSecrets } from './secret-columns.ts'
import { namesIn, namesSecret } from './secret-names.ts'

/** No key of anybody: letters and digits in an order that no provider issues. */
function made(length: number, alphabet = 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xYz0'): string {
  return Array.from({ length }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join('')
}
const HEX = '0123456789abcdef'
const UPPER = 'A2B3C4D5E6F7G8H9'

function found(text: string): readonly string[] {
  return findSecrets(text).map(({ from, to }) => text.slice(from, to))
}

const ISSUED = [
  `sk-${made(48)}`,
  `sk-proj-${made(60)}_${made(40)}-${made(20)}`,
  `sk-ant-api03-${made(93)}`,
  `sk-or-v1-${made(64, HEX)}`,
  `AKIA${made(16, UPPER)}`,
  `ghp_${made(36)}`,
  `github_pat_${made(22)}_${made(59)}`,
  `glpat-${made(20)}`,
  `xoxb-${made(12, '123456789')}-${made(12, '123456789')}-${made(24)}`,
  `sk_live_${made(24)}`,
  `rk_test_${made(24)}`,
  `AIza${made(35)}`,
  `npm_${made(36)}`,
  `hf_${made(34)}`,
  `SG.${made(22)}.${made(43)}`,
  `${made(10, '123456789')}:AA${made(33)}`,
  `eyJ${made(33)}.eyJ${made(60)}.${made(43)}`,
]

test.each(ISSUED)('a key that a provider issued is found wherever it stands: %s', (key) => {
  for (const text of [
    key,
    `The key is ${key}.`,
    `我的密钥是${key}，别丢了`,
    `{"k":"${key}"}`,
    `curl -H 'x: ${key}'`,
    `K=${key}\n`,
  ])
    expect(found(text)).toEqual([key])
})

const NAMED: readonly (readonly [text: string, secret: string])[] = [
  ['My wifi password is Sunflower2024!', 'Sunflower2024!'],
  ['the password for the garden router is still kiwi-77-lime, I think', 'kiwi-77-lime'],
  ['Password: hunter2', 'hunter2'],
  ['note: grafana admin password is Tr0ub4dor&3xkcd', 'Tr0ub4dor&3xkcd'],
  ["my laptop password is 'swordfish'.", 'swordfish'],
  ['DB_PASSWORD=t0ps3cret', 't0ps3cret'],
  ['{"user": "lin", "password": "b4nana!"}', 'b4nana!'],
  ['"{\\"password\\":\\"b4nana!\\"}"', 'b4nana!'],
  ['mysql --password hunter2 -u root', 'hunter2'],
  ['https://shop.example/login?user=lin&password=hunter2&next=/', 'hunter2'],
  ['my PIN is 4821', '4821'],
  [`aws_secret_access_key = ${made(40)}`, made(40)],
  [`client_secret: '${made(20)}'`, made(20)],
  [`OPENWEATHER_API_KEY=${made(32, HEX)}`, made(32, HEX)],
  [`api key is ${made(24)}`, made(24)],
  [`Authorization: Bearer ${made(40)}`, made(40)],
  ['我家 WiFi 密码是 Sunflower2024', 'Sunflower2024'],
  ['密码：hunter2，别告诉别人', 'hunter2'],
  ['邮箱密码改成了qwer!1234。', 'qwer!1234'],
  ['我的密码现在是“向日葵2024”', '向日葵2024'],
  ['路由器密码 sunflower', 'sunflower'],
  ['银行卡密码是 836152', '836152'],
  [`接口密钥为 ${made(32)}`, made(32)],
  ['postgres://app:s3cr3t@db.local:5432/main', 's3cr3t'],
  ['redis://:hunter2@127.0.0.1:6379/0', 'hunter2'],
  ['mongodb+srv://lin:p@ss1@cluster0.example.net/x', 'p@ss1'],
  ['kind: Secret\nstringData:\n  url: lamp-harbour\n', 'lamp-harbour'],
  ['data:\n  log: production\n  store: bGFtcC1oYXJib3VyLTQy\nkind: Secret\n', 'bGFtcC1oYXJib3VyLTQy'],
]

test.each(NAMED)('what is called a secret and looks like one is found: %s', (text, secret) => {
  expect(found(text)).toEqual([secret])
})

const SPOKEN: readonly (readonly [text: string, ...secrets: string[]])[] = [
  ['Use hunter2-Zebra as the password for the garden router', 'hunter2-Zebra'],
  ['please use `Tr0ub4dor&3` as our new wifi password.', 'Tr0ub4dor&3'],
  ['Kiwi-7788 is the wifi password now.', 'Kiwi-7788'],
  ['I changed my password to Kiwi-7788 yesterday', 'Kiwi-7788'],
  ['the new password is now Kiwi-7788', 'Kiwi-7788'],
  ['we moved the admin password from Kiwi-7788 to Otter-9911', 'Kiwi-7788', 'Otter-9911'],
  ['The password I use at the library should be Kiwi-7788.', 'Kiwi-7788'],
  ['my password is: Kiwi-7788', 'Kiwi-7788'],
  ['Password for Netflix - Kiwi-7788', 'Kiwi-7788'],
  ['password for the garden wifi: Kiwi7788', 'Kiwi7788'],
  ['the wifi is Sunny5G, password Kiwi7788', 'Kiwi7788'],
  ["my password's Kiwi-7788, and yours?", 'Kiwi-7788'],
  ['My password is swordfish.', 'swordfish'],
  ['our wifi password is SwordFish', 'SwordFish'],
  ['my passphrase is otter-lamp-garden-seven', 'otter-lamp-garden-seven'],
  ['my passphrase is "otter lamp garden seven"', 'otter lamp garden seven'],
  ['PIN 4711 for the gym locker', '4711'],
  ['the verification code is 482913', '482913'],
  ['the cvv is 737', '737'],
  ['家里wifi叫tian_5G 密码zx20190608 电视老连不上', 'zx20190608'],
  ['Superset 的 admin 密码我改成 Sup3r-set#2601 了', 'Sup3r-set#2601'],
  ['我把路由器的密码从 abc12345 换成了 Kiwi7788', 'abc12345', 'Kiwi7788'],
  ['用 Kiwi7788 作为密码', 'Kiwi7788'],
  ['Kiwi7788是我家的wifi密码', 'Kiwi7788'],
  ['新密码就用 Kiwi7788 吧', 'Kiwi7788'],
  ['密码（家里的）是 Kiwi7788', 'Kiwi7788'],
  ['密码还是以前的Kiwi7788', 'Kiwi7788'],
  ['验证码是 482913', '482913'],
  ['PIN码是4711', '4711'],
  ['My wifi password is Kiwi-77…', 'Kiwi-77'],
  ['I reset my password to S3cretSauce.', 'S3cretSauce'],
  ['the wifi is Guest, password Dr4gonfruit', 'Dr4gonfruit'],
]

test.each(SPOKEN)('what a sentence tells as a secret is found, in whatever order: %s', (text, ...secrets) => {
  expect(found(text)).toEqual(secrets)
  expect(findSecrets(text).length).toBe(secrets.length)
})

const CARDS: readonly (readonly [text: string, number: string])[] = [
  ['my card number is 4111 1111 1111 1111', '4111 1111 1111 1111'],
  ['charged to 5555-5555-5555-4444 again', '5555-5555-5555-4444'],
  ['Amex 3782 822463 10005 expires soon', '3782 822463 10005'],
  ['4012888888881881', '4012888888881881'],
  ['银行卡号 6222 0212 3456 7890 123', '6222 0212 3456 7890 123'],
  ['银行卡号是6222021234567890123，别发出去', '6222021234567890123'],
]

test.each(CARDS)('the number of a card is found: %s', (text, number) => {
  expect(found(text)).toEqual([number])
})

test('the secret half of an AWS key is found near its id, and nowhere else', () => {
  const [id, half] = [`AKIA${made(16, UPPER)}`, made(40)]
  expect(found(`id ${id}\nother ${half}\n`)).toEqual([id, half])
  expect(found(`checksum ${half}`)).toEqual([])
})

test('a private key is found whole, in one line too, and what is left of one that was cut off', () => {
  const lines = `${made(64)}\n${made(64)}\n${made(20)}==`
  const [begin, end] = ['-----BEGIN RSA PRIVATE KEY-----', '-----END RSA PRIVATE KEY-----']
  expect(found(`see\n${begin}\n${lines}\n${end}\nthat was it`)).toEqual([`\n${lines}\n`])
  expect(found(`${begin}\\n${made(64)}\\n${end}`)).toEqual([`\\n${made(64)}\\n`])
  expect(found(`${begin}\n${made(64)}\n and then I lost the rest`)).toEqual([`\n${made(64)}`])
  expect(found('-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----')).toEqual([])
})

const ORDINARY = [
  'commit 3f2a9c41d0b84e5f6a7b8c9d0e1f2a3b4c5d6e7f fixes the ferry timetable',
  'order 550e8400-e29b-41d4-a716-446655440000 was shipped',
  `data:image/png;base64,iVBORw0KGgo${made(300)}`,
  'export OPENAI_API_KEY=',
  'set OPENAI_API_KEY in the environment before you start',
  'OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx',
  'OPENAI_API_KEY=YOUR_API_KEY_HERE',
  'ANTHROPIC_API_KEY="sk-ant-your-key-here-1234"',
  'apiKey: process.env.OPENAI_API_KEY_2',
  'password = os.environ["DB_PASSWORD_1"]',
  'const password = await readPassword(1)',
  'password: string; token: string | null',
  'if (password === other.password2) return',
  'function login(user, password) { return hash(password, 12) }',
  'password=$DB_PASSWORD1 token=\x24{TOKEN} key=<API_KEY>',
  'passwordHash = bcrypt.hash(input.password, 10)',
  'The password is stored as sha256, the token is 512 bits long.',
  'The password is required and must be 12 characters long.',
  'password is 16 characters',
  '<input type="password" name="password" id="pw1">',
  'max_tokens: 4096, token_count=1234, tokens = 77',
  'The class sk-folding-cube-spinner-animation is from a style sheet.',
  'the primary_key is user_id2 and the cache key: user:42:profile7',
  'pin = 13; // GPIO',
  'git clone git@github.com:lin/ferry.git && open http://localhost:8080/a@b',
  'postgres://app:\x24{DB_PASS}@db/main and redis://localhost:6379/0',
  'postgres://user:<password>@host/db',
  'I forgot my password again. My password is wrong, they say.',
  '密码是什么？我的密码忘了，密码错误 3 次',
  '密码是MD5加密的，密码长度必须大于 8 位',
  '密码是明文存储的吗？密码为空怎么办',
  '令牌是 JWT，密钥是 2048 位',
  'The secret is to let the dough rest overnight.',
  'the token is expired; token: Identifier42',
  'errors.password = "Required"',
  'import { token1 } from "./token.ts"',
  'my password is too short. The password is complicated. Our password is compromised!',
  'The password is stored in 1Password, the password is the name of my dog, the password is required',
  'The secret is patience. The key is under the mat, PIN is required, the wifi password is terrible.',
  'Use Argon2id2024 as the password hash; Bitwarden2024 is my password manager',
  'I changed my password to something else and switched the token to OAuth2',
  'I changed the password field to an H2Obox and the mp3player',
  'the boarding pass is 45001, the pass was 12345 feet high, PIN 2020 was a conference',
  'password RFC-2898, password CVE-2024-12345, password section 4.5.2, password expiry 90days',
  'The password changed from 8 characters to 12 characters',
  '密码是多少？密码是我的生日，密码是1Password生成的，密码用Base64编码',
  '密码要 8 位以上，密码改了3次，密码从 6 位改成 8 位，验证码是 6 位，验证码 60 秒后重发',
  '我用 Bitwarden2024 管理密码，用 bcrypt2024 做密码哈希',
  'order 4012888888881881, phone 13800138000, 订单号 6222021234567890123, 1234 5678 9012 3456',
  'https://example.org/status/4012888888881881 and card 1234567890123456',
]

test.each(ORDINARY)('ordinary text and code are left alone: %s', (text) => {
  expect(found(text)).toEqual([])
})

test('a hostile text of 10 KB is searched without going over it again and again', () => {
  const pieces = [
    'sk-',
    'sk-a1',
    'eyJ',
    'eyJaaaaaaa.',
    'eyJaaaaaaa.eyJaaaaaaa.',
    'password ',
    'password for the ',
    'password is ',
    '密码',
    '密码是',
    'password="',
    'a://',
    'a://a:',
    'ab://a:a',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----#',
    'token=',
    'api_key=_',
    'AKIA',
    'a',
    'Aa0/',
    '"',
    '\\',
    'bearer ',
    '--a-',
    'secret:',
    'access access key ',
    'my pin ',
    'password\\"`*\'',
    `AKIA${UPPER} `,
    'use aaaa1111 as the password ',
    'changed my password ',
    'changed my password to ',
    'password from aaaa1111 to ',
    'my password is aaaaaaa',
    'my password for ',
    'my my my password is a-',
    '密码从a1b2c3换成',
    '用a1b2c3作密码',
    '银行卡号',
    'login: a / ',
    'unzip -P a ',
    'password? ',
    'password | ',
    'aaaa1111, that is ',
    '密码一二三 ',
    'login a1#',
    'with 4471 ',
    'the code open the gate is ',
    'password | a1b2c3 |\n',
    '4111 1111 ',
    '4',
  ]
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(10_000 / piece.length))
    const shorter = text.slice(0, 1000)
    expect(findSecrets(shorter).every(({ from, to }) => to > from)).toBe(true)
    expect(findSecrets(text).every(({ from, to }) => to > from)).toBe(true)
  }
})

test('a question about keys of another kind wants to see no secret', () => {
  expect(['what are the key points?', 'what is the API key?'].map(namesSecret)).toEqual([false, true])
  expect(['How do I salt a password?', 'which password has the router?'].map(namesSecret)).toEqual([false, true])
  expect(
    ['Will Social Security last?', 'What is my SSN?', 'what is my social security number?'].map(namesSecret),
  ).toEqual([false, true, true])
})

test('a text that names more values than anybody writes is hidden from there on, unread', () => {
  const text = `${'password: hunter2 '.repeat(20_000)} the end`
  const secrets = findSecrets(text)
  expect(secrets.length).toBeLessThan(17_000)
  expect(secrets.at(-1)?.to).toBe(text.length)
})

test('the shortest key is found from whichever place it begins, and a value behind a name inside another name', () => {
  const key = `SK${made(32, HEX)}`
  for (let before = 0; before < 40; before += 1)
    expect(found(`${'x, '.repeat(before % 7)}${' '.repeat(before)}${key} b`)).toEqual([key])
  expect(found('SECRET TOKEN: aB3dE6gH9jK2mN5pQ8rS')).toEqual(['aB3dE6gH9jK2mN5pQ8rS'])
})

test('names of secrets in a long text are looked for in pieces, and none is lost where two of them meet', async () => {
  const said = 'my password is Tr0ub4dor&3x'
  for (let before = 65_536 - 40; before < 65_536 + 8; before += 3) {
    const text = `${'salt and pepper '.repeat(5000).slice(0, before - 1)} ${said} ${'and oil '.repeat(20_000)}`
    const [secret] = findSecrets(text)
    expect(text.slice(secret?.from, secret?.to)).toBe('Tr0ub4dor&3x')
  }
  const piecesOf = async (length: number): Promise<number> => {
    let pieces = 0
    let isDone = false
    const next = (): void => {
      pieces += 1
      if (!isDone) setImmediate(next)
    }
    setImmediate(next)
    await findSecrets.patiently('passing tokens along '.repeat(length / 21))
    isDone = true
    return pieces
  }
  expect((await piecesOf(1_050_000)) - (await piecesOf(105_000))).toBeGreaterThanOrEqual(14)
})

test('expressions are made when first needed, one kind of names after the other', async () => {
  vi.resetModules()
  const fresh = await import('./find-secrets.ts')
  const piecesOf = (text: string): number => [...fresh.findSecrets.pieces(text)].length
  const first = piecesOf('The password, the PIN and the client secret are with Lin.')
  expect(first).toBeGreaterThanOrEqual(3)
  expect(piecesOf('A password, a PIN and a client secret are with Lin.')).toBe(0)
})

test('two texts that are read in turn have the names that each has alone', () => {
  const texts = ['The password of the door, a key and a token. ', 'PIN, passcode and the code of the gate. '].map(
    (text) => `${text}${'x '.repeat(40)}`.repeat(200).toLowerCase(),
  )
  const alone = texts.map((text) => atOnce(namesIn(text, text)))
  const [one, other] = texts.map((text) => namesIn(text, text)) as [
    ReturnType<typeof namesIn>,
    ReturnType<typeof namesIn>,
  ]
  for (let steps = 0; steps < 4; steps += 1) [one, other].map((work) => work.next())
  expect([atOnce(one), atOnce(other)]).toEqual(alone)
})

test('a table that names its columns again and again is read once, and each head counts for the rows below it', () => {
  const piecesOf = (mark: string, times: number): number => {
    const text = `user${mark}password\nbob${mark}Kiwi-7788\n`.repeat(times)
    const work = columnSecrets(text, atOnce(namesIn(text, text)))
    for (let pieces = 0; ; pieces += 1) {
      const { done, value } = work.next()
      if (done !== true) continue
      expect(value).toHaveLength(times)
      return pieces
    }
  }
  for (const mark of [',', ' | ', '\t', ';']) {
    const few = piecesOf(mark, 1000)
    expect(few).toBeGreaterThan(4)
    expect(piecesOf(mark, 4000)).toBeLessThan(5 * few)
  }
  expect(found('user,password\nann,Kiwi-7788\napi key,user\naB3dE6gH9jK2mN5pQ8rS,Plum-4411\n')).toEqual([
    'Kiwi-7788',
    'aB3dE6gH9jK2mN5pQ8rS',
    'Plum-4411',
  ])
})
