/**
 * Of whom does each clause speak, and how: being, having, habit, past, future, possibility? Read from a clause's first
 * words and from every "I" and "my", so that "my sister lives" is not "I live".
 */
import { type MeaningTable, meaningMask } from './meaning.ts'

/** The subjects, in the order of the weights. */
const SUBJECTS = ['self', 'we', 'thing', 'kin', 'pet', 'third', 'you', 'it', 'dropped'] as const
/** A name out of SUBJECTS. */
type Subject = (typeof SUBJECTS)[number]

/** How it is said. */
const MANNERS = [
  'is a',
  'is so',
  'is at',
  'is doing',
  'was',
  'has',
  'has done',
  'has been',
  'did',
  'used to',
  'does',
  'does not',
  'likes',
  'can',
  'might',
  'will',
  'wants',
  'thinks',
  'must',
  'nothing',
] as const
/** A name out of MANNERS. */
type Manner = (typeof MANNERS)[number]

/**
 * A clause as its reader sees it: words `start` to `end` of a text, and the meanings that begin at each word, a row
 * each.
 */
interface Clause {
  readonly words: readonly string[]
  readonly start: number
  /** The first word behind the clause. */
  readonly end: number
  readonly meanings: MeaningTable
}

/** Takes the findings of a reader. */
type Tell = (subject: Subject, manner: Manner) => void

/** A set of the words of a list. */
function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

const KIN = meaningMask('kin', 'acquaintance')
const PET = meaningMask('pet')

/** The frames of a clause around a predicate. */
const FRAMES = ['plain', 'supposed', 'asked', 'passing', 'lasting'] as const

/** How many different features there are. */
export const PREDICATES = SUBJECTS.length * MANNERS.length * FRAMES.length

const HAN = /[\u3400-\u9fff]/
const SUPPOSED = meaningMask('suppose', 'perhaps', 'hearsay', 'fiction')
const ASKED = meaningMask('ask', 'particle', 'task', 'request')
const PASSING = meaningMask('passing', 'future', 'past', 'planned', 'happened', 'once', 'date')
const LASTING = meaningMask('frequency', 'since', 'onwards', 'rule')

/**
 * Numbers of the features of a text, from the `meanings` that begin at each word and the `clauseMeanings` of each
 * clause.
 */
export function predicatesOf(
  list: readonly string[],
  clauses: readonly number[],
  meanings: MeaningTable,
  clauseMeanings: MeaningTable,
  add: (feature: number) => void,
): void {
  const tell = (clause: number, subject: Subject, manner: Manner): void => {
    const pair = SUBJECTS.indexOf(subject) * MANNERS.length + MANNERS.indexOf(manner)
    let frame = 0
    if (clauseMeanings.hasAny(clause, SUPPOSED)) frame = 1
    else if (clauseMeanings.hasAny(clause, ASKED)) frame = 2
    else if (clauseMeanings.hasAny(clause, PASSING)) frame = 3
    else if (clauseMeanings.hasAny(clause, LASTING)) frame = 4
    add(pair * FRAMES.length + frame)
  }
  for (let start = 0; start < list.length; ) {
    const clause = clauses[start]!
    let end = start + 1
    while (end < list.length && clauses[end] === clause) end++
    const read = HAN.test(list[start]!) || HAN.test(list[end - 1]!) ? readHan : readLatin
    read({ words: list, start, end, meanings }, (subject, manner) => tell(clause, subject, manner))
    start = end
  }
}

/** Parts of Chinese clauses, tried in order. */
const HAN_MANNERS: readonly (readonly [RegExp, Manner])[] = [
  [/^.{0,6}(?:可能|也许|大概|或许|说不定|好像|似乎|恐怕|没准|估计)/, 'might'],
  [/^.{0,4}(?:觉得|感觉|认为|以为|知道|记得|怀疑|猜|听说|看到|发现)/, 'thinks'],
  [/^.{0,5}(?:想|打算|计划|希望|考虑|琢磨|盼)/, 'wants'],
  [/^.{0,6}(?:准备|将|就要|快要|要去|要来|会去|要(?!求|么|是|命|好))/, 'will'],
  [/^.{0,4}(?:必须|得|只能|不能|不可以|一定)/, 'must'],
  [/^.{0,4}(?:以前|从前|过去|曾经|原来|原先|小时候)/, 'used to'],
  [/^.{0,6}(?:喜欢|爱|偏好|讨厌|受不了|反感|习惯|宁可|宁愿|首选|嫌|怕)/, 'likes'],
  [/正在|正(?=[^常好确])|^.{0,6}在(?=[写看做查学搞弄等忙赶准调改修练找跑装])|[^\s]着呢/, 'is doing'],
  [/^.{0,5}(?:没|未)/, 'did'],
  [/刚|[了过]$|[了过](?=[一两三几个半\d的我你他她它])|了.{0,6}$/, 'did'],
  [/^.{0,5}(?:不|从不|从来不|绝不)/, 'does not'],
  [/^.{0,4}(?:是|叫|姓|属|算|名叫)/, 'is a'],
  [/^.{0,4}(?:有|养|拥有|带着)/, 'has'],
  [/^.{0,4}(?:住|在|来自|位于)/, 'is at'],
  [/^.{0,4}(?:会|能|可以|懂)/, 'can'],
  [/^[^\s]{0,3}[很太好真挺更最](?=.)/, 'is so'],
]
const HAN_SELF = wordSet('我 俺 咱 偶')
const HAN_THIRD = wordSet('他 她 佢 它')
const HAN_YOU = wordSet('你 您')
const HAN_TITLE = /^(?:[小老阿大][\u3400-\u9fff]|[\u3400-\u9fff][婶叔哥姐嫂姨伯爷奶总工姑舅])/

