/**
 * Which terms bring nothing back by themselves in the ranking `conversation`? Words that people put around what they
 * look for ("the bug in the function", 之前的问题解决了吗): they may add to a match, never make one.
 */
import { CHINESE_STOP_CHARACTERS } from './stop-words.ts'
import { indexTerms } from './tokens.ts'

const ENGLISH_WORDS = `
  function functions method class variable object module file code bug bugs error errors issue issues problem problems
  question answer thing things something anything stuff way ways case part kind time times matter topic point detail
  discuss discussed discussion talk talked mention mentioned say said tell told ask asked explain speak conversation
  chat session turn message previous previously earlier last recent recently yesterday today ago now later already still
  continue resume go went going come came get got make made do done use used using work worked working solve solved
  resolve resolved fix fixed help need want know think thought look see find found remember recall show give implement
  implementation implemented change changed change update updated add added able like good new old first second one two
  really also lot much many maybe actually want`
const CHINESE_WORDS = `
  函数 方法 问题 解决 之前 以前 刚才 上次 讨论 聊过 说过 提到 提过 代码 错误 报错 变量 对象 文件 东西 事情 情况 内容 地方
  时候 什么 怎么 怎样 如何 为什么 哪个 哪些 哪里 这个 那个 这些 那些 我们 你们 他们 自己 继续 实现 处理 修改 修复 完成 进展
  关于 有关 相关 记得 告诉 知道 觉得 认为 需要 可以 应该 能够 已经 还是 没有 是否 现在 最近 今天 昨天 一下 一个 一些 具体
  详细 方面 部分 方案 办法 原因 结果 建议 帮我 请问 谢谢 回答 对话 会话 消息`

interface GenericWords {
  readonly terms: ReadonlySet<string>
  readonly characters: ReadonlySet<string>
}

let known: GenericWords | undefined

/** Cut on first use: a process that asks nothing of this kind should not wait for it. */
function genericWords(): GenericWords {
  if (known !== undefined) return known
  const terms = new Set<string>(indexTerms(ENGLISH_WORDS).keys())
  const characters = new Set<string>(CHINESE_STOP_CHARACTERS)
  for (const word of CHINESE_WORDS.trim().split(/\s+/)) {
    for (const character of word) characters.add(character)
    for (const term of indexTerms(word).keys()) terms.add(term)
  }
  known = { terms, characters }
  return known
}

const HAN = /^\p{Script=Han}$/u

/**
 * true for a term of `tokens` that finds nothing alone: the words of the lists above; any single Han character; and a
 * pair that only bridges two such words (题解 in 问题解决), told by both its characters coming from them. Joined words
 * that `queryTerms` adds (bugin, codeproblem) are not looked into: no text holds them unless as an identifier.
 */
export function isGenericTerm(term: string): boolean {
  const generic = genericWords()
  if (generic.terms.has(term)) return true
  const characters = [...term]
  if (characters.length === 1) return HAN.test(term) || /^[\d\w]$/.test(term)
  return characters.length === 2 && generic.characters.has(characters[0]!) && generic.characters.has(characters[1]!)
}
