/**
 * How does the writer feel? Words of feeling have a strength, which denials and neighbours change; others' feelings, past
 * and supposed ones, code and quotations do not count.
 */
import { splitSentences } from '../../language/sentences.ts'
import { FIRST_PERSON, peopleOf } from '../facts/people.ts'
import { asks, cuesOf, tellsOfPast } from '../facts/stance-cues.ts'
import { proseOf } from '../summarizer/prose.ts'
import { EMOTIONS, type Emotion } from './types.ts'

type Feeling = Exclude<Emotion, 'neutral'>

/**
 * `word:strength`, the strength is 1 when not said; longer phrases are looked for first. A star marks what happens: whose
 * death it is, and whether the writer asks why, says nothing against the feeling.
 */
const EMOTION_WORDS: Readonly<Record<Feeling, string>> = {
  happy: `happy:2|glad|pleased|delighted:2|relieved:2|content|cheerful|enjoyed|lovely|wonderful:2|proud:2|smiling|good news|made my day:3|love it:2|so good|feels great:2|worked!|finally works:2|开心:2|高兴:2|快乐:2|幸福:2|欣慰:2|满意|太好了:2|真好|不错|松了口气:2|松一口气:2|好消息|成功了|终于好了:2|终于搞定:2|心情很好:2|心情不错|美滋滋|舒服多了|哈哈|嘻嘻|😊:2|😄:2|🙂|😁:2`,
  excited: `excited:3|can't wait:3|cannot wait:3|thrilled:3|pumped:2|stoked:3|amazing:2|awesome:2|fantastic:2|incredible:2|woohoo:3|yay:2|hooray:3|hyped:2|over the moon:3|we won:2|i got the job:3|激动:3|兴奋:3|太棒了:3|太酷了:2|期待:2|迫不及待:3|等不及:2|好耶:3|万岁:3|牛啊:2|冲鸭:2|我中了:2|录取了:2|🎉:3|🥳:3|🤩:3`,
  grateful: `thank you so much:3|thanks a lot:2|thanks so much:3|many thanks:2|grateful:3|appreciate it:2|appreciate:2|you saved me:3|lifesaver:3|owe you:2|太感谢:3|非常感谢:3|感激:3|多谢:2|谢谢你:2|感谢:2|帮了大忙:3|辛苦了|🙏:2`,
  frustrated: `frustrated:3|frustrating:3|annoyed:2|annoying:2|ugh:2|argh:2|stuck:2|fed up:3|sick of:3|still doesn't work:3*|still not working:3*|doesn't work:2*|not working:2*|keeps failing:3*|keeps crashing:3*|again and again:2|waste of time:3|for hours:2|nothing works:3*|give up:2|driving me crazy:3|driving me nuts:3|pain in the:2|ridiculous:2|烦:2|好烦:3|烦死了:3|烦人:2|郁闷:3|崩溃:3|无语:2|受不了:3|折腾:2|搞不定:2|还是不行:3*|又报错:3*|又失败:3*|又崩:3*|老是报错:3*|一直报错:3*|没用:1|抓狂:3|头大:2|心累:3|白费:2|浪费时间:3|搞了半天:2|服了:2|真是的|😤:2|😩:2|🙄:2`,
  angry: `angry:3|mad:2|furious:3|pissed off:3|mad at:3|outraged:3|hate this:3|i hate:2|how dare:3|unacceptable:3|livid:3|damn:2|wtf:3|bullshit:3|scammed:2|lied to me:3|rude:2|生气:3|愤怒:3|气死:3|气炸:3|气疯:3|气坏:3|火大:3|恼火:3|可恶:2|混蛋:3|太过分:3|凭什么:2|岂有此理:3|妈的:3|他妈:3|忍无可忍:3|骗子:2|欺负:2|😡:3|🤬:3`,
  sad: `sad:2|unhappy:2|heartbroken:3|depressed:3|crying:3|cried:2|in tears:3|miss him:2|miss her:2|miss them:2|lonely:3|hopeless:3|grief:3|grieving:3|passed away:3*|died:2*|lost my:1|funeral:2*|devastated:3|disappointed:2|broke up:2|feeling down:3|feel down:3|feeling low:3|hurts so much:2|难过:3|伤心:3|悲伤:3|哭了:3|想哭:3|大哭:3|失落:2|沮丧:3|孤独:3|寂寞:2|绝望:3|心碎:3|去世:3*|走了以后:1|分手:2|失恋:3|失望:2|低落:3|想念:2|委屈:2|难受:2|😢:3|😭:2|💔:3`,
  anxious: `anxious:3|nervous:3|worried:3|worry:2|worrying:2|scared:3|afraid:3|terrified:3|stressed:3|stressful:2|panic:3|panicking:3|overwhelmed:3|freaking out:3|uneasy:2|dread:2|dreading:3|can't sleep:2|pressure:1|担心:3|焦虑:3|紧张:3|害怕:3|不安:2|着急:2|急死:3|慌:2|压力大:3|压力很大:3|压力好大:3|恐慌:3|发愁:2|忐忑:3|睡不着:2|怕来不及:3|来不及了:2|怎么办啊:2|😰:3|😟:2|😨:3`,
  confused: `confused:3|confusing:2|don't understand:2|do not understand:2|don't get it:3|makes no sense:3|no idea:2|baffled:3|puzzled:3|lost here:2|what does that mean:1|困惑:3|迷茫:3|搞不懂:3|不明白:2|没看懂:3|看不懂:2|一头雾水:3|懵:3|搞不清:2|糊涂:2|纳闷:2|莫名其妙:2|🤔:1|😕:2`,
  tired: `tired:3|exhausted:3|sleepy:2|worn out:3|burned out:3|burnt out:3|drained:3|knackered:3|no energy:3|need sleep:2|累:2|好累:3|累死:3|疲惫:3|疲倦:3|困死:3|好困:3|熬夜:1|没精神:2|筋疲力尽:3|精疲力尽:3|乏了:2|🥱:3|😴:2`,
}

