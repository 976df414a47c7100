/** Which sentences of a message are kept? Those that state something; questions, tasks and greetings beside them are not. */
import { CATEGORIES } from '../../domain/memory.ts'
import type { KeptPart } from '../../domain/thought.ts'
import { splitSentences } from '../../text/sentences.ts'
import { type Features, featuresOf } from './features.ts'
import { IMPORTANCE, KINDS } from './kinds.ts'
import type { Judgement } from './linear-model.ts'
import { withoutOrder } from './order-words.ts'

/** Sentences judged at most; the rest of a longer message is kept with the last of them. */
const MOST_SENTENCES = 40
/** A sentence stays unless the model is this sure, in log-odds, that it states nothing: a lost fact is worse than a long note. */
const DROPPED_BELOW = -1.5
/** Importance of what the user orders to be remembered (004). */
const ORDER = 3

/** The kept sentences of a message that is stored, in order, never none. */
export function keepParts(
  weigh: (features: Features) => Judgement,
  text: string,
  whole: Judgement,
  explicit: boolean,
): readonly KeptPart[] {
  const sentences = splitSentences(text).slice(0, MOST_SENTENCES)
  if (sentences.length <= 1) return [asPart(sentences[0] ?? text.trim(), whole, whole.semantic > 0, explicit)]
  const judged = sentences.map((sentence) => ({ sentence, judgement: weigh(featuresOf(sentence)) }))
  const best = judged.reduce((a, b) => (b.judgement.store > a.judgement.store ? b : a))
  const kept = judged.filter((one) => one === best || one.judgement.store > DROPPED_BELOW || isFragment(one.judgement))
  const mostLasting = kept.reduce((a, b) => (b.judgement.semantic > a.judgement.semantic ? b : a))
  return kept.map((one) => {
    const lasting = whole.semantic > 0 && (one === mostLasting || one.judgement.semantic > 0)
    return asPart(one.sentence, one.judgement, lasting, explicit)
  })
}

/** Half a sentence says nothing alone, but beside one that is kept it may name what is meant ("Blue, five doors."). */
function isFragment({ kinds }: Judgement): boolean {
  let likeliest = 0
  for (let at = 1; at < KINDS.length; at++) if (kinds[at]! > kinds[likeliest]!) likeliest = at
  return KINDS[likeliest]!.reason === 'fragment'
}

function asPart(sentence: string, judgement: Judgement, semantic: boolean, explicit: boolean): KeptPart {
  let kind = -1
  for (let at = 0; at < KINDS.length; at++) {
    if (!KINDS[at]!.store || (!explicit && KINDS[at]!.reason === 'explicit_remember')) continue
    if (kind < 0 || judgement.kinds[at]! > judgement.kinds[kind]!) kind = at
  }
  let category = 0
  for (let at = 1; at < CATEGORIES.length; at++) {
    if (judgement.categories[at]! > judgement.categories[category]!) category = at
  }
  return {
    text: explicit ? withoutOrder(sentence) : sentence,
    semantic,
    category: CATEGORIES[category]!,
    importance: explicit ? ORDER : IMPORTANCE[KINDS[kind]!.reason],
  }
}
