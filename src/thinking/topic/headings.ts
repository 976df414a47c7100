/**
 * Which words of a sentence could stand as a headline? Stretches of a clause that begin and end with a word of content:
 * a thing with what belongs to it, without the person who acts, the verb of a request, and words of time around it.
 */
import { hasHan } from '../../language/character-class.ts'
import { CHINESE_STOP_CHARACTERS, EMPTY_CHINESE, ENGLISH_STOP_WORDS, wordList } from '../../language/word-lists.ts'
import { rarityOf, tellingTerm, tellingWords, weightOf, wordsIn } from './common-words.ts'

/** Words that could name what a sentence is about, with the terms that they are weighed by. */
export interface Heading {
  readonly text: string
  readonly terms: readonly string[]
  /** Clauses of its sentence before it. */
  readonly clause: number
  /** The whole clause, with the mark behind. */
  readonly said: string
  /** How well its place and its form suit a headline, up to 1. */
  readonly form: number
}

/** What ends a clause, or a name between marks, which may hold such. A comma or a point within a figure ends none. */
const ENDS =
  /[‘“《「『][^‘’“”《》「」『』\n]{1,30}[’”》」』]|\s[-–—]{1,3}\s|—|(?:[，;；：。！？!?…\n]|[,:.](?!(?<=\w.)\w)){1,9}/gu
