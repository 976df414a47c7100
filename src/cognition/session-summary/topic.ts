/**
 * What is this sentence about, in a few words that name it? The clause without the grammar in front of the matter: who
 * speaks, wishes and feelings ("I'm kinda worried about", 我想请你帮我), question words; ended before what only adds to it.
 */
import { clauseEnds, isHan, withoutLead } from '../summarizer/statement.ts'
import { characterCount } from './shorten.ts'
import { TITLE_CHARACTERS } from './types.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** Who does it; a verb follows. */
const SUBJECTS =
  words(`i we you it there i'm im i've ive i'd i'll we're we've we'd we'll it's you're you've y'all u there's
  that's id ill`)
/** What carries tense and manner. */
const AUXILIARIES =
  words(`am is are was were be been being have has had do does did don't doesn't didn't dont can can't cant
  could couldn't will would wouldn't should might may must gonna wanna gotta ain't isn't aren't not to 'm 're never
  haven't hasn't won't`)
const HEDGES =
  words(`so just really kinda kind sort of actually currently still now maybe please even finally recently then too
  quite very pretty a-bit bit little also always already only simply basically definitely probably totally super
  today tonight lately right oh hmm ok okay ya yea um uh well and but or more much all again once`)
/** What somebody wants, feels, asks or knows about the matter, but not the matter. */
const ATTITUDES =
  words(`try trying tried want wants wanted need needed needs love loves hope hoping hoped wish looking look thinking think
  thought wonder wondering wondered curious worried worry worrying excited stuck confused concerned stressed nervous anxious
  sure unsure unclear certain struggling struggle having trouble difficulty difficulties issues hard interested considering consider
  considered help helping helped know knowing understand understanding explain show give giving see find figure get
  getting make ensure ensuring ask asking asked guess feel feeling felt remember hear heard mention mentioned mentioning
  appreciate glad happy recommend suggest suggested discuss discussing discussed working work dealing grateful proud
  frustrated overwhelmed torn hesitant reflecting reflect learn review grappling keen afraid scared tell let like said say saying
  told told wonderful confident planning preparing prepare plan facing seeing believe realized realize noticed suppose saw share sharing sound sounds seem seems looks remembering
  me us him her them your-help someone advice tips suggestions information idea ideas ways way best good great better
  possible able going about with on for in out that if whether how what why into at from over by between
  which when where who any some an a the my our your this these of`)
/** What names a thing only together with what follows "of" or "to". */
const EMPTY_NOUN =
  /^(?:the |a |an |some |any )?(?:(?:best|good|different|right|main|key|basic|overall|whole|general) )?(?:concept|idea|notion|way|ways|kind|type|sort|lot|bit|couple|process|question|topic|matter|possibility|importance|decision|pros and cons|need|chance|opportunity)s? (?:of|to|about|for|on) /i
/** Before these words a title may end. */
const ADDS =
  /\s(?=(?:for|with|at|in|by|from|using|during|via|on|to|after|before|between|through|under|within|without|including|around|since|until|into|over|against|about|like|as|while|when|where|if|that|which|who|because|and|or|but|so|than|considering|given|based|starting|called|named)\s)/gi
