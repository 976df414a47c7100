/**
 * What exactly is embedded? The beginning of the text, with the words before it that its model was trained with:
 * models that tell questions from what answers them are told which it is.
 */
import type { EmbedOptions } from '../../domain/contracts/embedder.ts'

/**
 * Characters of a text that are embedded. At the one token a character that Chinese can take this stays below the
 * 8,191 tokens that the usual models accept.
 */
export const EMBEDDED_CHARACTERS = 8_000

interface Prefixes {
  readonly family: RegExp
  readonly query: string
  readonly document: string
}

/** By family, as the model cards say. */
const PREFIXES: readonly Prefixes[] = [
  // https://huggingface.co/Qwen/Qwen3-Embedding-4B
  {
    family: /qwen3-embedding/i,
    query: 'Instruct: Given a question, retrieve messages and notes that answer it\nQuery:',
    document: '',
  },
  // https://huggingface.co/intfloat/multilingual-e5-small; the "instruct" ones take another form.
  { family: /(?:^|[/-])e5-(?:small|base|large)(?!.*instruct)/i, query: 'query: ', document: 'passage: ' },
  // https://huggingface.co/nomic-ai/nomic-embed-text-v1.5
  { family: /nomic-embed-text/i, query: 'search_query: ', document: 'search_document: ' },
]

/** The text as the model gets it. */
export function prepareText(model: string, text: string, kind: EmbedOptions['kind']): string {
  const prefixes = PREFIXES.find(({ family }) => family.test(model))
  const beginning = text.length > EMBEDDED_CHARACTERS ? text.slice(0, EMBEDDED_CHARACTERS) : text
  // A cut may have left half of a surrogate pair.
  return `${prefixes?.[kind] ?? ''}${beginning.toWellFormed()}`
}
