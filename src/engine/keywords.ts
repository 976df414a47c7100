/** The words of a text that a person would name (specification 000), and the terms that a question is searched by. */
export { extractKeywords } from '../language/keywords.ts'
export { queryTerms } from '../language/tokens.ts'
