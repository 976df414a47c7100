/** The evidence of a context as a list, best first; only `touch` counts as use. */
import { check, type InputOf, orElse } from '../domain/checks.ts'
import { invalid } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import { SETTINGS } from '../domain/settings.ts'
import { tokenCounter } from '../language/count-tokens.ts'
import { maskSecretsPatiently } from '../language/secrets/mask-secrets.ts'
import { namesSecret } from '../language/secrets/value-shape.ts'
import { evidenceLine } from '../search/context/layer-texts.ts'
import { type Evidence, selectEvidence } from '../search/evidence/select-evidence.ts'
import { evidenceFor } from './evidence.ts'
import { projectOf } from './memories/filter.ts'
import { type Opened, settingValues } from './options.ts'
import type { EvidenceSources } from './recall-turns.ts'

export type EvidenceKind = Evidence['kind']
export const EVIDENCE_KINDS: readonly EvidenceKind[] = ['turn', 'memory']

/** The answer, best first; empty where nothing answers. */
export interface RecalledEvidence {
  readonly results: readonly Evidence[]
  /** The tokens of all results together, as lines of a context. */
  readonly tokens: number
  readonly latencyMs: number
  readonly warnings: readonly string[]
}

const MOST_TOKENS = SETTINGS['memory.evidence_tokens'].bounds[1]
const FIELDS = {
  userId: check.id,
  /** The running conversation, whose rolling window is left out of the answer. It is no filter. */
  conversationId: check.optionalId,
  /** Only turns of this project, or of the one that this path lies in, and memories that hold there; default: all. */
  projectRoot: check.optionalId,
  /** Default both. */
  kinds: orElse(EVIDENCE_KINDS, check.someOf<EvidenceKind>, EVIDENCE_KINDS),
  /** Texts at the most, 1 to 10,000. Default: as many as the tokens hold. */
  limit: orElse(null, check.integer, 1, LIMITS.resultLimit),
  /** Tokens of all texts together. Default: the setting `memory.evidence_tokens`; no bound where a limit is named. */
  tokenBudget: orElse(null, check.integer, 1, MOST_TOKENS),
  /** Memories at this moment; default: the present ones. */
  asOf: check.optionalTime,
  /** The moment that "yesterday" is counted from; default: the clock's. */
  now: check.optionalTime,
  /** Only events and tellings at or after this. */
  since: check.optionalTime,
  /** Only events and tellings at or before this. */
  until: check.optionalTime,
  /** true: every result says how its score came about. */
  explain: orElse(false, check.boolean),
  /** true: passwords, keys and other secrets are shown as they are. Default false. */
  revealSecrets: orElse(false, check.boolean),
}

/** How to recall; everything but the user has a default. */
export type RecallEvidenceInput = InputOf<typeof FIELDS, 'userId'>

/** Recalls the answers to a message. Rejects with `invalid` for a bad question. */
export async function recallEvidence(
  core: Opened & EvidenceSources,
  message: string,
  input: RecallEvidenceInput,
): Promise<RecalledEvidence> {
  const started = performance.now()
  const { store, options } = core
  const given = check.fields('', input, FIELDS)
  check.content('message', message, LIMITS.contentBytes)
  const { userId, conversationId, kinds, asOf, since, until, explain, tokenBudget } = given
  const projectRoot = await projectOf(store.log, userId, given.projectRoot)
  const now = given.now ?? options.clock().getTime()
  if (since !== null && until !== null && since > until)
    throw invalid('since', 'lies after until', 'Swap the two, or leave one out.')
  const limit = given.limit ?? LIMITS.resultLimit
  const settings = await settingValues(core)
  const tokens = tokenBudget ?? (given.limit === null ? settings['memory.evidence_tokens'] : MOST_TOKENS)
  const { pieces, gains, room, warnings, window } = await evidenceFor(core, message, {
    ...{ userId, conversationId, projectRoot, kinds, now, asOf, since, until, explain, tokens, limit },
    contextLimit: settings.context_limit,
  })
  const masks = { said: !namesSecret(message) }
  const { chosen } = selectEvidence(given.revealSecrets ? pieces : await maskSecretsPatiently(pieces, masks), {
    // A request for a number of texts gets as many.
    bounds: {
      tokens: given.limit === null ? Math.min(tokens, room) : tokens,
      limit,
      memories: memoriesOf(kinds, settings['memory.rag_top_n']),
    },
    gains,
    message,
    shown: window.turns.map(({ content }) => content),
    line: (evidence) => evidenceLine(evidence, now, projectRoot),
    count: await tokenCounter(),
    turns: kinds.includes('turn'),
  })
  return {
    results: chosen,
    tokens: chosen.reduce((sum, one) => sum + one.tokens, 0),
    latencyMs: performance.now() - started,
    warnings,
  }
}

/** 001 bounds memories beside turns; a request for memories alone gets as many as fit. */
function memoriesOf(kinds: readonly EvidenceKind[], ragTopN: number): number {
  if (!kinds.includes('memory')) return 0
  return kinds.includes('turn') ? ragTopN : LIMITS.resultLimit
}
