/** Which number do these words write? Chinese ones as far as dates need it: 0 to 999, and years digit by digit. */

const DIGITS = '零一二三四五六七八九'

/** "三", "十二", "二十三", "7", "两", "半", "元" (of 元月) → a number; 几 counts as three. */
export function chineseNumber(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (text === '两') return 2
  if (text === '几') return 3
  if (text === '半') return 0.5
  if (text === '元') return 1
  for (const [mark, times] of LARGE) {
    const at = text.indexOf(mark)
    if (at < 0) continue
    const after = text.slice(at + 1)
    // 四千五 is 4,500, 四千零五 is 4,005.
    const small = /^[一二三四五六七八九]$/.test(after) ? (digit(after) * times) / 10 : rest(after.replace(/^零/, ''))
    return (at === 0 ? 1 : chineseNumber(text.slice(0, at))) * times + small
  }
  const ten = text.indexOf('十')
  if (ten < 0) return digit(text)
  const tens = ten === 0 ? 1 : digit(text[0]!)
  return tens * 10 + (ten === text.length - 1 ? 0 : digit(text[ten + 1]!))
}

const LARGE = [
  ['万', 10_000],
  ['千', 1000],
  ['百', 100],
] as const

function rest(text: string): number {
  return text === '' ? 0 : chineseNumber(text)
}

function digit(character: string): number {
  if (character === '两') return 2
  return Math.max(0, DIGITS.indexOf(character))
}

/** A year in digits or in Chinese characters: 2023, 二〇二三. */
export function yearNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number([...text].map(digit).join(''))
}

/** The words for 0 to 19, each at its number. */
export const SMALL_NUMBERS: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
/** The words for 20, 30, … 90. */
export const TENS: readonly string[] = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
/** All of them with their numbers. */
export const ENGLISH_NUMBERS: ReadonlyMap<string, number> = new Map([
  ...SMALL_NUMBERS.map((word, at): [string, number] => [word, at]),
  ...TENS.map((word, at): [string, number] => [word, 10 * (at + 2)]),
])
