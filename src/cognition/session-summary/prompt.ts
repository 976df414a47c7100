/** How a model is asked for the title and snippet of a conversation (001). */
import { SNIPPET_CHARACTERS, TITLE_CHARACTERS } from './types.ts'

export const SESSION_SUMMARY_PROMPT = `DATA holds the turns of one \`conversation\`.
Say in a title (at most ${TITLE_CHARACTERS} characters) and a snippet (at most ${SNIPPET_CHARACTERS} characters) what it is about, so that the user would know it again in a list, months later: the matter itself, its names, its outcome if there is one. No "the user asks", no "conversation about".
{"title": "", "snippet": ""}`
