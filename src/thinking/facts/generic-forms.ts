/**
 * How is an attribute without an own form stated ("My X is Y", "we use Y for X", 我的X是Y, X换成Y)? The key is the noun X,
 * and Y identifies it; "my work is paying off" states nothing.
 */
import { hasHan } from '../../language/character-class.ts'
import { wordList } from '../../language/word-lists.ts'
import { asWritten, isHard, isKnownPlace, isThing, kindOf, valueOfKind } from './kinds.ts'
import { isRelation, relationIndex } from './people.ts'
import { wordsOf } from './phrase-index.ts'
import { slotHitsIn, slotNamed, topicsOf } from './topics.ts'

/** A pronoun, a word of time or a verb form is no noun; neither is a word that ends in 的. */
const NO_NOUN =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|\d+) |\b(?:i|we|you|he|she|it|they|this|that|these|those|there|here|of|in|on|at|to|for|from|with|by|and|or|but|after|before|about|is|are|was|not|just|only|still|all|both|the|an?|my|our|his|her|their|[a-z]{1,40}ly|years?|months?|weeks?|days?|hours?|minutes?|now|today|what|who|which)\b|的$|[我你您他她它们这那谁]|^(?:[上下本这]个?[周月年]|[去今明]年|最近|特别|尤其|毕竟|确实|应该|虽然|但|不|今天|明天|昨天|原来|最好|好像|其实|可能|觉得|听起来|有时候?|坚持|更|而且|或者|因为|所以|如果|就|还|都|也|只|主要|关键|重点|首先|既|又)|(?:了|着|过|完|又|还|也|才|再|倒|不|没)$/i
const LEADING = /^(?:new|current|old|own|main|whole|actual|real|present|personal|latest|usual|default)\s+/i

const NAMED = / \p{Lu}\p{Ll}{1,40}$/u

/** Which attribute a relation is: of a sister one tells by name that there is one. */
const BY_RELATION: Readonly<Record<string, string>> = {
  mother: 'parent',
  father: 'parent',
  parents: 'parent',
  brother: 'sibling',
  sister: 'sibling',
  son: 'child',
  daughter: 'child',
  elder_child: 'child',
  younger_child: 'child',
}

/** The attribute that a relation is: `child` for a daughter, the relation itself for an aunt. */
function keyOfRelation(relation: string): string {
  return BY_RELATION[relation] ?? relation
}

/** The key of a noun; null for a noun that is no attribute. `isLiked`: it is somebody's favourite. */
function keyOfNoun(noun: string, isLiked = false): string | null {
  const bare = noun
    .replace(LEADING, '')
    .replace(/^(?:新|现在的|目前的)/, '')
    .trim()
  if (bare === '' || NO_NOUN.test(bare)) return null
  const words = wordsOf(bare)
  const isHan = words.every(({ han }) => han)
  const known = [...wordList('chinese-keys')].find((pair) => pair.startsWith(`${bare} `))?.slice(bare.length + 1)
  if (isLiked) return isHan ? `favourite_${known ?? 'thing'}` : `favourite_${snake(bare)}`
  const atEnd = ({ at, length }: { readonly at: number; readonly length: number }): boolean =>
    at + length === words.length
  const hits = slotHitsIn(words)
  const ends = hits.filter(atEnd)
  const byName = ends.find(({ name }) => name === words.at(-1)?.text.toLowerCase())
  const relations = relationIndex().find(words)
  const relation = byName === undefined ? relations.find(atEnd) : undefined
  if (relation !== undefined) return keyOfRelation(relation.entry)
  // "My manager" is a person before it is a profession.
  const last = byName ?? ends.find(({ name }) => name !== 'job') ?? ends[0]
  // "My sister Ana" is a person, and no attribute of that name; 爸以前 is none either.
  const isPerson = relations.length > 0 || hits.some(({ name }) => kindOf(name) === 'person')
  if (last === undefined) return known ?? (isPerson && (isHan || NAMED.test(bare)) ? null : snake(bare))
  // 英文名 is not the name itself.
  if (last.name === 'name' && isHan && !OWN_NAME.test(bare)) return known ?? bare
  const before = words.slice(0, last.at)
  if (before.length === 0 || isHan) return last.name
  // A "personality type" is no type of program.
  if (last !== byName) return snake(bare)
  return snake([...before.map(({ text }) => text), last.name].join(' '))
}

const OWN_NAME = /^(?:我的?)?(?:真|本|大|全)?(?:名字?|姓名)$/u

/** "Blood type" → blood_type. */
function snake(noun: string): string {
  return noun
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_{1,40}$/g, '')
}

/** A key and a value as they stand in a clause. */
export interface Stated {
  readonly key: string
  readonly value: string
  /** `preference` for "I prefer", "favourite"; else a fact. */
  readonly preference: boolean
  /** The relation whose it is: "my sister's dentist"; undefined where nobody is named. */
  readonly owner: string | undefined
}

