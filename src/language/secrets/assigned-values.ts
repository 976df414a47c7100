/** Values that are assigned to the name of a secret, in sentences, settings and code. */
import { inSmallLetters } from '../character-class.ts'
import { eachMatch } from '../each-match.ts'
import { endsPhrase } from './access-codes.ts'
import type { Secret } from './issued-keys.ts'
import { ABOUT, anyOfNames, NAMES_A_PIECE, type Named, UNLOCKS, WHICH } from './secret-names.ts'
import { isUnlikeWords, looksSecret, type SecretName } from './value-shape.ts'

const [IS, OWN] = [anyOfNames('is'), anyOfNames('own')]
const MARK = '["\'`*\\])]{0,3}'
const OF = ` (?:${anyOfNames('of')}|that|I|we|you|he|she|they)(?: |(?<=['’]))[^\\n.!?;:=,，。]{1,40}?`
const CHINESE_BETWEEN =
  '(?:现在|后来|目前|已经|应该|一直|设置|更新|更换|重置|修改|统一|默认|还|就|也|都|已|改|换|设|用|填|写|的|我|给|帮){0,3}'
const CDATA = '(?:<!\\[CDATA\\[)?'
/** Words and signs between a name and its value. */
const BETWEEN = [
  `\\\\?${MARK}(?: ?[(（][^）)\\n]{1,20}[)）])?[ \\t]{0,4}(?::=|[=-]>|→|[.…]{2,12}|[:：＝]\\*{0,2}|=(?![=~>]))[ \\t]{0,4}`,
  `["']?>${CDATA}(?=[^<\\n]{1,200}</)`,
  // A field that holds the name, and beside it one that holds the value.
  '["\'`]?[ \\t]{0,4}[,;:]?\\s{0,20}["\']?\\bvalue["\']?[ \\t]{0,2}(?::|=)[ \\t]{0,2}',
  `(?:${OF}|, which)?[ \\n](?:(?:has been |is |was |got )?(?:changed|set|reset) to|is|was|are|(?:will|should|would) be|(?:has|had) been|used to be|becomes?|became|ist|lautet|est|es)(?: now| still| actually| just| jetzt| nun| maintenant| ahora)?:? {1,2}`,
  `${OF} ?(?::|->|→) {1,2}`,
  ` ?(?:[（(][^）)\\n]{1,20}[）)])?${CHINESE_BETWEEN}(?:是|为|成了?|叫|到)(?:以前|之前|原来|老)?的?[ ：:]{0,2}`,
  '(?<=[码碼令钥鑰牌号])[ \\t]{1,2}',
  '(?<=--[a-z-]{0,20}) ',
].join('|')
/** A line break before a value on its own line or in a fence, behind the name or the place to look. */
const ON_THE_NEXT_LINE = `["'*>]{0,3}(?:${OF}|, [^\\n.!?;:=,，。<>]{1,40})?(?: ?[(（][^）)\\n]{1,20}[)）])?(?: (?:is|was|are))?(?: (?:below|here|this|as follows|the following))?(?:如下|是)? ?[.:：。*=→]{0,3}[ \\t]{0,4}(?:[>|][-+]?|\\\\|[\\[(])?[ \\t]{0,4}(?:(?:\\r?\\n|<[^<>\\n]{1,60}>)(?:\`{3}\\w{0,12}(?=\\r?\\n)|[ \\t>*=-]{0,40}(?:\\d{1,2}[.)] )?)){1,8}${CDATA}(?=[^\\s<]{4,300}(?: [A-Z\\d]{3,6}){0,7}[ \\t]{0,4}(?:[\\r\\n<]|$))`
const CAPITAL = '(?-i:(?<=[a-z])(?=[A-Z][a-z\\d]))'
/** Words that an identifier has behind the name (DB_PASSWORD_PROD, dbPasswordProd), and a value in one piece that is no measure. */
const OF_IDENTIFIER =
  `(?:(?:[_-](?!${ABOUT})[a-z\\d]{1,12}){1,3}|(?:${CAPITAL}(?!${anyOfNames('about')}s?(?-i:(?![a-z])))(?-i:[A-Z][a-z\\d]{1,12})){1,3})["']?[ \\t]{0,4}(?:=>|[:：=](?![=~>]))[ \\t]{0,4}` +
  '(?=["\'`]?(?!\\d{1,40}[a-z]{0,8}(?!\\w))(?:[^\\s"\'`._/:,;()[\\]{}-]{2,60}-?[^\\s"\'`._/:,;()[\\]{}-]{4,200}|(?-i:(?=[^A-Z]{0,40}[A-Z])(?=[^a-z]{0,40}[a-z]))[\\w+/=-]{20,200})(?:["\'`,;]|\\s|$))'
