/** ConversationAnalyzer without a model: topic, variables and emotion for working memory, well under a millisecond a turn. */
import { lazy } from '../../domain/scheduling.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import type { SymbolKind } from '../../domain/turn.ts'
import { chineseWords, hasHan } from '../../language/character-class.ts'
import { splitSentences } from '../../language/sentences.ts'
import { spelledOut } from '../../language/spelling.ts'
import { extractSymbols } from '../../language/symbols/symbols.ts'
import { ENGLISH_STOP_WORDS, wordTable } from '../../language/word-lists.ts'
import { clausesOf } from '../facts/clauses.ts'
import { FIRST_PERSON, peopleOf } from '../facts/people.ts'
import { asks, cuesOf, tellsOfPast } from '../facts/stance-cues.ts'
import { proseOf, withoutSecretsIn } from '../summarizer/prose.ts'
import type { Said } from '../topic/title-spans.ts'
import { topicOf } from '../topic/topic.ts'
import { tellingWords } from '../topic/word-rarity.ts'
import { normalizedText } from '../write-decision/word-meanings.ts'

/** The emotions that are told apart; a model may answer nothing else. */
export const EMOTIONS = [
  'neutral',
  'happy',
  'excited',
  'grateful',
  'frustrated',
  'angry',
  'sad',
  'anxious',
  'confused',
  'tired',
] as const
/** An emotion out of EMOTIONS. */
export type Emotion = (typeof EMOTIONS)[number]

/** The analysis that goes into working memory. */
export interface ConversationAnalysis {
  /** A short phrase in the user's language, at most TOPIC_CHARACTERS; null when the turns name no topic. */
  readonly topic: string | null
  /** Names in snake_case: language, framework, project, file, error, symbol … with the value named last. */
  readonly contextVariables: Readonly<Record<string, unknown>>
  /** The emotion of the user's last message; null where the user said nothing. */
  readonly emotion: Emotion | null
}

/** Longest topic. */
export const TOPIC_CHARACTERS = 60

/** Denials: they turn a feeling around when they stand just before it. */
const DENIAL =
  /(?:\b(?:not|no|never|neither|nor|no longer|isn['’]?t|wasn['’]?t|aren['’]?t|don['’]?t|didn['’]?t|doesn['’]?t|wouldn['’]?t|hardly|without|nothing to be|stop being)(?:\s{1,40}(?:so|very|too|that|at all|be|being|feel|feeling|even|all|like|say|i['’]?m|i am|get|getting|[a-z]{2,12}ly)){0,4}\s{0,40}|(?:不|没有?|不再|不会|不用|(?<![特分个区级告])别|并不|并没有?|不怎么|不太|不算|一点[都也]不|[谈算]不上)(?:用|要|(?:是|在|是在|感到|觉得)?(?:很|太|特别|非常|十分|那么|这么|怎么|真的?)?))$/i

/** An order to write or draw, whose feelings are those of what is made, or a manner to write in. */
const MAKES =
  /^\W{0,5}(?:(?:please|now|can|could|would|you|help me)\W{1,3}){0,4}(?:(?:re)?write|draft|compose|translate|generate|rephrase|make up|invent|draw|paint)\b|^(?:(?:[请你您再先]|麻烦|能不能|可以){1,3}(?:[帮给替为]我们?)?|[帮给替为]我们?)[再先来]{0,2}(?:写|编|创作|起草|翻译|改写|仿写|画|拟)(?![^，。]{0,5}[得了完])|^(?:[来再]{0,2}(?:写|编|画|拟)[出下]?(?=[一两几个段封首篇份句点张幅])|翻译)|用[^，。]{1,12}(?:语气|口吻|口气|笔调)/i
/** What a relative clause tells of others: "a scene where the hero is furious". */
const OF_OTHERS = /(?<!\bone )\b(?:where|in which|who|whose)\b(?![^,.;]{0,60}\b(?:i|me|we|us|my)\b)[^,.;]{0,60}$/i

/** Characters of a message that are read, and those looked at before a word. */
const EMOTION_CHARACTERS = 4000
const LOOKED_BACK = 40
/** Characters before a word in which a relative clause begins. */
const OTHERS_BACK = 80
/** A feeling below this strength is too faint to be named. */
const LEAST_STRENGTH = 1.5
/** How much less what happens counts than what somebody says to feel. */
const LESS = 0.25

