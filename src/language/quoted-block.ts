/** Marks recalled text as data, so that it is recognised when it comes back; marks inside are broken up. */

const NAME = 'recalled-memory'
/** The beginning of recalled text in a prompt. */
export const BLOCK_START = `<${NAME}>`
export const BLOCK_END = `</${NAME}>`

const BLOCK = new RegExp(`<\\s{0,40}${NAME}\\b[^>]{0,200}>[\\s\\S]*?(?:<\\s{0,40}/\\s{0,40}${NAME}\\s{0,40}>|$)`, 'giu')
/** What looks like a sign, or becomes it where a page, an address or a program is read: its name and number in HTML, its code. */
function looksLike(sign: string, others: string, names: string): readonly [sign: string, looks: RegExp] {
  const code = sign.charCodeAt(0)
  const hex = code.toString(16)
  const written = `&(?:amp;){0,3}(?:${names}|#0{0,6}${code}|#x0{0,6}${hex})(?![a-z\\d]);?|%${hex}|\\\\(?:x|u00|u\\{)${hex}\\}?`
  return [sign, new RegExp(`[${RegExp.escape(sign)}${others}]|${written}`, 'giu')]
}
const LOOKS = [
  looksLike('<', '＜﹤‹〈\\u2329⟨≺ᐸ❮❬⟪˂《«≪⋖⪡⧼', 'lt'),
  looksLike('[', '［⁅⟦〚', 'lsqb|lbrack'),
  looksLike('>', '＞﹥›〉\\u232a⟩≻ᐳ❯❭⟫˃》»≫⋗⪢⧽', 'gt'),
  looksLike(']', '］⁆⟧〛', 'rsqb|rbrack'),
  looksLike('|', '｜￨¦│┃∣❘ǀ⏐丨', 'vert|verbar|verticalline'),
]
/** Brackets of titles and quotations, and what stands in none of them. */
const OF_TITLES = /[‹〈《«≪]/u
const NO_TITLE = /^\/?(?:\||[a-z\d]{0,20}_)/i
/** A bracket with the text behind it; before another one that is asked by itself. */
const BRACKET = /[<[](?![<[])(?=([^<>]{0,60}))/gu
/** Tokens of chat templates in angle brackets: with bars, of roles and ends, fillers of vocabularies, wrappers of tools. */
const TOKEN =
  /<(?=[|\]]|\[[a-z_]{3,40}\]>|(?:\/?(?:s|[bse]o[a-z]|pad|unk|mask|sep|cls|human|bot|assistant|role|_[a-z]{2,20}|(?:unused|reserved|extra|special|control|ctrl)[a-z_]{0,20}\d{1,6}|0x[\da-f]{2}|think|thinking|img|image|(?:start|end)_?of_?[a-z]{2,20}|fim_[a-z]{2,20}|[a-z]{2,20}_soft_token|[a-z]{2,12}:(?:[be]os|pad|think|tool_?calls?|function_?calls?)|tool_?(?:call|response|result)s?|function_?(?:call|result)s?|system[-_][a-z]{1,20}|(?:[a-z]{2,12}:)?(?:invoke|parameter|function)(?:[\s=][^<>]{0,200})?)|<\/?SYS>)>)|\|(?=>)/giu
/** Any other name with "_", a role or capitals in brackets by themselves; placeholders of paths and types of code are parts of words. */
const LIKE_TOKEN =
  /(?<![\w/.@-])<(?=\/?(?:[A-Za-z\d]{0,20}_\w{0,40}|[A-Z]{2,12}|system|user|ai|tools?|instruction|用户|助手|系统|[a-z]{2,12}(?::\d{1,6}|\d{3,6}))>(?![/.@-]))/gu
/** Tokens in square brackets, of Mistral, GLM, BERT, EXAONE and MiniMax; and by themselves, unlike an index, any capitals, roles and names with "_". */
const BRACKETED =
  /(?<![\w\])>.])\[(?=\/?(?:[A-Z][A-Z\d]{1,20}|\w{0,20}_\w{1,40}|user|assistant|system|human|tool)\](?!\())|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|CALL_ID|ARGS|THINK|IMG(?:_BREAK|_END)?|(?:BEGIN_)?AUDIO|PREFIX|MIDDLE|SUFFIX|BOS|EOS|PAD|UNK|[gs]?MASK|CLS|SEP|unused\d{1,6}|UNUSED_TOKEN_\d{1,6}|\|[A-Za-z_]{2,20}\|)\]|e~\[)|\](?=~!?[a-z]{1,12}[[\]])/gu