/** Looser ties, which occur between words too, so only a value unlike any word is taken. */
const LOOSE = [
  `[^<>\\n]{0,60}>${CDATA}(?=[^<\\n]{1,200}</)`,
  // A record whose one field is called so, and its field of the value, at most two fields further.
  `(?:["'\`](?:,\\s{0,20}["'\`]?[\\w-]{1,20}["'\`]?[ \\t]{0,2}[:=][ \\t]{0,2}[^\\s,:={}]{1,40}){0,2},|\\r?\\n)\\s{0,20}["'\`]?${anyOfNames('value')}["'\`]?[ \\t]{0,2}[:=][ \\t]{0,2}`,
  // Code with a value in quotes: an argument, a default, a type between.
  '["\'`]?[^"\'`\\n]{0,40}?(?:[=([:,]|\\|\\||\\?\\?)[ \\t]{0,3}(?=["\'])',
  // A clause between, and a verb of several words.
  `,[^,.;:!?\\n]{1,40}, ${IS} `,
  '(?: [a-z]{2,10}){0,3} (?:be|being) | as ',
  `(?:${OF})? ${IS} [^.!?:=\\n]{1,40}: `,
  ' [-–—] ',
  '(?<=[码碼令钥鑰])(?=[a-z\\d])',
  '(?<=[码碼令钥鑰])(?:[啊嘛呢吧哦]?[，, ]{1,2}|(?:[\\u3400-\\u9fff]{1,9}?|(?:[\\u3400-\\u9fff]{0,8}[，, ]{1,2}){1,2}[\\u3400-\\u9fff]{0,8}?)(?<![号號名址码统机])(?:是|用|输|叫|为|成))(?:的)?[ ：:]{0,2}',
  '(?<=[码碼令钥鑰])[\\u3400-\\u9fff]{0,8}(?![在到于给跟和])[\\u3400-\\u9fff][ ：:]{1,2}',
  '[ \\t]{0,4}[|][ \\t]{0,4}',
  '(?<=\\blogin \\S{1,60} [a-z]{4,8}|\\brequirepass) ',
  `(?<=[a-z])(?:${OF} [-–—]{1,2}|[’']s)?[ \\t](?:\\d[ \\t])?(?=\\S{0,30}\\d)`,
  '(?<=\\b(?:chang|set|reset|updat|switch|rotat)[a-z]{0,4} [^\\n.!?;:,]{1,60}) to ',
  `(?<=[码碼令钥鑰])${CHINESE_BETWEEN}(?:用|换了?|改了?)[ ：:]{0,2}`,
  // "is" and "changed to" in all languages, behind an adjective too.
  `(?:${OF}| [a-zà-ÿ]{3,14})?(?:,? ${IS}(?:n['’]t)?|['’]s) (?:${OWN} |not |no longer |[a-z]{4,8} )?`,
  ` (?:a|en|por|auf) | [a-zà-ÿ]{3,14} ?[:：] ?`,
  '(?<=[ド号])は ?|(?<=호)는 ?',
].join('|')
/** Behind the name of a secret that is spoken of, unlike "password manager". */
const IS_TOPIC = `(?=[\\s"'”’)]*(?:$|[.!?,;:…—–。，！？；：]|- )| (?:${anyOfNames('of')}|I|we|you|he|she|they|be|is|was|has|had|will|that|which|again|now|please|[a-z]{3,12}ed)\\b|[\\u3400-\\u9fff])`
/** Words at the beginning of a sentence that point back to what the one before named. */
const POINTS_BACK = `(?:(?:[\\w'’]{1,12} ){0,2}[\\w'’]{1,12}[,.!:] ){0,2}(?:(?:you|I) (?:[a-z]{4,9}) (?:[a-z]{2,6} ){0,3}?)?(?:was it|(?:it|that|this|they|which|mine)(?:['’]s| is| was| are| will be| used to be)|es ist|c['’]est|es|(?:(?:I|you|we|just|please|then) )?(?:${anyOfNames('use')}|${anyOfNames('by')}|try|made it|make it))(?: now| still| just)? `
const SENTENCES = `(?:[^\\n.!?;。！？；]{0,80}(?:[.!?;]["'”’)]?[ \\n]|[。！？；])[ \\n]?){1,2}?`
/** From a name to its value in a clause or one of the next two sentences that points back, or that has nothing else. */
const TOLD_AFTER = [
  `(?:${SENTENCES}|[^\\n.!?;。！？；]{0,80}?(?:[,:—–] ?|- |, (?:so|but|and|now) (?:now )?))${POINTS_BACK}`,
  `()${SENTENCES}(?:(?:(?:[\\w'’]{1,12} ){0,2}[\\w'’]{1,12}[,.!:] ){1,2}|[它这那就还]{0,3}是 ?|[你您就请]{0,3}(?:[输用按填]|试试) ?)?`,
]
  .map((tie) => `${IS_TOPIC}${tie}(?=["'“「\`]?[^\\s\\d]{0,40}\\d)`)
  .join('|')
