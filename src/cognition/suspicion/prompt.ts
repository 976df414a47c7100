/** How a model is asked whether memories still hold after a change. */

export const SUSPICION_PROMPT = `DATA holds a \`change\` - what was true of the user \`before\`, and what is true \`now\` - and numbered \`memories\` that may have rested on what was true before.
Decide for each memory whether it still holds:
- "doubtful": it was arranged around what has changed, so nobody can rely on it any more (another city: the gym there, the commute, the dentist round the corner);
- "holds": the change does not touch it (another city: the allergy, the sister's name, a book that was read);
- "unclear": it may be either.
{"verdicts": [{"number": 1, "verdict": "doubtful|holds|unclear", "reason": "a few words"}]}`