/** Switches of Qwen and GLM, as words by themselves. */
const SWITCH = /(?<!\S)\/(?=(?:no_?)?think(?!\w))/gu
/** A line that opens a turn in prompts without tokens. */
const SPEAKER =
  /(?:^|\n)[ \t>*]{0,40}(?=(?:(?:human|assistant|system|ai|助手|系统)|#{1,4} {0,4}(?:human|user|assistant|system|instruction|input|response))[ *]{0,4}[:：])/giu
/** Characters that end a line for some readers only, and other controls of terminals and printers. */
const LINE_SEPARATORS = /[\p{Zl}\p{Zp}[\p{Cc}--[\t\n\r]]]/gv
/** Characters that nobody sees: they turn the order of others round, or spell words as tags. */
const UNSEEN = /[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
/** The mark as eyes read it: a letter of another script is taken for any of its letters, and a sign for its hyphen. */
const SEEN = new RegExp(
  `^[^\\p{L}\\p{N}]{0,3}${NAME.replace(/./g, (letter) => (letter === '-' ? '[^\\p{L}\\p{N}]?' : `[${letter}[^\\p{ASCII}]]`))}`,
  'v',
)

/** A cheap test before: the first letter is that of the name, or of another script. */
const MAY_NAME = new RegExp(`^[^\\p{L}\\p{N}\\P{ASCII}]{0,60}[${NAME[0]}${NAME[0]!.toUpperCase()}\\P{ASCII}]`, 'u')

/** The text as a block of quoted data with its origin, not to be obeyed. */
export function quotedBlock(text: string): string {
  return `${BLOCK_START}\n${withoutMarks(text)}\n${BLOCK_END}`
}

/** The text without anything that a model's template, or our mark, could be imitated by; it looks the same. */
export function withoutMarks(text: string): string {
  const shown = text.replace(LINE_SEPARATORS, ' ').replace(UNSEEN, '')
  const plain = folded(shown)
  const places = new Set<number>()
  for (const { 0: bracket, 1: behind = '', index } of plain.matchAll(BRACKET))
    if (MAY_NAME.test(behind) && namesBlock(behind)) places.add(index + bracket.length)
  for (const pattern of [TOKEN, LIKE_TOKEN, BRACKETED, SWITCH, SPEAKER])
    for (const { 0: begins, index } of plain.matchAll(pattern)) {
      const end = index + begins.length
      if (!OF_TITLES.test(shown[end - 1]!) || NO_TITLE.test(plain.slice(end, end + 24))) places.add(end)
    }
  let broken = ''
  let from = 0
  for (const place of [...places].toSorted((one, other) => one - other)) {
    broken += `${shown.slice(from, place)}\u200b`
    from = place
  }
  return broken + shown.slice(from)
}

/** The text with plain brackets and bars, each at the place of its own: an opening one at the end of what is written for it. */
function folded(text: string): string {
  return LOOKS.reduce((plain, [sign, looks]) => {
    const pad = '<['.includes(sign) ? 'padStart' : 'padEnd'
    return plain.replace(looks, (look) => sign[pad](look.length, '\0'))
  }, text)
}

/** true when a reader could take this for our mark; visually equal marks and letters count as the same. */
function namesBlock(behind: string): boolean {
  const seen = behind
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{Cf}\p{M}\s]/gu, '')
    .replace(/[i1|]/g, 'l')
    .replaceAll('0', 'o')
  return SEEN.test(seen)
}

/** The text without its blocks; an unclosed one reaches to the end. */
export function withoutQuotedBlocks(text: string): string {
  return text.includes('<') ? text.replace(BLOCK, ' ').trim() : text
}