/** Words before a feeling that somebody has: "I am pretty sad today", 最难过的一天; "sad songs" and 愤怒的小鸟 have none. */
const FELT_BEFORE =
  /(?:\b(?:am|is|are|was|were|be|been|being|i['’]?m|we['’]?re|feel(?:s|ing)?|felt|get|gets|got|getting|so|very|too|such|me|us|and|or)\s(?:(?!an?\s|the\s|my\s)[\w'’]{1,20}\s){0,2}|[我们最很好更真太别么得又较])$/i
/** The thing that the word before describes. */
const THING_AFTER = /^(?:\s(\p{Script=Latin}[\p{L}-]{1,40})|的(?!不?是|时|话)\p{Script=Han})/u

interface FeelingWord {
  readonly emotion: string
  readonly strength: number
  /** Whether it may describe a thing and still tell how the writer feels, as "lovely" does, or is no adjective. */
  readonly ofThings: boolean
  /** Whether it tells what happens, and not what somebody feels. */
  readonly happens: boolean
}

/** The words of `data/words/emotions.txt`, and one pattern of them, longer phrases first. */
const feelings = lazy(() => {
  const words = new Map(
    wordTable('emotions').flatMap((line) => {
      const [emotion = '', ...entries] = line.split('|')
      return entries.map((entry): [string, FeelingWord] => {
        const [word = '', strength = '1'] = entry.split(':')
        const [happens, ofThings] = [strength.includes('*'), strength.includes('~')]
        return [word, { emotion, strength: Number.parseInt(strength, 10) - (happens ? LESS : 0), happens, ofThings }]
      })
    }),
  )
  const sources = [...words.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => `${/^[a-z]/.test(word) ? '\\b' : ''}${RegExp.escape(word)}${/[a-z]$/.test(word) ? '\\b' : ''}`)
  return { words, pattern: new RegExp(sources.join('|'), 'giu') }
})

/** The text with a comma in the place of every word of feeling. */
function withoutFeelings(text: string): string {
  return text.replace(feelings().pattern, ',')
}

/** The clauses that tell more than how somebody feels; a clause with a feeling only where no other one is left. */
function besideFeelings(sentence: string): readonly string[] {
  const clauses = clausesOf(sentence)
  const [told, felt] = [clauses.filter((one) => withoutFeelings(one) === one), withoutFeelings(sentence)]
  if (told.length === clauses.length) return [sentence]
  return told.length > 0 ? told : tellingWords(felt).length > 0 ? [sentence] : []
}

/** How much somebody feels, between the verb and its word: "I feel really down". */
const DEGREE = /(?<=\bfe(?:el|els|eling|lt) )(?:really|so|very|quite|pretty|rather|a (?:bit|little)) /gi

/** The strongest feeling of a message, `neutral` when it shows none. */
export function emotionOf(message: string): Emotion {
  const written = spelledOut(proseOf(message, EMOTION_CHARACTERS)).replaceAll('’', "'")
  const prose = written.replace(DEGREE, '').replace(/\p{Script=Han}{1,400}/gu, normalizedText)
  const strengths = new Map<string, number>()
  for (const sentence of splitSentences(prose.replace(/["“「『《][^"”」』》\n]{0,200}["”」』》]/g, ' '))) {
    const [beginsWord, isFelt] = [wordBeginnings(sentence), feltIn(sentence)]
    for (const { 0: said, index } of sentence.matchAll(feelings().pattern)) {
      const { emotion, strength, happens, ofThings } = feelings().words.get(said.toLowerCase())!
      const isOfThing = !ofThings && !said.includes(' ') && describes(sentence, index, index + said.length)
      // The feeling instead of "not happy" is not guessed.
      const isOfOthers = !ofThings && OF_OTHERS.test(sentence.slice(Math.max(0, index - OTHERS_BACK), index))
      if (beginsWord(index) && !isOfThing && !isOfOthers && isFelt(index, happens) && !isDenied(sentence, index))
        strengths.set(emotion, (strengths.get(emotion) ?? 0) + strength)
    }
  }
  let strongest: Emotion = 'neutral'
  for (const emotion of EMOTIONS)
    if ((strengths.get(emotion) ?? 0) > (strengths.get(strongest) ?? LEAST_STRENGTH)) strongest = emotion
  return strongest
}

/** Whether a Chinese word begins at a place, unlike 气炸 in 空气炸锅 and 烦 in 麻烦. */
function wordBeginnings(sentence: string): (at: number) => boolean {
  const places = lazy(() => {
    const begins = new Set<number>()
    let place = 0
    for (const word of chineseWords(sentence)) {
      begins.add(place)
      place += word.length
    }
    return begins
  })
  return (at) => !hasHan(sentence[at]!) || places().has(at)
}

/** Whether a feeling is said of the thing after it, as in "angry birds": then it is nobody's. */
function describes(sentence: string, from: number, to: number): boolean {
  const after = THING_AFTER.exec(sentence.slice(to, to + LOOKED_BACK))
  if (after === null || ENGLISH_STOP_WORDS.has(after[1]?.toLowerCase() ?? '')) return false
  return !FELT_BEFORE.test(sentence.slice(Math.max(0, from - LOOKED_BACK), from))
}

function isDenied(sentence: string, at: number): boolean {
  const before = sentence.slice(Math.max(0, at - LOOKED_BACK), at)
  return DENIAL.test(before.split(/[,.;!?，。；！？]/).at(-1)!)
}

/** "He makes me angry", 他让我很生气. */
const MOVES_ME = /\bme\b|[让使令叫害得把]我/i

/** A question behind what is told: "Really angry, why does it fail again?", 特别生气，怎么又失败了. */
const ASKS_REASON = /[,，;；]\s?(?:怎么|为什么|为啥|why\b|how come\b)/i

/** Whether the writer feels it now: a question without "I" asks about a feeling, and shows none. */
function feltIn(sentence: string): (at: number, happens: boolean) => boolean {
  const read = lazy(() => {
    let to = 0
    const clauses = peopleOf(sentence).clauses.map(({ text, subjects }) => {
      to = sentence.indexOf(text, to) + text.length
      const beside = withoutFeelings(text)
      return {
        to,
        isOwn: subjects.has('user') && !MAKES.test(text),
        isNow: !cuesOf(beside).unreal && !tellsOfPast(beside),
      }
    })
    const moves = MOVES_ME.exec(sentence)
    const told = sentence.slice(0, ASKS_REASON.exec(sentence)?.index ?? 0)
    const isAsked = asks(sentence) && !FIRST_PERSON.test(sentence)
    const colon = MAKES.test(sentence) ? sentence.search(/[:：]/) : -1
    return {
      clauses,
      movesFrom: moves === null ? Number.POSITIVE_INFINITY : moves.index + moves[0].length,
      askedFrom: colon >= 0 ? colon : !isAsked ? Number.POSITIVE_INFINITY : asks(told) ? 0 : told.length,
    }
  })
  return (at, happens) => {
    const { clauses, movesFrom, askedFrom } = read()
    const clause = clauses.find(({ to }) => to > at)
    if (clause === undefined) return true
    if (!happens && ((!clause.isOwn && movesFrom > at) || at >= askedFrom)) return false
    return clause.isNow
  }
}

const VARIABLES_TURNS = 6
const VARIABLES_CHARACTERS = 6000
const LONGEST_VALUE = 120

/** Names of languages as people type them; one with another meaning needs its exact spelling. */
const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/\btypescript\b|\.tsx?\b|```tsx?\b/i, 'TypeScript'],
  [/\bjavascript\b|\.jsx?\b|```jsx?\b|\bnode\.?js\b/i, 'JavaScript'],
  [/\bpython\d?\b|\.py\b|```py(?:thon)?\b/i, 'Python'],
  [/\bjava\b(?!\s{0,40}script)|\.java\b|```java\b/i, 'Java'],
  [/\bkotlin\b|\.kt\b/i, 'Kotlin'],
  [
    /\brust(?:lang)?\b(?= |[^\w]|$)(?=.{0,200}\b(?:cargo|crate|borrow|trait|code|program|compil|language|async|rustc|tokio|lifetime)|[\s\S]{0,200}\bin rust\b)|\.rs\b|```rust\b|\bcargo\b|用\s?rust/i,
    'Rust',
  ],
  [/\bgolang\b|\.go\b|```go\b|\bin Go\b|用\s?[Gg]o(?![a-z])|\bgoroutine/, 'Go'],
  [/\bc\+\+|\.cpp\b|\.hpp\b|```cpp\b/i, 'C++'],
  [/\bc#|\.cs\b|```csharp\b|\bdotnet\b/i, 'C#'],
  [/\bruby\b|\.rb\b|```ruby\b/i, 'Ruby'],
  [/\bphp\b|```php\b/i, 'PHP'],
  [/\bswift(?:ui)?\b(?=[\s\S]{0,200}\b(?:ios|xcode|apple|app)\b)|\.swift\b|```swift\b/i, 'Swift'],
  [/\bscala\b|\.scala\b/i, 'Scala'],
  [/\bsql\b|```sql\b/i, 'SQL'],
  [/\b(?:bash|shell script|zsh)\b|\.sh\b|```(?:ba)?sh\b/i, 'Shell'],
]
const FRAMEWORKS =
  /\b(React|Vue|Angular|Svelte|Next\.js|Nuxt|Django|Flask|FastAPI|Spring Boot|Spring|Express|NestJS|Rails|Laravel|PyTorch|TensorFlow|Pandas|NumPy|Kubernetes|Docker|Terraform|PostgreSQL|Postgres|MySQL|SQLite|MongoDB|Redis|Kafka|RabbitMQ|Elasticsearch|GraphQL|gRPC|Vite|Webpack|Jest|Vitest|pytest|Tailwind|Flutter|Electron|Unity|Unreal|Hadoop|Spark|Airflow|Milvus)\b/gi
/** Words of every day, too: a framework only where something else speaks of programs. */
const EVERYDAY = /^(?:spring|express|flask|rails|unity|unreal|electron|flutter|jest|spark|react|angular)$/i
const OF_PROGRAMS =
  /\b(?:apps?|apis?|servers?|backend|frontend|code|deploy\w{0,40}|tests?|components?|modules?|imports?|framework|controllers?|endpoints?|database|clusters?|migrat\w{1,40}|services?|hooks?|builds?|bugs?|queries|query|repo|project|version)\b|后端|前端|框架|接口|代码|项目|部署|版本|服务|组件/i
const PROJECT =
  /\b(?:project|repo|repository|codebase)\s{1,40}(?:is\s{1,40})?(?:called\s{1,40}|named\s{1,40})?["“`']?([A-Z][\w.-]{1,40}|[a-z][\w]{0,40}[-_.][\w.-]{1,40})["”`']?|\b(?:the|my|our)\s{1,40}["“`']?([A-Za-z][\w.-]{1,40})["”`']?\s{1,40}(?:project|repo|repository|codebase)\b|(?:项目|仓库|工程)(?:叫做?|名叫|名称是|名是|是)\s{0,40}["“「《]?([\w.-]{2,40}|[\p{Script=Han}]{2,12}?)["”」》]?(?=[，。,.\s]|$)|["“「《]?([\w.-]{2,40})["”」》]?\s{0,40}(?:这个)?(?:项目|仓库|工程)/giu
const NOT_A_PROJECT =
  /^(?:same|whole|entire|new|old|other|current|this|that|open|side|main|first|next|small|big|git|pet|home)$/i
const SYMBOL_NAMES: Readonly<Record<SymbolKind, string>> = {
  path: 'file',
  error: 'error',
  class: 'class',
  function: 'function',
  variable: 'variable',
}

/** Values by snake_case name; the one that was named last counts. */
function contextVariablesOf(turns: readonly ThinkMessage[]): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {}
  for (const { role, content } of turns.slice(-VARIABLES_TURNS)) {
    if (role === 'system' || role === 'tool') continue
    const text = content.slice(0, VARIABLES_CHARACTERS)
    const language = LANGUAGES.map(([pattern, name]) => ({ name, at: text.search(pattern) }))
      .filter(({ at }) => at !== -1)
      .toSorted((a, b) => a.at - b.at)
      .at(0)
    if (language !== undefined) variables.language = language.name
    const framework = [...text.matchAll(FRAMEWORKS)]
      .map(([, name]) => name!)
      .filter((name) => !EVERYDAY.test(name) || OF_PROGRAMS.test(text))
      .at(-1)
    if (framework !== undefined) variables.framework = framework
    const project = [...text.matchAll(PROJECT)]
      .filter(namesProject)
      .map((match) => match.slice(1).find((name) => name !== undefined))
      .at(-1)
    if (project !== undefined && !NOT_A_PROJECT.test(project)) variables.project = project.replace(/[.\-_]{1,40}$/, '')
    for (const { symbol, kind } of extractSymbols(text))
      if (symbol.length <= LONGEST_VALUE) variables[SYMBOL_NAMES[kind]] = symbol
  }
  return variables
}

/** "This project uses …" names none: a plain word behind "project" is its name only where it is called so. */
function namesProject([said, after]: RegExpMatchArray): boolean {
  return after === undefined || /^[A-Z]|[-_.\d]/.test(after) || /\b(?:called|named)\b|["“`']/i.test(said)
}

const TURNS_READ = 8
/** The weight of each turn of the user before the last, against the next one; answers do not count. */
const FADING = 0.75
const CHARACTERS_READ = 600

/**
 * The topic of the conversation, the things worked with, and the user's feeling, without secrets. The `turns` come
 * oldest first.
 */
export function analyzeByRules(turns: readonly ThinkMessage[]): ConversationAnalysis {
  const recent = withoutSecretsIn(turns.slice(-TURNS_READ))
  const last = recent.findLast(({ role }) => role === 'user')
  return {
    topic: topicOf(saidIn(recent), TOPIC_CHARACTERS)?.parts[0] ?? null,
    contextVariables: contextVariablesOf(recent),
    emotion: last === undefined ? null : emotionOf(last.content),
  }
}

function saidIn(turns: readonly ThinkMessage[]): readonly Said[] {
  const newestFirst = turns.filter(({ role }) => role === 'user').toReversed()
  return newestFirst.flatMap(({ content }, turn) =>
    splitSentences(proseOf(content, CHARACTERS_READ))
      .flatMap(besideFeelings)
      .map((text) => ({ text, turn, weight: FADING ** turn, names: true })),
  )
}
