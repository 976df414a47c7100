/**
 * What is this conversation about now? A short phrase out of the turns' own words: runs of telling words between
 * function words, weighted by how often and how lately their words were said (after RAKE, Rose et al. 2010). No
 * dictionary is loaded.
 */
import type { ThinkMessage } from '../../domain/thought.ts'
import { isGenericTerm } from '../../text/generic-words.ts'
import { ENGLISH_STOP_WORDS } from '../../text/stop-words.ts'
import { wordTerms } from '../../text/word-terms.ts'
import { proseOf } from '../summarizer/prose.ts'
import { withoutFeelings } from './emotion.ts'
import { TOPIC_CHARACTERS } from './types.ts'

const CHARACTERS_READ = 1500
/** What each turn before the last weighs, compared with the next. */
const FADING = 0.75
/** What the user says names the topic; what is answered follows it. */
const ANSWER_WEIGHT = 0.35
/** Words of a phrase, those of them that add to its score, and Han characters of one. */
const MOST_WORDS = 6
const SCORED_WORDS = 4
const MOST_HAN = 12
const FEWEST_HAN = 2
/** The second phrase joins the first when it scores at least this share of it. */
const SECOND_SHARE = 0.6

/** Words that hold a character of the breaks below without being one. */
const CHINESE_COMPOUNDS =
  '性能|功能|智能|技能|能力|能源|会议|机会|社会|会员|晚会|聚会|要求|重要|主要|对象|对比|对话|对齐|过程|过敏|过滤|过年|过户|用户|费用|应用|作用|信用|小说|说明|看板|地图|地方|地址|地铁|地区|土地|目的|目标|了解|和平|和解|来源|未来|得分|想法|理想|做法|做饭|请假|申请|请求|把握|从业|向量|方向|到期|以太|因素|自由|所有|研究所|之间|叫法|作文|写作|写法|很多|太阳|太太|最高|最低|几何|更新|更年期|更换|没收|由来|用法|用品|去除|去年|来电|过道|出去|看法|看房|看护|让步|给药|给水|从事|向导|着装|着色|那边|此外|得到|或者|而且|也许|就业|就医|就诊|就读|又名|还款|还原|把手|被子|让座|对手|以上|以下|为人|由于|于是|其他|其中|会计|会展|要点|需要|请柬|想象|思想'.split(
    '|',
  )
/** Words that stand between the things that are spoken of. */
const CHINESE_BREAKS =
  /(?:我们|你们|他们|她们|咱们|大家|自己|什么|怎么样?|为什么|如何|哪[个些里儿]|多少|几[个点]?|是不是|能不能|可不可以|有没有|要不要|会不会|帮我|帮忙|麻烦|请问?|谢谢|你好|您好|可以|应该|需要|想要|打算|觉得|认为|知道|告诉|现在|今天|昨天|明天|刚才|最近|已经|还是|但是|不过|因为|所以|如果|然后|而且|或者|关于|一下|一些|一个|一直|这个|那个|这些|那些|这样|那样|的话|时候|比较|非常|特别|有点|给我|看看|说说|聊聊|试试|继续|好像|可能|就是|没有|不是|出现|遇到|进行|使用|推荐|优化|重构)|(?<!\p{Script=Han}{2})的|的(?!\p{Script=Han}{2})|[太很最更几叫写了是在和与及或也都就而但又还很把被让给对从向到于以为由所其之这那此我你您他她它吗呢吧啊哦嗯呀么着过得地不没有会要能请想去来用说做看]/gu
const COMPOUND_OR_BREAK = new RegExp(`(?<whole>${CHINESE_COMPOUNDS.join('|')})|${CHINESE_BREAKS.source}`, 'gu')
/** What may stand inside a phrase: "trip to Iceland", "leak in the worker". */
const LINKS = new Set('of to for in with on from into between about at the a an my our your'.split(' '))
const VERBS_OF_TALK = new Set(
  'help write make explain tell show give need want try use get look think know see like work run start stop keep help ask say mean got going trying using getting looking working please thanks hello hi hey ok okay sure really actually just maybe today yesterday tomorrow now something anything thing things way lot bit question problem issue best good better new'.split(
    ' ',
  ),
)

interface Phrase {
  readonly text: string
  readonly words: readonly string[]
  readonly order: number
  score: number
}

