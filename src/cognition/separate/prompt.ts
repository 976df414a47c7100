/** How a model is asked to tell two records apart (002 R5.3). */

export const SEPARATE_PROMPT = `DATA holds two memories, \`first\` and \`second\`, of two different events that sound alike and could be mixed up.
Rewrite each so that it can be told from the other by itself: put in front what is its own - day, place, person, object, outcome. Every statement of a record stays in that record; nothing passes from one to the other.
{"first": {"text": "", "context": "the setting, a few words", "thing": "what happened, a few words"}, "second": {"text": "", "context": "", "thing": ""}}`