interface GenericForm {
  readonly pattern: RegExp
  /** The claim of the form about X: its owner, so that any noun may be X, the best-liked one, or a tool for it. */
  readonly says?: 'own' | 'liked' | 'used'
  /** The key where the clause names none. */
  readonly key?: string
}

const END = String.raw`(?=\s*(?:$|[,;!?\n()–—]|\.(?:\s|$)|\s-)|\s+(?:but|so|because|since|which|who|while|instead|from now|as of|these days|now|and (?:my|our|i|we|it|is|has))\b)`
const Y = String.raw`(?<y>[^,;:!?\n()–—]{1,60}?)${END}`
const NOUN = String.raw`(?<x>[a-z][\w'-]*(?: [a-z][\w'-]*){0,3}?)`
const IS = `(?: is| are|'s|=|:| =| has been| will be| is now| are now| is actually| is called| is named| (?:(?:went|goes|came) (?:up|down)|rose|fell|dropped) to(?= \\W?\\d))`

const ENGLISH: readonly GenericForm[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:my|our) (?:(?:all-time|absolute|personal) )?(?:favou?rite|preferred) (?<x>[a-z][\w' -]{1,30}?)${IS} ${Y}`,
      'i',
    ),
    says: 'liked',
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:changed|switched|reset|renamed|raised|lowered|bumped|put) (?:the|my|our) (?![^,;]{1,40} from )${NOUN} (?:up |down |over |back )?to ${Y}`,
      'i',
    ),
  },
  {
    pattern: new RegExp(
      String.raw`(?:^|\b(?:that|but|and|so|because|since|oh|yes|hi|think|guess|believe|know|now|sure) |[,:] )(?:my|our) ${NOUN}${IS} (?:now |called |on |with |at |in |booked (?:for|on) |scheduled (?:for|on) |due (?:on )?|set (?:to|for) |written in )*${Y}`,
      'i',
    ),
    says: 'own',
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:i|we) (?:now |always |usually |mostly )?(?:use|run) (?<y>[^,;!?\n()]{1,40}?) (?:for|as (?:our|my|the)) (?:my |our |the |all )?${NOUN}${END}`,
      'i',
    ),
    says: 'used',
  },
  {
    pattern: new RegExp(
      `^(?:our |my )${NOUN} (?:runs?|lives?|sits?|listens?|is hosted|is deployed) (?:on|in|at|behind) ${Y}`,
      'i',
    ),
    says: 'own',
  },
  {
    pattern: new RegExp(
      `^(?:the )?${NOUN} (?:runs?|lives?|sits?|listens?|is hosted|is deployed) (?:on|in|at|behind) ${Y}`,
      'i',
    ),
  },
  {
    pattern:
      /\b(?:i|we) (?:really |much |strongly )?prefer (?<y>[^,;!?\n()]{1,40}?)(?= (?:over|to|rather|instead|for|when)\b|\s{0,40}(?:$|[,;!?\n()]|\.(?:\s|$)))/i,
    says: 'liked',
    key: 'preference',
  },
  { pattern: new RegExp(`^(?:the |our )${NOUN}${IS} (?:now |on |at |called )*${Y}`, 'i') },
]
const HAN_END = '(?=[，。；！？,;!?\\n（）]|$|[了的](?:[，。！,]|$))'
const HAN_Y = `(?<y>[^，。；！？,;!?\\n（）]{1,24}?)${HAN_END}`
/** 合同是六月签的: it tells when, and gives no value. */
const TELLS_WHEN = '[^，。]{0,10}[年月日号天][^，。]{1,4}的(?:[，。]|$)'
/** Words that may stand before the verb without changing the subject. */
const HAN_BESIDE = '(?:现在|目前|统一|好像|应该|大概|可能|其实|原来|一直|都|也)?'
const HAN_X = (most: number): string => `(?<x>[^，。！？,\\s是我你您他她它这那在用把将被让和及]{2,${most}}?)`
const CHINESE: readonly GenericForm[] = [
  {
    pattern: new RegExp(`把(?:我的?|我们的?|咱们?的?)?${HAN_X(10)}(?:的)?(?:改成|换成|改为|调成|涨到|降到)了?${HAN_Y}`),
  },
  { pattern: new RegExp(`(?:我|我们|咱们?)?(?:最喜欢|最爱)的${HAN_X(8)}(?:是|就是)${HAN_Y}`), says: 'liked' },
  {
    pattern: new RegExp(
      `(?:我|我们|咱们?|俺)(?:家|们|公司|项目|组)?的${HAN_X(10)}${HAN_BESIDE}(?:是|为|叫|用的是|走的是|换成了?|改成了?|在)${HAN_Y}`,
    ),
    says: 'own',
  },
  {
    pattern: new RegExp(
      `(?:我们|咱们?|我|俺)(?!们)${HAN_X(6)}${HAN_BESIDE}(?:是|叫|用的是)(?!说|不是|想|因为|${TELLS_WHEN})${HAN_Y}`,
    ),
  },
  {
    pattern: new RegExp(`^${HAN_X(8)}${HAN_BESIDE}(?:是|用的)(?!说|不是|因为|了|来|${TELLS_WHEN})${HAN_Y}`),
  },
  {
    pattern: new RegExp(
      `^${HAN_X(8)}${HAN_BESIDE}(?:从[^，。！？]{1,12})?(?:用的是|走的是|[换改]成了?|改用|[迁切]到了?)${HAN_Y}`,
    ),
    says: 'own',
  },
  {
    pattern: new RegExp(
      `(?:用|拿) ?(?<y>[^，。！？,用]{1,16}?) ?(?:来)?(?:做|写|记|管|存|跑|发|画|听|看|管理|部署|打包|测)(?<x>[^，。！？,\\s了的过着]{2,6})${HAN_END}`,
    ),
    says: 'used',
  },
  {
    pattern: new RegExp(
      `^(?!大家)[^你您他她客户们]{0,12}(?<![险人户的家])(?:更喜欢|更爱|偏好|比较喜欢|习惯用|偏爱)${HAN_Y}`,
    ),
    says: 'liked',
    key: 'preference',
  },
]
const ARTICLE = /^(?:the|an?)\s+/i
const BESIDE = /\s{1,40}(?:in it|at the moment|of all time|by far|right now|and (?:i|it|we)\b.{0,200})$/i

