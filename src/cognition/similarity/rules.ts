/** The step without a model: what a similarity of texts or of vectors means for two memories. */
export {
  inContrast,
  lexicalSimilarity,
  profileSimilarity,
  type TextProfile,
  textProfile,
} from './lexical-similarity.ts'
export { COSINE_THRESHOLDS, judgeSimilarity, LEXICAL_THRESHOLDS } from './thresholds.ts'
