/**
 * In which script is this text written? Enough to tell a wrong language of an answer; names and technical words of
 * another script do not count.
 */

const SCRIPTS = {
  han: /\p{Script=Han}/gu,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  hangul: /\p{Script=Hangul}+/gu,
  cyrillic: /\p{Script=Cyrillic}+/gu,
  arabic: /\p{Script=Arabic}+/gu,
  latin: /\p{Script=Latin}+/gu,
} as const
/** A script that texts are told apart by. */
export type Script = keyof typeof SCRIPTS
const NAMES: readonly Script[] = ['han', 'kana', 'hangul', 'cyrillic', 'arabic', 'latin']

const LONGEST_TEXT = 20_000
/** Characters of Han or kana to a word. */
const CHARACTERS_PER_WORD = 1.5
/** Share of the words from which on a text is Chinese though it names much in Latin letters. */
const HAN_SHARE = 0.4
const KANA_SHARE = 0.2

/** The script of the text's sentences; null without letters. */
export function mainScript(text: string): Script | null {
  const bounded = text.slice(0, LONGEST_TEXT)
  const words = (script: Script): number => {
    const count = bounded.match(SCRIPTS[script])?.length ?? 0
    return script === 'han' || script === 'kana' ? count / CHARACTERS_PER_WORD : count
  }
  const counts = NAMES.map((script) => ({ script, count: words(script) }))
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return null
  const share = (wanted: Script): number => counts.find(({ script }) => script === wanted)!.count / all
  if (share('kana') >= KANA_SHARE) return 'kana'
  if (share('han') + share('kana') >= HAN_SHARE) return 'han'
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).script
}

/** false when `answer` is surely not in the language in which `written` is. */
export function inSameScript(written: string, answer: string): boolean {
  const wanted = mainScript(written)
  const given = mainScript(answer)
  if (wanted === null || given === null || wanted === given) return true
  const holds = (text: string, script: Script): boolean => text.search(SCRIPTS[script]) >= 0
  // A short Chinese statement may name more in Latin letters than it says in Han.
  return wanted === 'han' || wanted === 'kana' ? holds(answer, 'han') || holds(answer, 'kana') : holds(written, given)
}
