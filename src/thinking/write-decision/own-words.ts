/**
 * Which words of a message are the writer's own? Blocks of code, logs, long quotations and what is handed over to be
 * translated or corrected are not: nothing is learnt about the user from them.
 */
import { readOnce } from '../../domain/read-once.ts'
import { withoutFences } from '../../language/code-regions.ts'
import { withoutQuotedMail } from '../summarizer/prose.ts'
import { CHINESE } from './lexicon-chinese.ts'
import { ENGLISH } from './lexicon-english.ts'
import { MEANINGS } from './meaning.ts'
import { growTree, type PhraseNode, walkPhrases } from './phrase-tree.ts'
import { withoutUnreal } from './unreal.ts'
import { cutWords, plain } from './words.ts'

/** The writer's own words, and how much of the message they are not. */
export interface OwnWords {
  readonly text: string
  /** 0 (all is the writer's own) to 1. */
  readonly pasted: number
  /** How many dreams, songs, parts of stories and quotations were taken out. */
  readonly unreal: number
}

const LONGEST_HEAD = 80
const HEAD = /^([^:：\n]{1,80})[:：]\s*(\S[\s\S]*)$/
/** Lines of programs, logs, stack traces, version control and shells. */
const MACHINE_LINE =
  /^\s*(?:at [\w$.<>]+\(|import [\w{*"']|from [\w.]+ import |(?:public|private|protected|static|const|let|var|def|func|fn|function|class|return|export|async|struct|interface|#include|package) .*[({;=:]|(?:select|update|delete from|insert into|create table|alter table) .+|[+-]{3} |@@ |diff --git|commit [0-9a-f]{7,}|\$ |>>> |#!|traceback|caused by|exception in|\[?\s*(?:error|warn|warning|info|debug|fatal)\b\s*[\]: ]|\[firing:\d+\]|\d{1,3}(?:\.\d{1,3}){3} - |#(?:include|define|ifdef|ifndef|endif|pragma)\b|using namespace |panic: |goroutine \d|segmentation fault|> task :|npm err|\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d|(?:npm|pip|cargo|error|warning)(?:\[\w+\]|:| err)|file "|<[/!]?[a-z][^>]*>|[}\])]+[;,]?\s*$|\w+(?:\.\w+)*(?:error|exception)\b:?)|[;{}]\s{0,40}$|=>|\(cost=[\d.]+|^\s*"[\w-]+":|^\s*[a-z]{2,5}-\d{4,}:|^\s{2,}[\w-]+\s+\S+\s*$|^\w[\w ]{0,30}\s{4,}\S/i
/** "The rewrite is live", "our translation was late": the word is a thing that something is said of, not an order. */
const STATES = /^\s*(?:the|our|my|this|that|a)\s+(?:[\w-]+\s+){1,3}(?:is|are|was|were|has|have|had|went|got)\b(?!.*\?)/i

let tree: PhraseNode | null = null

/** The text without what is not the writer's own. An order to remember makes everything their own. */
export const ownWords = readOnce('own words', (text): OwnWords => {
  if (text.trim() === '') return { text: '', pasted: 0, unreal: 0 }
  let own = withoutQuotedMail(withoutFences(text, '\n'))
  own = own
    .split('\n')
    .filter((line) => !MACHINE_LINE.test(line) && !isCallLine(line))
    .join('\n')
  own = withoutHandedOver(own)
  const real = withoutUnreal(own)
  if (real.text.length < text.length && orders(text.slice(0, LONGEST_HEAD))) return { text, pasted: 0, unreal: 0 }
  return { text: real.text, pasted: 1 - real.text.trim().length / text.trim().length, unreal: real.taken }
})

/** What stands before the colon where somebody's text is handed over after it; else the whole text. */
export function withoutHandedOver(text: string): string {
  const head = /[:：]/.test(text) ? HEAD.exec(text) : null
  return head !== null && handsOver(head[1]!) ? head[1]! : text
}

/** "Translate to English", 帮我润色, "is this right": what follows the colon is somebody's text. */
function handsOver(head: string): boolean {
  if (STATES.test(head)) return false
  const seen = meaningsOf(head)
  return (seen.has('pasting') || seen.has('given')) && !seen.has('remember')
}

function orders(text: string): boolean {
  const seen = meaningsOf(text)
  return seen.has('remember') && !seen.has('pasting')
}

function meaningsOf(text: string): ReadonlySet<string> {
  tree ??= growTree(
    [ENGLISH, CHINESE].map((lexicon) => ({
      pasting: lexicon.pasting ?? '',
      given: lexicon.given ?? '',
      remember: lexicon.remember ?? '',
    })),
  )
  const seen = new Set<string>()
  walkPhrases(tree, cutWords(plain(text)).words, (meaning) => seen.add(MEANINGS[meaning]!))
  return seen
}

/** UTF-16 units of a line that can be a call. */
const LONGEST_CALL = 400
const ASSIGNS = /^(?:(?:await|return|yield)\s+)?(?:[\w.,[\]'" ]{1,40}?(?:[-+*/|&]?=|<-)\s*)?(?:await\s+)?/
const NAME = /[\w.$:[\]]+/y
const BETWEEN = /\s*(?:[-+*/|&>]+|%>%|and\b|or\b)?\s*/y
/** "Lotte(3)" is no call: arguments are none, named, quoted, listed, parts of things, or calls themselves; or a lone word in small letters. */
const ARGUMENTS = /\(\s{0,40}\)|\([^()]{0,200}[=,'"._[{]|\(\w{1,40}\(|^[\w.]+\([a-z_]\w*\)$/

/**
 * Whether the line is nothing but calls, joined by operators and maybe assigned to something: `df = load('a.csv')`. Read in one
 * pass, since a pattern for it could take for ever.
 */
export function isCallLine(line: string): boolean {
  if (line.length > LONGEST_CALL || !line.includes('(')) return false
  const code = line.trim().replace(/[;,]$/, '')
  if (!/[)\]\w'"]$/.test(code) || !ARGUMENTS.test(code)) return false
  let at = ASSIGNS.exec(code)?.[0].length ?? 0
  while (at < code.length) {
    const name = endOf(NAME, code, at)
    if (name === at || code[name] !== '(') return false
    at = name
    while (code[at] === '(') {
      at = behindBrackets(code, at)
      if (at < 0) return false
      if (code[at] === '.' || code[at] === '[' || code[at] === '$') at = endOf(NAME, code, at)
    }
    const next = endOf(BETWEEN, code, at)
    // "foo(bar) is broken" goes on without an operator.
    if (next < code.length && code.slice(at, next).trim() === '') return false
    at = next
  }
  return true
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Where the bracket that opens at a place is closed, quoted brackets aside; -1 when it is not. */
function behindBrackets(code: string, from: number): number {
  let depth = 0
  let quote = ''
  for (let at = from; at < code.length; at++) {
    const character = code[at]!
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'" || character === '`') quote = character
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return -1
}
