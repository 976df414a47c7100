/** Does this value look like a secret in use? Its characters decide, by a test as strict as its name. */

/** The kind of secret that a value is called: keys are long and mixed, passwords may be short, a PIN is digits. */
export type SecretName = 'password' | 'secret' | 'key' | 'token' | 'pin' | 'cvv' | 'any key'

const LEAST: Readonly<Record<SecretName, number>> = {
  password: 4,
  secret: 8,
  key: 12,
  token: 16,
  pin: 4,
  cvv: 3,
  'any key': 20,
}
/** What a machine made at random: letters of both cases with digits among them, or many hexadecimal digits or small letters with digits. */
const RANDOM =
  /^(?:(?=(?:\D*\d){2})(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=\D*\d+[\w-]{0,200}[A-Za-z])[\w-]{20,200}(?:=|%[23][\dA-F]){0,2}|(?=[a-f]*\d)[a-f\d]{32,128}|(?=(?:[a-z]*\d){4})(?=(?:\d*[a-z]){4})[a-z\d]{24,128})$/
/** Most digits of a secret of digits alone. */
const LONGEST_NUMBER: Readonly<Partial<Record<SecretName, number>>> = { pin: 8, cvv: 4 }
/** Characters of a key told by its name alone: letters and digits, without signs of code. */
const KEY_CHARACTERS = /^(?=.*\d)(?=.*[a-z])[\w+/=.~:!@#$%^&*-]+$/i
/** Length from which letters of both cases are a key, even without a digit. */
const LONG_LETTERS = 20
/** Shortest quoted word after "password" that counts as one. */
const QUOTED_WORD = 6

/** Marks and words that stand where a value is to be put in. */
const PLACEHOLDER =
  /^<.*>$|^\{.*\}$|\{\{|\$\{|\$[A-Z_]{3,40}$|%\w{1,40}%|\.\.\.|…|\*{3,}|([x•_?.-])\1{3,}|(?<![a-z0-9])(?:your|placeholder|change[-_]?me|replace|redacted|insert|dummy|todo)|[_-]here$/i
/** An expression: the value is computed, not written down. */
const REFERENCE = /^[A-Za-z_$@][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*[([]|^[$@#&%]|^\w+(?:\.|->|::)\w+(?:\.|$)/
/** A value that is a variable's name: newPassword, api_key2. */
const NAMES_ITSELF = /^[A-Za-z_$]*(?:password|passwd|passphrase|passcode|pwd|secret|token|api_?key)[A-Za-z_]*\d?$/i
/** Kinds, states and procedures of a secret, never one. */
const NO_SECRET =
  /^(?:md-?5|sha-?\d+(?:-?\d{1,40})?|aes-?\d+[\w-]{0,40}|rsa-?\d*|ecdsa|ed25519|hmac\S*|b?crypt\d*|scrypt|argon2\w*|pbkdf2\S*|base-?(?:16|32|58|64)[\w-]*|utf-?\d+|[hre]s\d{3}|oauth-?\d?(?:\.\d)?|jwt|[23]fa|mfa|totp|web3|varchar\d*|u?int\d*|char\d*|float\d*|text|string|number|1password\S*|keepass\S*|boolean|object|bytes|buffer|null|none|nil|undefined|true|false|empty|unknown|default|required|optional|invalid|missing|hidden|incorrect|wrong|correct|expired|secure|hashed|encrypted|disabled|enabled|provided|protected|visible|password|passwort|secret|example|sample|changed|stored|needed|v\d+(?:\.\d+)*|\d{4}-\d{2}-\d{2}\S*|https?:\S*)$/i

/** true for `sk-xxxx`, YOUR_KEY, <password>, ${TOKEN}, ****: a place for a value. */
export function isPlaceholder(value: string): boolean {
  return hasFewSigns(value.toLowerCase()) || PLACEHOLDER.test(value)
}

/** Two different signs at most: xxxx, 0000, abab. */
function hasFewSigns(value: string): boolean {
  let at = 0
  while (at < value.length && value[at] === value[0]) at += 1
  const second = value[at]
  while (at < value.length && (value[at] === value[0] || value[at] === second)) at += 1
  return at >= value.length
}

/** true for characters of which chance made a key: letters with digits, or more letters than a word has. */
export function isMixed(value: string): boolean {
  if (!/[A-Za-z]/.test(value)) return false
  return (
    /\d|^[A-Za-z]{30,}$/.test(value) || (value.length >= LONG_LETTERS && /[a-z]/.test(value) && /[A-Z]/.test(value))
  )
}

/** Facts about the place of a value. */
export interface ValuePlace {
  readonly name: SecretName
  /** true for a value in quotes, written down literally and no name of anything. */
  readonly quoted: boolean
  /** true for a Latin word in Chinese prose, which is not part of the sentence. */
  readonly foreign: boolean
}

/** true when the value, called a secret of this name, is one. */
export function looksSecret(value: string, { name, quoted, foreign }: ValuePlace): boolean {
  if (value.length < LEAST[name] || /\s/.test(value)) return false
  const longest = LONGEST_NUMBER[name]
  if (longest !== undefined)
    return /^(?:[A-Z]-)?\d+(?:-\d+){0,3}[#*]?$/.test(value) && value.replace(/\D/g, '').length <= longest
  if (NO_SECRET.test(value) || isMaskedValue(value)) return false
  if (name === 'any key') return RANDOM.test(value)
  if (name !== 'password')
    return KEY_CHARACTERS.test(value) && !isPlaceholder(value) && (quoted || !REFERENCE.test(value))
  if (/^\d+$/.test(value)) return true
  if (isPlaceholder(value)) return false
  if (!quoted && (REFERENCE.test(value) || NAMES_ITSELF.test(value))) return false
  // The exclamation mark of "My password is gone!" is not part of a value.
  const said = value.replace(/!{1,40}$/, '')
  if (/\d/.test(said) || /[!#$%^&*+=~@]/.test(said)) return /[A-Za-z\d]/.test(said)
  return (quoted || foreign) && said.length >= QUOTED_WORD && /^[a-z][\w.-]*$/.test(said)
}

/** Measures, norms and versions, which have digits, too: RFC-2898, ISO27001, 2024-05. */
const NUMBERED = /^(?:[A-Z]{2,}(?:[-_]?\d)+|v?\d[\d.:/-]*)$/
/** Length from which a word with a digit inside is no name of a thing, unlike mp3 or B2B. */
const DISGUISED = 8
const DIGITS_OF_PIN = /^\d{4,8}$/

/** true for a value unlike words of any language, a secret even without an explicit statement: `Kiwi-7788`. */
export function isUnlikeWords(value: string, name: SecretName): boolean {
  if (DIGITS_OF_PIN.test(value) || (name === 'cvv' && /^\d{3}$/.test(value))) return name !== 'secret'
  if (name === 'pin' && /^[A-Z]-\d{4,8}$/.test(value)) return true
  if (value.length < 6 || NUMBERED.test(value) || !/[A-Za-z]/.test(value)) return false
  const digits = value.match(/\d/g)?.length ?? 0
  // A digit in the place of a letter or a word, as in S3cretSauce.
  if (name === 'password' && digits === 1 && value.length >= DISGUISED && /[A-Za-z]-?\d-?[A-Za-z]/.test(value))
    return true
  return digits >= 2 || (digits === 1 && /[!@#$%^&*+=~]/.test(value))
}

/** true for a word that can only be the password itself where somebody says "my password is …" and nothing more. */
export function isPasswordWord(word: string): boolean {
  return !tellsOfState(word) && !NO_SECRET.test(word) && !isPlaceholder(word) && !NAMES_ITSELF.test(word)
}

/** true for what a mask left of a value. */
export function isMaskedValue(value: string): boolean {
  return value.includes('…(masked')
}

/** Words after "my password is" that are not the password: states, judgements and places ("too short", "leaked"). */
const STATE_ENDINGS =
  /(?:ed|ing|ly|[ai]ble|ful|less|ous|ive|[^r]al|ic|[ae]nt|[ao]ry|ward|wards|ward|where|thing|body|time|case|like|proof|free|based|ified)$/i

const WORDS = new Set(
  `strong stronger strongest weaker longer shorter better simpler safer easier harder simple complex secure insecure
  unsafe public private unique random rather pretty always almost already perhaps either neither another whatever
  enough exactly forgotten stolen hidden broken written spoken chosen unknown known shown taken given frozen proven
  overdue offline online inside outside around behind beneath beside before below between upstairs downstairs nearby
  overleaf underneath abroad around tomorrow yesterday tonight instead through correct incorrect invalid missing
  required secret secrets default optional encrypted plaintext plain numeric garbage rubbish nonsense perfect absurd
  insane stupid clever intact unclear obscure mature immature unsure certain uncertain yours theirs himself herself
  itself myself useless active inactive complete incomplete absolute separate accurate inaccurate adequate inadequate
  appropriate inappropriate legitimate duplicate approximate extreme severe awesome alright allright exposed unsafe
  unlike unset foolish childish gibberish selfish nothing everything something anyone everyone nobody somebody string number
  digits letters characters symbols english chinese bitwarden lastpass dashlane keychain keepass google facebook overkill`
    .trim()
    .split(/\s+/),
)

/** true for a word that tells how or where something is; false for a name or a thing, which may be a password. */
function tellsOfState(word: string): boolean {
  return WORDS.has(word.toLowerCase()) || STATE_ENDINGS.test(word)
}

/** Names by what they name; the first that fits counts. None is a part of a longer word, but may end an identifier. */
export const SECRET_NAMES: readonly (readonly [SecretName, string])[] = [
  [
    'password',
    'pass(?:word|wd|phrase|code)|(?<![a-z])p(?:s?wd?|swd)|(?<=\\brequire)pass|(?<![a-z])pass|passwor[dt]|kennwort|wachtwoord|mot de passe|contraseña|senha|пароль|パスワード|비밀번호|암호|密码锁?|密碼|口令|暗号|暗証番号|(?<![a-z])(?:mdp|motdepasse|has[łl]o|l[öo]senord|passord|salasana|adgangskode|heslo|jelsz[óo]|[şs]ifre)|mật khẩu|kata sandi|(?:code|clé) (?:du )?wi-?fi',
  ],
  [
    'key',
    '(?:api|access|secret|account|auth|encryption|signing|private|master|licen[cs]e|app|service|shared|client|consumer|storage)[_ -]?key(?:[_ -]?(?:id|data))?|密钥|密鑰|金鑰|私钥',
  ],
  ['token', 'token|令牌'],
  ['secret', 'secret|credentials?|(?:recovery|backup)[_ -]codes?|(?:totp|2fa)[_ -]seed'],
  [
    'pin',
    '(?<![a-z])(?:pin(?:[_ -]?(?:code|number))?|otp)|pin码|(?<![a-z])puk(?: code)?|(?:verification|one-time|2fa|otp|alarm|door|gate|entry|access|lock(?:er)?|safe|vault|garage|keypad|unlock)[_ -]?code|(?:safe|lock|padlock|locker|vault) combination|combination (?:to|of|for) (?:the|my|our) (?:safe|lock|padlock|locker|vault|gate)|[解开恢备][锁复用]码|验证码|门禁码|驗證碼|校验码|动态码',
  ],
  ['cvv', '(?<![a-z])cv[vc]2?(?![a-z0-9])|安全码'],
  [
    'any key',
    '(?<![a-z])(?<!public[_ -]?)key|secret_?id|oauth2?|csrf|(?:wpa_?)?psk|(?<=[?&](?:x-amz-)?)sig(?:nature)?|sess(?:ion)?_?id|(?<=cookie: ?)(?:[a-z_]{0,12}sess(?:ion)?|sid)',
  ],
]

/** The end of a whole name: no letter follows a Latin one. */
export const NAME_END = '(?!(?<=[a-z])[a-z])'

/** A cheap test of small letters for names of secrets, far cheaper than the search. */
const HINT =
  /pass|pwd|ps?w|otp|puk|mdp|has[łl]o|senord|salasana|adgangskode|heslo|jelsz|ifre|khẩu|kata sandi|암호|暗証|wi-?fi|[解开恢备][锁复用]码|seed|_codes|kennwort|wachtwoord|contraseña|senha|пароль|パスワード|비밀번호|secret|token|key|credential|pin|bearer|basic |[ _-]code|combination|门禁码|cv[vc]|密|口令|暗号|金鑰|令牌|私钥|证码|證碼|验码|动态码|安全码|[?&](?:x-amz-)?sig|cookie|oauth|csrf|psk|sess(?:ion)?_?id/

/** The text in small letters, character for character; expressions read them twice as fast as letters of any case. */
export function inSmallLetters(text: string): string {
  return text.replaceAll('İ', 'ı').toLowerCase()
}

/** false: the text, in small letters, names no secret. */
export function mayNameSecret(small: string): boolean {
  return HINT.test(small)
}

/** Characters of a text in which names of secrets are looked for: a longer one is no question. */
const LONGEST_QUESTION = 16_384

/** true when a text names passwords, keys and the like: such a question wants to see them. */
export function namesSecret(text: string): boolean {
  const small = inSmallLetters(text.slice(0, LONGEST_QUESTION))
  return mayNameSecret(small) && NAMED_ANYWHERE.test(small)
}

/** The secret that a field's name announces: `db_password` → password; null for any other name. */
export function secretNameOf(field: string): SecretName | null {
  const known = NAMED.get(field)
  if (known !== undefined) return known
  const name = nameIn(field)
  if (NAMED.size >= MOST_NAMED) NAMED.clear()
  NAMED.set(field, name)
  return name
}

/** Cached results by field name, as few fields recur with every record. */
const NAMED = new Map<string, SecretName | null>()
const MOST_NAMED = 500

function nameIn(field: string): SecretName | null {
  if (!mayNameSecret(inSmallLetters(field))) return null
  const end = field.slice(-LONGEST_FIELD)
  return NAME_ENDINGS.find(([, ending]) => ending.test(end))?.[0] ?? null
}

const LONGEST_FIELD = 200
/** A key of any kind is none: "the key points". */
const NAMED_ANYWHERE = new RegExp(
  `(?:${SECRET_NAMES.flatMap(([name, words]) => (name === 'any key' ? [] : [words])).join('|')})s?(?![a-z])`,
)
const NAME_ENDINGS = SECRET_NAMES.map(([name, words]) => [name, new RegExp(`(?:${words})$`, 'i')] as const)

/** Shortest secret that is looked for inside words; shorter ones could be a part of anything. */
const SHORTEST_WITHIN = 6
/** Characters of a value, and of all in one pattern: V8 refuses a pattern that is too large. */
const LONGEST_WITHIN = 1000
const LONGEST_PATTERN = 65_536

/** A pattern of secrets with digits, which nobody would write by chance, wherever they stand; null for none. */
export function repeatsPattern(values: Iterable<string>): RegExp | null {
  const within: string[] = []
  let characters = 0
  for (const value of values) {
    if (value.length < SHORTEST_WITHIN || value.length > LONGEST_WITHIN || !/\d/.test(value)) continue
    characters += value.length
    if (characters <= LONGEST_PATTERN) within.push(value)
  }
  if (within.length === 0) return null
  within.sort((a, b) => b.length - a.length)
  return new RegExp(`(?<!\\w)(?:${within.map((value) => RegExp.escape(value)).join('|')})(?!\\w)`, 'g')
}
