import { describe, expect, test } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

describe('a second secret in the same breath, or in the place of the first', () => {
  test.each([
    "My wifi password is lampfish31 and the router's is hunter99x.",
    "my wifi password is lampfish31, no, sorry, it's hunter99x",
    'My password is lampfish31. Sorry, it is hunter99x.',
    'my password is lampfish31 and hers is hunter99x',
    'My password is lampfish31 - no wait, hunter99x',
    'The password was lampfish31; now hunter99x',
    'The passwords: lampfish31 (router), hunter99x (nas)',
    'my password is either lampfish31 or hunter99x',
    'password for the router is lampfish31, for the nas hunter99x',
    'The router password is lampfish31 and the NAS one is hunter99x',
    'Mein Passwort ist lampfish31, nein, hunter99x',
    'Mi contraseña es lampfish31, perdón, es hunter99x',
    '密码是lampfish31，不对，是hunter99x',
    '密码是lampfish31，啊不，应该是hunter99x才对',
    '我的密码是lampfish31或者hunter99x',
    '路由器的密码是lampfish31，NAS的是hunter99x',
    "My wifi password is not lampfish31, it's hunter99x",
    "My password isn't lampfish31 any more, we switched to hunter99x",
    'The password is lampfish31 (it used to be hunter99x).',
    'The password is lampfish31, I mean hunter99x',
    'The password is lampfish31, not hunter99x.',
    'The password is lampfish31 instead of hunter99x',
    'The password is no longer lampfish31 but hunter99x',
    '路由器密码lampfish31，打印机hunter99x',
    '服务器密码：lampfish31；数据库：hunter99x，备份机：otter77k',
    '密码以前是lampfish31，现在是hunter99x',
    '密码是lampfish31，我是说hunter99x',
    '密码不再是lampfish31了，换成了hunter99x',
    '密码lampfish31（旧的hunter99x）',
  ])('%s', (text) => expect(maskSecrets(text)).not.toMatch(/lampfish31|hunter99x|otter77k/))

  test.each([
    ['my PIN is 4711, no wait, 8822', '8822'],
    ["The alarm PIN is 4711, and the safe's is 8822.", '8822'],
    ['PIN是4711，不对，是8822', '8822'],
    ['The PIN is not 8822 but 4711.', '8822'],
  ])('%s', (text, second) => expect(maskSecrets(text)).not.toContain(second))

  test.each([
    ['My wifi password is lampfish31 and my username is bobby42.', 'bobby42'],
    ['My password is lampfish31, and the router is a TL-WR841N.', 'TL-WR841N'],
    ['My password is lampfish31 and my flight is LH4711x.', 'LH4711x'],
    ['The password lampfish31 is weak, sha256sum is better.', 'sha256sum'],
    ['The PIN is 4711 and 2019 was a good year.', '2019'],
    ['The PIN is 4711. I bought 8822 screws.', '8822'],
    ['password: lampfish31, host=db42prod', 'db42prod'],
    ['login(password="lampfish31", "db42host")', 'db42host'],
    ['{"password": "lampfish31", "id7xyz": 1}', 'id7xyz'],
    ['密码是lampfish31，账号是bobby42', 'bobby42'],
    ['密码是lampfish31，iPhone15Pro能登录', 'iPhone15Pro'],
    ['密码是lampfish31，服务器是web42prod', 'web42prod'],
    ['路由器密码lampfish31，型号dell740xd', 'dell740xd'],
    ['路由器密码lampfish31，网速200Mbps', '200Mbps'],
    ['路由器密码lampfish31，用户是bobby42', 'bobby42'],
    ['My password is not accepted by Office365.', 'Office365'],
    ['The password is lampfish31, before that update22 it was fine', 'update22'],
  ])('not what its clause names: %s', (text, other) => expect(maskSecrets(text)).toContain(other))
})

test.each([
  'Wifi password\n\n\n\n\nlampfish31',
  'Password:\r\n\r\n\r\n\r\nlampfish31',
  '密码：\n\n\n\nlampfish31',
  'Password:\n\n---\n\nlampfish31',
  'The password, as promised:\n\n    lampfish31\n\nBest, Tom',
  'Password →\nlampfish31',
  'password = (\n  "lampfish31"\n)',
  'password:<br/>lampfish31',
  '密码：<br>lampfish31',
  '<b>Password</b>\n<code>lampfish31</code>',
  '<p>Password:</p>\n<p>lampfish31</p>',
  '<dt>Password</dt><dd>lampfish31</dd>',
  '<tr><th>Password</th></tr><tr><td>lampfish31</td></tr>',
  '<tr><th>User</th><th>Password</th></tr>\n<tr><td>bob</td><td>lampfish31</td></tr>',
  '| Password |\n|---|\n| lampfish31 |',
])('a value some lines or tags below its name: %j', (text) => expect(maskSecrets(text)).not.toContain('lampfish31'))

test.each([
  'password:\n\n\n\n\nThe wifi is down again since Monday 2024-05-06.',
  '<label>Password</label><br>\n<p>It must have 12 characters.</p>',
  '<th>Password</th><th>Description</th>',
  'password,\nuser2024',
])('words below a name: %j', (text) => expect(maskSecrets(text)).toBe(text))

test.each([
  'dbPasswordProd = lampfish31',
  '{"userPasswordOld": "lampfish31"}',
  'spring.datasource.dbPasswordProdEu=lampfish31',
  "const apiKeyTest = 'lampfish31Qz7mXw0Rt5'",
  'authTokenDev: lampfish31Qz7mXw0Rt5',
])('a name with more words of its identifier behind it: %s', (text) =>
  expect(maskSecrets(text)).not.toContain('lampfish31'),
)

test.each([
  'passwordHash: lampfish31',
  'secretName: "prod-db-2024"',
  'tokenCount1 = count22',
  'passwordFieldName = input22',
  'passwordInput2 = document.getElementById("pw22")',
  'passwordResetUrl: "/reset/v2/22"',
  'publicKeyProd = lampfish31Qz7mXw0Rt5',
  'const tokenExpiry = 3600000;',
  'pass_2=98.5%',
  'pass 2: 97,3%',
])('another thing by such words, or a share: %s', (text) => expect(maskSecrets(text)).toBe(text))

test.each([
  'Passwords:\nrouter: lampfish31\nnas: hunter99x',
  'Passwords for the team:\n- Anna: lampfish31\n- Ben: hunter99x',
  'My passwords\n\n- router: lampfish31\n- nas: hunter99x',
  'Wifi passwords:\n1. Home – lampfish31\n2. Office – hunter99x',
  '**Passwords**\n* Netflix: lampfish31\n* Hulu: hunter99x',
  '密码：\n路由器：lampfish31\nNAS：hunter99x',
])('a list of them below a heading: %j', (text) => expect(maskSecrets(text)).not.toMatch(/lampfish31|hunter99x/))

test.each([
  'Passwords:\n- length: 12\n- hash: sha256\n\nMeeting: room204b',
  'The tests for passwords\nresult: passed22',
  'Tokens:\ninput: 1024k2\noutput: 4096',
])('other lists: %j', (text) => expect(maskSecrets(text)).toBe(text))
