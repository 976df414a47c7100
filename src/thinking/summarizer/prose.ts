/**
 * Which words does a turn say? Code, logs, stack frames, tables and Markdown marks are left out; of a very long turn
 * only beginning and end are read.
 */
import { readOnce } from '../../domain/read-once.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { SAID_BEFORE } from '../../domain/turn.ts'
import { hasHan } from '../../language/character-class.ts'
import { isQuestion } from '../../language/questions.ts'
import { withoutSecretsOfAll } from '../../language/secrets/mask-secrets.ts'
import { singleSpaced } from '../../language/spelling.ts'

/** A block behind words on the same line counts too, and one that is never closed goes on to the end. */
const FENCED = /(`{3,40}|~{3,40})[^\n`]{0,200}\n[\s\S]{0,99999}?(?:^[ \t]{0,40}\1|(?![\s\S]))/gm
/** A stack frame, a diff hunk, a table row, a ruler, or a line that is mostly punctuation of code. */
const CODE_LINE =
  /^[ \t]{0,40}(?:at .{1,200}:\d{1,40}:\d{1,40}\)?|File ".{0,200}", line \d{1,40}.{0,200}|@@ .{0,200}|\|.{0,200}\||[-=*_]{3,40}|(?:import|export|const|let|var|return|def|public|private|#include)\b.{0,200}[;{(]|.{0,200}[;{]|[}\])]{1,40}[;,]?)[ \t]{0,40}$/gm
/** Lines of programs, logs, stack traces, version control and shells. */
const MACHINE_LINE =
  /^\s*(?:at [\w$.<>]+\(|import [\w{*"']|from [\w.]+ import |(?:public|private|protected|static|const|let|var|def|func|fn|function|class|return|export|async|struct|interface|#include|package) .*[({;=:]|(?:select|update|delete from|insert into|create table|alter table) .+|[+-]{3} |@@ |diff --git|commit [0-9a-f]{7,}|\$ |>>> |#!|traceback|caused by|exception in|\[?\s{0,40}(?:error|warn|warning|info|debug|fatal)\b\s*[\]: ]|\[firing:\d+\]|\d{1,3}(?:\.\d{1,3}){3} - |#(?:include|define|ifdef|ifndef|endif|pragma)\b|using namespace |panic: |goroutine \d|segmentation fault|> task :|npm err|\w{1,40}=\S{1,200} \w{1,40}=|\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d|(?:npm|pip|cargo|error|warning)(?:\[\w+\]|:| err)|file "|<[/!]?[a-z][^>]*>|[}\])]+[;,]?\s*$|\w+(?:\.\w+)*(?:error|exception)\b:?)|[;{}]\s{0,40}$|=>|\(cost=[\d.]+|^\s*"[\w-]+":|^\s*[a-z]{2,5}-\d{4,}:|^\s{2,}[\w-]+\s+\S+\s*$|^\w[\w ]{0,30}\s{4,}\S/i
/** Nothing but a call with a quoted or named argument, maybe assigned to something; "Lotte(3)" is none. */
const CALL_LINE =
  /^\s*(?:[\w.]{1,40}\s?(?:=|<-)\s?)?\w{1,40}(?:\.\w{1,40}){0,5}\([^()]{0,200}['"=][^()]{0,200}\)(?:\.\w{1,40}\([^()]{0,200}\)){0,5}[;,]?\s*$/

/** Lines of others: quoted with `>`, or below the head of a forwarded or answered mail. */
export const QUOTED_LINE = /^[ \t]{0,40}>.{0,99999}$/gm
const MAIL_HEAD =
  /^(?:-{2,40}[ \t]{0,40}(?:original message|forwarded message|原始邮件|转发邮件|原邮件)|begin forwarded message|on [^\n]{6,120} wrote:|(?:from|sent|subject|发件人|主题)[:：][^\n]{1,300}\n[ \t]{0,40}(?:from|to|date|sent|cc|subject|发件人|收件人|时间|日期|抄送|主题)[:：])/im
/** Names of pictures and files that a client puts into the text. */
const ATTACHED =
  /\[(?:image|photo|picture|video|gif|sticker|file|voice|audio|图片|照片|视频|语音|表情|文件)[^\]\n]{0,300}\]/gi
/** A heading, an item of a list, a line that opens with bold words; see `lists`. */
const LIST_LINE = /^[ \t]{0,40}(?:#{1,6}[ \t]|[-*+•][ \t]|\d{1,2}[.)、]|\*\*[^*\n]{1,80}\*\*).{0,99999}$/gm
const LINE_MARK = /^[ \t]{0,40}(?:#{1,6}[ \t]+|[-*+•][ \t]+|\d{1,2}[.)、][ \t]*)/gm
const INLINE_MARK = /\*\*|__|`/g
const LINK = /\[([^\]\n]{1,200})\]\([^)\n]{1,500}\)/g

/** How much of a long turn is read from its end; the rest of the allowance comes from its beginning. */
const SHARE_OF_END = 0.3

/** The words of a turn, at most about `maxCharacters` of them; lines stay lines. May be empty. */
export function proseOf(content: string, maxCharacters: number, options: { readonly lists?: boolean } = {}): string {
  const text = edgesOf(content, maxCharacters)
  if (!MARKED.test(text)) return text
  return options.lists === false ? withoutLists(text) : withLists(text)
}

const withLists = readOnce('prose', (text) => plainWords(text, LINE_MARK))
const withoutLists = readOnce('prose without lists', (text) => plainWords(text, LIST_LINE))

function plainWords(text: string, lines: RegExp): string {
  return withoutMachineLines(withoutOthersText(text).replace(FENCED, '\n').replace(ATTACHED, ''))
    .replace(CODE_LINE, '')
    .replace(lines, '')
    .replace(LINK, '$1')
    .replace(INLINE_MARK, '')
}

/** The text without lines that a program wrote, or that are part of one. */
export function withoutMachineLines(text: string): string {
  const lines = text.split('\n')
  return lines.filter((line) => !MACHINE_LINE.test(line) && !CALL_LINE.test(line)).join('\n')
}

/** The beginning of a letter or notice behind the user's words: a greeting by name, or a head in brackets (【通知】). */
const LETTER =
  /(?<=\n[ \t]{0,9}|[:：][ \t]{0,9})(?:["“]?(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)) (?-i:\p{Lu})[\p{L}.'’-]{1,30}(?: (?-i:\p{Lu})[\p{L}.'’-]{1,30}){0,2}|dear [\p{L}.'’ -]{2,60}|(?:尊敬|亲爱)的[^，。：:\n]{1,20}|各位[^，。：:\n]{1,12}|[您你]好)[,，!！:：]|【[^】\n]{1,20}】)/iu
/** Its close, with the name below. */
const SIGNED =
  /^[ \t]{0,9}(?:(?:best|kind|warm|many)(?: (?:regards|wishes|thanks))?|regards|sincerely|yours(?: \w{1,12})?|thanks|thank you|cheers|love|此致|祝好|敬上|谢谢)[^\n]{0,40}(?:\n[ \t]{0,9}[^\n]{1,40})?(?:\n|$)/im
/** One line of a chat of several people. */
const CHAT_LINE = /^[ \t]{0,9}(\p{L}[\p{L} .'’·]{0,15})[:：][ \t]?\S[^\n]{0,2000}$/gmu

/** Behind such words stands what another person wrote or sent: "my landlord texted:", 房东发来的微信：. */
const SENT_BY =
  /(?:(?<!\b(?:i|we)(?:['’](?:ve|d)| have| had| just| also| already| then){0,2} )\b(?:texted|messaged|e-?mailed|mailed|wrote|sent|posted|forwarded|forwards)\b|\b(?:text|message|e-?mail|letter|note|voicemail|post|forward(?:ed)?|fwd)\s(?:\w{1,20}\s){0,2}from\b|(?<!(?:^|[\n。！？，])我(?:刚|昨天|今天|也|就)?|给[^，。：:\n]{1,8})(?:转发|发来|发给我|发我|发[了过]?[条封个]?(?:微信|短信|消息|邮件|信息|语音)|发的|写给我|来信)|的(?:微信|短信|消息|邮件|来信|通知|留言|公告|原话))[^:：\n.!?。！？]{0,60}[:：]\s{0,4}/iu
const CLOSES: ReadonlyMap<string, string> = new Map(
  ['“”', '""', '「」', '『』'].map(([open, close]) => [open!, close!]),
)

/** The text without others' words: quoted with `>`, answered, sent or forwarded, and pasted letters, notices or chats. */
export function withoutOthersText(text: string): string {
  if (!/[\n>:：]/.test(text)) return text
  const mail = text.search(MAIL_HEAD)
  return withoutChat(withoutLetters(withoutSent((mail === -1 ? text : text.slice(0, mail)).replace(QUOTED_LINE, ''))))
}

/** A clause that begins a text, a line, a sentence or behind a comma. */
const LAST_CLAUSE = /[^,;，；.!?。！？\n]{0,400}$/u

/** Without what somebody sent, up to the end of its quotation or paragraph, and the clause that says so. */
function withoutSent(text: string): string {
  const head = SENT_BY.exec(text)
  if (head === null) return text
  const from = head.index + head[0].length
  const close = CLOSES.get(text.charAt(from))
  const end = text.indexOf(close ?? '\n\n', from + 1)
  const before = text.slice(0, head.index).replace(LAST_CLAUSE, '')
  return before + (end === -1 ? '' : text.slice(end + (close?.length ?? 0)))
}

function withoutLetters(text: string): string {
  const at = text.search(LETTER)
  if (at === -1) return text
  const behind = text.slice(at)
  const signed = SIGNED.exec(behind)
  return text.slice(0, at) + (signed === null ? '' : behind.slice(signed.index + signed[0].length))
}

/** A speaker who returns after another one is in a chat: no label of a form stands twice. */
function withoutChat(text: string): string {
  const lines = [...text.matchAll(CHAT_LINE)]
  const names = lines.map(([, name]) => name!)
  const isChat = names.some((name, at) => at > 1 && name !== names[at - 1] && names.lastIndexOf(name, at - 1) !== -1)
  return isChat ? text.replace(CHAT_LINE, '') : text
}

/** A row of a log. */
export interface LogRow {
  readonly from: string
  readonly text: string
  readonly day: string | null
}

/** A row of a log with its kind and person in the head: 短信 接收 陈志强：…, "SMS from Bob: …". */
const RECORD =
  /^(\p{Script=Han}+ (?:\S{1,20} ){0,3}?[^\s/]{0,40}?)[:：](?!\/\/)|^((?:sms|text|mail|email|message|notification) (?:from|to) [^:\n]{1,40}):/iu
/** A program's additions to its rows: the app's name again, fields, and times with seconds. */
const ADDED = /【[^】\n]{1,20}】|\s?\{"[\s\S]{0,2000}\}\s{0,9}$|\s?\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g
/** The day of the beginning and end that a calendar puts behind its rows. */
const CALENDAR_DAY = /(\d{4}-\d\d-\d\d) \d\d:\d\d:\d\d \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s{0,9}$/

/** The source of a log's row, its text, and the day of a row of a calendar; null where a person speaks. */
export function recordOf(message: string): LogRow | null {
  const row = RECORD.exec(message)
  if (row === null) return null
  const from = (row[1] ?? row[2]!).split(' ').filter((word, at, all) => all.indexOf(word) === at && !/\d{6}/.test(word))
  const text = message.slice(row[0].length).replace(ADDED, '').trim()
  // The name again, as in 短信 接收 王小芳：小芳：…, or the writer's own.
  const [again, name] = /^(\p{Script=Han}{1,8})[:：]/u.exec(text) ?? []
  const isAgain = name !== undefined && (name === '我' || from.at(-1)!.includes(name) || name.includes(from.at(-1)!))
  const day = CALENDAR_DAY.exec(message)?.[1] ?? null
  return { from: from.join(' '), text: isAgain ? text.slice(again!.length) : text, day }
}

/** Whether the user speaks here for himself: a row of a log or a notice is none of his words. */
export function speaksForUser(message: string): boolean {
  return !RECORD.test(message)
}

/** Most turns are plain sentences on one line: nothing to take out. */
const MARKED = /[\n`*_#>|[\]{};=$]|:\d\d:\d\d|^\s*[A-Z]{4}/

/** The beginning and the end of a long text, cut between sentences. */
export function edgesOf(content: string, maxCharacters: number): string {
  if (content.length <= maxCharacters) return content
  const tail = Math.floor(maxCharacters * SHARE_OF_END)
  const start = content.slice(0, maxCharacters - tail)
  const last = Math.max(...SENTENCE_ENDS.map((mark) => start.lastIndexOf(mark)))
  const head = start.slice(0, last + 1 || maxCharacters)
  // A fence that opens in the first part and is cut off must not turn the end of the text into code.
  const open = (head.match(/^[ \t]{0,40}(?:`{3,}|~{3,})/gm)?.length ?? 0) % 2 === 1
  return `${head.toWellFormed()}${open ? '\n```' : ''}\n${afterFirstBreak(content.slice(-tail).toWellFormed())}`
}

const SENTENCE_ENDS = ['. ', '\n', '。', '！', '？', '；', '!', '?']

/** Drops the half sentence at the start of a cut-out end. */
function afterFirstBreak(text: string): string {
  const at = text.search(/[\n。！？!?]|\.\s/)
  return at === -1 ? '' : text.slice(at + 1)
}

/** Characters of a turn at most that a summary knows of. */
const LONGEST_SUMMARISED = 65_536

/** What a summary knows of a turn. */
export function asSummarised({ content }: Pick<ThinkMessage, 'content'>): string {
  return edgesOf(content, LONGEST_SUMMARISED)
}

/** The turns as a summary may quote them. A secret is left out here, because its name may stand in another sentence or turn. */
export function withoutSecretsIn<T extends Pick<ThinkMessage, 'content' | typeof SAID_BEFORE>>(
  turns: readonly T[],
): readonly T[] {
  const contents = withoutSecretsOfAll(
    turns.map(asSummarised),
    turns.map((turn, at) => turn[SAID_BEFORE] ?? turns[at - 1]?.content),
  )
  return turns.map((turn, at) => ({ ...turn, content: contents[at]! }))
}

const GREETED = `(?:hi(?:ya)?|hey|hello|yo|howdy|good (?:morning|afternoon|evening)|morning|thanks(?: so much| a lot)?|thank you(?: so much)?|congrats|wow|welcome back|dear|sure|certainly|absolutely|definitely|exactly|indeed|of course|great|cool|nice|perfect|awesome|yes|yeah|yep|no|nope|nah|ok(?:ay)?|right|alright|got it|understood|sounds good|i see|well|man|dude|honestly|actually|anyway|by the way|btw|plus|also|in addition|however|additionally|for (?:example|instance)|as for me|oh|ah|aw+|h+m+|u+h+|u+m+|ha(?:ha)+|lol|omg|damn|so|and|but|or|then|please|to be honest|you know)`
/** Words that lead in, with the listener's name; those that need no comma stand last. */
const LEAD = new RegExp(
  String.raw`^(?:${GREETED}(?: (?:there|all|team|again|everyone|\p{Lu}[\p{L}]{1,20}))?\s?[,!.~…:-]+\s+|(?:so(?! (?:far|many|much)\b)|and|but|well|also|oh+|h+m+|u+gh+|yo|btw|fyi|plus|hey|hi|hello|ye[as]h?|ya|nah|lol)\s+|\p{Lu}[\p{Ll}]{2,15}[,!]\s+(?=(?:i|we|my|you|it|that|this|what|how|great|long|thanks)\b))`,
  'iu',
)
const CHINESE_LEAD =
  /^(?:(?:你好|您好|嗨|嘿|呼|哈喽|[早上中下晚][上午]?好|早安?|在吗|好的?|嗯+|哦|噢|啊|哇|唉|对|是的?|是啊|没错|当然|谢谢你?|多谢|对了|另外|其实|明白|理解|确实|完全(?:正确|同意)|太好了|那个|话说|请问|首先|其次|最后|总之|此外)[呀啊哟吧的了呢]{0,2}[，,。！!~～…、：:\s]+|(?:对了|不过|但是?(?![凡愿])|而且|所以|那么|然后|并且|因此|同时)[，,]?)/u
const MOST_LEADS = 4

/** A close of a clause with a whole sentence in front. */
const CLAUSE_CLOSE =
  /,\s{1,40}(?=(?:(?:and|or) (?:i|we|it|he|she|they|you|the|my|then|how|what|if|i['’]\w{1,40}|we['’]\w{1,40}|it['’]\w{1,40}|that['’]\w{1,40}|can|could|also|maybe)\b|but|so|because|since|although|though|while|whereas|where|when|if|as|especially|particularly|considering|given|including|specifically|like|you know|(?:can|could|would|will|do|does|is|are|should) (?:i|you|we|it|this|that|there)|what|how|why|i|i['’]\w{1,40}|we|we['’]\w{1,40}|it|it['’]s|he|she|they|maybe|any|thanks|just|please|with|to|for|after|before|especially|and [a-z]{1,40}(?:ing|ed)\b|[a-z]{1,40}ing)\b)|;\s+|\s{1,40}[-–—]{1,40}\s+|\s{1,40}(?=(?:because|so that|although|whereas|(?:(?<!(?-i:\p{Lu})[\p{L}'’]{0,20} )and|but|so|since) (?:i|we|she|he|they|i['’]\w{1,40}|we['’]\w{1,40}|it['’]s))\b)|[，；;](?=.{2})/giu
/** A last clause that only leads to one that was cut: "…, and given that it rains". */
const LEADS_ON =
  /[,;]?\s(?:and|but|so|or)\s(?:given|if|when|while|since|as|after|although|though|because)\b[^,]{0,200}$|(?:^|[，；])(?:如果|虽然|尽管|既然|除了|不仅|不但|一方面|既|即使|只要|一想到|因为|由于)[^，；]{0,100}$/i
/** Formulas, code, addresses of pictures and remnants of a cut. */
const NO_PROSE =
  /\\[([a-z{]|\$\$|[{}<>|=]{2}|\w\(\)?;|^\W*https?:\S+\W{0,200}$|\[[^\]]{0,200}$|_{3}|…$|\.\.\.$|[:：]\s?\d{1,2}[.。]?$|^\d{1,2}[.、)）]/i

/** Words of Latin script and Han characters: how much a text says. */
function lengthInWords(text: string): number {
  return (text.match(/[\p{Script=Han}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._/-]*/gu) ?? []).length
}

/** The sentence without its lead-in. */
export function withoutLead(sentence: string): string {
  let text = singleSpaced(sentence.replace(/[\u2060\u200b]/g, ' ')).trim()
  for (let leads = 0; leads < MOST_LEADS; leads++) {
    const rest = text.replace(hasHan(text.slice(0, 8)) ? CHINESE_LEAD : LEAD, '')
    if (rest === text) break
    text = rest.trim()
  }
  return text
}

/**
 * The sentence, or as many of its first clauses as `fits` takes, as it may be shown; null where that is nothing.
 * `fewest`: the least words of a whole one, where it is not the usual.
 */
export function statementOf(sentence: string, fits: (text: string) => boolean, fewest?: number): string | null {
  const text = withoutPadding(withoutLead(sentence.slice(0, LONGEST_SENTENCE)))
  if (NO_PROSE.test(text)) return null
  const chinese = hasHan(text)
  const whole = closed(text, text)
  if (sentence.length < LONGEST_SENTENCE && fits(whole)) return isWhole(whole, chinese, fewest) ? whole : null
  const ends = [...text.matchAll(CLAUSE_CLOSE)].slice(0, MOST_ENDS)
  for (const { index } of ends.toReversed()) {
    const told = closed(text.slice(0, index).trim().replace(LEADS_ON, ''), text)
    if (fits(told) && isWhole(told, chinese)) return told
  }
  return null
}

/** A request behind a statement that names nothing of its own: ", can you help me with that?", 你怎么看？ */
const BARE_REQUEST =
  /(?:,|\s[-–—]{1,2})\s(?:so |and )?(?:(?:can|could|would) you (?:please )?(?:help(?: me)?(?: out)?(?: \w{2,10} (?:it|this|that)(?: out)?)?|explain|advise)(?: (?:me )?(?:with|on) (?:this|that|it))?|what do you think|any (?:ideas?|advice|tips|thoughts|suggestions?)|is that (?:ok(?:ay)?|right|normal)|right|you know)\s?[?.]?$|[，；](?:你(?:觉得|看)(?:呢|怎么样)?|你怎么看|想(?:听听|问问)你的?(?:看法|建议|意见|想法)|(?:你)?(?:有什么|能给(?:我)?(?:些|一些|点)?)(?:好的?)?(?:建议|办法|想法)|可以吗|对吗|好吗|怎么办)吗?[？。]$/iu
/** Words by which a speaker hesitates. */
const HESITATES = /(?<![\p{L}'’])(?:kinda|sorta|you know,|i mean,|like,)\s/giu

/** The text without what carries nothing to another reader; a capital in front, as before. */
function withoutPadding(text: string): string {
  return text.replace(HESITATES, '').replace(BARE_REQUEST, hasHan(text) ? '。' : '.')
}

/** UTF-16 units of a sentence that are looked at, and places where it could end. */
const LONGEST_SENTENCE = 800
const MOST_ENDS = 40
const FEWEST_WORDS = 4
const FEWEST_HAN = 6
/** A shorter question only takes up a word of the other. */
const FEWEST_HAN_ASKED = 10

function isWhole(text: string, chinese: boolean, fewest?: number): boolean {
  const usual = !chinese ? FEWEST_WORDS : /？/.test(text) ? FEWEST_HAN_ASKED : FEWEST_HAN
  if (lengthInWords(text) < (fewest ?? usual)) return false
  const letters = text.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0
  return letters > 0.75 * [...text].length
}

/** Words that lead to the clause that was cut; "rain or not" ends by itself. */
const LEADS_TO_CUT = /[,\s]{1,40}(?:especially|particularly|but|and|so|like|you know|or|even|just|(?<!\bor )not)$/i

/** The piece with a capital in front, and behind it a full stop, or the question mark of a question. */
function closed(piece: string, sentence: string): string {
  const ended = piece.replace(/[\s,;:，；：、~～\-–—.。!！?？]{1,40}$/u, '')
  const bare = piece === sentence ? ended : ended.replace(LEADS_TO_CUT, '')
  const ending = piece === sentence ? (/[.。!！?？]["'”’)）]{0,40}$/.exec(piece.slice(-3))?.[0]?.[0] ?? null) : null
  const asked = ending ?? (isQuestion(bare) ? '?' : '.')
  const mark = hasHan(bare) ? ({ '?': '？', '!': '！', '.': '。' }[asked] ?? asked) : asked
  return (/["'”’]$/.test(bare) && /[.!?。！？]["'”’]$/.test(bare) ? bare : bare + mark).replace(
    /^\p{Ll}(?=[\p{Ll}'’-]{0,40}(?:[\s,.!?]|$))(?!.*\p{Script=Han})/u,
    (letter) => letter.toUpperCase(),
  )
}
