/** Issued keys: a table of beginnings, each with its continuation, finds them in linear time. */
import { isMixed, isPlaceholder } from './value-shape.ts'

/** A kind of issued key: `begins` is shown, and `rest` is the pattern behind it. */
interface IssuedKey {
  readonly begins: string
  readonly rest: string
}

const WORD = '[A-Za-z0-9_-]'
const LETTERS = '[A-Za-z0-9]'

/** Keys that begin in one of these ways and go on alike. */
function keys(begins: string, rest: string): readonly IssuedKey[] {
  return begins.split(/\s+/).map((word) => ({ begins: word, rest }))
}

const HEX = '[a-f0-9]'
const NO_FURTHER = '(?![A-Za-z0-9])'

/** Longer beginnings first; as the providers document, and public lists of rules (gitleaks, secretlint) collect. */
const ISSUED: readonly IssuedKey[] = [
  ...keys('sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or-', `${WORD}{12,}`),
  ...keys('sk-', `${WORD}{16,}`),
  // Models.
  ...keys('AIza', `${WORD}{30,}`),
  ...keys('hf_ xai- gsk_ pplx- r8_ csk- fw_ jina_ lsv2_pt_ lsv2_sk_ pcsk_', `${LETTERS}{20,}`),
  ...keys('nvapi- tvly-', `${WORD}{20,}`),
  // Our own.
  ...keys('mneme_', `${WORD}{30,}`),
  // Clouds.
  ...keys('AKIA ASIA ABIA ACCA', `[A-Z0-9]{16}${NO_FURTHER}`),
  ...keys('LTAI', `${LETTERS}{12,}`),
  ...keys('AKID', `${LETTERS}{13,}`),
  ...keys('ya29. GOCSPX-', `${WORD}{20,}`),
  ...keys('dop_v1_ doo_v1_ dor_v1_', `${HEX}{32,}`),
  ...keys('dapi', `${HEX}{32}${NO_FURTHER}`),
  ...keys('HRKU- fo1_ tskey-', `${WORD}{30,}`),
  ...keys('nfp_ pnu_', `${LETTERS}{30,}`),
  ...keys('sbp_ pul- squ_ sqp_ sqa_', `${HEX}{40}${NO_FURTHER}`),
  ...keys('sb_secret_', `${WORD}{20,}`),
  ...keys('pscale_tkn_ pscale_pw_ pscale_oauth_', `[\\w.-]{32,}`),
  ...keys('dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', `${LETTERS}{40,}`),
  ...keys('hvs. hvb. hvr.', `${WORD}{20,}`),
  // Code and packages.
  ...keys('github_pat_', '\\w{20,}'),
  ...keys('ghp_ gho_ ghu_ ghs_ ghr_', `${LETTERS}{20,}`),
  ...keys('glpat- gldt- glrt- glptt- glft- glimt- glagent- gloas- glsoat- glcbt-', `${WORD}{16,}`),
  ...keys('npm_ lin_api_ ntn_', `${LETTERS}{30,}`),
  ...keys('secret_', `${LETTERS}{43}${NO_FURTHER}`),
  ...keys('pypi-', `${WORD}{50,}`),
  ...keys('rubygems_', `${HEX}{48}${NO_FURTHER}`),
  ...keys('CLOJARS_', `[a-z0-9]{60}${NO_FURTHER}`),
  ...keys('oy2', `[a-z0-9]{43}${NO_FURTHER}`),
  ...keys('dckr_pat_ dckr_oat_ sgp_ figd_ bkua_', `${WORD}{20,}`),
  ...keys('ATATT3', '[\\w=-]{40,}'),
  ...keys('PMAK-', `${HEX}{24}-${HEX}{34}`),
  ...keys('API-', `[A-Z0-9]{26,32}${NO_FURTHER}`),
  ...keys('sha256~', `${WORD}{43}`),
  ...keys('AKCp', `${LETTERS}{60,}`),
  ...keys('pat', `${LETTERS}{14}\\.${HEX}{64}`),
  ...keys('pat-na1- pat-eu1-', `[a-fA-F0-9-]{36}`),
  // Chat, mail, money.
  ...keys('xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-', `${WORD}{16,}`),
  ...keys('hooks.slack.com/services/', '[A-Za-z0-9/]{20,}'),
  ...keys('SG.', '[\\w-]{16,}\\.[\\w-]{16,}'),
  ...keys('SK key-', `${HEX}{32}${NO_FURTHER}`),
  ...keys('xkeysib-', `${HEX}{64}-${LETTERS}{16}`),
  ...keys('sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_', `${LETTERS}{16,}`),
  ...keys('shpat_ shpss_ shpca_ shppa_', `${LETTERS}{16,}`),
  ...keys('sq0csp- sq0atp- tfp_ duffel_live_ duffel_test_', `${WORD}{20,}`),
  ...keys('shippo_live_ shippo_test_', `${HEX}{40}${NO_FURTHER}`),
  ...keys('EZAK EZTK', `${LETTERS}{54}${NO_FURTHER}`),
  ...keys('FLWSECK_TEST- FLWSECK-', `${WORD}{12,}`),
  // Services for monitoring and analytics.
  ...keys('glsa_ glc_', '[\\w+/=]{30,}'),
  ...keys('NRAK- NRJS- NRAA-', `[A-Za-z0-9]{19,}`),
  ...keys('sntrys_ sntryu_ phx_', '[\\w+/=-]{32,}'),
  ...keys('dt0c01.', `[A-Z0-9]{24}\\.[A-Z0-9]{64}`),
  ...keys('AGE-SECRET-KEY-1', '[A-Z0-9]{40,}'),
  ...keys('ops_eyJ', `${WORD}{100,}`),
  // A signed token: header, claims, signature; and the tokens of maps.
  ...keys('eyJ', '[\\w-]{6,}\\.eyJ[\\w-]{6,}\\.[\\w-]{10,}'),
  ...keys('sk.eyJ pk.eyJ', '[\\w-]{20,}\\.[\\w-]{16,}'),
]