/** The statement of a clause in a generic form; null when there is none. */
export function statedIn(clause: string): Stated | null {
  for (const form of hasHan(clause) ? [...CHINESE, ...ENGLISH] : ENGLISH) {
    const { groups, 0: words = '' } = form.pattern.exec(clause) ?? {}
    const said =
      groups?.y
        ?.trim()
        .replace(/^(?:called|named)\s+/i, '')
        .replace(ARTICLE, '')
        .replace(BESIDE, '') ?? ''
    if (groups === undefined) continue
    const noun = groups.x?.trim()
    const [owner, own] = ownerIn(noun)
    const role = own === undefined ? null : keyOfNoun(own)
    const key =
      role !== null && isPersonKey(role) ? role : noun === undefined ? form.key : keyOfNoun(noun, form.says === 'liked')
    if (key === undefined || key === null) continue
    if (isPersonKey(key) && IN_PLACE.test(words.slice(0, -groups.y!.length))) return null
    const value = valueFor(key, said, form.says)
    if (value !== null) return { key, value, preference: form.says === 'liked', owner }
  }
  return null
}

/** The relation that a noun begins with, with or without its apostrophe, and the rest: "husbands dentist", 女儿的班主任. */
function ownerIn(noun = ''): readonly [owner?: string | undefined, own?: string | undefined] {
  const [, owned = '', own] = /^([a-z]{2,20}['’]?s['’]?) (\S.*)/i.exec(noun) ?? /^(.{1,6})的(.+)/u.exec(noun) ?? []
  const owner = relationIndex().find(wordsOf(owned))[0]?.entry
  return owner === undefined ? [] : [owner, own]
}

/** "My sister lives in Breda": Breda is not who she is. */
const IN_PLACE = /\b(?:in|on|at|with|behind) $/i

/** Whether the values of an attribute are people. */
export function isPersonKey(key: string): boolean {
  return (
    isRelation(key) ||
    kindOf(key) === 'person' ||
    (isWord(key) && relationIndex().find(wordsOf(`my ${key}`)).length > 0)
  )
}

const isWord = (key: string): boolean => !key.includes('_')

/** The attributes that may be a tool for something. */
const TOOLS = ['project-attributes', 'either-attributes'] as const

/** "My dog is 3 years old" does not tell which dog it is. */
const AGED = /\b(?:year|month|week)s? old$|岁$/i

/** The value of an attribute: of its kind, or a name, a number or a word that belongs to it. */
function valueFor(key: string, said: string, says: GenericForm['says']): string | null {
  const written = asWritten(said)
  const slot = slotNamed(key) ?? slotNamed(key.slice(key.lastIndexOf('_') + 1))
  const kind = isPersonKey(key) ? 'person' : kindOf(slot?.name ?? key)
  if (kind === 'place' && hasHan(written)) return isKnownPlace(written) ? written : null
  if (kind === 'organisation' && hasHan(written) && !isHard(written)) return null
  if (kind !== undefined && kind !== 'food') return valueOfKind(kind, written)
  if (AGED.test(written)) return null
  if (!isThing(written) && !isHard(written)) return null
  if (says === 'liked') return said
  // "I use Anki for Spanish" names a tool, and no language.
  const isTool = says !== 'used' || TOOLS.some((list) => wordList(list).has(slot?.name ?? ''))
  const fits = (isHard(written) && isTool) || (slot !== undefined && topicsOf(written).has(slot.name))
  return fits && (slot !== undefined || says === 'own') ? said : null
}
