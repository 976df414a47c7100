/** How a model is asked to make one record of two (002 R5.2, R9.2). */

export const MERGE_PROMPT = `DATA holds two memories, \`first\` and \`second\`, that may tell of one and the same event.
Decide whether they do: the same happening on the same occasion, not merely the same subject. A ride to work on Monday and another on Tuesday are two events; the plan of a trip and its booking are one.
If they do, write one record that keeps every statement of both, each once, in the order of time. Where they differ, keep both and say which is later.
{"same_event": true or false, "text": "the merged record", "context": "the setting, a few words", "thing": "what happened, a few words"}
When same_event is false, text, context and thing are "".`
