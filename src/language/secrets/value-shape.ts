/** Does this value look like a secret in use? Its characters decide, by a test as strict as its name. */
import { ENGLISH_STOP_WORDS } from '../word-lists.ts'

/** The kind of secret that a value is called: keys are long and mixed, passwords may be short, a PIN is digits. */
export type SecretName = 'password' | 'secret' | 'key' | 'token' | 'pin' | 'cvv' | 'person' | 'any key'

const LEAST: Readonly<Record<SecretName, number>> = {
  password: 4,
  secret: 8,
  key: 12,
  token: 16,
  pin: 3,
  cvv: 3,
  person: 9,
  'any key': 20,
}
/** Random characters: letters of both cases with digits among them, or many hexadecimal digits or small letters with digits. */
const RANDOM =
  /^(?:(?=(?:\D*\d){2})(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=\D*\d+[\w%-]{0,200}[A-Za-z])(?:[\w-]|%[\dA-F]{2}){20,200}={0,2}|(?=[a-f]*\d)[a-f\d]{32,128}|(?=[A-F]*\d)[A-F\d]{32}|(?=(?:[a-z]*\d){4})(?=(?:\d*[a-z]){4})[a-z\d]{24,128})$/
/** The number of a person in the United States; its groups have the same sign between them. */
export const SOCIAL_SECURITY =
  /(?<![\d-])(?!000|666)\d{3}( ?[-\u2010-\u2013./] ?| ?)(?!00)\d{2}\1(?!0000)\d{4}(?![\d-])/g
