/** The words of a text that a person would name (specification 000), for callers of the library. */
export { extractKeywords } from '../text/keywords.ts'
