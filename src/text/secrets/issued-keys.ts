/**
 * Which keys that a provider issued stand in this text? A table of beginnings, each with what may follow it. A beginning
 * is looked for as it is, so a text without any costs next to nothing; what follows is one class of characters that is
 * never gone over twice, so the time grows with the length of the text alone.
 */
import type { Secret } from './secret.ts'
import { isMixed, isPlaceholder } from './value-shape.ts'

/** `begins` is shown; `rest` is the pattern of what follows it. */
interface IssuedKey {
  readonly begins: string
  readonly rest: string
}

const WORD = '[A-Za-z0-9_-]'
const LETTERS = '[A-Za-z0-9]'

/** Longer beginnings first where one is the beginning of another. */
const ISSUED: readonly IssuedKey[] = [
  // Models: Anthropic, OpenAI, OpenRouter and everybody who copied OpenAI's shape; Google, Hugging Face, xAI, Groq …
  ...['sk-ant-', 'sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-or-'].map((begins) => ({ begins, rest: `${WORD}{12,}` })),
  { begins: 'sk-', rest: `${WORD}{16,}` },
  { begins: 'AIza', rest: `${WORD}{30,}` },
  { begins: 'hf_', rest: `${LETTERS}{20,}` },
  { begins: 'xai-', rest: `${LETTERS}{20,}` },
  { begins: 'gsk_', rest: `${LETTERS}{20,}` },
  { begins: 'pplx-', rest: `${LETTERS}{20,}` },
  { begins: 'r8_', rest: `${LETTERS}{20,}` },
  // Clouds.
  { begins: 'AKIA', rest: '[A-Z0-9]{16}(?![A-Za-z0-9])' },
  { begins: 'ASIA', rest: '[A-Z0-9]{16}(?![A-Za-z0-9])' },
  { begins: 'LTAI', rest: `${LETTERS}{12,}` },
  { begins: 'AKID', rest: `${LETTERS}{13,}` },
  { begins: 'ya29.', rest: `${WORD}{20,}` },
  { begins: 'GOCSPX-', rest: `${WORD}{20,}` },
  { begins: 'dop_v1_', rest: '[a-f0-9]{32,}' },
  { begins: 'dapi', rest: '[a-f0-9]{32}(?![A-Za-z0-9])' },
  // Code and packages.
  { begins: 'github_pat_', rest: '\\w{20,}' },
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((begins) => ({ begins, rest: `${LETTERS}{20,}` })),
  ...['glpat-', 'gldt-', 'glrt-', 'glptt-'].map((begins) => ({ begins, rest: `${WORD}{16,}` })),
  { begins: 'npm_', rest: `${LETTERS}{30,}` },
  { begins: 'pypi-', rest: `${WORD}{50,}` },
  { begins: 'dckr_pat_', rest: `${WORD}{20,}` },
  { begins: 'lin_api_', rest: `${LETTERS}{30,}` },
  { begins: 'ntn_', rest: `${LETTERS}{30,}` },
  { begins: 'ATATT3', rest: '[\\w=-]{40,}' },
  // Chat, mail, money.
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xapp-'].map((begins) => ({
    begins,
    rest: `${WORD}{16,}`,
  })),
  { begins: 'hooks.slack.com/services/', rest: '[A-Za-z0-9/]{20,}' },
  { begins: 'SG.', rest: '[\\w-]{16,}\\.[\\w-]{16,}' },
  ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_', 'shpat_', 'shpss_'].map((begins) => ({
    begins,
    rest: `${LETTERS}{16,}`,
  })),
  { begins: 'glsa_', rest: '\\w{30,}' },
  { begins: 'hvs.', rest: `${WORD}{20,}` },
  { begins: 'AGE-SECRET-KEY-1', rest: '[A-Z0-9]{40,}' },
  // A signed token: header, claims, signature.
  { begins: 'eyJ', rest: '[\\w-]{6,}\\.eyJ[\\w-]{6,}\\.[\\w-]{10,}' },
]

const NOT_WITHIN = '(?<![A-Za-z0-9_-])'
const escaped = (begins: string): string => begins.replace(/[.]/g, '\\$&')
const KEYS = ISSUED.map(({ begins, rest }) => ({
  begins,
  pattern: new RegExp(`${NOT_WITHIN}${escaped(begins)}${rest}`, 'g'),
}))

/** An AWS secret key has no beginning of its own; it stands near the id that it belongs to. */
const AWS_SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g
const NEAR = 300
/** Telegram's bots: a number, then what begins alike for all of them. */
const TELEGRAM = /(?<![A-Za-z0-9_-])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g

/** Most texts have no such beginning; far cheaper than the search for each. */
const BEGINS = new RegExp(ISSUED.map(({ begins }) => escaped(begins)).join('|'))

/** The keys by their beginnings; overlapping ones may come twice. */
export function issuedKeys(text: string): readonly Secret[] {
  const found: Secret[] = text.includes(':AA') ? telegramTokens(text) : []
  if (!BEGINS.test(text)) return found
  for (const { begins, pattern } of KEYS) {
    if (!text.includes(begins)) continue
    for (const match of text.matchAll(pattern)) {
      const [key] = match
      if (!isMixed(key.slice(begins.length)) || isPlaceholder(key)) continue
      found.push({ from: match.index, to: match.index + key.length, shown: begins })
    }
  }
  const ids = found.filter(({ shown }) => shown === 'AKIA' || shown === 'ASIA')
  return ids.length === 0 ? found : [...found, ...secretKeysNear(text, ids)]
}

function telegramTokens(text: string): Secret[] {
  return [...text.matchAll(TELEGRAM)].map(({ 0: token, index }) => ({
    from: index,
    to: index + token.length,
    shown: '',
  }))
}

/** What looks like the secret half of an AWS key within some lines of its id. */
function secretKeysNear(text: string, ids: readonly Secret[]): readonly Secret[] {
  const found: Secret[] = []
  for (const match of text.matchAll(AWS_SECRET)) {
    const [key] = match
    const [from, to] = [match.index, match.index + key.length]
    const isNear = ids.some((id) => id.to + NEAR >= from && id.from - NEAR <= to)
    if (isNear && /\d/.test(key) && /[a-z]/.test(key) && /[A-Z]/.test(key)) found.push({ from, to, shown: '' })
  }
  return found
}
