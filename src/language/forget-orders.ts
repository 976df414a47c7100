/**
 * Does a message order to forget, or forbid keeping ("off the record", 别记住)? Nothing of it is kept, and no model is shown
 * it, or what it takes back, outside of its conversation.
 */
import { hasHan } from './character-class.ts'
import { forbids } from './forbid-orders.ts'
import { asOrder, KEEP, POLITE } from './keeping.ts'
import { asksOrOrders } from './questions.ts'
import { indexTerms, isGenericTerm } from './terms.ts'

/** "What I've just told you about": the words of an order that say it was said. */
const SPEECH =
  /^(?:(?:all|everything|anything|what(?:ever)?|that|those|which|the|things?|stuff|bits?|parts?|of) ){0,4}(?:i|we)(?:['’](?:ve|d)| have| had)?(?: just| already| ever)? (?:said|told you|mentioned|wrote|shared|sent)(?: (?:to )?you| earlier| before| just now| above| here){0,2}(?: (?:about|on|regarding|concerning|of|that))?(?: |$)/i
const ABOUT =
  /^(?:(?:(?:all|everything|anything|the|that|this|whole|things?|stuff|bits?|parts?|story|business) ){1,4}(?:about|regarding|concerning)|about(?= (?:my|our)\b)) /i
/** "Pretend I never said that." */
const UNSAID =
  /^(?:that )?(?:i|we)(?: never|(?: did| had)(?:n['’]?t| not| never)) (?:said|say|told you|tell you|mentioned|mention|wrote|write|shared|share)(?: (?:about|of|that))?(?: |$)/i
const FACT = /^(?:the fact that |that (?=(?:\S{1,40} ){2}\S))/i
/** "The salary thing". */
const MATTER = /^(?:the|that|this) (\S.{0,60}?) (?:things?|stuff|business|matter|story|bit|part)$/i
const OWN = /^(?:my|our) \S/i
const OWNED = /^(?:(?:my|our) |(?:我|咱)们?的?)/i
const FORGET = new RegExp(
  `(?:^|[.!?;,:\\n]\\s{0,8}|\\bplease )${POLITE}(?:you (?:can|may|could|should) (?:just )?)?(forget|erase|delete|remove|drop|scrap|keep|leave|take|(?:let['’]?s )?pretend|act like|act as (?:if|though)) (?=([^.!?\\n]{2,300}))`,
  'gi',
)
/** Without one of these nothing is ordered: most texts are read no further. */
const VERB = /\b(?:forget|erase|delete|remove|drop|scrap|memor(?:y|ies)|records?|notes|pretend|act)\b|[忘删抹]/i
const POLITE_END =
  /(?:(?:^|[, ]{1,4})(?:please|pls|plz|ok(?:ay)?|thanks|thank you|now|again|for good|completely|entirely|altogether|will you|would you)){1,4}$/i
const FROM_MEMORY = / from (?:your |the |my )?(?:memory|memories|records?|notes)$/i
const OF_YOUR_MEMORY = / (?:from|out of) your (?:memory|memories|records?|notes)$/i
const POINTS = /^(?:that|this|those|these)$/i
const POINTS_OR_IT = /^(?:that|this|it|those|these|them)$/i
const ALL_OF_IT = /^(?:all|any|both) of (?:that|this|it|those|these|them)$/i
const NOTHING = /^(?:it|me|him|her|them|us|that|this|everything|anything|all|both)(?: all)?$/i
/** "Forget my diet, let's order pizza" is a turn of the talk, and no order. */
const GOES_ON = /^(?:let['’]?s|let us|we|i['’]ll|instead|我们|咱们?|聊|换)/i

const SPEECH_HAN =
  /^(?:我们?|咱们?)?(?:刚才|刚刚|刚|之前|前面|上次|上面|昨天|以前|先前){0,2}(?:我们?|咱们?)?(?:跟你|和你|对你|给你|向你)?(?:说|讲|提|聊|告诉你)(?:过|到|起|了){0,2}(?:的(?:关于|有关)?|关于|有关)/u
const EARLIER_HAN = /^(?:关于|有关|(?:我们?|咱们?)?(?:刚才|刚刚|之前|前面|上次|上面|以上)的?)/u
const POINTS_HAN = /^(?:[这那](?:[个些件条句段](?:事情?|话)?)?|事情?|话|内容)$/u
const MATTER_HAN = /(?:的[这那]?[件些个条]?(?:事情?|事儿|话|内容|信息)|[这那][件回些](?:事情?|话))$/u
const FORGET_HAN =
  /(?:^|[，。！？；：,!?;:\s])((?:请|麻烦|帮我|您|你|能不能|可以|就){0,4})(?:(?:[把将]|(?=关于|我?(?:刚才|刚刚|之前|上次|跟你)))([^。！？\n]{1,40}?)[，,]?[你就请给都全]{0,3})?(忘掉|忘了|忘记|删掉|删除|删了|抹掉)(?:了(?=吧))?(?=([^。！？\n]{0,80}))/gu
const PARTICLES = /(?:吧|啊|哈|呢|啦|哦|谢谢)$/u

/** An order to forget: what it names (nothing: the user's message before it), and whether all of the text is the order. */
interface ForgetOrder {
  readonly named: readonly string[]
  readonly isAll: boolean
}

/** "Forget what I said about my brother, please", 忘掉我刚才说的工资的事; null where none is ordered. */
export function forgetOrder(text: string): ForgetOrder | null {
  if (!VERB.test(text)) return null
  const said = asOrder(text.trim())
  if (/[吗？?]\s{0,40}$/.test(said)) return null
  for (const match of said.matchAll(FORGET)) {
    const [words, verb = '', rest = ''] = match
    const order = orderWith(said, match.index, words.length, rest, (object) => namedIn(verb.toLowerCase(), object))
    if (order !== null) return order
  }
  for (const match of said.matchAll(FORGET_HAN)) {
    const [words, lead = '', moved = null, verb = '', rest = ''] = match
    const named = (object: string): readonly string[] | null => namedInHan({ lead, moved, verb }, object)
    const order = orderWith(said, match.index, words.length, rest, named)
    if (order !== null) return order
  }
  return null
}

/** The order with what its first clause names; a clause behind it gives a reason or names a figure, or goes on. */
function orderWith(
  said: string,
  at: number,
  length: number,
  rest: string,
  namedBy: (object: string) => readonly string[] | null,
): ForgetOrder | null {
  const [object = '', ...clauses] = rest.split(/[,;:，；：（(—–]/)
  const named = namedBy(object.trim().replace(POLITE_END, ''))
  const after = clauses.map((one) => one.trim().replace(POLITE_END, '')).filter((one) => one !== '')
  if (named === null || after.some((one) => GOES_ON.test(one) || asksOrOrders(one))) return null
  const others = `${said.slice(0, at)}${said.slice(at + length + rest.length)}`
  const isAll = !/[\p{L}\p{N}]/u.test(others)
  if (named.length === 0) return after.length > 0 ? null : { named, isAll }
  return { named: [...named, ...after.filter((one) => /\d/.test(one))], isAll }
}

/** The thing that the verb's object names; none: the words before; null: it is no order. */
function namedIn(verb: string, object: string): readonly string[] | null {
  const left = object.replace(OF_YOUR_MEMORY, '')
  const isOfMemory = left !== object
  if (isOfMemory && POINTS_OR_IT.test(left)) return []
  if (/^(?:keep|leave|take)/.test(verb)) return isOfMemory && !NOTHING.test(left) ? [left] : null
  if (/pretend$|^act /.test(verb)) return UNSAID.test(object) ? namesOrNone(object.replace(UNSAID, '')) : null
  const framed = [SPEECH, ABOUT, ...(verb === 'forget' ? [FACT] : [])].find((frame) => frame.test(object))
  if (framed === undefined && ((verb === 'forget' && POINTS.test(object)) || ALL_OF_IT.test(object))) return []
  const isNamed = framed !== undefined || OWN.test(object) || FROM_MEMORY.test(object)
  const what = isNamed ? object.replace(framed ?? '', '').replace(FROM_MEMORY, '') : (MATTER.exec(object)?.[1] ?? '')
  const named = namesOrNone(what)
  return named.length > 0 || framed === SPEECH ? named : null
}

function namesOrNone(what: string): readonly string[] {
  return what === '' || NOTHING.test(what) ? [] : [what]
}

/** As `namedIn`; 忘了 tells of forgetting, too, so that the rest of the order must show that it is one. */
function namedInHan(
  { lead, moved, verb }: { readonly lead: string; readonly moved: string | null; readonly verb: string },
  behind: string,
): readonly string[] | null {
  const isAsked = /请|麻烦|帮我/.test(lead) || behind.endsWith('吧')
  if (moved !== null && behind.replace(PARTICLES, '') !== '') return null
  const isMeant = isAsked || !verb.startsWith('忘了')
  const object = (moved ?? behind).replace(PARTICLES, '')
  const frame = [SPEECH_HAN, EARLIER_HAN].find((one) => one.test(object))
  const what = object.replace(frame ?? '', '').replace(MATTER_HAN, '')
  if (frame === SPEECH_HAN ? !isMeant && lead.includes('你') : !isMeant) return null
  const isOfFile = verb.startsWith('删')
  if (what === '' || POINTS_HAN.test(what)) return frame !== undefined || (object !== '' && !isOfFile) ? [] : null
  const isOwn = isOfFile ? /^我的/.test(what) : /^(?:我|咱)/.test(what) || moved !== null
  return frame !== undefined || isOwn || MATTER_HAN.test(object) ? [what] : null
}

/** "Don't remember that", 刚才的别记: they mean what was said before. */
const BEFORE_IT = new RegExp(
  `^${POLITE}(?:(?:do(?: not|n['’]?t)|never) (?:ever |please )?${KEEP}(?: (?:that|it|any of (?:that|it)|what i (?:just )?said))?(?: down)?|(?:that(?:['’]s| is| was)|keep (?:that|it)) off the record)[.! ]{0,8}$|^(?:请|那)?(?:(?:我?(?:刚才|刚刚|前面|上面))?[这那](?:个|条|句|段|些)|以上|上面的|我?(?:刚才|刚刚)?说的|刚才的)?(?:话|内容)?(?:你|就|也|都|请)?(?:别|不要|不用|甭)(?:再|给我|帮我|往心里)?(?:记住|记录|记|保存|存)(?:下来|下|了|啊|哦|哈)?(?:这个|这条|这些|刚才(?:说)?的)?[。！~\\s]{0,8}$|^(?:[这那](?:话|句话?|个|事))?(?:请|你|就|那){0,3}(?:当|当作|当做|权当)我(?:刚才|刚刚|什么都)?没(?:有)?(?:说|讲|提)(?:过)?(?:这个|这事|这话|这些)?(?:吧|啊|哈|哦)?[。！~\\s]{0,8}$`,
  'i',
)

/** Most messages are read no further. */
const MAY_TAKE_BACK = new RegExp(`\\b${KEEP}|off the record|[别当甭]|不[要用]`, 'i')
/** Clauses beside such an order that only say why, or "never mind". */
const ASIDE =
  /^(?:never ?mind|scratch that|actually|sorry|oops|wait|(?:delete|erase|remove) (?:that|this|it)|(?:that|this|it)(?:['’]s| is| was| stays)(?: \S{1,12}){0,2} (?:between (?:us|you and me)|private|personal|confidential|secret)|算了|抱歉|不好意思)$/i

/** Characters of an order that names nothing. */
const LONGEST_BARE = 200

/** Whether the whole message takes back the user's message before it: "forget that", 忘了刚才说的, "that was off the record". */
export function takesBack(message: string): boolean {
  if (message.length > LONGEST_BARE) return false
  const order = forgetOrder(message)
  if (order?.isAll === true) return order.named.length === 0
  if (order === null && !MAY_TAKE_BACK.test(message)) return false
  const clauses = message.split(/[,;.!，。；！\n—–]/u).map((one) => one.trim().replace(POLITE_END, ''))
  const said = clauses.filter((one) => one !== '')
  const isBack = said.map((one) => BEFORE_IT.test(one) || (order !== null && forgetOrder(one)?.named.length === 0))
  return (
    isBack.includes(true) && said.every((one, at) => isBack[at] || ASIDE.test(one) || (hasHan(one) && forbids(one)))
  )
}

/** A message with its speaker's role. */
interface Said {
  readonly role: string
  readonly content: string
}

/** Whether the user's next message takes this one back. */
export function isTakenBack(messages: readonly Said[], at: number): boolean {
  const next = nextOfUser(messages, at)
  return next !== undefined && takesBack(next.content)
}

function nextOfUser(messages: readonly Said[], at: number): Said | undefined {
  // Of a long conversation no copy is made for each message.
  let next = at + 1
  while (next < messages.length && messages[next]!.role !== 'user') next += 1
  return messages[next]
}

/** Whether a message is to be forgotten after the next one of its user, which takes it back or names what it tells. */
export function isForgottenAfter(message: string, next: string): boolean {
  if (takesBack(next)) return true
  const named = forgetOrder(next)?.named ?? []
  if (named.length === 0) return false
  const told = indexTerms(message)
  return named.some((name) => {
    const terms = [...indexTerms(name.replace(OWNED, '')).keys()].filter((term) => !isGenericTerm(term))
    return terms.length > 0 && terms.every((term) => told.has(term))
  })
}

/** Without messages that may not be kept or were taken back, and the answers to them. */
export function withoutTakenBack<Message extends Said>(messages: readonly Message[]): readonly Message[] {
  let isOut = false
  return messages.filter((message, at) => {
    if (message.role !== 'user') return !isOut
    const next = nextOfUser(messages, at)?.content ?? ''
    isOut = forbidsKeeping(message.content) || isForgottenAfter(message.content, next)
    return !isOut
  })
}

/** Characters from which a message is mostly pasted, and those of its beginning and its end that may order something. */
const [PASTED, ENDS] = [20_000, 2000]

/** Whether nothing of the message may be kept; a long one says so at its beginning or its end. */
export function forbidsKeeping(said: string): boolean {
  const message = said.length > PASTED ? `${said.slice(0, ENDS)}\n${said.slice(-ENDS)}` : said
  return forgetOrder(message) !== null || forbids(message) || (message.includes('当') && takesBack(message))
}