const BEHIND_YEAR = /(?<!\d)(?:19|20)\d\d$/
/** Questions that numbers answer, without a secret. */
const ASKS_AMOUNT =
  /(?:(?<![a-z])(?:how (?:many|much|long|often)|when|where)(?![a-z])|多久|多长|几|何时|什么时候|哪)[^.!。！?？]{0,80}[?？]/i
/** A value in quotes of any kind, or Han with a number behind them or a run without white space, also behind an open quote. */
const VALUE =
  "\\\\?\"([^\"\\n\\\\]{1,300})|'([^'\\n]{1,300})'|`([^`\\n]{1,300})`|[“「『‘]([^”」』’\\n]{1,300})[”」』’]|(?:[\"'`“「『‘«](?=[\\w!#$\\u3400-\\u9fff]))?((?![\\u3400-\\u9fff]{1,11}[是为叫])[\\u3400-\\u9fff]{2,12}[a-z]{0,12}\\d{2,8}(?=\\s|$|[,.，。！；、）])|(?:[^\\s\"'`“”‘’「」『』,;，。；：、！？（）<>&\\u3040-\\u30ff\\u3400-\\u9fff]|&(?![\\w.-]{0,40}=)(?=\\S)|[！？（）](?=[!-~]{1,40}(?:[\\s，。；、！？（）]|$))){1,300})"
/** What stands behind a name and ties it to its value, and that; the later ties count where the others led to none. */
const ASSIGNED = [
  `(?!${CAPITAL})(?:(${ON_THE_NEXT_LINE})|${BETWEEN})`,
  `()(?:${OF_IDENTIFIER}|(?!${CAPITAL})(?:${LOOSE}))`,
  TOLD_AFTER,
].map((ties) => new RegExp(`${WHICH}(?:${ties})(?:${VALUE})`, 'diy'))
const TOLD = ASSIGNED.length - 1
const [UNTIGHT, FIRST_VALUE, BARE] = [1, 2, 6]

/** `Authorization: Bearer …`, `Basic …`. */
const AUTHORIZATION = /\b(?:bearer|basic)[ \t]{1,2}([\w.~+/=-]{16,2000})/dgi

/** Signs of a written setting rather than a sentence: a colon, an equals sign or a flag. */
const WRITTEN = /[:：=＝]|--[a-z-]{0,20} $/i

/** A line of an environment up to the end of the name. */
const ENVIRONMENT_LINE = /(?:^|\n)(?:export )?[A-Z][A-Z\d_]{0,60}$/

/** Words behind which a number is a measure, and a name of letters a procedure. */
const MEASURED =
  /^[ \t]?(?:characters?|chars?|bits?|bytes?|digits?|letters?|days?|hours?|minutes?|seconds?|times?|years?|(?:[mck]m|m|ft|feet|px|kg)\b|加密|哈希|散列|算法|编码|存储|格式|类型|字段|签名|认证|位|次|天|个|长|字符|年|月|号|条|秒|分钟|生成|管理|保存|开头|结尾)/i
