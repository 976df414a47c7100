/**
 * Which lines does a message add to the profile (001), without a model? Lasting wishes about answers, languages and
 * user facts, in the user's words; of related people only facts to mind.
 */
import type { NewProfileLine, ProfileSection } from '../../domain/contracts/small-stores.ts'
import { lazy } from '../../domain/scheduling.ts'
import type { Fact, WriteDecision } from '../../domain/thought.ts'
import { hasHan } from '../../language/character-class.ts'
import { speaksOfPreference, wishesOfReplies } from '../../language/preference.ts'
import { isQuestion } from '../../language/questions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { spelledOut } from '../../language/spelling.ts'
import { wordList } from '../../language/word-lists.ts'
import { emotionOf } from '../conversation-analysis/analyze-by-rules.ts'
import { clausesOf, standaloneClause } from '../facts/clauses.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { BEGINS_WITH_PRONOUN, withPersonNamed } from '../facts/named-before.ts'
import { isAfar, peopleOf, withSubject } from '../facts/people.ts'
import { stanceOf } from '../facts/stance.ts'
import { tellsUnreal } from '../facts/stance-cues.ts'
import { refusalOf } from '../semantic-facts/semantic-facts-by-rules.ts'
import { proseOf, speaksForUser, withoutLead } from '../summarizer/prose.ts'
import { tellingWords } from '../topic/word-rarity.ts'
import { KINDS, wishOf, writeJudgement } from '../write-decision/linear-model.ts'
import { ownWords } from '../write-decision/own-words.ts'
import { ONCE, QUOTED, SURELY, WISH_OF_NOW, wishApart } from '../write-decision/reply-wishes.ts'

const CHARACTERS_READ = 4000
/** Characters of a line at most. */
const LONGEST_LINE = 140
/** Nobody tells of himself in a longer sentence. */
const LONGEST_SENTENCE = 800
/** Lines of one message at most. */
const MOST_LINES = 6

/** Probability from which a sentence is a lasting wish about answers: in Chinese, in English, and where the whole message is one. */
const WISHES_IN_CHINESE = 0.75
const WISHES = 0.42
const WISHES_TOO = 0.22
/**
 * Log-odds of a lasting fact: the least of a taste in a message worth keeping, and the least of other words. Below the
 * last even a fact of the user is an event.
 */
const LASTS = -0.3
const SURELY_LASTS = 1.4
const HAPPENS = -2.2
const WHO = KINDS.findIndex(({ reason }) => reason === 'identity')
const SURELY_WHO = 0.91
/** As SURELY_LASTS, in Chinese, where a state of the day reads like one, and in an introduction there. */
const [SURELY_LASTS_IN_CHINESE, LASTS_IN_CHINESE] = [2.2, 1.5]
const SPEAKS = /\b(?:speak|fluent|native|mother tongue|first language)\b|母语|会[说讲]|平时[说讲]|^我[说讲]/i

/** A task: one text is to be written now. */
const TASK =
  /^(?:please |can you |could you |help me )*(?:write|draft|compose|answer|reply)\b(?!.{0,80}\b(?:each|every|all|always|whenever)\b).{0,20}\b(?:an?|my|the)\s/i
/** A subject with a state or an act, also an act as the subject or a clause before it; an order has no subject. */
const STATES =
  /^(?!(?:bring|sing|ring|spring)\b)[a-z]{2,20}ing\b|^(?:by|while|as|with|since|although|though|because|after)\b.{0,100}, (?:i|we|my|it)\b|^(?:i|we|it|he|she|they|my|our|your?|the|an?|that|this|these|those|here|there)\b|^(?!always\b|never\b)\S{1,40} (?:(?!should\b|must\b|can\b)\S{1,40} ){0,3}(?:is|are|was|were|has|have|had)\b|^(?:我|咱|你|这|那|他|她)/i
