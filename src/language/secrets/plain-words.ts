/**
 * Which words after "my password is" are not the password? States, judgements and places ("too short", "wrong",
 * "leaked"), by list and by ending.
 */

const ENDINGS =
  /(?:ed|ing|ly|[ai]ble|ful|less|ous|ive|[^r]al|ic|[ae]nt|[ao]ry|ward|wards|ward|where|thing|body|time|case|like|proof|free|based|ified)$/i

const WORDS = new Set(
  `strong stronger strongest weaker longer shorter better simpler safer easier harder simple complex secure insecure
  unsafe public private unique random rather pretty always almost already perhaps either neither another whatever
  enough exactly forgotten stolen hidden broken written spoken chosen unknown known shown taken given frozen proven
  overdue offline online inside outside around behind beneath beside before below between upstairs downstairs nearby
  overleaf underneath abroad around tomorrow yesterday tonight instead through correct incorrect invalid missing
  required secret secrets default optional encrypted plaintext plain numeric garbage rubbish nonsense perfect absurd
  insane stupid clever intact unclear obscure mature immature unsure certain uncertain yours theirs himself herself
  itself myself useless active inactive complete incomplete absolute separate accurate inaccurate adequate inadequate
  appropriate inappropriate legitimate duplicate approximate extreme severe awesome alright allright exposed unsafe
  unlike unset foolish childish gibberish selfish nothing everything something anyone everyone nobody somebody string number
  digits letters characters symbols english chinese bitwarden lastpass dashlane keychain keepass google facebook overkill`
    .trim()
    .split(/\s+/),
)

/** true for a word that tells how or where something is; false for a name or a thing, which may be a password. */
export function tellsOfState(word: string): boolean {
  return WORDS.has(word.toLowerCase()) || ENDINGS.test(word)
}