const SKIPPED_HAN = meaningMask(
  'date',
  'clock',
  'passing',
  'past',
  'frequency',
  'correction',
  'fragment',
  'future',
  'since',
)

/** Tells of the subject of the clause. */
function readHan({ words: list, start, end, meanings }: Clause, tell: Tell): void {
  let at = start
  while (at < end - 1 && at < start + 6 && !HAN_SELF.has(list[at]!) && meanings.hasAny(at, SKIPPED_HAN)) at++
  // A time or a link before it: the first "I" near the beginning is the subject.
  for (let near = at; near < Math.min(end, start + 6); near++)
    if (HAN_SELF.has(list[near]!) || HAN_THIRD.has(list[near]!)) {
      at = near
      break
    }
  const word = list[at]!
  let subject: Subject = 'dropped'
  if (HAN_SELF.has(word)) {
    at++
    if (list[at] === '们' || list[at] === '俩' || list[at] === '哋') {
      subject = 'we'
      at++
    } else subject = 'self'
    const own = list[at] === '的' || list[at] === '家' || list[at] === '那' || list[at] === '这'
    const next = own ? at + 1 : at
    if (meanings.hasAny(next, KIN)) subject = 'kin'
    else if (meanings.hasAny(next, PET)) subject = 'pet'
    else if (own) subject = 'thing'
    if (subject === 'kin' || subject === 'pet') at = next + 1
  } else if (HAN_THIRD.has(word)) {
    subject = 'third'
    at++
  } else if (HAN_YOU.has(word)) {
    subject = 'you'
    at++
  } else if (meanings.hasAny(at, KIN) || HAN_TITLE.test(list.slice(at, at + 2).join(''))) subject = 'kin'
  else if (meanings.hasAny(at, PET)) subject = 'pet'
  const rest = list.slice(at, end).join('')
  const manner = HAN_MANNERS.find(([shape]) => shape.test(rest))?.[1]
  tell(subject, manner ?? (rest === '' ? 'nothing' : 'does'))
}

const SKIPPED = wordSet(
  'also just really still always never usually only actually currently now both generally mostly often rarely sometimes already even probably definitely all too then so and but or because since though while who which that as when if ok okay well yes no yeah nah oh hey btw fyi honestly personally basically literally totally quite rather kinda sort of almost nearly ever not mainly normally do did',
)
const AM = wordSet("am is are i'm im we're he's she's they're it's that's there's who's 's isn't aren't ain't")
const WAS = wordSet("was were wasn't weren't")
const HAVE = wordSet("have has i've ive we've they've haven't hasn't havent hasnt own owns keep keeps")
const WILL = wordSet("will i'll we'll he'll she'll they'll you'll it'll won't gonna shall")
const MIGHT = wordSet("would could might may should i'd we'd he'd she'd they'd wouldn't couldn't shouldn't mightn't")
const CAN = wordSet("can can't cant cannot speak speaks know")
const NOT = wordSet("don't dont doesn't doesnt")
const DID_NOT = wordSet("didn't didnt had hadn't couldnt")
const WANTS = wordSet('want wants need needs hope hopes wish wanna try trying plan planning')
const THINKS = wordSet(
  'think thinks guess suppose wonder believe mean means know feel feels see understand remember forgot heard hear read reckon thought',
)
const MUST = wordSet('must gotta')
const LIKES = wordSet(
  'like likes love loves prefer prefers hate hates enjoy enjoys adore detest loathe dislike dislikes avoid favour swear',
)
const PAST = wordSet(
  'went got took made came saw bought broke fell lost found told said gave left met won ran sold paid sent spent slept ate drank drove flew grew knew wrote read began became built caught chose cut did felt forgot froze hit held hurt kept led lent lit put quit rode rang rose sang sat set shot shut sold spoke stood stole stuck struck swam taught tore threw understood woke wore blew burnt bit fixed',
)
const VERBS: ReadonlySet<string> = new Set(
  [AM, WAS, HAVE, WILL, MIGHT, CAN, NOT, DID_NOT, WANTS, THINKS, LIKES, PAST].flatMap((set) => [...set]),
)
const LATIN_SUBJECTS: ReadonlyMap<string, Subject> = new Map(
  (
    [
      ['self', "i i'm im i've ive i'll i'd"],
      ['we', "we we're we've we'll we'd"],
      ['thing', 'my our'],
      ['third', "he she they he's she's he'd she'd he'll she'll they're they've they'll they'd"],
      ['you', "you u you're you've you'll you'd u're"],
    ] as const
  ).flatMap(([subject, list]) => list.split(' ').map((word) => [word, subject] as const)),
)
const DETERMINERS = wordSet(
  'a an the one two three four five six seven eight nine ten some no another my our your his her their this that only',
)
const AT = wordSet('in at on from near based by out outside of off between with over up down')
const IT = wordSet("it it's that this there there's the these those that's here")

