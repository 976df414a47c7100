import { describe, expect, test } from 'vitest'
import { seeded } from '../../../test/support/random.ts'
import { sampleOf } from '../../../test/support/sample.ts'
import { findSecrets } from './find-secrets.ts'
import { issuedKinds } from './issued-keys.ts'
import { maskSecrets } from './mask-secrets.ts'

const RANDOM = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0xL'
const HEX = '0123456789abcdef'

test.each(issuedKinds())('every kind of the table is found whole: $holds', ({ begins, pattern }) => {
  const random = seeded(7)
  for (let round = 0; round < 20; round += 1) {
    const key = sampleOf(pattern, random)
    const text = `Here it is: ${key} (for the deploy)`
    // Chance may make a key without a digit, which is none.
    if (/\d/.test(key.slice(begins.length)))
      expect(findSecrets(text).map(({ from, to }) => text.slice(from, to))).toEqual([key])
  }
})

describe('what is masked', () => {
  test.each([
    ['a key of our own', `The server takes mneme_${RANDOM}.`],
    ['a key of Twilio', `It is SK${HEX}${HEX}, I think.`],
    ['a bot of Discord', `MTAxNjQ0NTY3ODkwMTIzNDU2.GhIjKl.${RANDOM}abcdef`],
    ['a token of Doppler', `dp.pt.${RANDOM}abcdefgh123`],
    ['a service token of Postman', `PMAK-${HEX}01234567-${HEX}${HEX}01`],
    ['a password on the line below its name', 'The password for the router is:\nTr0ub4dor&3xyz'],
    ['a key two lines below', `API key:\n\n  ${RANDOM}`],
    ['密码写在下一行', '路由器的密码如下：\nTr0ub4dor3'],
    ['an IBAN', 'Please pay to DE89 3704 0044 0532 0130 00 by Friday.'],
    ['an IBAN with hyphens', 'Please pay to DE89-3704-0044-0532-0130-00 by Friday.'],
    ['a social security number', 'My SSN is 078-05-1120.'],
    ['a password of curl', 'curl -u ben:Hk3mVbq9 https://example.org'],
    ['the same where a title begins with it', 'Curl -u ben:Hk3mVbq9 https://example.org'],
    ['the code of a door', 'The alarm code is 557799.'],
    ['a password in another language', 'Passwort: Blaubeere99'],
    ['a password told in German', 'Das Passwort lautet Gartenzaun#12'],
    ['a password told in French', 'Mon mot de passe c’est Citron!45'],
    ['a password told in Spanish', 'La contraseña es Naranja#77'],
    ['a password told in Japanese', 'パスワードは sakura#12'],
    ['a webhook of Discord', `https://discord.com/api/webhooks/123456789012345678/${'aB3_'.repeat(17)}`],
    ['a passphrase', 'passphrase: correct horse battery staple'],
    ['the words of a wallet', `My seed phrase is ${'lamp river stone cloud '.repeat(3).trim()}.`],
    ['a name behind a name', 'The door code: password is kiwi-77'],
    ['身份证号', '我的身份证号是11010519491231002X。'],
    ['a password before its name', 'Tiger-4482-moon, that is the admin password'],
    ['a password before its name in brackets', 'blueWhale77! (the admin password)'],
    ['a password in the sentence before its name', "It's hunter2Zebra. That is the admin password."],
    ['密码在前', 'Kx9#mm21，这是管理员密码'],
    ['密码在括号前', 'correct-horse-9-battery（管理员密码）'],
    ['密码说得随意', '密码我改过了，现在用hunter2Zebra'],
    ['a password in a table', '| password | blueWhale77! |'],
    ['a password in Markdown', '**Password:** Tiger-4482-moon'],
    ['a password in XML', '<password>hunter2Zebra</password>'],
    ['a password as the answer', "What's the password? It's Tiger-4482-moon."],
    ['a password of a command', 'sshpass -p Tiger-4482-moon ssh root@nas'],
    ['a login', 'login: root / Kx9#mm21'],
    ['a password of an archive', 'unzip -P N0rthSea!wind photos.zip'],
    ['a password of a database', "ALTER USER ben IDENTIFIED BY 'N0rthSea!wind'"],
    ['a password in Polish', 'hasło: N0rthSea!wind'],
    ['a password in Swedish', 'Mitt lösenord är Zebra7Cloud3'],
    ['a password once more', 'The vault password used to be N0rthSea!wind.'],
    ['一句话后面的密码', '数据库密码还是老的那个 p4ssThePeas'],
    ['a seed', 'TOTP seed: JBSWY3DPEHPK3PXP'],
    ['a short name', 'the pw is hunter2Zebra'],
    ['a code before its name', '480153, that is the gate code'],
    ['a key that its vendor alone names', `our datadog key is ${RANDOM}`],
    ['a signature in an address', `https://x.example/blob?sv=2022&sig=${RANDOM}`],
    ['a cookie', `Cookie: sessionid=${RANDOM}`],
    ['a key of an issuer that nobody listed', `quay_robot_${RANDOM} is for the images`],
    ['a key for payments', 'The checkout uses rzp_live_k3Fh8sPq0ZtLw2.'],
    ['a private key of a wallet', `It is 5${'KJvs'.repeat(12)}2z.`],
    ['a token of a social network', `EAA${RANDOM.slice(0, 24)}, from the dashboard`],
    ['a token behind the name of its protocol', `oauth:${RANDOM.toLowerCase()}`],
    ['a session', `PHPSESSID=${RANDOM.toLowerCase()}`],
    ['a key of PuTTY', `Private-Lines: 1\n${RANDOM}${RANDOM}`],
  ])('%s', (_, text) => {
    const masked = maskSecrets(text)
    expect(masked).toContain('(masked, ')
    expect(maskSecrets(masked)).toBe(masked)
  })

  test('a private key whose end was cut off, with its short last line', () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\nQyNTUxOQAAACD'
    expect(maskSecrets(`${key}\nThat is all.`)).toMatch(
      /^-----BEGIN OPENSSH PRIVATE KEY-----…\(masked, \d+ characters\)\nThat is all\.$/,
    )
  })

  const [first, second] = ['b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ', 'QyNTUxOQAAACDq7xVnZ0pWmT4sYhJr']
  test.each([
    `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,6F2A\n\n${first}\n${second}`,
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\nComment: of the shed\n\n${first}\n${second}`,
    `> -----BEGIN PRIVATE KEY-----\n> ${first}\n>\n> ${second}`,
    `1\t-----BEGIN PRIVATE KEY-----\n2\t${first}\n3\t${second}`,
    ` 8: -----BEGIN PRIVATE KEY-----\n 9: ${first}\n10: ${second}`,
    `  Private-Lines: 2\n  ${first}\n  ${second}`,
  ])('a private key whose end was cut off, with heads of its own, quoted, numbered or set in: %j', (key) => {
    const masked = maskSecrets(`The key was:\n${key}\n\n> So it was.`)
    expect(masked).not.toMatch(/b3Blbn|QyNTUx/)
    expect(masked).toContain('> So it was.')
  })
})

test.each([
  ['口令：芝麻开门2024', '芝麻开门2024'],
  ['La clave del wifi de casa es Perro2020!', 'Perro2020!'],
  ['la contraseña nueva será Primavera#5', 'Primavera#5'],
  ['El código de la caja fuerte es 19-34-07', '19-34-07'],
  ['Usa Sol3dad99 como contraseña', 'Sol3dad99'],
  ['Le mot de passe du wifi est Bleuet-44-Paris', 'Bleuet-44-Paris'],
  ["Le digicode de l'immeuble, c'est 27A45", '27A45'],
  ['ma clé API est 4f9b1c7e2d8a4f9b1c7e2d8a4f9b1c7e', '4f9b1c7e2d8a4f9b1c7e2d8a4f9b1c7e'],
  ['Der Türcode ist 3390#', '3390#'],
  ['Ich habe das Passwort auf Herbst_88 geändert', 'Herbst_88'],
  ['Wiederherstellungscode: H7KM-22QX-9PLZ', 'H7KM-22QX-9PLZ'],
  ['backup codes: 4839 2201, 7712 0093', '4839 2201', '7712 0093'],
  ['Backup codes for the forge: a1b2c-3d4e5. f6g7h-8i9j0', 'a1b2c-3d4e5', 'f6g7h-8i9j0'],
  ['my 2FA secret is JBSW Y3DP EHPK 3PXP', 'JBSW Y3DP EHPK 3PXP'],
  ['my apple password is "Banana split 99"', 'Banana split 99'],
  ['QQ邮箱授权码 hjkqwmztbpxvrlda', 'hjkqwmztbpxvrlda'],
  ['助记词是：苹果 河流 石头 云朵 灯笼 窗户 月亮 森林 火车 钥匙 面包 大海', '苹果 河流 石头'],
])('a word that says secret, in any of the languages, then its value: %s', (text, ...secrets) => {
  for (const secret of secrets) expect(maskSecrets(text)).not.toContain(secret)
})

test.each([
  ['You get in with the code 4471.', '4471'],
  ['To open the back gate, punch in 3390# and wait for the beep.', '3390#'],
  ['The code to get into the building is 4471', '4471'],
  ['Enter 482913 to verify your login.', '482913'],
  ['Für die Alarmanlage tippe 9137 ein', '9137'],
  ['On entre avec le code 4471', '4471'],
  ['Para abrir marca 4471 en el teclado.', '4471'],
  ['门口输4471就能进', '4471'],
  ['my new pin for the visa card was set to 6093', '6093'],
  ['Die TAN lautet 482913', '482913'],
  ['G-482913 is your Google verification code.', 'G-482913'],
])('a code is known by what it opens, wherever its sentence says so: %s', (text, code) => {
  expect(maskSecrets(text)).not.toContain(code)
})

test.each([
  'process.env.API_KEY || "HERE"',
  'os.getenv("API_KEY", "HERE")',
  'let apiKey: String = "HERE"',
  '<add key="ApiKey" value="HERE" />',
  '- name: API_KEY\n  value: HERE',
  '| user | api key |\n|---|---|\n| ben | HERE |',
  'user,api_key,since\nben,HERE,2019',
  'The API key that I use for the maps and the weather, HERE',
  'JSESSIONID=HERE',
])('a value is found in whatever way code and tables tie it to its name: %s', (text) => {
  const value = '9F8C2B7A6D5E4F3C2B1A0F9E8D7C6B5A'
  expect(maskSecrets(text.replace('HERE', value))).not.toContain(value)
})

test.each([
  ['ben@example.com / Tulip$99', 'Tulip$99'],
  ['git clone https://0123456789abcdef0123@example.com/x', '0123456789abcdef0123'],
  ['mongosh -u ben -p tulip99x', 'tulip99x'],
  ['My password, in case I forget it, is Tulip$99', 'Tulip$99'],
  ['My ATM PIN ends up being 4821, as before', '4821'],
  ['Log into the router as admin with blue#berry7', 'blue#berry7'],
  ['She told me her Netflix password, and it was blue#berry7 then', 'blue#berry7'],
  ['<wsse:Password Type="PasswordText">Tulip$99</wsse:Password>', 'Tulip$99'],
  ['Password 2: Tulip$99', 'Tulip$99'],
  ['The passwords are tulip-9911 and tulip-9922', 'tulip-9922'],
  ['echo tulip99x | sudo -S reboot', 'tulip99x'],
  ['SSID Hearth, key hearthfire88', 'hearthfire88'],
  ['I paid for VK7JG-NPHTM-C97JM-9MPGT-3V66T', 'VK7JG'],
])('a value beside its user, its network or a clause is found: %s', (text, value) => {
  expect(maskSecrets(text)).not.toContain(value)
})

test.each([
  ['The gate code has changed. It is 5683 now.', '5683'],
  ['You will need a password for the guest network. Try willowLane4.', 'willowLane4'],
  ['What was the PIN of the tablet? 9046.', '9046'],
  ['I finally made a passcode for the office! You told me once that it was 774120.', '774120'],
  ['There is a keypad on the shed. 8352 lets you in.', '8352'],
  ['A lockbox hangs on the railing; it opens with 6194.', '6194'],
  ['Should the alarm go off, 7713 turns it off.', '7713'],
  ['The back door is locked. Type 5540#.', '5540#'],
  ['The passcode was changed. Here you go: 226 914.', '226 914'],
  ['I lost my password for the forum. I made it lanternFish3.', 'lanternFish3'],
  ['后院装了密码锁。你按 6802 就开。', '6802'],
  ['网盘要密码的，你输 hetao2233 就行', 'hetao2233'],
])('the name of a secret or a lock speaks for the next sentence and the next clause: %s', (text, secret) => {
  expect(maskSecrets(text)).not.toContain(secret)
})

test.each([
  ['密码：Fern！88cove', '88cove'],
  ['My password is fern88？cove.', 'cove'],
  ['Password\n--------\nFernCove8', 'FernCove8'],
  ['Passwort ist jetzt Farnbucht8', 'Farnbucht8'],
  ['iban: gb82 west 1234 5698 7654 32', '5698'],
])('a value is whole: wide marks within, one digit under its name, small letters: %s', (text, secret) => {
  expect(maskSecrets(text)).not.toContain(secret)
})

test.each([
  '{"password":\n  "HERE"}',
  'password =\nHERE',
  'Password:\n```\nHERE\n```',
  'router password (new):\nHERE',
  '<password>\nHERE\n</password>',
  'mot de passe :\nHERE',
  'secret:\n- HERE',
  'api_key: |-\n  HERE29LmZ4',
  'token:\n  value: HERE29LmZ4',
  'API_KEY=\\\nHERE29LmZ4',
  'The password for the shed by the lake\nis HERE',
])('a secret stands on the line after its name: %j', (text) => {
  expect(maskSecrets(text.replace('HERE', 'lantern4fish'))).not.toContain('lantern4fish')
})

test.each([
  'Seed phrase:\nmarble cactus velvet orbit spoon ladder\ntiger canyon pepper window galaxy trust',
  `Recovery words:\n\n${'marble cactus velvet orbit spoon ladder tiger canyon pepper window galaxy trust'
    .split(' ')
    .map((word, at) => `${at + 1}. ${word}`)
    .join('\n')}`,
])('the words of a wallet stand below their name, in lines and with numbers: %j', (text) => {
  expect(maskSecrets(text)).not.toMatch(/marble|spoon|tiger|trust/)
})

test.each(['SSN:\n567-98-1956', 'Social Security No. 567-98-1956', '社保号：\n567-98-1956'])(
  'the number of a person stands below its name, and behind a shortened word: %j',
  (text) => expect(maskSecrets(text)).not.toContain('567-98-1956'),
)

test.each(['567‑98‑1956', '567–98–1956', '567.98.1956', '567 - 98 - 1956', '567/98/1956'])(
  'the number of a person is one with any sign between, where it is called so, also on the line below: %s',
  (number) => {
    const texts = [
      `My SSN is ${number}.`,
      `SSN\n${number}`,
      `Social security number\n${number}`,
      `| SSN |\n|---|\n| ${number} |`,
    ]
    for (const text of texts) expect(maskSecrets(text)).not.toContain('1956')
    expect(maskSecrets(`Part ${number} fits.`)).toContain(number)
  },
)

test.each([
  'SC18SSCB11010000000000001497USD',
  'LC55 HEMM 0001 0001 0012 0012 0002 3015',
  'SV62 CENR 0000 0000 0000 0070 0025',
  'VA59 0011 2300 0012 3456 78',
])('an IBAN of a country that joined the registry later: %s', (number) =>
  expect(maskSecrets(`Please pay to ${number} by Friday.`)).not.toContain(number.slice(-8)),
)

test.each([
  'DB_PASSWORD="l@ntern f1sh cove"',
  'password: "marble cactus velvet orbit"',
  '{"pwd": "tiger canyon pepper trust"}',
])('words in quotes are a password where their name stands: %s', (text) =>
  expect(maskSecrets(text)).toMatch(/["'][^\w ]{1,2}masked, \d+ characters\)["']/),
)

test('of a phrase that was clipped nothing is shown', () => {
  const words = 'marble cactus velvet orbit spoon ladder tiger canyon pepper window galaxy trust'
  for (const length of [30, 47, 60, 79])
    expect(maskSecrets(`My seed phrase: ${words.slice(0, length)}…`)).not.toContain('marble')
  expect(maskSecrets('助记词是：苹果 河流 石头 云朵 灯…')).not.toContain('苹果')
})

test.each([
  [
    'words of the same kind without a value',
    'la contraseña debe tener 12 caracteres, das Passwort muss 10 Zeichen haben',
  ],
  ['the other meanings of the words', 'la clave del éxito es dormir 8 horas; die Schlüssel liegen bei Nachbarin 12'],
  ['codes that open nothing', 'Fehlercode 1603, código postal 28013, promo code SUMMER25, operator code 4471'],
  ['a part of the city', 'Puerta 4471, Gate 4821, my order number is 4839 2201'],
  ['words below a name', 'Password:\nForgot it again, please reset it.'],
  ['code below a name', 'Password:\n```python\ndef check2(text):\n```'],
  ['fields below a name', 'token:\n  type: string\n  value: number\n<password>\n<minLength>8</minLength>\n</password>'],
  ['rules below a name', 'Passwords:\n- at least 12 characters\n- one digit'],
  ['a number of the next sentence', 'They spoke of social security. My part is 078-05-1120.'],
  [
    'a message in quotes',
    'password: "must be at least 8 characters", pwd: "wrong user name given", pin: "four digits"',
  ],
  ['a label in quotes', '"password": "enter new account password", "pwd": "hashed with sha256 in k8s"'],
  ['a sum that is no IBAN', 'Order DE89 3704 0044 0532 0130 01 has shipped.'],
  ['a word of code', 'Call s.getElementsByTagNameNow, and pat.of.the.back, and sk.something.'],
  ['a passphrase that is spoken of', 'My passphrase is too long to remember.'],
  ['a part number', 'The part is 078-05-1120.'],
  ['eighteen digits without the check', '订单号 110105194912310021'],
  ['names of variables', 'Read secret_key_of_the_app and fw_version and pat.of.the.back.'],
  ['a number before the name of another', '会议号：123456789，密码：见邮件'],
  ['a procedure', 'Use bcrypt12 for the password.'],
  ['a system', 'This is Postgres16, the password is in the vault.'],
  ['the key of a map', 'The key is user_profile_settings_cache_12, see the docs.'],
  ['a name with a number of its own', 'It calls get_OrderServiceHandlerV2Factory12 and test_ThatTheRoomIsFree22Times.'],
  ['a check sum', `integrity sha384-${RANDOM.repeat(2)}`],
  ['people who assess', 'We assess obsession20Times in a session.'],
  ['amounts beside doors', 'It opens with 4500 guests; bus 4471 stops at the gate, and I opened port 8080 to log in.'],
  [
    'codes of other kinds beside doors',
    'The error code 4471 shows when the door is open; le code postal est 75011, la porte',
  ],
  ['check sums near the names of keys', `The token parser came with commit ${HEX}${HEX}.`],
  ['a column of words', '| Test | Pass |\n|---|---|\n| unit | 1200 |'],
  ['a fingerprint', 'Release GPG key: `3ABC01543F22DD2239285CDD818674489FBC127E`'],
  ['the name of a variable in quotes', "privateKey: process.env['X509_CLIENT_PRIVATE_KEY_PEM']!"],
  [
    'a number behind the name of another thing',
    'I bought a password manager. It is 3600 yen. The safe is 2100 mm tall.',
  ],
  ['a year and an amount as answers', 'When did I set the PIN? 2019. How many passwords are there? 4500.'],
  ['a room beside a door', 'The door is blue. Room 318 opens at nine, and 2494 people came through the gate.'],
  ['a word behind a wide mark', '密码已经改了！WiFi名是Hearth2'],
  ['a UUID that begins like an IBAN', 'Memory be31f4c0-0555-4ec7-a1e3-69ad011915ac is about tea.'],
  ['a UUID with an IBAN inside', 'ba66a66a-39e6-4ab0-b277-bc1902950fa4'],
  ['a UUID that ends like an IBAN', 'd1aea1a6-42e6-4ea2-be49-0e77a963e255'],
  ['a commit that begins like an IBAN', 'ee7376ad3ac04ede2567a7074762d20b0de1de6d'],
  ['an id of an address', 'See https://api.example.com/v1/items/SKU-100200300400.'],
])('what is left alone: %s', (_, text) => {
  expect(maskSecrets(text)).toBe(text)
})

test.each([
  ['export API_TOKEN=bv0Cf4x644Gb', 'bv0Cf4x644Gb'],
  ['https://x.example/cb?token=a1b2c3d4e5&state=1', 'a1b2c3d4e5'],
  ['令牌是 XK4T9Q2Z', 'XK4T9Q2Z'],
  ['My gate PIN has been 4471 for years.', '4471'],
  ['暗証番号は5695です', '5695'],
  ['My social is 567-98-1956.', '567-98-1956'],
  [`https://api.telegram.org/bot8999387363:AA${RANDOM.slice(0, 33).padEnd(33, 'x9')}/getMe`, '8999387363:AA'],
])('a short value that chance made, and one in its address, is hidden: %s', (text, secret) => {
  expect(maskSecrets(text)).not.toContain(secret)
})

test.each([
  ['a no-break space', 'password:\u00a0Brimwell84!', 'password:\u00a0'],
  ['an ideographic space', '密码：\u3000Brimwell84', '密码：\u3000'],
  ['a line separator', 'password:\u2028Brimwell84!\u2028', 'password:\u2028'],
  ['a character nobody sees in the name', 'pass\u200bword: Brimwell84!', 'pass\u200bword: '],
  ['a soft hyphen in the value', 'password: Brim\u00adwell84!', 'password: '],
  ['two halves of a character nobody sees', 'pass\u{e0041}word: Brim\u{e0041}well84!', 'pass\u{e0041}word: '],
  ['a name in wide letters', 'ｐａｓｓｗｏｒｄ：Brimwell84!', 'ｐａｓｓｗｏｒｄ：'],
  ['a value in wide letters', '密码：Ｂｒｉｍｗｅｌｌ８４', '密码：'],
  ['a name and its mark in wide letters', 'ＡＰＩ＿ＫＥＹ＝bv0Cf4x644Gb93', 'ＡＰＩ＿ＫＥＹ＝'],
])('a secret is found behind look-alikes, and the rest stays as it was: %s', (_, text, before) => {
  expect(maskSecrets(`｟ ${text}\u00a0（ok）`)).toMatch(
    new RegExp(`^｟ ${RegExp.escape(before)}…?\\(masked[^)]*\\)!?\u2028?\u00a0（ok）$`),
  )
})

test.each([
  "PASSWORD='moonlit42",
  "export X_SECRET='moonlitmoonlit42",
  "my password is 'hunter2moonlit42",
  'password="moonlit42\nand the next line',
  '密码是“猴子moonlit42',
])('a value behind a quote that nobody closes: %s', (text) => expect(maskSecrets(text)).not.toContain('moonlit42'))

test.each([
  'DB_PASSWORD_PROD=moonlit42',
  'PASSWORD_OLD: moonlit42',
  'MY_PASSWORD_FOR_NAS=moonlit42',
  'WIFI_PASSWORD_GUEST: Kiwi-moonlit42',
  `API_KEY_2=${RANDOM}`,
  `auth-token-dev: ${RANDOM}`,
  'password1: moonlit42',
  'password #2: moonlit42',
  'password[1]=moonlit42',
  '密码1：moonlit42',
  '密码2是moonlit42',
])('a name with a number or words of its identifier behind it: %s', (text) => {
  expect(maskSecrets(text)).not.toMatch(/moonlit42|aB3dE6/)
})

test.each([
  'token_count = 5000',
  'password_policy: strict',
  'secret_name: prod-db-2024',
  'password_max_length=1024',
  'password_hash_rounds=12',
  'tokens_per_minute=600000',
  'token_expires_at: 2024-05-06T12:00:00Z',
  'PASSWORD_FILE=/run/secrets/db_password_12',
  'token_model: gpt4o-mini-2024-07-18',
  'PIN_LED = 1344',
  'token_1 = words[22]',
  'password1 === password2',
])('words behind a name that make it another thing: %s', (text) => expect(maskSecrets(text)).toBe(text))