/** The topic, at most TOPIC_CHARACTERS; null when nothing is named. */
export function topicOf(turns: readonly ThinkMessage[]): string | null {
  const weights = new Map<string, number>()
  const phrases = new Map<string, Phrase>()
  let order = 0
  let weight = 1
  for (const { role, content } of turns.toReversed()) {
    if (role === 'system' || role === 'tool') continue
    const turnWeight = role === 'user' ? weight : weight * ANSWER_WEIGHT
    for (const words of phrasesOf(withoutFeelings(proseOf(content, CHARACTERS_READ)))) {
      for (const word of words.words) weights.set(word, (weights.get(word) ?? 0) + turnWeight)
      // Only the user's words make a topic.
      if (role === 'user' && !phrases.has(words.text.toLowerCase()))
        phrases.set(words.text.toLowerCase(), { ...words, order: order++, score: 0 })
    }
    weight *= FADING
  }
  const scored = [...phrases.values()]
  for (const phrase of scored)
    phrase.score = phrase.words.slice(0, SCORED_WORDS).reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)
  scored.sort((a, b) => b.score - a.score || a.order - b.order)
  return joined(scored)
}

function joined([first, second]: readonly Phrase[]): string | null {
  if (first === undefined) return null
  const topic = [...first.text].slice(0, TOPIC_CHARACTERS).join('')
  if (second === undefined || second.score < SECOND_SHARE * first.score || overlaps(first, second)) return topic
  const pair = first.order < second.order ? [first.text, second.text] : [second.text, first.text]
  const both = pair.join(/\p{Script=Han}/u.test(topic) ? '、' : ', ')
  return [...both].length <= TOPIC_CHARACTERS ? both : topic
}

function overlaps(a: Phrase, b: Phrase): boolean {
  return a.words.some((word) => b.words.includes(word))
}

function phrasesOf(text: string): readonly { readonly text: string; readonly words: readonly string[] }[] {
  const phrases: { text: string; words: readonly string[] }[] = []
  for (const clause of text.split(/[^\p{L}\p{N}\p{M}\s'’_./#+-]+|[.](?=\s|$)/u))
    for (const part of clause.split(
      /(?<=\p{Script=Han})\s*(?=[^\p{Script=Han}])|(?<=[^\p{Script=Han}])\s*(?=\p{Script=Han})/u,
    ))
      phrases.push(...(/\p{Script=Han}/u.test(part) ? chinesePhrases(part) : englishPhrases(part)))
  return phrases
}

function chinesePhrases(part: string): readonly { text: string; words: readonly string[] }[] {
  return splitAtBreaks(part)
    .map((run) => [...run.replace(/[^\p{Script=Han}]/gu, '').replace(/^的|的$/g, '')].slice(0, MOST_HAN))
    .filter((run) => run.length >= FEWEST_HAN)
    .map((run) => ({ text: run.join(''), words: run.slice(1).map((character, at) => run[at]! + character) }))
    .filter(({ words }) => !words.every(isGenericTerm))
}

function splitAtBreaks(part: string): readonly string[] {
  const runs: string[] = []
  let start = 0
  for (const match of part.matchAll(COMPOUND_OR_BREAK)) {
    if (match.groups?.whole !== undefined) continue
    runs.push(part.slice(start, match.index))
    start = match.index + match[0].length
  }
  runs.push(part.slice(start))
  return runs
}

function englishPhrases(part: string): readonly { text: string; words: readonly string[] }[] {
  const phrases: { text: string; words: readonly string[] }[] = []
  let run: { raw: string; term: string }[] = []
  let links: string[] = []
  const close = (): void => {
    if (run.length > 0)
      phrases.push({ text: run.map(({ raw }) => raw).join(' '), words: [...new Set(run.map(({ term }) => term))] })
    run = []
    links = []
  }
  for (const raw of part.split(/\s+/)) {
    const bare = raw.replace(/^[^\p{L}\p{N}#]+|[^\p{L}\p{N}+#]+$/gu, '')
    const lower = bare.toLowerCase().replace(/['’](?:s|t|re|ve|ll|d|m)$/, '')
    const term = wordTerms(bare)[0]
    if (LINKS.has(lower) && run.length > 0 && links.length < 2) links.push(lower)
    else if (term === undefined || ENGLISH_STOP_WORDS.has(lower) || VERBS_OF_TALK.has(lower) || isGenericTerm(term))
      close()
    else {
      run.push({ raw: [...links, bare].join(' '), term })
      links = []
    }
    if (run.length === MOST_WORDS) close()
  }
  close()
  return phrases
}