/** Another meaning of "pass", such as a bus pass, whose number is no password. */
const OTHER_PASS = /^pass /i
/** A name with a year, such as "PIN 2024". */
const YEAR = /^[a-z]+ (?:19|20)\d\d$/i
/** Length of the shortest password of a network. */
const LONG = 8
const END_OF_SENTENCE = /[.…:?)\]}|\\]{1,40}$/

/** Values of one text that are looked at; what follows so many is hidden unread. */
const MOST_NAMED = 8192

/** Values that are named as secrets and look like them. */
export function* assignedSecrets(text: string, names: readonly Named[]): Generator<void, readonly Secret[]> {
  const found: Secret[] = []
  let [named, read] = [0, 0]
  for (const [number, name] of names.entries()) {
    if (number % NAMES_A_PIECE === NAMES_A_PIECE - 1) yield
    if (name.at < read) continue
    let next = name.at
    for (const [ties, pattern] of ASSIGNED.entries()) {
      pattern.lastIndex = name.end
      const match = pattern.exec(text)
      if (match === null) continue
      named += 1
      const at = match.findIndex((group, index) => index >= FIRST_VALUE && group !== undefined)
      const value = assigned(text, name, match, at)
      const secret = value !== null && ties === TOLD && !isTold(text, name, match, value.to) ? null : value
      // A word that is no value may be a name: "the door code: password is …".
      next = secret?.to ?? (ties < TOLD && match[UNTIGHT] === undefined ? match.indices![at]![0] : next)
      if (secret === null) continue
      found.push(secret, ...moreLike(text, name, secret))
      next = found.at(-1)!.to
      break
    }
    const near = next > name.at ? null : keyNear(text, name)
    if (near !== null) found.push(near)
    read = next
    if (named > MOST_NAMED) {
      found.push({ from: name.at, to: text.length, shown: '' })
      break
    }
  }
  yield* eachMatch(text, AUTHORIZATION, ({ 1: value = '', indices }) => {
    const [from, to] = indices![1]!
    if (looksSecret(value, { name: 'key', quoted: true, foreign: false })) found.push({ from, to, shown: '' })
  })
  return found
}

/** Whether the phrase ends behind a value of a later sentence, and no question is answered with a number or a time. */
function isTold(text: string, { at }: Named, { 0: told }: RegExpExecArray, to: number): boolean {
  const asked = text.slice(Math.max(0, at - 60), to)
  return endsPhrase(text, to) && !(ASKS_AMOUNT.test(asked) || BEHIND_YEAR.test(told))
}

/** Groups of one length behind the first, as in "4839 2201" and "JBSW Y3DP EHPK". */
const GROUPS = /(?: [A-Z\d]{3,6}){1,7}(?![\w-])/y
const GROUP = /^[A-Z\d]{3,6}$/

function groupsBehind(text: string, first: string, at: number): string {
  GROUPS.lastIndex = at
  const groups = GROUP.test(first) ? (GROUPS.exec(text)?.[0] ?? '') : ''
  return groups.split(' ').every((group) => group === '' || group.length === first.length) ? groups : ''
}

/** Lengths of values with which a list may go on. */
const SHORTEST_OF_LIST = 8
const LONGEST_OF_LIST = 40
const AND = `(?:and|or|but|now|y|o|et|ou|und|oder|e|${anyOfNames('instead')})`
/** Words between two values told in one breath, or of which the second replaces the first; their clauses name nothing else. */
const AGAIN = new RegExp(
  '["\'”’」`*]{0,2}(?: ?[(（][^)）\\n]{1,20}[)）])?(?:' +
    `(?: any ?more| now)?[ ,;.!—–-]{0,3} \\(?(?:(?:[\\wà-ÿ'’]{1,12} ){0,2}[\\wà-ÿ'’]{1,12}[,.!:—–-]{1,2} (?:${IS} )?){0,3}(?:${AND} ){0,2}` +
    `(?:for (?:${OWN} )?(?:\\w{1,12} ){1,2})?(?:(?:${OWN} )?(?:\\w{1,12} ){0,2}(?:\\w{1,12}['’]s|one|hers|his|theirs|ours|yours) ${IS} |${POINTS_BACK})?` +
    '|了?[，、。；,（(]? ?(?:[\\u3400-\\u9fff]{1,4}[，。！]){0,3}(?:和|跟|或者?|还是|以及)?(?:[\\u3400-\\u9fffA-Za-z]{0,8}的|应该|其实|就|才|而|不|现在|后来|以前|之前|原来|我是?说的?){0,2}(?:[换改]?成了?|是)?)' +
    '["\'“「`]?([^\\s"\'`“”‘’「」『』*,;，。；：、！？（）()<>=:/\\u3400-\\u9fff]{4,80}(?<![.?|\\]}\\\\…]))' +
    `(?![\\w=:/+-]|能|可以| ${IS} )`,
  'diy',
)