const NOT_WITHIN = '(?<![A-Za-z0-9_-])'
const escaped = (begins: string): string => begins.replace(/[.]/g, '\\$&')
const KEYS = ISSUED.map(({ begins, rest }) => ({
  begins,
  pattern: new RegExp(`${NOT_WITHIN}${escaped(begins)}${rest}`, 'g'),
}))

/** AWS secret keys have no beginning of their own, but stand near their id. */
const AWS_SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g
const NEAR = 300
/** Bots of Telegram (a number, then what begins alike for all) and of Discord (an id, a time, a signature). */
const BOTS =
  /(?<![A-Za-z0-9_-])(?:\d{8,10}:AA[A-Za-z0-9_-]{33}|[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,40})(?![A-Za-z0-9_-])/g
/** So many of their signs stand together in every key and token, and in few other words. */
const LONG_WORD = /(?:^|[^\w.~+/=-])[\w.~+/=-]{16}/

/** A test for any of the beginnings, far cheaper than the search for each; most texts have none. */
const BEGINS = new RegExp(ISSUED.map(({ begins }) => escaped(begins)).join('|'))

/** The keys by their beginnings; overlapping ones may come twice. */
export function issuedKeys(text: string): readonly Secret[] {
  if (!LONG_WORD.test(text)) return []
  const found = botTokens(text)
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

function botTokens(text: string): Secret[] {
  return [...text.matchAll(BOTS)].map(({ 0: token, index }) => ({
    from: index,
    to: index + token.length,
    shown: '',
  }))
}

/** AWS secret keys: strings of their shape within some lines of a key id. */
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

/** A stretch of a text that nobody should read by accident; `from` and `to` count UTF-16 units, `to` is not part of it. */
export interface Secret {
  readonly from: number
  readonly to: number
  /** The part of its beginning that tells only the issuer, such as "sk-"; '' when nothing may be shown. */
  readonly shown: string
  /** true: a sentence says it ("the gate code is 4471", 密码是4471), as people tell what they want remembered. */
  readonly isSaid?: true
}