const WHOLE_SOCIAL_SECURITY = new RegExp(`^${SOCIAL_SECURITY.source}$`)
/** Most digits of a secret of digits alone. */
const LONGEST_NUMBER: Readonly<Partial<Record<SecretName, number>>> = { pin: 8, cvv: 4 }
/** Digits as locks take them, in groups or with a letter of the pad: 4821, 24-08-36, D-4821, 27A45. */
const DIGITS_OF_LOCK = /^(?:[A-F]|[A-Z]-)?\d+(?:-\d+){0,7}(?:[A-F]\d{0,4})?[#*]?$/i
/** Words and a number behind them, as a password in quotes may have them. */
const WORDS_AND_NUMBER = /^\p{L}{1,12}(?: \p{L}{1,12}){0,3} \d{2,8}$/u
/** Words of which one has signs or digits for letters, as in "p@ss w0rd", and words in a row as people make passphrases of. */
const DISGUISED_WORDS = /^(?=.{0,80}[a-z][\d@$]{1,3}[a-z]{2})[!-~]{1,20}(?: [!-~]{1,20}){1,7}$/i
const ROW_OF_WORDS = /^[a-z]{3,12}(?: [a-z]{3,12}){3,7}$/
/** Characters of a key told by its name alone: letters and digits, without signs of code. */
const KEY_CHARACTERS = /^(?=.*\d)(?=.*[a-z])[\w+/=.~:!@#$%^&*-]+$/i
/** A value in quotes, which hold any sign but those of expressions. */
const QUOTED_KEY = /^(?=.*\d)(?=.*[a-z])[!-Z^-~]+$/i
/** Length from which letters of both cases are a key, even without a digit. */
const LONG_LETTERS = 20
/** Shortest quoted word after "password" that counts as one. */
const QUOTED_WORD = 6

/** Marks and words that stand where a value is to be put in. */
const PLACEHOLDER = /^<.*>$|^\{.*\}$|\{\{|\$\{|\$[A-Z_]{3,40}$|%\w{1,40}%|\.\.\.|…|\*{3,}|([x•_?.-])\1{3,}/i
const PLACEHOLDER_WORDS =
  /(?<![a-z0-9])(?:your|placeholder|change[-_]?me|replace|redacted|insert|dummy|todo)|[_-]here$/i
/** Such a word in a password of its own: yourMom1987, unlike yourPassword123. */
const WORD_OF_OWN = /^(?!.{0,40}(?:pass|pw|secret|token|key|code|placeholder|redacted)).{0,40}[a-z].{0,40}\d{2}/i
/** The name of a variable of the environment: PRIVATE_KEY_PEM_2. */
const OF_ENVIRONMENT = /^[A-Z][A-Z\d]{1,20}(?:_[A-Z\d]{2,20}){2,8}$/
/** An expression: the value is computed, not written down. */
const REFERENCE =
  /^[A-Za-z_$@][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*[([]|^[$@#&%]|^\w+(?:\.|->|::)[A-Za-z_]\w*(?:\.|$)/
/** What only code says, among values with a digit: a variable, an element, a call. */
const SURELY_CODE = /^\$\w+$|[\w$]\[|\((?!\d)|->|::|^(?:process|this|self|os|env|config|settings|req|secrets)\./
/** A value that is a variable's name: newPassword, api_key2. */
const NAMES_ITSELF = /^[A-Za-z_$]*(?:password|passwd|passphrase|passcode|pwd|secret|token|api_?key)[A-Za-z_]*\d?$/i
/** Kinds, states and procedures of a secret, never one. */
const NO_SECRET =
  /^(?:md-?5|sha-?\d+(?:-?\d{1,40})?|aes-?\d+[\w-]{0,40}|rsa-?\d*|ecdsa|ed25519|hmac\S*|b?crypt\d*|scrypt|argon2\w*|pbkdf2\S*|base-?(?:16|32|58|64)[\w-]*|utf-?\d+|[hre]s\d{3}|oauth-?\d?(?:\.\d)?|jwt|[23]fa|mfa|totp|web3|varchar\d*|u?int\d*|char\d*|float\d*|text|string|number|1password\S*|keepass\S*|boolean|object|bytes|buffer|null|none|nil|undefined|true|false|empty|unknown|default|required|optional|invalid|missing|hidden|incorrect|wrong|correct|expired|secure|hashed|encrypted|disabled|enabled|provided|protected|visible|password|passwort|secret|example|sample|changed|stored|needed|v\d+(?:\.\d+)*|\d{4}-\d{2}-\d{2}\S*|\d+[.,]\d+%?|\d+%|https?:\S*)$/i

/** Where a page has something, as code says it: input#pwd2, form.login. */
const SELECTOR = /^(?:input|form|div|span|button|label|section|select|table|td|tr|ul|li|nav)(?:[.#][\w-]{1,40}){1,4}$/

/** true for `sk-xxxx`, YOUR_KEY, <password>, ${TOKEN}, ****: a place for a value. */
export function isPlaceholder(value: string, isSaid = false): boolean {
  return (
    hasFewSigns(value.toLowerCase()) ||
    PLACEHOLDER.test(value) ||
    (PLACEHOLDER_WORDS.test(value) && !(isSaid && WORD_OF_OWN.test(value))) ||
    OF_ENVIRONMENT.test(value) ||
    SELECTOR.test(value)
  )
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
  /** true in a sentence or a line of an environment, where nothing is computed. */
  readonly literal?: boolean
}

/** Length from which letters and digits that take turns so often were made by chance: bv0Cf4x6. */
const SHORT_BY_CHANCE = 8
const TURNS = /(?:[A-Za-z](?=\d)|\d(?=[A-Za-z]))/g
const OFTEN = 4

function turnsOften(value: string): boolean {
  return (value.replace(/[^A-Za-z\d]/g, '').match(TURNS)?.length ?? 0) >= OFTEN
}

/** In a sentence a value with a digit is written down, though code could say it, too: #Summer2024, hello.world.42. */
function isReference(value: string, literal: boolean): boolean {
  return REFERENCE.test(value) && !(literal && /\d/.test(value) && !SURELY_CODE.test(value))
}

/** true when the value, called a secret of this name, is one. */
export function looksSecret(value: string, { name, quoted, foreign, literal = false }: ValuePlace): boolean {
  if (value.length < (turnsOften(value) ? Math.min(SHORT_BY_CHANCE, LEAST[name]) : LEAST[name])) return false
  if (name === 'person') return WHOLE_SOCIAL_SECURITY.test(value)
  if (/\s/.test(value)) return name === 'password' && quoted && isWords(value)
  const isDigits = DIGITS_OF_LOCK.test(value)
  const digits = value.replace(/\D/g, '').length
  const longest = LONGEST_NUMBER[name]
  if (longest !== undefined) return isDigits && digits <= longest
  if (name === 'secret' && isDigits && digits >= LEAST.secret) return true
  if (NO_SECRET.test(value) || isMaskedValue(value)) return false
  if (name === 'any key') return RANDOM.test(value)
  if (name !== 'password')
    return (
      (quoted ? QUOTED_KEY : KEY_CHARACTERS).test(value) &&
      !isPlaceholder(value) &&
      (quoted || !isReference(value, literal))
    )
  if (/^\d+$/.test(value)) return true
  if (isPlaceholder(value, literal)) return false
  if (!quoted && (isReference(value, literal) || NAMES_ITSELF.test(value))) return false
  // The exclamation mark of "My password is gone!" is not part of a value.
  const said = value.replace(/!{1,40}$/, '')
  if (/\d/.test(said) || /[!#$%^&*+=~@]/.test(said)) return /[A-Za-z\d]/.test(said)
  return (quoted || foreign) && said.length >= QUOTED_WORD && /^[a-z][\w.-]*$/.test(said)
}

/** Whether words in quotes are a password, and none of the words that sentences about passwords are made of. */
function isWords(value: string): boolean {
  if (WORDS_AND_NUMBER.test(value) || DISGUISED_WORDS.test(value)) return true
  const words = ROW_OF_WORDS.test(value) ? value.split(' ') : []
  const isOfSentence = (word: string): boolean => ENGLISH_STOP_WORDS.has(word) || NAMES_ITSELF.test(word)
  return words.length > 0 && !words.some(isOfSentence) && words.filter((word) => !isPasswordWord(word)).length < 2
}

/** Measures, norms and versions, which have digits, too: RFC-2898, ISO27001, 2024-05. */
const NUMBERED = /^(?:[A-Z]{2,}(?:[-_]?\d)+|v?\d[\d.:/-]*)$/
/** Length from which a word with a digit inside is no name of a thing, unlike mp3 or B2B. */
const DISGUISED = 8
/** Summer2, geckoRain4: a letter of each case, and a digit at the end. */
const CAPITAL_AND_DIGIT = /^(?=.{0,40}[a-z])(?=.{0,40}[A-Z])[A-Za-z]{6,40}\d$/
const DIGITS_OF_PIN = /^\d{4,8}$/

/** A digit in the place of a letter or a word, as in S3cretSauce. */
function isDisguised(value: string): boolean {
  return value.length >= DISGUISED && /[A-Za-z]-?\d-?[A-Za-z]/.test(value)
}

/** true for a value unlike words of any language, a secret even without an explicit statement: `Kiwi-7788`. */
export function isUnlikeWords(value: string, name: SecretName): boolean {
  if (DIGITS_OF_PIN.test(value) || (name === 'cvv' && /^\d{3}$/.test(value))) return name !== 'secret'
  if (name === 'person') return true
  if (name === 'pin') return DIGITS_OF_LOCK.test(value) && value.length >= LEAST.pin
  if (value.length < 6 || NUMBERED.test(value) || !/[A-Za-z]/.test(value)) return false
  const digits = value.match(/\d/g)?.length ?? 0
  if (name === 'password' && digits === 1 && (CAPITAL_AND_DIGIT.test(value) || isDisguised(value))) return true
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
