/**
 * How is an attribute stated that no table knows? "My X is Y", "X of mine is Y", "we use Y for X", 我的X是Y, X用的是Y:
 * the key comes from X itself, so that a later statement about the same X is recognised.
 */
import { keyOfNoun } from './noun-key.ts'

/** A key and a value as they stand in a clause. */
export interface Stated {
  readonly key: string
  readonly value: string
  /** `preference` for "I prefer", "favourite"; else a fact. */
  readonly preference: boolean
}

interface GenericForm {
  readonly pattern: RegExp
  readonly preference?: boolean
  /** Key where the clause names none. */
  readonly key?: string
}

const END = String.raw`(?=\s*(?:$|[,;!?\n()]|\.(?:\s|$))|\s+(?:but|so|because|since|which|who|while|instead|from now|as of|these days|now|and (?:my|our|i|we))\b)`
const Y = String.raw`(?<y>[^,;:!?\n()]{1,60}?)${END}`
const NOUN = String.raw`(?<x>[a-z][\w'-]*(?: [a-z][\w'-]*){0,3}?)`
const IS = `(?: is| are|'s|=|:| =| has been| will be| is now| are now| is actually| is called| is named)`

const ENGLISH: readonly GenericForm[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:my|our) (?:favou?rite|preferred) (?<x>[a-z][\w' -]{1,30}?)${IS} (?:the |an? )?${Y}`,
      'i',
    ),
    preference: true,
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:changed|switched|reset|renamed|raised|lowered|bumped|put) (?:the|my|our) (?![^,;]{1,40} from )${NOUN} (?:up |down |over |back )?to (?:the |an? )?${Y}`,
      'i',
    ),
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\b(?:for|at|of|to|with|from|by|about) )\b(?:my|our) ${NOUN}${IS} (?!not\b|so\b|too\b|very\b|really\b|going\b|getting\b|(?:coming|staying|moving|leaving|flying|visiting|travelling|having|trying|planning|hoping|thinking|looking)\b)(?:the |an? |now |called |on (?:the )?)*${Y}`,
      'i',
    ),
  },
  { pattern: new RegExp(String.raw`\b(?:the|an?) ${NOUN} of mine${IS} (?:the |an? )?${Y}`, 'i') },
  {
    pattern: new RegExp(
      String.raw`\bfor ${NOUN},? (?:i|we) (?:now |always |usually |mostly )?(?:use|run|take) (?:the |an? )?${Y}`,
      'i',
    ),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:i|we) (?:now |always |usually |mostly )?(?:use|run) (?:the |an? )?(?<y>[^,;!?\n()]{1,40}?) (?:for|as (?:our|my|the)) (?:my |our |the |all )?${NOUN}${END}`,
      'i',
    ),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:the |our |my )?${NOUN} (?:runs?|lives?|sits?|listens?|is hosted|is deployed) (?:on|in|at|behind) (?:the |an? )?${Y}`,
      'i',
    ),
  },
  {
    pattern:
      /\b(?:i|we) (?:really |much |strongly )?prefer (?<y>[^,;!?\n()]{1,40}?)(?= (?:over|to|rather|instead|for|when)\b|\s*(?:$|[,;!?\n()]|\.(?:\s|$)))/i,
    preference: true,
    key: 'preference',
  },
  {
    pattern: new RegExp(
      String.raw`^(?:the |our )${NOUN}${IS} (?!not\b|so\b|too\b|very\b|really\b|going\b|down\b|broken\b|late\b)(?:the |an? |now |on )*${Y}`,
      'i',
    ),
  },
]
const HAN_END = '(?=[，。；！？,;!?\\n（）]|$|[了的](?:[，。！,]|$))'
const HAN_Y = `(?<y>[^，。；！？,;!?\\n（）]{1,24}?)${HAN_END}`
const CHINESE: readonly GenericForm[] = [
  {
    pattern: new RegExp(
      `把(?:我的?|我们的?|咱们?的?)?(?<x>[^，。！？,\\s我他她你]{1,10}?)(?:的)?(?:改成|换成|改为|调成|涨到|降到)了?${HAN_Y}`,
    ),
  },
  {
    pattern: new RegExp(`(?:我|我们|咱们?)?(?:最喜欢|最爱)的(?<x>[^，。！？,\\s]{1,8}?)(?:是|就是)${HAN_Y}`),
    preference: true,
  },
  {
    pattern: new RegExp(
      `(?:我|我们|咱们?|俺)(?:家|们|公司|项目|组)?的(?<x>[^，。！？,\\s是]{1,10}?)(?:现在|好像|应该|大概|可能|其实|一直|都)?(?:是|为|叫|用的是|走的是|换成了?|改成了?|在)${HAN_Y}`,
    ),
  },
  {
    pattern: new RegExp(
      `(?:我们|咱们?|我|俺)(?<x>(?!们)[^，。！？,\\s是我在用]{2,6})(?:是|为|叫|用的是)(?!说|不是|想|因为)${HAN_Y}`,
    ),
  },
  {
    pattern: new RegExp(
      `^(?<x>[^，。！？,\\s是我在用你他她这那]{2,8})(?:现在|目前|统一|好像|应该|大概|可能|其实|一直|都)?(?:是|为|用的是|用的|用|走的是|换成了?|改成了?|改用)(?!说|不是|因为|了|来)${HAN_Y}`,
    ),
  },
  {
    pattern: new RegExp(
      `(?:用|拿) ?(?<y>[^，。！？,用]{1,16}?) ?(?:来)?(?:做|写|记|管|存|跑|发|画|听|看|管理|部署|打包|测)(?<x>[^，。！？,\\s了的过着]{2,6})${HAN_END}`,
    ),
  },
  { pattern: new RegExp(`(?:更喜欢|更爱|偏好|比较喜欢|习惯用|偏爱)${HAN_Y}`), preference: true, key: 'preference' },
]

/** What a clause states in a generic form; null when it does not. */
export function statedIn(clause: string): Stated | null {
  for (const form of /\p{Script=Han}/u.test(clause) ? [...CHINESE, ...ENGLISH] : ENGLISH) {
    const groups = form.pattern.exec(clause)?.groups
    const value = groups?.y?.trim() ?? ''
    if (groups === undefined || value === '') continue
    const noun = groups.x?.trim()
    const key = noun === undefined ? form.key : keyOfNoun(noun)
    if (key === undefined || key === null) continue
    return { key, value, preference: form.preference === true }
  }
  return null
}
