/**
 * Invented turns for measuring speed: a made-up vocabulary with Zipf's frequencies, so that hot and rare words occur as in
 * real talk, and a few code symbols. A seed always gives equal turns.
 */

/** Random numbers in [0, 1) that can be repeated (a linear congruential generator mod 2³²). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const ONSETS = ['b', 'br', 'c', 'd', 'dr', 'f', 'g', 'gl', 'h', 'k', 'l', 'm', 'n', 'p', 'pl', 'r', 's', 'st', 't', 'v']
const NUCLEI = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou', 'ea']
const CODAS = ['', 'n', 'r', 's', 't', 'l', 'm', 'nd']

/** A vocabulary: the word of rank 0 is the most frequent. Distinct for every rank. */
export function word(rank: number): string {
  let rest = rank
  let text = ''
  do {
    text += ONSETS[rest % 20]! + NUCLEI[Math.floor(rest / 20) % 8]! + CODAS[Math.floor(rest / 160) % 8]!
    rest = Math.floor(rest / 1280)
  } while (rest > 0)
  return rank < 1280 ? text : `${text}x`
}

/** How many words the vocabulary has. */
export const VOCABULARY = 30_000

/** Draws a rank with probability about 1 / (rank + 3). */
export function drawRank(random: () => number): number {
  return Math.min(VOCABULARY - 1, Math.floor(3 * ((VOCABULARY / 3 + 1) ** random() - 1)))
}

/** Function words, which make up nearly half of the words of real talk. */
const FUNCTION_WORDS =
  'the of and a to in is you that it he was for on are as with his they I at be this have from or one had by but not what all were we when your can said there use an each which she do how their if will'.split(
    ' ',
  )
const FUNCTION_SHARE = 0.45

/** A turn of about 150 characters; every twelfth names a function and a path. */
export function turnText(random: () => number): string {
  const words: string[] = []
  let length = 0
  while (length < 140) {
    const next =
      random() < FUNCTION_SHARE ? FUNCTION_WORDS[Math.floor(random() * FUNCTION_WORDS.length)]! : word(drawRank(random))
    words.push(next)
    length += next.length + 1
  }
  if (random() < 1 / 12) {
    const subject = word(Math.floor(random() * 2000))
    words.push(`handle${subject[0]!.toUpperCase()}${subject.slice(1)}() in src/${subject}.ts`)
  }
  return `${words.join(' ')}${random() < 0.2 ? '?' : '.'}`
}

/** A question of six words: two hot, two of the middle, two rare. */
export function hotQuery(random: () => number): string {
  const pick = (from: number, to: number): string => word(from + Math.floor(random() * (to - from)))
  return [pick(0, 5), pick(5, 20), pick(100, 500), pick(500, 2000), pick(3000, 9000), pick(9000, 30_000)].join(' ')
}

/** A question of six words drawn like those of the turns, without the hottest. */
export function query(random: () => number): string {
  return Array.from({ length: 6 }, () => word(20 + drawRank(random))).join(' ')
}
