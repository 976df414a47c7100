/** Secrets where data tells what they are: a field beside, a head above, a form of keys. */
import { expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'

const [PASSWORD, OTHER, KEY, SSN] = ['marble31kd', 'pelican58vq', 'wq7nb42kz81xj5', '567-98-1956']
const BODY = 'MIIEpAIBAAKCAQEA7bq0V3mPz5mY1w2kqJX0u8sJcZb7nXr1e4Fh6QyTgKdWvLpM\nNq3zRk8VtYxJ2oPfCwBsHd5aUgEiZ1mQ'

const found = (text: string): readonly string[] => findSecrets(text).map(({ from, to }) => text.slice(from, to))

test.each([
  ['a field of the name and one of the value', `{"key":"password","val":"${PASSWORD}"}`, [PASSWORD]],
  ['the same with fields between', `{"name":"DB_PASSWORD","type":"string","default":"${PASSWORD}"}`, [PASSWORD]],
  ['the same in YAML', `- key: db_password\n  val: ${PASSWORD}`, [PASSWORD]],
  ['字段名和值', `{"title":"密码","内容":"${PASSWORD}"}`, [PASSWORD]],
  ['CDATA', `<password><![CDATA[${PASSWORD}]]></password>`, [PASSWORD]],
  [
    'rows of SQL',
    `INSERT INTO users (id, name, password, made)\nVALUES\n (1, 'O''Neil, B', '${PASSWORD}', NOW()),\n (2, 'Hugo', '${OTHER}', NOW());`,
    [PASSWORD, OTHER],
  ],
  ['a row of SQL', `INSERT INTO users (name, password) VALUES ('maria', '${PASSWORD}')`, [PASSWORD]],
  [
    'rows of HTML',
    `<tr>\n<th>User</th><th>Password</th></tr><tr><td>maria</td>\n<td class="x">${PASSWORD}</td></tr><tr><td>hugo<td>${OTHER}</tr>`,
    [PASSWORD, OTHER],
  ],
  ['a table of psql', ` user  | password \n-------+----------\n maria | ${PASSWORD}\n(1 row)`, [PASSWORD]],
  ['a table in a box', `┃ 用户 ┃ 密码 ┃\n┡━━━╇━━━┩\n│ maria │ ${PASSWORD} │\n└──┴──┘`, [PASSWORD]],
  ['a table of MySQL', `+---+---+\n| user | password |\n+---+---+\n| maria | ${PASSWORD} |`, [PASSWORD]],
  ['columns of blanks', `USER      PASSWORD\nmaria     ${PASSWORD}\nhugo      ${OTHER}`, [PASSWORD, OTHER]],
  ['marks in quotes', `site,note,password\nx,"a, b",${PASSWORD}`, [PASSWORD]],
  ['a variable of the environment', `os.environ["OPENAI_KEY"] = "${KEY}"`, [KEY]],
  [
    'the private numbers of a JWK',
    '{"kty":"EC","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","d":"jpsQnnGQmL_YBIffH1136cspYG6"}',
    ['jpsQnnGQmL_YBIffH1136cspYG6'],
  ],
  ['a private key without its first line', `key.pem contains ${BODY}\nand more.`, [BODY]],
  ['numbers of persons in a column', `name;ssn;city\nBob;${SSN};Bonn\nEve;513345678;Ulm`, [SSN, '513345678']],
  ['the same in HTML', `<tr><th>Name</th><th>SSN</th></tr><tr><td>Bob</td><td>${SSN}</td></tr>`, [SSN]],
  ['a short name of theirs', `Soc. Sec. No. ${SSN}`, [SSN]],
  ['分组的身份证号', '我的身份证号是110105-19491231-002X', ['110105-19491231-002X']],
])('%s', (_, text, secrets) => {
  expect(found(text)).toEqual(secrets)
})

test.each([
  '{"name":"password","type":"varchar60"}',
  '{"field":"password","error":"ERR_PWD_2","default":"none"}',
  'INSERT INTO users (name, password) VALUES (:name1, :pass1)',
  'def login(user, password):\n    check(user1, hash256x)',
  '| col | password |\n| type | varchar(60) |',
  'NAME      SECRETS   AGE\nbuilder2  2x        31d',
  'CACHE_KEY=user48213v2profile',
  '{"kty":"RSA","n":"0vx7agoebGcQSuu3T8aeXrNz","e":"AQAB"}',
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0t',
  `Name,Phone\nBob,${SSN}`,
  '编号110105-19491231-0028',
])('no secret: %s', (text) => {
  expect(found(text)).toEqual([])
})
