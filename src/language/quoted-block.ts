/** Marks recalled text as data, so that it is recognised when it comes back; marks inside are broken up. */

const NAME = 'recalled-memory'
/** The beginning of recalled text in a prompt. */
export const BLOCK_START = `<${NAME}>`
export const BLOCK_END = `</${NAME}>`

const BLOCK = new RegExp(`<\\s{0,40}${NAME}\\b[^>]{0,200}>[\\s\\S]*?(?:<\\s{0,40}/\\s{0,40}${NAME}\\s{0,40}>|$)`, 'giu')
/** Brackets and what looks like one. */
const BRACKETS = '[<＜﹤‹〈\\u2329⟨≺ᐸ❮❬⟪˂《«≪⋖⪡⧼[]'
/** One of them, or what becomes one, with the text behind it; before another one that is asked by itself. */
const BRACKET = new RegExp(
  `(?:${BRACKETS}|&(?:lt|#0{0,4}60|#x0{0,4}3c);|%3c|\\\\u003c)(?!${BRACKETS})(?=([^<>＜＞]{0,60}))`,
  'giu',
)
/** Tokens of chat templates in angle brackets: with bars, of roles and ends, fillers of vocabularies, wrappers of tools. */
const TOKEN =
  /[<＜](?=[|｜\]]|\[[a-z_]{3,40}\][>＞]|(?:\/?(?:s|[bse]o[a-z]|pad|unk|mask|sep|cls|human|bot|assistant|role|_[a-z]{2,20}|(?:unused|reserved|extra|special|control|ctrl)[a-z_]{0,20}\d{1,6}|0x[\da-f]{2}|think|thinking|img|image|(?:start|end)_?of_?[a-z]{2,20}|fim_[a-z]{2,20}|[a-z]{2,20}_soft_token|[a-z]{2,12}:(?:[be]os|pad|think|tool_?calls?|function_?calls?)|tool_?(?:call|response|result)s?|function_?(?:call|result)s?|system[-_][a-z]{1,20}|(?:[a-z]{2,12}:)?(?:invoke|parameter|function)(?:[\s=][^<>]{0,200})?)|<\/?SYS>)[>＞])|[|｜](?=[>＞])/giu
/** Any other name with "_", a role or capitals in brackets by themselves; placeholders of paths and types of code are parts of words. */
const LIKE_TOKEN =
  /(?<![\w/.@-])[<＜](?=\/?(?:[A-Za-z\d]{0,20}_\w{0,40}|[A-Z]{2,12}|system|user|ai|tools?|instruction|用户|助手|系统|[a-z]{2,12}(?::\d{1,6}|\d{3,6}))[>＞](?![/.@-]))/gu
/** Tokens in square brackets, of Mistral, GLM, BERT, EXAONE and MiniMax; and by themselves, unlike an index, any capitals, roles and names with "_". */
const BRACKETED =
  /(?<![\w\])>.])\[(?=\/?(?:[A-Z][A-Z\d]{1,20}|\w{0,20}_\w{1,40}|user|assistant|system|human|tool)\](?!\())|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|CALL_ID|ARGS|THINK|IMG(?:_BREAK|_END)?|(?:BEGIN_)?AUDIO|PREFIX|MIDDLE|SUFFIX|BOS|EOS|PAD|UNK|[gs]?MASK|CLS|SEP|unused\d{1,6}|UNUSED_TOKEN_\d{1,6}|[|｜][A-Za-z_]{2,20}[|｜])\]|e~\[)|\](?=~!?[a-z]{1,12}[[\]])/gu
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

/** The text as a block of quoted data with its origin, not to be obeyed. */
export function quotedBlock(text: string): string {
  return `${BLOCK_START}\n${withoutMarks(text)}\n${BLOCK_END}`
}

/** The text without anything that a model's template, or our mark, could be imitated by; it looks the same. */
export function withoutMarks(text: string): string {
  return text
    .replace(LINE_SEPARATORS, ' ')
    .replace(UNSEEN, '')
    .replace(BRACKET, (bracket, behind: string) => (namesBlock(behind) ? `${bracket}\u200b` : bracket))
    .replace(TOKEN, '$&\u200b')
    .replace(LIKE_TOKEN, '$&\u200b')
    .replace(BRACKETED, '$&\u200b')
    .replace(SWITCH, '$&\u200b')
    .replace(SPEAKER, '$&\u200b')
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
