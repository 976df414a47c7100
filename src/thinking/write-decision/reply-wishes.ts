/** Where does a sentence wish something of all replies, and where does the wish begin? */
import { wishesOfReplies } from '../../language/preference.ts'
import { KINDS, wishOf, writeJudgement } from './linear-model.ts'

/** The longest sentence that is looked at, in characters. */
const LONGEST_SENTENCE = 800
/** Probability from which a clause is taken apart as a wish, and below which no clause of a sentence is looked at. */
export const SURELY = 0.6
const PERHAPS = 0.02
/** The kind of a wish for one answer. */
export const WISH_OF_NOW = KINDS.findIndex(({ reason, store }) => reason === 'style_wish' && !store)
/** Words by which a wish is meant for this answer only. */
export const ONCE =
  /\b(?:this time|for once|just (?:this|for) (?:once|now|one)|for (?:this|the) (?:one|answer|question|task|email|text)|here only|today only|in this (?:answer|reply|email|letter|case)|for now)\b|这次|这回|这一次|本次|这封|这篇|这段|这个问题|这道题|暂时|先用/i
/** The quotations of a sentence. */
export const QUOTED = /["“「『][^"”」』]{1,200}["”」』]/g

/** A sentence, parted before the clause that wishes something of replies: 帮我查一下天气，回答我时简短点. */
export function wishApart(sentence: string): readonly string[] {
  const mayWish = (): boolean => wishIn(sentence) >= PERHAPS
  const mark = [...sentence.slice(0, LONGEST_SENTENCE).matchAll(BEFORE_WISH)].find(
    ({ 1: rest, index }) =>
      wishesOfReplies(rest!) ||
      (mayWish() && wishIn(rest!) >= SURELY && !isLikeliestWish(sentence.slice(0, index)) && !ONCE.test(rest!)),
  )
  return mark === undefined ? [sentence] : [sentence.slice(0, mark.index), sentence.slice(mark.index + mark[0].length)]
}
/** A mark or a joining word, and what stands behind it. */
const BEFORE_WISH = /(?:[，,;；] ?(?:(?:so|and|but) )?| (?:so|and|but) )(?=(.{2,200}))/g

/** The probability of a lasting wish about answers; what it quotes says nothing. */
export function wishIn(sentence: string): number {
  return wishOf(writeJudgement(sentence.replace(QUOTED, '')))
}

/** Whether a wish, lasting or of now, is the likeliest thing that a clause says. */
function isLikeliestWish(clause: string): boolean {
  const { kinds } = writeJudgement(clause)
  const wish = Math.max(wishOf({ kinds }), kinds[WISH_OF_NOW]!)
  return kinds.every((share) => share <= wish)
}