/** Words of another's text between marks: a sentence, or a long piece of one. */
const QUOTED =
  /(?<![\p{L}\p{N}.,])["“「『](?:[^"“”「」『』\n]{40,2000}|(?=\p{Script=Han})[^"“”「」『』\n]{12,2000}|[^"“”「」『』\n]{1,200}[.!?。！？])["”」』]/gu
const ASIDE = /\s?(?:（[^（）\n]{1,80}）|\([^()\n]{1,80}\))/gu
/** Words by which somebody is asked, in front of what is asked for. */
const POLITE =
  /^(?:(?:please|pls|(?:can|could|would|will) (?:you|u)|help me|i(?:['’]d| would) like(?: you)? to|i (?:want|need)(?: you)? to)\s{0,9})+|^(?:请问?|麻烦|你?能不能|你?可不可以|你?可以|你?能|帮我|给我(?![妈爸哥姐弟妹爷奶儿女老家们])|帮忙|想请你|我?想问问?|一下|，)+/iu
/** A question for the way: the verb is what is asked for. */
const HOW =
  /^(?:\S{1,20} ){0,3}?how (?:do|can|could|should|would) (?:i|we|you|one) (?=\S)|^(?:\S{1,20} ){0,3}?how to /iu
/** "What films would you recommend for …": the things asked for, with what belongs to them. */
const WHICH =
  /^(?:what|which) ((?:\S{1,30} ){1,4})(?:would|should|could|can|do|did) (?:i|we|you) \S{1,30} (?=(?:for|in|on|at|with|from|about|to) )/iu
/** A clause that waits for its main one. */
const DEPENDS =
  /^(?:especially |and |but )?(?:while|after|before|when|since|although|though|because|as)\s|^(?:虽然|尽管|如果|要是|既然|因为|由于|除了|为了|毕竟)/iu
const MOST_CLAUSES = 24
const MOST_WORDS = 7
const MOST_HAN = 16
const FEWEST_HAN = 4

/** Words between a thing and what belongs to it, and those in front of a thing. */
const LINK =
  /^(?:of|for|in|on|at|with|without|from|to|about|between|after|before|during|against|by|into|over|under|vs|as|through|and|or|&)$/i
const IN_FRONT = /^(?:an?|the|my|our|your|his|her|their|its|some|any|this|these|those|each|every|no)$/i

/** Words that stand for any person or thing, and for no degree. */
const ANYTHING = /^(?:(?:some|any|every|no)(?:thing|one|body|where)|kinda|sorta|gonna|wanna|might|must|may|shall)$/i

/** Whether a clause of the words begins as one asks another for something. */
export function isPolite(said: string): boolean {
  return said.split(/[，,] ?/).some((clause) => POLITE.test(clause))
}

/** The text without what somebody else said in it. */
export function withoutQuotations(text: string): string {
  return text.replace(QUOTED, '…')
}

/** The headlines that a sentence offers, of at most `most` characters, in the order in which they begin. */
export function headingsOf(text: string, most: number): readonly Heading[] {
  const clauses = clausesOf(text.replace(ASIDE, '')).slice(0, MOST_CLAUSES)
  let clause = 0
  return clauses.flatMap((said) => {
    const found = hasHan(said) ? chineseHeadings(said) : englishHeadings(said)
    const fitting = found.filter(({ text }) => text.length <= most && /\p{L}/u.test(text))
    if (tellingWords(said).length > 0) clause++
    // A name of several words is one thing.
    const termsOf = (text: string): readonly string[] =>
      tellingWords(text.replace(/(?<=\p{Lu}\S{0,40} )\p{Lu}\S{0,40}/gu, ''))
    const share = DEPENDS.test(said.trim()) ? AMID : 1
    return fitting.map(({ text, form }) => ({
      text,
      form: form * share,
      terms: termsOf(text),
      clause: clause - 1,
      said,
    }))
  })
}

/** The clauses, each with the mark that ends it. */
function clausesOf(text: string): readonly string[] {
  const ends = [...text.matchAll(ENDS)].flatMap(({ index, 0: mark }) =>
    /^[‘“《「『]/u.test(mark) ? [] : index + mark.length,
  )
  return [...ends, text.length].map((end, at) => text.slice(ends[at - 1] ?? 0, end)).filter((clause) => clause !== '')
}

type Span = Pick<Heading, 'text' | 'form'>
/** A word of content, one that links, one in front of a thing, and any other. */
type Kind = 'thing' | 'link' | 'front' | 'border'

function kindOf(word: string): Kind {
  if (IN_FRONT.test(word)) return 'front'
  if (LINK.test(word)) return 'link'
  if (ANYTHING.test(word)) return 'border'
  const plain = word.toLowerCase().replace(/['’](?:s|t|re|ve|ll|d|m)$/, '')
  if (ENGLISH_STOP_WORDS.has(plain) || !/[\p{L}\p{N}]/u.test(word)) return 'border'
  return 'thing'
}

/** How well a headline begins behind each: a word that points to a thing, a link, a verb, or nothing; and amid others. */
const BEHIND = { front: 1, link: 0.9, thing: 0.85, border: 0.8 }
const AMID = 0.7
/** A headline of one word, one that tells what is done to something, and a whole short clause. */
const ONE_WORD = 0.6
/** The least share of a common word that stands alone. */
const LEAST_OF_ONE = 0.6
const ACTS = 0.75
const WHOLE = 0.85
const TOLD = 0.85
/** A short request as a whole, where one word names what it is about. */
const ORDER = 0.65
/** A Chinese headline behind which its clause goes on: what is told of stands last. */
const GOES_ON = 0.92
/** Each thing of a clause against the one before: what it is about stands first. */
const LATER_THING = 0.93

function englishHeadings(said: string): readonly Span[] {
  const clause = said.replace(/[\s,;:.!?…–—-]{1,40}$/u, '').trim()
  const asked = clause.replace(POLITE, '')
  const words = asked
    .replace(WHICH, '$1')
    .split(/\s+/)
    .map((word) => word.replace(/^["“'‘]+|["”]{1,40}$/g, ''))
  const kinds = words.map(kindOf)
  // An auxiliary behind which nothing comes is a noun: "a valid will".
  for (const [at, word] of words.entries()) {
    if (DOES_BEHIND.test(word) && kinds[at - 1] === 'thing' && DOES.test(words[at + 1] ?? '')) kinds[at] = 'link'
    else if (DAY.test(word) || (WHEN.test(word) && kinds[at - 1] === 'thing')) kinds[at] = 'border'
    else if (AUXILIARY.test(word) && isNamed(kinds[at - 1]) && (kinds[at + 1] ?? 'link') === 'link') kinds[at] = 'thing'
  }
  const isThing = (at: number): boolean => kinds[at] === 'thing'
  const isCommon = (at: number): boolean => tellingTerm(words[at]!) === null && !AUXILIARY.test(words[at]!)
  const asks = asked === clause && ASKS.test(clause)
  const asksWhy = asked === clause && /^(?:why|who|where|when)\s/i.test(clause) && /[?？]$|^[^,]*$/.test(said)
  const rarity = (at: number): number => weightOf(tellingWords(words[at] ?? ''))
  // A verb by its place: behind a person, an auxiliary or "to", at the head of a request, or in front of a thing.
  const acts: boolean[] = []
  for (const [at, word] of words.entries()) acts.push(isAct(at, word))
  function isAct(at: number, word: string): boolean {
    if (!isThing(at)) return false
    // "I'm really worried": an adverb stands before it.
    if (at > 1 && acts[at - 1] && isCommon(at - 1)) return true
    if (at === 0) return asked !== clause || kinds[1] === 'front'
    if (/^to$/i.test(words[at - 1]!)) return at + 1 < words.length
    return kinds[at - 1] === 'border' || (/ing$/i.test(word) && kinds[at - 1] === 'link' && kinds[at + 1] === 'front')
  }
  const spans: Span[] = []
  let things = 0
  // Whether nothing but common words stand before in a stretch.
  let opens = true
  for (let from = 0; from < words.length; from++) {
    const before = kinds[from - 1] ?? 'border'
    opens = before !== 'thing' || (opens && isCommon(from - 1))
    if (!isThing(from) || acts[from] || (before === 'thing' && !acts[from - 1] && !opens)) continue
    if ((before !== 'front' && isCommon(from)) || (/ly$/i.test(words[from]!) && !isThing(from + 1))) continue
    const first = /^no$/i.test(words[from - 1] ?? '') ? from - 1 : from
    let form = (from === 0 ? BEHIND.front : BEHIND[before]) * LATER_THING ** things++
    for (let to = from; to < words.length && to - from < MOST_WORDS; to++) {
      if (kinds[to] === 'border') break
      if (kinds[to] === 'front' && isThing(to - 1) && !DOES_BEHIND.test(words[to - 2] ?? '')) form *= ACTS
      // "The plan and suggest changes": a common word in front of another one may be a verb.
      if (
        /^(?:and|or|&)$/i.test(words[to]!) &&
        kinds[to + 2] !== undefined &&
        kinds[to + 2] !== 'link' &&
        rarity(to + 1) < 1
      )
        break
      if (FIGURE.test(words[to]!)) form *= TOLD
      if (!isThing(to) || isThing(to + 1)) continue
      // "A book to curl up with": a verb that goes on.
      if (acts[to] && to > from && to + 1 < words.length) continue
      const isVerb = kinds[to + 1] === 'front' || OBJECT.test(words[to + 1] ?? '')
      const goesOn = kinds[to + 1] === 'link' || kinds[to + 1] === 'border'
      let end = isVerb || (/(?:ing|ed)$/i.test(words[to]!) && to > from && !acts[to - 1] && goesOn) ? to - 1 : to
      // "The recipe Anna suggested"
      if (end < to && end > from && /^\p{Lu}/u.test(words[end]!) && /^\p{Ll}/u.test(words[end - 1]!)) end--
      while (end > from && (isCommon(end) || /ly$/i.test(words[end]!))) end--
      if (end < from || !isThing(end)) continue
      // "Is the mail real": the subject, and what is asked of it.
      const whole =
        end === from ? ONE_WORD * Math.max(LEAST_OF_ONE, rarity(from)) : asks && end === words.length - 1 ? ACTS : 1
      spans.push({ text: words.slice(first, end + 1).join(' '), form: form * whole })
    }
  }
  const way = HOW.exec(clause)
  const rest = way === null ? [] : clause.slice(way[0].length).split(/\s+/)
  if (way !== null && rest.length < MOST_WORDS) spans.push({ text: `How to ${rest.join(' ')}`, form: 1 })
  if ((asked !== clause || asks || asksWhy) && words.length > 2 && words.length <= MOST_WORDS)
    spans.push({ text: asked, form: asksWhy ? 1 : asks ? WHOLE : ORDER })
  const told = kinds[0] === 'front' ? words.slice(1) : words
  const isStatement =
    asked === clause && isNamed(kinds[0]) && !words.some((word) => PERSON.test(word)) && !/[?？]$/.test(said)
  if (isStatement && told.length > 1 && told.length <= MOST_WORDS) spans.push({ text: told.join(' '), form: WHOLE })
  return spans
}

function isNamed(kind: Kind | undefined): boolean {
  return kind === 'thing' || kind === 'front'
}

/** Behind a thing, the time of what happened to it. */
const WHEN = /^(?:last|next)$/i
/** A day, with which no headline begins. */
const DAY = /^(?:today|tonight|tomorrow|yesterday|now)$/i
/** A verb behind "that", which tells what the thing does. */
const DOES_BEHIND = /^(?:that|which)$/i
const DOES = /^\p{Ll}{3,}(?:s|ed)$/u
/** A question that is answered with yes or no. */
const ASKS = /^(?:is|are|was|were|does|do|did|can|could|should|will|would|has|have) (?!you\b)/i
const AUXILIARY = /^(?:will|do|can|must)$/i
const PERSON = /^(?:i|im|ive|we|you|he|she|it|they|this|that)(?:['’]\w{1,2})?$/i
/** Persons that a verb acts on, and words that belong to a verb. */
const OBJECT = /^(?:me|us|you|him|them|it|up|out|off|down|back)$/i
/** Chinese words that link, that stand behind a place or a time, and that lead to one. */
const HAN_LINK = /^(?:的|和|与|及|、|之|不|没|未|里|上|中|前|后|时|外|内)$/u
const HAN_LEADS = /^(?:从|给|为|对|向|在|到|跟|用|去|被)$/u
/** A place may end a clause behind these. */
const PLACED = /^[在到]$/u
const HAN_ASPECT = /^[了过着得]$/u
/** A word that denies, which goes with what it denies. */
const HAN_NOT = /^[不没]\p{Script=Han}/u
const HAN_ASKS = /^(?:虽然$|如果$|因为$|除了?$|咋|怎么|怎样|如何|什么|哪[个些里]|多少|一起|同时)/u
/** A verb with its result: 做完, 聊到. */
/** A time, or a word that points: none opens a headline. */
const HAN_ASIDE =
  /^(?:[这那哪某每]|大[概约]|[一几两]\p{Script=Han}?$|些$|[今明昨后前][天日晚早年]|[早晚]上|[上下中]午|傍晚|凌晨|刚才?|刚刚)/u
/** A figure, and a Chinese word that begins with one. */
const FIGURE = /^(?!(?:19|20)\d\d$).*\d/
const COUNTS = /^[\d一二两三四五六七八九十几]/u
const A_FEW = /^[一几两]\p{Script=Han}$/u
const HAN_DONE = /^[完到成掉得出好]$/u
const HAN_RESULT = /^\p{Script=Han}[完到好成出掉来]$/u
/** A name between marks is one word. */
/** The end of a question for anything that helps. */
const HAN_ADVICE =
  /(?:，|你|还|能)?(?:有没有|有|给我?)(?:什么|哪些|些|一些|点)?(?:好的?|其他|更好的?|具体的?)?(?:看法|建议|办法|想法|推荐|方法|意见)吗?$/u
const NAMED = /^[‘“《「『]/u
const HAN_NAMED = /([‘“《「『][^‘’“”《》「」『』，。\n]{1,20}[’”》」』])/u

/** The words, a figure with the one that counts. */
function withCounts(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words)
    if (/^\.$/.test(word) || /[\w.]\.$/.test(joined.at(-1) ?? '')) joined.push((joined.pop() ?? '') + word)
    else if (COUNTED.test(joined.at(-1) ?? '') && hasHan(word) && word.length === 1) joined[joined.length - 1] += word
    else joined.push(word)
  return joined
}
const COUNTED = /^[\d一二两三四五六七八九十几]{1,9}$/u

function chineseHeadings(said: string): readonly Span[] {
  const clause = said
    .replace(/[\s，。！？；：,;:.!?…~～]{1,40}$/u, '')
    .replace(POLITE, '')
    .replace(HAN_ADVICE, '')
  const words = withCounts(
    clause
      .split(HAN_NAMED)
      .flatMap((piece, at) =>
        at % 2 === 1 ? [piece] : wordsIn(piece).flatMap((word) => word.split(/(?<=.)(?=[了过着得]$)/u)),
      ),
  )
  const kinds = words.map((word, at): Kind => {
    if (HAN_LINK.test(word)) return 'link'
    if (HAN_ASPECT.test(word)) return at > 0 ? 'front' : 'thing'
    if (HAN_LEADS.test(word)) return 'front'
    if (HAN_NOT.test(word)) return words[at - 1] === '有' ? 'border' : 'thing'
    if (!/[\p{L}\p{N}]/u.test(word) || HAN_ASKS.test(word) || /[我你您他她它咱]/u.test(word)) return 'border'
    return [...word].every((one) => CHINESE_STOP_CHARACTERS.has(one)) ? 'border' : 'thing'
  })
  // 生日会: an auxiliary behind which nothing comes is a noun.
  if (words.at(-1) === '会' && kinds.at(-2) === 'thing') words.splice(-2, 2, words.slice(-2).join(''))
  const isThing = (at: number): boolean => kinds[at] === 'thing'
  const isCommon = (at: number): boolean =>
    rarityOf(words[at]!) === 0 || EMPTY_CHINESE.has(words[at]!) || HAN_ASIDE.test(words[at]!)
  const acts = words.map((word) => wordList('chinese-verbs').has(word) || HAN_RESULT.test(word))
  const isShort = (at: number): boolean => words[at]!.length === 1
  const spans: Span[] = []
  let things = 0
  for (let from = 0; from < words.length; from++) {
    const before = kinds[from - 1] ?? 'border'
    if (!isThing(from) || words[from - 1] === '、' || HAN_DONE.test(words[from]!)) continue
    if (/^[这那哪每某]$/u.test(words[from - 1] ?? '')) continue
    if (
      isCommon(from) &&
      !HAN_NOT.test(words[from]!) &&
      !(isShort(from) && !acts[from] && !HAN_ASIDE.test(words[from]!) && before !== 'thing' && isThing(from + 1))
    )
      continue
    if (HAN_NOT.test(words[from - 1] ?? '')) continue
    const isBehindThing = before === 'thing' && !acts[from - 1] && !isCommon(from - 1) && !COUNTS.test(words[from - 1]!)
    if (
      before === 'thing' &&
      (isShort(from) ? isBehindThing || isShort(from - 1) : isShort(from - 1) && !acts[from - 1])
    )
      continue
    const leads = HAN_LEADS.test(words[from - 1] ?? '') ? words[from - 1]! : ''
    let form =
      (acts[from] ? ACTS : isBehindThing ? AMID : before === 'thing' ? 1 : BEHIND[before]) *
      LATER_THING ** things *
      (COUNTS.test(words[from]!) ? TOLD : 1)
    if (!isBehindThing) things++
    let width = 0
    let told = false
    for (let to = from; to < words.length; to++) {
      width += hasHan(words[to]!) && !NAMED.test(words[to]!) ? words[to]!.length : words[to]!.length / 2
      if (kinds[to] === 'border' || (width > MOST_HAN && to > from)) break
      // 规划一条路线: what stands before a measure word acts on what stands behind.
      if (HAN_ASPECT.test(words[to]!) || (to > from && A_FEW.test(words[to]!))) form *= ACTS
      if (!told && to > from && acts[to]! && isThing(to - 1) && !acts[to - 1]) {
        told = true
        form *= leads === '' ? TOLD : ACTS
      }
      const next = to + 1
      if (!isThing(to) || isCommon(to) || /^(?:的|、|会|[我你您他她它咱]们?)$/u.test(words[next] ?? '')) continue
      if (isThing(next) && !acts[next] && !isCommon(next)) continue
      if (isThing(next) && isShort(next)) continue
      // 通了电话: a verb without what it acts on.
      if (
        HAN_DONE.test(words[to]!) ||
        (acts[to] && to > from && next < words.length - 1 && HAN_ASPECT.test(words[next]!))
      )
        continue
      const goesOn = next >= words.length || HAN_ASPECT.test(words[next]!) ? 1 : isThing(next) ? TOLD : GOES_ON
      const span = words.slice(from, next).join('').replace('一下', '').trim()
      // What stands between 给 or 从 and the end of a clause is told with it.
      const closes = next >= words.length - 1 && goesOn === 1 && !PLACED.test(leads)
      const text = (told || closes) && !span.includes('的') ? leads + span : span
      spans.push({ text, form: form * goesOn * (width < FEWEST_HAN ? ONE_WORD : 1) })
    }
  }
  let opens = kinds.findIndex(
    (kind, at) => kind === 'thing' && (!isCommon(at) || (isShort(at) && !HAN_ASIDE.test(words[at]!))),
  )
  while (opens > 0 && (/^[这這那]/u.test(words[opens - 1]!) || COUNTED.test(words[opens - 1]!))) opens--
  if (HAN_LEADS.test(words[opens - 1] ?? '') || (opens === 1 && words[0] === '把')) opens--
  const rest =
    opens === -1
      ? ''
      : words
          .slice(opens)
          .join('')
          .replace('一下', '')
          .replace(/[呢吧后前时]$|(?<=^(?!.*[要能会]).*)吗$/u, '')
          .trim()
  const isStatement =
    !HAN_DONE.test(words.at(-1) ?? '') &&
    !kinds.some((kind, at) => kind === 'border' && /[我你您他她它咱]/u.test(words[at]!))
  if (isStatement && rest.length >= FEWEST_HAN && rest.replace(/[\w. -]{2}/g, '-').length <= MOST_HAN + 2)
    spans.push({
      text: rest,
      // 怎么, 什么: a short question names what it asks as it stands.
      form:
        words.some((word) => HAN_ASKS.test(word)) && /[?？]$|[^，。]$/u.test(said)
          ? 1
          : HAN_ASPECT.test(words[opens + 1] ?? '') || COUNTS.test(rest)
            ? WHOLE * ACTS
            : WHOLE,
    })
  return spans
}