/** Longest search for the verb behind its subject, in words. */
const VERB_WITHIN = 5

/** Tells of each subject in the clause. */
function readLatin({ words: list, start, end, meanings }: Clause, tell: Tell): void {
  let told = false
  for (let at = start; at < end; at++) {
    const subject = latinSubject(list[at]!)
    if (subject === null) continue
    let from = /'|^i(?:m|ve)$/.test(list[at]!) ? at : at + 1
    let whose: Subject = subject
    if (subject === 'thing') {
      // "my older sister is": the noun decides, if one of its kind stands near.
      for (let near = at + 1; near < Math.min(end, at + 4); near++) {
        if (isVerb(list[near]!)) break
        if (meanings.hasAny(near, KIN)) whose = 'kin'
        else if (meanings.hasAny(near, PET)) whose = 'pet'
        from = near + 1
        if (whose !== 'thing') break
      }
      if (from >= end || !isVerb(list[from]!)) {
        if (at === start) tell(whose, 'nothing')
        continue
      }
    }
    told = true
    tell(whose, mannerOf(list, from, end))
  }
  if (told) return
  let at = start
  while (at < end - 1 && SKIPPED.has(list[at]!)) at++
  const first = list[at]!
  if (meanings.hasAny(at, KIN)) tell('kin', mannerAhead(list, at + 1, end))
  else if (IT.has(first)) tell('it', mannerAhead(list, first.includes("'") ? at : at + 1, end))
  else tell('dropped', mannerOf(list, at, end))
}

function latinSubject(word: string): Subject | null {
  return LATIN_SUBJECTS.get(word) ?? null
}

function mannerAhead(list: readonly string[], from: number, end: number): Manner {
  for (let at = from; at < Math.min(end, from + VERB_WITHIN); at++)
    if (isVerb(list[at]!)) return mannerOf(list, at, end)
  return from < end && /s$/.test(list[from]!) ? 'does' : 'nothing'
}

function isVerb(word: string): boolean {
  return VERBS.has(word)
}

function mannerOf(list: readonly string[], from: number, end: number): Manner {
  let at = from
  while (at < end && SKIPPED.has(list[at]!) && list[at] !== 'did') at++
  if (at >= end) return 'nothing'
  const word = list[at]!
  let next = at + 1
  while (next < end && SKIPPED.has(list[next]!)) next++
  const after = next < end ? list[next]! : ''
  if (AM.has(word)) return isManner(after)
  if (WAS.has(word)) return 'was'
  if (HAVE.has(word)) {
    if (after === 'to') return 'must'
    if (after === 'been') return 'has been'
    return after !== 'got' && (PAST.has(after) || /ed$|^(?:gone|done|seen|taken|given|become)$/.test(after))
      ? 'has done'
      : 'has'
  }
  if (WILL.has(word)) return 'will'
  if (word === 'used' && after === 'to') return 'used to'
  if (MIGHT.has(word)) return list[at + 1] === 'rather' ? 'likes' : 'might'
  if (CAN.has(word)) return 'can'
  if (NOT.has(word)) return 'does not'
  if (WANTS.has(word)) return 'wants'
  if (THINKS.has(word)) return 'thinks'
  if (LIKES.has(word)) return 'likes'
  if (MUST.has(word)) return 'must'
  if (DID_NOT.has(word) || PAST.has(word) || /ed$/.test(word)) return 'did'
  if (/ing$/.test(word)) return 'is doing'
  return 'does'
}

function isManner(after: string): Manner {
  if (DETERMINERS.has(after) || /^\d/.test(after)) return 'is a'
  if (AT.has(after)) return 'is at'
  if (after === 'gonna' || after === 'going') return 'will'
  return /ing$/.test(after) ? 'is doing' : 'is so'
}