/** Denials: they turn a feeling around when they stand just before it. */
const DENIAL =
  /(?:\b(?:not|no|never|no longer|isn['’]?t|wasn['’]?t|aren['’]?t|don['’]?t|didn['’]?t|doesn['’]?t|hardly|without|nothing to be|stop being)(?:\s{1,40}(?:so|very|really|too|that|at all|be|being|feel|feeling|even|all that|particularly|get|getting)){0,2}\s{0,40}|(?:不|没有?|不再|不会|不用|(?<![特分个区级告])别|并不|并没有?|不怎么|不太|不算|一点[都也]不)(?:很|太|那么|这么|感到|觉得|怎么|用|要|是)?)$/i

/** Words that make a feeling stronger, before or behind it. */
const STRONGER_BEFORE =
  /(?:\b(?:so|very|really|extremely|absolutely|totally|super|incredibly|fucking|damn|such a|too|deeply)\s{1,40}|(?:很|太|好|非常|特别|超级?|真的?|极其|十分|实在|越来越|尤其))$/i
const STRONGER_BEHIND =
  /^(?:\s*(?:!{1,}|！+|as hell|to death|beyond)|(?:死了|极了|坏了|透了|得不行|得要命|得很|到爆|到不行))/i
/** Words that make a feeling weaker. */
const WEAKER_BEFORE =
  /(?:\b(?:a bit|a little|slightly|somewhat|kind of|kinda|sort of|mildly)\s{1,40}|(?:有点儿?|有些|一点|稍微|略微?))$/i

/** Characters of a message that are read, and those looked at before a word. */
const CHARACTERS_READ = 4000
const LOOKED_BACK = 40
/** A feeling below this strength is too faint to be named. */
const LEAST_STRENGTH = 1.5
const STRONGER = 1.5
const WEAKER = 0.75

