/** Of whom does a Chinese clause speak, and how? Its first person near the beginning is the subject, else it is left out. */
import { meaningMask } from './meaning-table.ts'
import { type Clause, KIN, type Manner, PET, type Subject, type Tell, wordSet } from './predicate-kinds.ts'

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
export function readHan({ words: list, start, end, meanings }: Clause, tell: Tell): void {
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
