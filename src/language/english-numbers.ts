/** Which number does an English word name? Zero to nineteen and the tens, in small letters. */

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
