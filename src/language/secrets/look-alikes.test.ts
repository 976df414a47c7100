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

test('a code of a lock in a street is no postcode', () => {
  expect(maskSecrets('The pin code for the door in our street is 482113')).not.toContain('482113')
})
