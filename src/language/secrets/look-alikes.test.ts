/** Texts about passwords that tell none, and those beside them that do. */
import { expect, test } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

test.each([
  '密码策略是NIST800-63B',
  '密码格式为abc123这种',
  '密码保护的文件叫report2024',
  '我忘了密码，工单号是WO20241128',
  '密码错误，错误代码是E40317',
  '密码过期了，系统是Win11Pro',
  '验证码短信的号码是10690123',
  'passwordField: "input#pwd2"',
  'const passwordInput = page.locator("form.login input#pwd2")',
  'The password policy is NIST800-63B',
  'The password length is 16chars',
  'password encoding: utf8mb4',
  'Password issue: ticket JIRA-2931@prod',
  'The secret version is v17beta2',
  'The pin code for our area is 560034',
  'The password is $db_pass1, and the token is in process.env.TOKEN_2',
  'My password is yourPassword123, or what the form calls {{password_1}}.',
  'PASSWORD=$passOfStage2',
  '"auth": "oauth2", and main.c:1234:10:error:heron2stork',
  'if (password === form.login2.value) return',
  'const password = hash2(2024)',
  'My address is 14 MG Road, Bengaluru, pin code 560001',
])('no secret: %s', (text) => expect(maskSecrets(text)).toBe(text))

test.each([
  '密码改了，现在是marble31kd',
  '密码，你记一下，是marble31kd',
  '密码管理器的密码是marble31kd',
  'The password for the login page is marble31kd',
  'login page: bob / marble31kd#7',
  '<wsse:Password Type="PasswordText">marble31kd</wsse:Password>',
  'passwords: marble31kd (policy: change it in May)',
])('a secret beside such a word: %s', (text) => expect(maskSecrets(text)).not.toContain('marble31kd'))

test.each([
  ['my password is #Heron1987', 'Heron1987'],
  ['my password is @heron1987!', 'heron1987'],
  ['The wifi password is stork.marsh.31', 'stork'],
  ['our password is Heron(1987)', 'Heron'],
  ['my password is yourHeron1987', 'yourHeron'],
  ['我的密码是$heron1987!', 'heron1987'],
  ['STAGE_PASSWORD=#Heron1987', 'Heron1987'],
  ['db.marsh.io:5432:stage:heron:kT7mWq2xRz', 'kT7mWq2xRz'],
  ['*:*:*:heron:kT7mWq2xRz', 'kT7mWq2xRz'],
  ['{ "auths": { "r.marsh.io": { "auth": "aGVyb246a1Q3bVdxMnhSeg==" } } }', 'aGVyb246a1Q3'],
  ['//registry.marsh.io/:_auth=aGVyb246a1Q3bVdxMnhSeg==', 'aGVyb246a1Q3'],
  ['Cookie: connect.sid=s%3AkT7mWq2xRzkT7mWq2xRz.bN4vC8; lang=en', 'kT7mWq2xRz'],
  ['snmp-server community marshland RO', 'marshland'],
  ['export STAGE_TOKEN=st.ab.mK3tQ8xW1zR5vB7nL9pH2cJ4dF6gT0yA', 'mK3tQ8xW1z'],
])('a value that is told is no expression: %s', (text, part) => expect(maskSecrets(text)).not.toContain(part))

test('a code of a lock in a street is no postcode', () => {
  expect(maskSecrets('The pin code for the door in our street is 482113')).not.toContain('482113')
})