/** The values that a list goes on with, as of recovery codes, and those that are told beside or in the place of this one. */
function moreLike(text: string, named: Named, { from, to, shown, isSaid }: Secret): readonly Secret[] {
  const value = text.slice(from, to)
  const { name } = named
  const beside = besideOf(text, named, value, from)
  const isOfList = value.length >= SHORTEST_OF_LIST && value.length <= LONGEST_OF_LIST && /\d/.test(value)
  const form = value.replace(/./gsu, (sign) => (/[A-Za-z\d]/.test(sign) ? '[A-Za-z\\d]' : RegExp.escape(sign)))
  const next = new RegExp(
    `(?:[,;、，.。]|\\s(?:and|y|et|und|e)\\b|和){0,2}\\s{0,4}(?:\\d{1,2}[.)] |[*-] )?(?=\\S{0,80}\\d)(${form})(?![\\w-])`,
    'dy',
  )
  const more: Secret[] = []
  for (let at = to; ; at = more.at(-1)!.to) {
    const match =
      (isOfList ? matchAt(next, text, at) : null) ??
      (isSaid || !/["'`]/.test(text[at] ?? '') ? toldAgain(text, name, matchAt(AGAIN, text, at)) : null) ??
      toldAgain(text, name, beside === null ? null : matchAt(beside, text, at))
    if (match === null) return more
    const [start, end] = match.indices![1]!
    more.push({ from: start, to: end, shown, ...(isSaid ? { isSaid } : {}) })
  }
}

/** Ends of words that are no things with a password of their own (账号, 用户名, 邮箱), and verbs. */
const OF_ACCOUNT = '[号號名址户箱型是为叫用在]'
/** A thing right before the name in Chinese, whose secret it is. */
const OF_THING = /[\u3400-\u9fffA-Za-z]{2}(?<![的新旧个这那])$/

/** What stands before the secret of the next thing, told as the first is: 路由器密码A，打印机B; null where none may follow. */
function besideOf(text: string, { at, end }: Named, value: string, from: number): RegExp | null {
  const tie = text.slice(end, from)
  if (!/^(?:[是为]|[:：] ?)?$/.test(tie) || !/[\u3400-\u9fff]$/.test(text.slice(at, end))) return null
  if (!OF_THING.test(text.slice(Math.max(0, at - 10), at))) return null
  const signs = ['a-z', 'A-Z', '\\d', '!#$%&*@_-'].filter((kind) => new RegExp(`[${kind}]`).test(value)).join('')
  const thing = `[\\u3400-\\u9fff${tie === '' ? '' : 'A-Za-z'}]{2,8}(?<!${OF_ACCOUNT})`
  const length = `{${Math.ceil(value.length / 2)},${2 * value.length}}`
  return new RegExp(`[，、；,;] ?${thing}${tie}(?=\\D{0,80}\\d)([${signs}]${length})(?![\\w-])`, 'dy')
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The match, if its value is one of this name. */
function toldAgain(text: string, name: SecretName, match: RegExpExecArray | null): RegExpExecArray | null {
  if (match === null) return null
  const value = match[1]!
  const to = match.indices![1]![1]
  if (
    /^\d+$/.test(value) &&
    (BEHIND_YEAR.test(value) || !endsPhrase(text, to) || MEASURED.test(text.slice(to, to + 20)))
  )
    return null
  return isUnlikeWords(value, name) && looksSecret(value, { name, quoted: false, foreign: false }) ? match : null
}

/** A network before a key, whose password it is. */
const OF_NETWORK = new RegExp(`(?<![a-z])(?:${anyOfNames('network')}|ssid)(?![a-z])[^\\n.!?。]{0,60}$`, 'i')

/** A key that is called so in capitals, as in the variables of an environment, and of no table or store. */
const OF_ENVIRONMENT =
  /(?<![A-Za-z\d_])(?!(?:[A-Z\d]{1,20}_){0,4}(?:PRIMARY|FOREIGN|PUBLIC|CACHE|SORT|PARTITION)_)[A-Z][A-Z\d_]{1,30}_KEY$/

function assigned(text: string, named: Named, match: RegExpExecArray, at: number): Secret | null {
  const [from, end] = match.indices![at]!
  const told = text.slice(named.at, match.index + match[0].length)
  const isOfNetwork = named.name === 'any key' && OF_NETWORK.test(text.slice(Math.max(0, named.at - 80), named.at))
  const isOfEnvironment =
    named.name === 'any key' && OF_ENVIRONMENT.test(text.slice(Math.max(0, named.at - 80), named.end))
  const name = isOfNetwork ? 'password' : isOfEnvironment ? 'key' : named.name
  const quoted = at !== BARE
  const first = quoted ? match[at]! : withoutEnd(match[at]!)
  const groups = quoted ? '' : groupsBehind(text, first, from + first.length)
  const foreign = /[\u3400-\u9fff]/.test(told.slice(0, from - end))
  const isSaid = !WRITTEN.test(text.slice(named.at, from))
  const literal =
    isSaid ||
    (match.index === named.end &&
      text[from - 1] === '=' &&
      ENVIRONMENT_LINE.test(text.slice(Math.max(0, named.end - 80), named.end)))
  const isPass = OTHER_PASS.test(told)
  const isBelow = (name === 'password' || name === 'secret') && (quoted ? /\n/ : /[:：=]|--/).test(match[UNTIGHT] ?? '')
  const isLoose = (match[UNTIGHT] !== undefined && !isBelow) || isPass
  for (const value of groups === '' ? [first] : [first + groups, first]) {
    const to = from + value.length
    if (!quoted && MEASURED.test(text.slice(to, to + 20))) continue
    const bare = value === first ? value : value.replaceAll(' ', '')
    if (isLoose && (YEAR.test(told) || !(value !== first || isUnlikeWords(value, isPass ? 'secret' : name)))) continue
    if (isOfNetwork && bare.length < LONG) continue
    if (name === 'pin' && isPostcode(text, named.at, to, bare)) continue
    if (isLoose && isCheckSum(text, named.at, to) && /^[a-f\d]{32,}$/i.test(bare)) continue
    if (looksSecret(bare, { name, quoted, foreign, literal }))
      return { from, to, shown: '', ...(isSaid ? { isSaid } : {}) }
  }
  return null
}

/** Places whose postcode is called a PIN code in India. */
const PLACE = /\b(?:area|city|town|village|district|locality|neighbou?rhood|address|street|road|postal|post office)\b/

function isPostcode(text: string, at: number, to: number, digits: string): boolean {
  const around = inSmallLetters(text.slice(Math.max(0, at - 60), to + 40))
  return /^[1-9]\d{5}$/.test(digits) && PLACE.test(around) && !UNLOCKS.test(around)
}

/** Hexadecimal digits further on in the sentence that names a key, where nothing calls them a check sum. */
const KEY_NEAR =
  /[^\n.!?。！？]{0,80}?(?<![\w/+=.:@-])((?=[a-f]{0,40}\d)[a-f\d]{32,128}|(?=[A-F]{0,40}\d)[A-F\d]{32,128})(?![\w/+=-])/dy
const OF_CHECK_SUM =
  /commit|\bsha|\bmd5|hash|sum\b|digest|revision|\b(?:rev|tree|build|image|layer|etag|trace|version)\b|fingerprint|摘要|哈希|提交|校验|版本/i

function keyNear(text: string, { name, at, end }: Named): Secret | null {
  if (!/key|token|secret/.test(name)) return null
  KEY_NEAR.lastIndex = end
  const match = KEY_NEAR.exec(text)
  if (match === null) return null
  const [from, to] = match.indices![1]!
  return isCheckSum(text, at, to) ? null : { from, to, shown: '' }
}

function isCheckSum(text: string, from: number, to: number): boolean {
  return OF_CHECK_SUM.test(text.slice(Math.max(0, from - 40), to + 20))
}

function withoutEnd(value: string): string {
  return value.replace(END_OF_SENTENCE, '')
}
