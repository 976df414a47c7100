/** Marks recalled text as data, so that it is recognised when it comes back; marks inside are broken up. */

const NAME = 'recalled-memory'
/** The beginning of recalled text in a prompt. */
export const BLOCK_START = `<${NAME}>`
export const BLOCK_END = `</${NAME}>`

const BLOCK = new RegExp(`<\\s{0,40}${NAME}\\b[^>]{0,200}>[\\s\\S]*?(?:<\\s{0,40}/\\s{0,40}${NAME}\\s{0,40}>|$)`, 'giu')
/** A bracket, or a look-alike, with the text behind it. */
const BRACKET = /[<＜﹤‹〈⟨≺ᐸ](?=([^<>＜＞]{0,60}))/gu
/** Tokens of chat templates: ChatML, Llama, Phi, DeepSeek, Mistral, Gemma, `<s>`, wrappers of tools and thoughts. */
const TOKEN =
  /(?<=<)(?=[|｜]|(?:\/?(?:s|bos|eos|pad|unk|mask|think|thinking|(?:start|end)_of_turn|(?:start|end)_of_role|tool_?calls?|tool_?responses?|tool_?results?|function_?calls?|invoke|sep|cls)|<\/?SYS>)>)|(?<=\[)(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|gMASK|CLS|SEP)\])|(?<=[|｜])(?=>)/giu
/** A line that opens a turn in prompts without tokens. */
const SPEAKER = /(?<=\n[ \t]{0,40})(?=(?:human|assistant|system)[:：])/giu
/** Characters that end a line for some readers only. */
const LINE_SEPARATORS = /[\u2028\u2029\u0085\v\f]/gu
/** Letters of other scripts that look like those of the mark. */
const LOOK_ALIKES = new Map(
  Object.entries({
    а: 'a',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    ӏ: 'l',
    м: 'm',
    о: 'o',
    р: 'p',
    у: 'y',
    г: 'r',
    α: 'a',
    ε: 'e',
    ο: 'o',
    γ: 'y',
  }),
)

/** The text as a block of quoted data with its origin, not to be obeyed. */
export function quotedBlock(text: string): string {
  const quoted = text
    .replace(LINE_SEPARATORS, ' ')
    .replace(BRACKET, (bracket, behind: string) => (namesBlock(behind) ? `${bracket}\u200b` : bracket))
    .replace(TOKEN, '\u200b')
    .replace(SPEAKER, '\u200b')
  return `${BLOCK_START}\n${quoted}\n${BLOCK_END}`
}

/** true when a reader could take this for our mark; visually equal marks and letters count as the same. */
function namesBlock(behind: string): boolean {
  const seen = behind
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{Cf}\p{M}\s]/gu, '')
    .replace(/[\p{Pd}_−]/gu, '-')
    .replace(/[^\p{ASCII}]/gu, (letter) => LOOK_ALIKES.get(letter) ?? letter)
  return /^[/\u2044\u2215]?recalled-?memory/.test(seen)
}

/** The text without its blocks; an unclosed one reaches to the end. */
export function withoutQuotedBlocks(text: string): string {
  return text.includes('<') ? text.replace(BLOCK, ' ').trim() : text
}