interface FeelingWord {
  readonly emotion: Emotion
  readonly strength: number
  /** Whether it tells what happens, and not what somebody feels. */
  readonly happens: boolean
}

const WORDS = new Map<string, FeelingWord>()
for (const emotion of EMOTIONS) {
  if (emotion === 'neutral') continue
  for (const entry of EMOTION_WORDS[emotion].split('|')) {
    const [word = '', strength = '1'] = entry.split(':')
    WORDS.set(word, { emotion, strength: Number.parseInt(strength, 10), happens: strength.endsWith('*') })
  }
}
const PATTERN = new RegExp(
  [...WORDS.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => {
      const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "['’]?")
      return `${/^[a-z]/.test(word) ? '\\b' : ''}${escaped}${/[a-z]$/.test(word) ? '\\b' : ''}`
    })
    .join('|'),
  'giu',
)

/** The text with a comma in the place of every word of feeling: how somebody feels is no topic. */
export function withoutFeelings(text: string): string {
  return text.replace(PATTERN, ',')
}

/** The strongest feeling of a message, `neutral` when it shows none. */
export function emotionOf(message: string): Emotion {
  const text = proseOf(message, CHARACTERS_READ).replace(/["“「『][^"”」』\n]{0,200}["”」』]/g, ' ')
  const strengths = new Map<Emotion, number>()
  for (const sentence of splitSentences(text))
    for (const match of sentence.matchAll(PATTERN)) {
      const word = WORDS.get(match[0].toLowerCase().replaceAll('’', "'")) ?? WORDS.get(restored(match[0]))
      if (word === undefined) continue
      const strength = strengthAt(sentence, match.index, match.index + match[0].length, word)
      if (strength > 0) strengths.set(word.emotion, (strengths.get(word.emotion) ?? 0) + strength)
    }
  let strongest: Emotion = 'neutral'
  let most = LEAST_STRENGTH
  for (const emotion of EMOTIONS) {
    const strength = strengths.get(emotion) ?? 0
    if (strength > most || (strength === most && strongest === 'neutral')) [strongest, most] = [emotion, strength]
  }
  return strongest
}

function strengthAt(text: string, start: number, end: number, { strength, happens }: FeelingWord): number {
  const clause = text
    .slice(Math.max(0, start - LOOKED_BACK), start)
    .split(/[,.;!?，。；！？\n]/)
    .at(-1)!
  if (!isFelt(text, start, happens)) return 0
  const bare = clause.replace(STRONGER_BEFORE, '').replace(WEAKER_BEFORE, '')
  // The feeling instead of "not happy" is not guessed.
  if (DENIAL.test(clause) || DENIAL.test(bare)) return 0
  let value = strength
  if (STRONGER_BEFORE.test(clause) || STRONGER_BEHIND.test(text.slice(end))) value *= STRONGER
  if (WEAKER_BEFORE.test(clause)) value *= WEAKER
  return value
}

/** "He makes me angry", 他让我很生气. */
const MOVES_ME = /\bme\b|[让使令叫害得把]我/i

/** Whether the writer feels it now: a question without "I" asks about a feeling, and shows none. */
function isFelt(sentence: string, at: number, happens: boolean): boolean {
  let from = 0
  const clause = peopleOf(sentence).clauses.find(({ text }) => {
    from = sentence.indexOf(text, from) + text.length
    return from > at
  })
  if (clause === undefined) return true
  const { text, subjects } = clause
  const isAnothers = !subjects.has('user') && !MOVES_ME.test(sentence.slice(0, at))
  if (!happens && (isAnothers || (asks(sentence) && !FIRST_PERSON.test(sentence)))) return false
  const beside = withoutFeelings(text)
  return !cuesOf(beside).unreal && !tellsOfPast(beside)
}

/** "dont understand" is written in the list with its apostrophe. */
function restored(word: string): string {
  return word.toLowerCase().replace(/\b(don|can|doesn|isn)t\b/g, "$1't")
}