const ENDS_OPEN =
  /(?:[\s,;:–—-]+(?:and|or|but|so|to|of|for|with|at|in|by|from|on|a|an|the|my|our|your|their|his|her|its|is|are|was|were|be|been|that|which|this|these|it|too|though|lately|recently|right now|now|today|yesterday|tonight|tomorrow|again|please|you know|here|there|also|as well|how|what|when|if|i|i'm|we|not|very|really|just|where|why|who|about|into|using|as|than|some|any|including|like|because|will|would|can|could|have|has|had|do|does|did|should|more|most|both|such|me|you|up to|best|new|then|while|after|before|since|during))+[\s,;:–—-]*$/i
const EVALUATES =
  /^(.{8,}?) (?:(?:must(?:['’]ve| have) been|is|are|was|were|sounds?|looks?|seems?|feels?|went|has been)\b) (?:like |to be |indeed |such |so |really |quite |very |truly |super |just |absolutely |always |pretty |definitely )*(?:an? )?(?:great|nice|impressive|amazing|awesome|cool|fun|good|lovely|wonderful|fantastic|beautiful|incredible|exciting|interesting|tough|hard|challenging|rewarding|crazy|inspiring|perfect|powerful|key|crucial|important|essential|special|refreshing|relaxing|delicious|well|experience|idea|thing|step|choice)\b.*$/i
/** "What movies would you recommend for …", "How did the game go": what is asked stands before the verb. */
const ASKED_OF =
  /^(?:what|which) ((?:[\w'’-]+ ){1,4}?)(?:would|do|should|can|could|will) (?:you|i|we) (?:recommend|suggest|use|choose|pick|try|read|watch|buy|think of|have|need|want|like)\b ?/i
/** "How will the ban affect …": the question itself says what it is about. */
const QUESTION =
  /^(?:(?:how|why|when|where|who|(?:what|which)(?: [\w'-]+){0,4}?) )?(?:does|do|did|will|would|is|are|was|were|has|have|can|could|should) (?!(?:i|we|you|it|there|that|this|they|he|she|any|anyone|u)\b)/i
/** "I'm Ann", "I'm 46 and earning": who speaks, not what of. */
const INTRODUCES = /^(?:i['’]m|i am|my name(?: is|['’]s)) (?:\d|(?-i:\p{Lu}))/iu
/** A clause that only says more of what the one before it names. */
const SIDE_CLAUSE =
  /^(?:who|which|whose|where|since|because|although|though|while|like|as|especially|particularly|including|given|you know|after|before|with|if|when)\b/i
const MOST_CLAUSES = 6
const LONGEST_SENTENCE = 600

/** Grammar in front of the matter of a Chinese clause. */
const CHINESE_FRONT =
  /^(?:我们?|咱们?|自己|你们?|您|请问|请|麻烦|帮忙|帮(?:我|忙)?|给我(?=一|推|讲|说|介|列|写)|能不能|可不可以|可以|能否|能|有没有|是不是|是否|想要?|打算|准备|计划|希望|需要|觉得|感觉|认为|发现|担心|考虑|听说|记得|知道|了解|请教|咨询|问问?|聊聊|聊一?下|聊|谈谈|说说|看看|听听|(?:方法|办法)(?=能|可以)|分享|确认|探讨|讨论|交流|最近|近期|刚刚|刚才|刚|正在|正|一直|今天|今晚|昨天|昨晚|现在|目前|这几天|这两天|早上|上午|中午|下午|晚上|傍晚|终于|总算|有点儿?|有些|突然|其实|还是|还|也|都|就|又|再|才|先|一下|一会儿?|如何|怎么样?|怎样|什么是|什么|为什么|关于|对于|针对|在想|在(?=准备|考虑|做|规划|写|学|找|构思|筹|研究|整理)|得(?=准备|去)|要|该|应该|到底|个|呢|你能|你觉得|跟你|和你|向你|与你|让我|特意|顺便|原本|本来|所以|然后|而且|但是?|不过|那么?)/u
const CHINESE_BACK =
  /(?:了|吧|呢|吗|啊|呀|哦|啦|的|嘛|一下|怎么办|怎么样|如何|什么的?|是什么|好不好|对吧|对吗|有哪些|吗)$/u
const CHINESE_BREAK = /[，,；;：:。！!？?～…]|\s—+\s|——/u
const FEWEST_HAN = 4
const MOST_HAN = 30

/** A phrase that could be a title, and whether its clause asks for something. */
export interface Topic {
  readonly title: string
  readonly asks: boolean
}

/** Phrases that could name what a sentence is about, in the order they are said; each at most TITLE_CHARACTERS. */
export function topicsOf(sentence: string): readonly Topic[] {
  const text = withoutLead(sentence.slice(0, LONGEST_SENTENCE)).replace(/\s*\([^)]{0,200}\)/g, '')
  return isHan(text) ? chineseTopics(text) : englishTopics(text.replace(/[’‘]/g, "'"))
}

function englishTopics(text: string): readonly Topic[] {
  const topics: Topic[] = []
  let start = 0
  for (const end of [...clauseEnds(text).slice(0, MOST_CLAUSES - 1), text.length]) {
    const clause = text.slice(start, end).replace(/^[\s,;–—-]+/, '')
    const topic = start > 0 && SIDE_CLAUSE.test(clause) ? null : englishTopic(clause)
    if (topic !== null) topics.push({ title: topic, asks: false })
    start = end
  }
  return topics
}

function englishTopic(clause: string): string | null {
  const bare = withoutLead(clause)
    .replace(/^(?:because|since|although|though|while|whereas|considering|given|especially|if|when|as) /i, '')
    .replace(/[\s.!?,;:…]+$/, '')
    .trim()
  if (QUESTION.test(bare) && characterCount(bare) < TITLE_CHARACTERS)
    return `${bare[0]!.toUpperCase()}${bare.slice(1)}?`
  if (INTRODUCES.test(bare)) return null
  const asked = bare.replace(ASKED_OF, '$1')
  const list = asked.split(' ')
  let at = asked === bare ? matterAt(list) : 0
  while (at > 0 && at < list.length && /^(?:the|a|an|my|our)$/i.test(list[at - 1]!)) at--
  const matter = list
    .slice(at)
    .join(' ')
    .replace(EMPTY_NOUN, '')
    .replace(/^(?:a|an|the|my|our|your|this|that|some|any|his|her|their) /i, '')
  const named = withoutOpenEnd(matter.replace(EVALUATES, '$1'))
  const short = characterCount(named) <= TITLE_CHARACTERS ? named : shortened(named)
  if (short === null || !/^["“'‘]?[\p{L}\p{N}$#./@]/u.test(short)) return null
  return /^\p{Ll}[\p{Ll}'-]*(?:\s|$)/u.test(short) ? short[0]!.toUpperCase() + short.slice(1) : short
}

/** The first word of the matter. */
function matterAt(list: readonly string[]): number {
  let at = 0
  while (at < list.length) {
    const word = list[at]!.toLowerCase().replace(/[,.!?;:]+$/, '')
    if (!(SUBJECTS.has(word) || AUXILIARIES.has(word) || HEDGES.has(word) || ATTITUDES.has(word))) break
    at++
  }
  return at
}

function withoutOpenEnd(text: string): string {
  const bare = text.replace(/[\s.!?,;:…–—-]+$/, '')
  const rest = bare.replace(ENDS_OPEN, '')
  return rest.length >= 3 ? rest : bare
}

/** Ended before the last addition that leaves it short enough; null where there is none. */
function shortened(text: string): string | null {
  const ends = [...text.slice(0, TITLE_CHARACTERS + 8).matchAll(ADDS)].map(({ index }) => index)
  const commas = [...text.slice(0, TITLE_CHARACTERS + 1).matchAll(/,\s/g)].map(({ index }) => index)
  for (const end of [...ends, ...commas].sort((a, b) => b - a)) {
    const piece = withoutOpenEnd(text.slice(0, end).replace(/ (?:and|or) [\w'-]+$/, ''))
    if (characterCount(piece) <= TITLE_CHARACTERS && piece.includes(' ') && isClosed(piece)) return piece
  }
  return null
}

function isClosed(text: string): boolean {
  return (text.split('"').length - 1) % 2 === 0 && text.split('(').length === text.split(')').length
}

const CHINESE_ASKS = /想(?=请|问|了解|咨询|找|把|学|给|规划|买|做|请教)|咨询|请教|帮我|怎么|如何|有没有|建议/u

function chineseTopics(text: string): readonly Topic[] {
  return text
    .split(CHINESE_BREAK)
    .slice(0, 2 * MOST_CLAUSES)
    .flatMap((clause) => {
      if (/^(?:虽然|尽管|因为|由于|除了|比如|例如)/u.test(clause.trim())) return []
      let topic = clause.trim()
      for (let rest = topic.replace(CHINESE_FRONT, ''); rest !== topic; rest = topic.replace(CHINESE_FRONT, ''))
        topic = rest.trim()
      const back = topic.includes('把') ? /一下$/u : CHINESE_BACK
      for (let rest = topic.replace(back, ''); rest !== topic; rest = topic.replace(back, '')) topic = rest.trim()
      const count = characterCount(topic)
      const isBalanced = ['《》', '“”', '‘’', '「」', '（）'].every(
        ([a, b]) => topic.split(a!).length === topic.split(b!).length,
      )
      return count >= FEWEST_HAN && count <= MOST_HAN && isBalanced
        ? [{ title: topic, asks: CHINESE_ASKS.test(clause) }]
        : []
    })
}
