/** Which kinds of message does the model tell apart? Each kind is a reason with its consequences. */
import type { DecisionReason } from '../../domain/thought.ts'

/** One kind: its reason, whether it is stored, whether it holds a lasting fact of the user's own. */
export interface Kind {
  readonly reason: DecisionReason
  readonly store: boolean
  readonly semantic: boolean
}

const refused = (reason: DecisionReason): Kind => ({ reason, store: false, semantic: false })
const passing = (reason: DecisionReason): Kind => ({ reason, store: true, semantic: false })
const lasting = (reason: DecisionReason): Kind => ({ reason, store: true, semantic: true })

/** The kinds in the order of the weights. */
export const KINDS: readonly Kind[] = [
  refused('chitchat'),
  refused('knowledge_question'),
  refused('fragment'),
  refused('code_paste'),
  refused('hypothetical'),
  refused('style_wish'),
  refused('state'),
  refused('about_other'),
  passing('style_wish'),
  passing('state'),
  passing('about_other'),
  passing('event'),
  passing('plan'),
  passing('problem_solution'),
  passing('explicit_remember'),
  lasting('explicit_remember'),
  lasting('identity'),
  lasting('preference'),
  lasting('habit'),
  lasting('config'),
  lasting('decision'),
]

/** 0 to 3: 004 where it speaks; decision 2 and identity 1 are ours. */
export const IMPORTANCE: Readonly<Record<DecisionReason, number>> = {
  explicit_remember: 3,
  config: 2,
  problem_solution: 2,
  decision: 2,
  preference: 1,
  habit: 1,
  style_wish: 1,
  identity: 1,
  event: 0,
  plan: 0,
  state: 0,
  about_other: 0,
  chitchat: 0,
  knowledge_question: 0,
  fragment: 0,
  code_paste: 0,
  hypothetical: 0,
  recalled: 0,
  forbidden: 0,
}
