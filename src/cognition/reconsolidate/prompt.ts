/** How a model is asked to bring a memory up to date (002 R4). */

export const RECONSOLIDATE_PROMPT = `DATA holds one \`memory\` of an event that was used in a conversation, and \`conversation\`: its last turns, the newest at the end.
Does the user tell anything new about that same event: how it went on, how it ended, a detail, a correction? What the assistant says is not new knowledge.
If so, say in one short sentence what is new, in the language of the memory; a correction says what it corrects. It will stand behind the memory's own words.
{"changed": true or false, "update": "one short sentence: what is new"}
When nothing is new, changed is false and update is "".`
