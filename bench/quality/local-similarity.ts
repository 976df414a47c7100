/** What a local model of meaning says of a chat: for each question the cosines of the turns that mean most alike. */
import { openEmbedder } from '../../src/adapters/embedding/open-embedder.ts'
import { cosine } from '../../src/adapters/sqlite/vector-index/quantize.ts'
import { turnText } from '../../src/adapters/sqlite/vector-index/turn-text.ts'
import type { SimilarityByRow } from '../../src/search/similar-turns.ts'
import type { PlainTurn } from '../../test/support/in-memory-view.ts'

/** As many as a recall asks the index of vectors for. */
const SIMILAR_TURNS = 200

/** The cosines for a question. */
export type SimilarTurns = (question: string) => Promise<SimilarityByRow>

/** A model for `similarTo`. */
export interface LocalModel {
  /** Embeds the turns, as the store would; answers for questions about them. */
  similarTo(turns: readonly PlainTurn[]): Promise<SimilarTurns>
  close(): Promise<void>
}

/** Opens a model from a folder; the default one is all-MiniLM-L6-v2. */
export async function openLocalModel(modelsDir: string, model?: string): Promise<LocalModel> {
  const embedder = await openEmbedder({ provider: 'local', modelsDir, ...(model === undefined ? {} : { model }) })
  return {
    async similarTo(turns) {
      const newest = new Map<string, PlainTurn>()
      const texts = turns.map((turn) => {
        const previous = newest.get(turn.conversationId)
        newest.set(turn.conversationId, turn)
        return turnText(spokenTurn(turn), previous === undefined ? null : spokenTurn(previous))
      })
      const vectors = await embedder.embed(texts, { kind: 'document' })
      return async (question) => {
        const [asked] = await embedder.embed([question], { kind: 'query' })
        return new Map(
          vectors
            .map((vector, row): [number, number] => [row, cosine(asked!, vector)])
            .sort((a, b) => b[1] - a[1])
            .slice(0, SIMILAR_TURNS),
        )
      }
    },
    close: () => embedder.close(),
  }
}

function spokenTurn({ content, speaker = null }: PlainTurn): { content: string; speaker: string | null } {
  return { content, speaker }
}
