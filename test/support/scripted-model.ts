/** A model for tests of thinking steps: the real adapter, over real HTTP, to a scripted server. */

import type { MemoryPatch } from '../../src/domain/contracts/memory-store.ts'
import type { Memory } from '../../src/domain/memory.ts'
import { openLanguageModel } from '../../src/models/llm/open-language-model.ts'
import type { AskContext } from '../../src/thinking/model-answers/ask-model.ts'
import { inMemoryUsageLedger } from './in-memory-usage-ledger.ts'
import { type ModelServer, type Script, startModelServer } from './model-server.ts'

export interface ScriptedModel {
  readonly ask: AskContext
  readonly server: ModelServer
  /** Lines logged at `error`. */
  readonly errors: readonly string[]
  /** The data of request `number`, from 0. */
  data(number: number): unknown
  close(): Promise<void>
}

/** Answers given as objects are sent as JSON in a completion. */
export async function scriptedModel(...answers: readonly (string | object)[]): Promise<ScriptedModel> {
  const script: Script = answers.map((answer) => ({
    content: typeof answer === 'string' ? answer : JSON.stringify(answer),
  }))
  const server = await startModelServer(script)
  const errors: string[] = []
  const ignore = (): void => {}
  const model = openLanguageModel({
    provider: 'openai',
    baseUrl: server.url,
    ledger: inMemoryUsageLedger(),
    random: () => 0,
  })
  return {
    ask: {
      model,
      userId: 'wei',
      logger: {
        debug: ignore,
        info: ignore,
        warn: ignore,
        error: (message, details) => errors.push(`${message} ${JSON.stringify(details)}`),
      },
    },
    server,
    errors,
    data(number) {
      const content = server.requests[number]?.body.messages?.at(-1)?.content ?? ''
      return JSON.parse(content.slice(content.indexOf('{')))
    },
    async close() {
      await model.close()
      await server.close()
    },
  }
}

/** An episode for tests. */
export function episode(
  text: string,
  said: MemoryPatch & { readonly id?: string; readonly conversationId?: string } = {},
): Memory {
  const at = said.occurredAt ?? Date.parse('2026-05-04T18:00:00Z')
  return {
    id: 'memory-1',
    memoryType: 'episodic',
    text,
    category: 'fact',
    key: null,
    value: null,
    tags: [],
    conversationId: 'chat-1',
    who: 'user',
    occurredAt: at,
    createdAt: at,
    updatedAt: at,
    confidence: 0.9,
    source: 'user_stated',
    importance: 0,
    accessCount: 0,
    lastAccessed: null,
    validFrom: at,
    validTo: null,
    projectRoot: null,
    supersededBy: null,
    suspect: null,
    sourceTurnIds: [1],
    externalId: null,
    metadata: null,
    ...said,
  }
}