/** "Longer is fine now" */
const PERMITS = /^(?!i\b|we\b|it\b|that\b|this\b)[^,;.]{2,40}\b(?:is|are) (?:fine|ok|okay|welcome)\b/i
const NAMES_ASSISTANT =
  /(?<!^)\b(?:your?|u)\b(?! know\b)|^(?:you|u) (?:can|should|must|may|do|need)\b|[你您]|^能(?:不能|否)/i
/** Where a statement that wishes something of the assistant names it; further on it is asked for help, or "you" is anybody. */
const NAMED_EARLY = 40
/** How to address the user lasts unless said otherwise. */
const ADDRESS = /^(?:please )?(?:call me|address me as|my pronouns are)\b|^(?:请|以后)?(?:叫|称呼)我/i
/** A ban for the assistant, told as a matter of taste, lasts. */
const FORBIDS = /^(?:and |but |please )*(?:do(?: not|n['’]?t)|stop|avoid) \w+|^(?:请)?(?:别|不要|甭)/i
/** "From now on English", 请用中文回复. */
const FROM_NOW = /\bfrom (?:now|here) on\b|^(?:以后|今后|从现在)|^请?用.{1,8}(?:回复|回答|答复)我?[。！]?$/i
/** Words in brackets within a sentence that goes on behind. */
const INSERTED = /\s?[（(][^（()）\n]{1,80}[)）](?=\s?\p{L})/gu
/** Behind such a word another matter follows: 帮我查一下，对了以后回答短一点. */
const ASIDE = /[，,] ?(?=对了|顺便|另外|by the way|btw )|(?<!\w)[（(]|(?<!\()[）)]/i
/** A Chinese order opens with its person, manner or starting time; a statement, also a passive one, does not. */
const ORDERS_IN_CHINESE =
  /^(?![被它]).{0,6}(?:请|别|不要|甭|不用|可以|先|直接|以后|今后|从现在|每次|一律|默认|始终|永远|用|叫|称呼|跟我|给我|对我|你|您|回答|回复)/u
/** The user as the subject, or a thing of the user's; a reason may stand before. */
const OWN =
  /^(?:(?:and|but|so|also|personally|currently|actually|(?:it )?turns out(?: that)?),? )*(?:i|i['’](?:m|ve)|im|my|we|we['’](?:re|ve)|our)\b|^(?:而且|但|所以|其实|目前|现在|平时)?(?:我|咱|俺|本人)/iu
/** A word of the user, without which no clause passes `OWN`. */
const SPEAKS_OF_OWN = /\b(?:i|im|my|we|our)\b|[我咱俺]|本人/i
/** A clause that begins so is taken apart from the one before: somebody does something, asks, orders, gives a reason or a day. */
const BEGINS =
  /^(?:but|so|because|since|although|though|especially)\b|^(?:and )?(?:i|i['’](?:m|ve|d|ll)|im|my|we|we['’](?:re|ve|ll|d)|our|can|could|would|will|do|does|is|are|should|what|how|why|which|please|help|any)\b|[?？]$|^(?:而且)?(?:我|咱|俺)|^(?:但|不过|可是|所以|因为|今天|昨天|明天|早上|晚上|最近|刚|请|帮|想|怎么|如何|有没有|能|可以|最好|得)/iu
/** As `BEGINS`, behind "and": "my wife Anna and our two kids" are one thing. */
const BEGINS_ANEW = /^(?:i|i['’](?:m|ve|d|ll)|im|we|we['’](?:re|ve|ll|d)|can you|could you|how|what)\b/i
const WORD = /[a-z]/i
/** "(Because) my family and I": one subject. */
const COUPLED = /(?:^|\b(?:because|since|when|while|that|if|where|as|but|so) |, )(?:my|our)(?: [\w’'-]{1,40}){1,2}$/i
/** Words that point to another sentence or take up a proposal: such a clause is no whole thought. */
const POINTS_ELSEWHERE =
  /\b(?:it|its|that|this|these|those|he|she|him|they|them|there)\b(?! (?:is|are) (?:a|an) )|\bthe (?:former|latter|(?:idea|thought) of)\b|\bfavou?rites? (?:is|are)\b|[他她它]|这[个些样种]?|那[个些样种]?|[前后]者|点子/iu
/** Words before the value: further on it is said on the way to something else. */
const FURTHEST_VALUE = 9
/** Characters of a Chinese clause and words of an English one in which the user's taste stands; and of its setting. */
const NEAR_SUBJECT = 8
const NEAR_SUBJECT_WORDS = 5
const FEWEST_HAN = 3
/** A verb of an English clause, surely and as it seems: "my wife Jana and me" has none. */
const DOES = /\b(?:am|im|is|are|was|were|be|ha[sd]|have|can|will|would|do|did|i|we)\b|['’](?:s|m|re|ve|ll|d)\b/i
const SAYS = new RegExp(
  String.raw`${DOES.source}|(?<!\b(?:my|our|two|three|four|five|\d) )\b[a-z]{2,40}(?:s|ed)\b`,
  'i',
)
/** A reason, and behind it what comes of it. */
const REASON = /^(?:since|as|because)\s/i
const OUTCOME =
  /(?<!\b(?:and|or|than|that|where|when|which|who|what|how|why|if|because|while|before|after|until))\s(?=(?:i|i['’](?:m|ve|ll|d)|we|we['’](?:re|ve|ll|d))\s)/i
/** A thing of the user's of which nothing is said, or the word for it is left out: 我五岁的女儿, 我家的十个月大. */
const NO_STATEMENT =
  /^我[^是在有做，]{1,8}的[^，的是叫有在\d一二两三四五六七八九十]{1,6}$|^我作为[^，]{1,40}$|^我[们家]{0,2}的(?=[\d一二两三四五六七八九十])/u
/** Somebody near: told for itself, and not on the way to something else. */
const OF_OWN = /^(?:(?:and|but|so|also),? ){0,3}(?:my|our)\b|^(?:而且|但|所以)?我/i
type Decision = Pick<WriteDecision, 'reason' | 'store'>

/**
 * The lines, in order, none twice; [] when the message adds nothing. `said`: texts out of the message that make lines of
 * their own, which are left out here.
 */
export function profileLinesByRules(
  message: string,
  decision: Decision,
  said: readonly string[] = [],
): readonly NewProfileLine[] {
  if (!speaksForUser(message)) return []
  const lines: NewProfileLine[] = []
  const prose = spelledOut(proseOf(message, CHARACTERS_READ)).replace(INSERTED, '')
  const own = ownWords(prose).text
  for (const sentence of splitSentences(prose)
    .flatMap((text) => text.split(ASIDE))
    .flatMap(wishApart)) {
    if (said.some((text) => text.includes(sentence) || sentence.includes(text))) continue
    if (sentence.length > LONGEST_SENTENCE) continue
    const text = withPersonNamed(withoutLead(sentence), prose.slice(0, prose.indexOf(sentence)))
    const told: readonly NewProfileLine[] = isWish(text, decision)
      ? [{ section: namesLanguage(text) ? 'language' : 'reply_style', text }]
      : own.includes(sentence)
        ? toldIn(text, decision)
        : []
    for (const line of told) if (!lines.some((one) => one.text === line.text)) lines.push(line)
  }
  return lines.slice(0, MOST_LINES)
}

/** "Quiz me before you lecture me", but no wish for this answer, and nothing that is told of somebody. */
function isWish(sentence: string, { reason, store }: Decision): boolean {
  const asked = isQuestion(sentence) && !NAMES_ASSISTANT.test(sentence.slice(0, 16))
  if (ONCE.test(sentence) || TASK.test(sentence) || asked || sentence.length > LONGEST_LINE) return false
  if (ADDRESS.test(sentence) || wishesOfReplies(sentence) || (FROM_NOW.test(sentence) && namesLanguage(sentence)))
    return true
  if (tellingWords(sentence).length < FEWEST_TELLING) return false
  const isToAssistant = PERMITS.test(sentence) || NAMES_ASSISTANT.test(sentence.slice(0, NAMED_EARLY))
  if (STATES.test(sentence) && !isToAssistant) return false
  if (store && (reason === 'preference' || reason === 'style_wish') && FORBIDS.test(sentence)) return true
  if (hasHan(sentence) && !ORDERS_IN_CHINESE.test(sentence)) return false
  const { kinds } = writeJudgement(sentence.replace(QUOTED, ''))
  const wish = wishOf({ kinds })
  const inEnglish = OWN.test(sentence) ? SURELY : store && reason === 'style_wish' ? WISHES_TOO : WISHES
  const least = hasHan(sentence) ? WISHES_IN_CHINESE : inEnglish
  return wish > kinds[WISH_OF_NOW]! && wish >= least
}

function namesLanguage(text: string): boolean {
  const lower = text.toLowerCase()
  return [...wordList('languages')].some((name) => lower.includes(name.toLowerCase()))
}

/** The lasting statements about the user in a sentence, by stretches of its clauses. */
function toldIn(sentence: string, decision: Decision): readonly NewProfileLine[] {
  const introduces = introducesUser(sentence, decision)
  if (!introduces && !SPEAKS_OF_OWN.test(sentence)) return []
  const facts = lazy(() => extractFacts(sentence))
  const cut = clausesOf(
    sentence,
    (next, before, mark) =>
      (WORD.test(mark) ? BEGINS_ANEW.test(next.trim()) && !COUPLED.test(before) : BEGINS.test(next.trim())) ||
      ((SAYS.test(before) ? SAYS : BEGINS_WITH_PRONOUN).test(next) &&
        facts().some((fact) => fact.about !== 'user' && isToldIn(withPersonNamed(next, before), fact))),
  )
  const mayTell = (clause: string): boolean => introduces || OWN.test(clause)
  const isTied = cut.map((clause) => standaloneClause(clause) !== clause)
  const alone = (clause: string): string => {
    const text = standaloneClause(clause)
    return REASON.test(clause) ? text.split(OUTCOME, 1)[0]! : text
  }
  const said = cut.map(alone).map((clause) => (mayTell(clause) ? lastingPart(clause, facts) : clause))
  const clauses = said.map((clause) => withPersonNamed(clause, sentence.slice(0, sentence.indexOf(clause))))
  // A clause beside a question may state something all the same.
  const factsIn = (clause: string): readonly Fact[] =>
    facts().length > 0 || !tellsUnreal(sentence) ? facts() : extractFacts(clause)
  const sections = clauses.map((clause, at) =>
    mayTell(clause) ? sectionOf(clause, factsIn, introduces && !isTied[at], decision.store) : null,
  )
  const lines: { section: ProfileSection; text: string }[] = []
  let from = 0
  for (const [at, clause] of clauses.entries()) {
    const section = sections[at]!
    if (section === null) continue
    const start = sentence.indexOf(said[at]!, from)
    const whole = sentence.slice(from, start + said[at]!.length)
    // Neighbours are one line: 我住在洛阳，我养了一只猫。
    const isNamed = clause !== said[at]
    if (sections[at - 1] === section && !isTied[at - 1] && !isNamed && whole.length <= LONGEST_LINE)
      lines[lines.length - 1] = { section, text: asSentence(whole) }
    else {
      from = start
      lines.push({ section, text: asSentence(clause) })
    }
  }
  return lines
}

/** The clause without what stands beside the facts behind a comma: 我叫阿强，快递在门口; "I'm Ana, email me later". */
function lastingPart(clause: string, facts: () => readonly Fact[]): string {
  for (const { index, 0: mark } of clause.matchAll(/，|, (?:and )?/g)) {
    const before = clause.slice(0, index)
    if (!facts().every((fact) => !isToldIn(clause, fact) || before.includes(fact.value))) continue
    const next = clause.slice(index + mark.length).split(/，|, /, 1)[0]!
    if (facts().length === 0 && !hasHan(next) && !DOES.test(next)) continue
    const { semantic, kinds } = writeJudgement(withSubject(next, clause))
    const isClause =
      (hasHan(next) && kinds[FRAGMENT]! < 0.5) ||
      DOES.test(next) ||
      // Without a fact nothing tells that the words before are whole: "I prefer simple, minimal recipes".
      (facts().length > 0 && PASSING.reduce((sum, kind) => sum + kinds[kind]!, 0) > 0.6)
    if (isClause && semantic < BESIDE) return before
  }
  return clause
}

/** Kinds of what is asked or said in passing, and log-odds of lasting below which a clause stands beside the facts. */
const PASSING = ['chitchat', 'knowledge_question', 'style_wish'].map((kind) =>
  KINDS.findIndex(({ reason, store }) => reason === kind && !store),
)
const FRAGMENT = KINDS.findIndex(({ reason }) => reason === 'fragment')
const BESIDE = -1.2

/** A short sentence of an introduction is one as a whole: "i'm 37, i run a small bakery". */
function introducesUser(sentence: string, { reason, store }: Decision): boolean {
  if (!store || reason !== 'identity' || sentence.length > LONGEST_INTRODUCTION) return false
  const { semantic, kinds } = writeJudgement(sentence.replace(FULL_STOP, ''))
  return semantic > LASTS && kinds[WHO]! > SURELY_WHO
}
const LONGEST_INTRODUCTION = 90
/** A fact weighs the same with it and without. */
const FULL_STOP = /(?<=[a-z])\.$/i

function sectionOf(
  clause: string,
  factsIn: (clause: string) => readonly Fact[],
  introduces: boolean,
  isKept: boolean,
): ProfileSection | null {
  if (clause.length > LONGEST_LINE || isQuestion(clause)) return null
  if (hasHan(clause) ? NO_STATEMENT.test(clause) : !SAYS.test(clause)) return null
  if (ON_A_DAY.test(clause) && !BORN.test(clause)) return null
  if (WEIGHS.test(clause)) return null
  const refusal = refusalOf(clause)
  if (refusal !== null && refusal !== 'about_other') return null
  const told = factsIn(clause).filter((fact) => isToldIn(clause, fact))
  if (!OWN.test(clause) && !told.some(({ about }) => about === 'user')) return null
  if (refusal !== null && told.length === 0) return null
  const pointer = clause.search(POINTS_ELSEWHERE)
  // 我住在洛阳，在那里养了…: the place is named before the word that points to it; no word points to an age.
  if (pointer !== -1 && !told.some(({ value }) => !/^\d/.test(value) && clause.indexOf(value) < pointer)) return null
  const { semantic, kinds } = writeJudgement(clause.replace(FULL_STOP, ''))
  if (semantic < HAPPENS && told.every(({ about, key }) => about === 'user' && !ALWAYS_LASTS.has(key))) return null
  // 我都快累死了 beside a name passes all the same.
  const [surely, beside] = hasHan(clause) ? [SURELY_LASTS_IN_CHINESE, LASTS_IN_CHINESE] : [SURELY_LASTS, BESIDE]
  const tellsWho =
    (introduces && (semantic > beside || !OWN.test(clause))) || (semantic > surely && kinds[WHO]! > SURELY_WHO)
  const isWho = tellsWho && !stanceOf(clause).past
  const isTaste = semantic > (isKept ? LASTS : surely) && tellsTaste(clause) && peopleOf(clause).subjects.has('user')
  const speaks = SPEAKS.test(clause) && namesLanguage(clause)
  const tells =
    told.length > 0 ||
    hasFamily(clause) ||
    ((isWho || isTaste) && tellingWords(clause).length >= (isWho ? 1 : FEWEST_TELLING))
  if ((!speaks && !tells) || OF_NOW.has(emotionOf(clause))) return null
  return speaks ? 'language' : 'background'
}

/** Attributes that are a line also where they are told as events: 我搬到珠海了. */
const ALWAYS_LASTS: ReadonlySet<string> = new Set('home job employer allergy'.split(' '))

/** Nothing is decided yet, and feelings that pass. */
const WEIGHS = /\bwhether\b|是否|要不要/i
const OF_NOW: ReadonlySet<string> = new Set('anxious confused frustrated tired'.split(' '))
/** A taste that was, or a wish of now. */
const PAST_TASTE = /\b(?:loved|enjoyed|liked|hated|disliked|preferred|would)\b|['’]d\b/i
/** A day that is named: it tells of an event, unless somebody was born on it. */
const ON_A_DAY =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d|\b(?:today|yesterday|tomorrow)\b|\d月\d{1,2}[日号]|昨天|今天|明天/i
const BORN = /\b(?:born|birthday|anniversary)\b|生日|出生|纪念日/i
/** Words that tell something in a line that states no attribute. */
const FEWEST_TELLING = 2
/** 我平时喜欢爬山, but neither 我和一位喜欢爬山的朋友聊了 nor 我很喜欢: the taste is the user's, and in something. */
function tellsTaste(clause: string): boolean {
  const first = clause.split(/[,，]/)[0]!
  if (!hasHan(first))
    return !PAST_TASTE.test(first) && speaksOfPreference(first.split(' ').slice(0, NEAR_SUBJECT_WORDS).join(' '))
  return speaksOfPreference(first.slice(0, NEAR_SUBJECT)) && !speaksOfPreference(first.slice(-FEWEST_HAN))
}

/** Whether the clause states this fact, and it lasts: of the user, or of a near person as a thing to mind. */
function isToldIn(clause: string, { key, value, about, standing, source }: Fact): boolean {
  const at = clause.indexOf(value)
  if (at === -1 || clause.slice(0, at).split(/\s+/).length > FURTHEST_VALUE) return false
  if ((standing !== 'holds' && standing !== 'corrects') || source !== 'user_stated' || about === 'someone') return false
  if (about !== 'user')
    return (
      !BESIDE_A_NAME.test(clause.slice(at + value.length)) &&
      KEYS_OF_OTHERS.has(key) &&
      OF_OWN.test(clause) &&
      (about === 'pet' || tellsOfFamily(clause))
    )
  if (KEYS_BY_NAME.has(key) && !GIVES_NAME.test(clause)) return false
  return wordList('lasting-attributes').has(key) || key.startsWith('favourite_')
}

/** "I have two kids", 我有个姐姐. */
const HAS_SOMEBODY =
  /^(?:i|we)(?:['’]ve| have| ?['’]?ve got| got| have got) (?:an?|one|two|three|four|five|six|\d) |^我(?:们|家)?有[^，]{0,2}[个位对]/i
function hasFamily(clause: string): boolean {
  return HAS_SOMEBODY.test(clause) && tellsOfFamily(clause.split(/ (?:with|for|from|about|on|at) /i)[0]!)
}

/** My wife or my flatmate, but neither my boss nor my plumber. */
function tellsOfFamily(clause: string): boolean {
  const { mentioned } = peopleOf(clause)
  return mentioned.size > 0 && ![...mentioned].some(isAfar)
}

/** The facts about people near to the user that the user has to mind. */
const KEYS_OF_OTHERS: ReadonlySet<string> = new Set('allergy diet illness medication birthday age pet'.split(' '))
/** Behind a value that only describes somebody of whom another thing is told: 我陪5岁的女儿跑步, "our 5-year-old daughter". */
const BESIDE_A_NAME = /^(?:岁|个月)?大?的|^[ -]year[ -]old \w/i
/** The relations that count as near, and where somebody is told to be one, and not on the way to something else. */
const KEYS_BY_NAME: ReadonlySet<string> = new Set('partner child sibling parent friend doctor dentist'.split(' '))
const GIVES_NAME = /^(?:my|our)\b|\b(?:married|engaged|dating)\b|叫|是/i

/** A clause that was cut out of a sentence, with its full stop. */
function asSentence(clause: string): string {
  const bare = clause
    .replace(/^(?:and|but|so|while)\s+|^(?:但是?|而且|所以|不过|其实)/i, '')
    .replace(/[\s,，;；、]{1,40}$/u, '')
  if (hasHan(bare)) return /[。！]$/u.test(bare) ? bare : `${bare}。`
  const upper = bare.charAt(0).toUpperCase() + bare.slice(1)
  return /[.!]$/.test(upper) ? upper : `${upper}.`
}
