/**
 * Consolidation for tests, through the library: by the rules over full text, by the rules over embeddings, and by a
 * scripted model over embeddings.
 */
import { onTestFinished } from 'vitest'
import type { OpenMemory } from '../../src/doors/library/index.ts'
import { startEmbeddingServer } from './embedding-server.ts'
import type { Script } from './model-server.ts'
import { allMemories, askedData, exchangeReply, MINUTE, openThinking, START } from './thinking-memory.ts'

/** Length of the vectors. */
export const DIMENSION = 256
/** The three ways. */
export const WAYS = ['rules over full text', 'rules over embeddings', 'a model over embeddings'] as const
/** One of them. */
export type Way = (typeof WAYS)[number]

/** R6.2 stable identity, R6.3 lasting interests and habits. */
export const STABLE: readonly (readonly [string, 'identity' | 'habit'])[] = [
  ['The user works as a beekeeper for the city of Graz.', 'identity'],
  ['用户的研究方向是冰川水文学。', 'identity'],
  ['The user goes swimming every Tuesday evening and has done so for years.', 'habit'],
  ['我每天早上都打太极拳，坚持好几年了。', 'habit'],
]

/** Further memories that a model takes for lasting, with the ground. */
const LASTING: readonly (readonly [string, string])[] = [
  ...STABLE,
  ['I major in hydrology at the University of Leoben.', 'identity'],
  ['用户住在莱奥本，在市政府当养蜂顾问。', 'identity'],
  ['The user collects antique maps and has done so for ten years.', 'habit'],
  ['用户一直喜欢收集旧地图，每个周末都去旧货市场。', 'habit'],
  ['The user has a tattoo of a compass.', 'often_used'],
  ['用户有一个指南针纹身。', 'often_used'],
]

/** The texts of two quoted memories, and of one. */
const textOf = (side: unknown): string => (side as { text: string }).text
/** The model's answer to each step: alike is one event, and everything in LASTING is a fact. */
export const STEPS: Script = (request) => {
  const data = askedData(request)
  const { first, second, episode } = JSON.parse(data.slice(data.indexOf('{')))
  const rules = request.body.messages?.[0]?.content ?? ''
  if (rules.includes('"same_event"'))
    return { content: JSON.stringify({ same_event: true, text: textOf(second), context: '', thing: '' }) }
  if (rules.includes('"second"')) {
    const side = (memory: unknown) => ({
      text: `${textOf(memory)} (2026-05)`,
      context: '',
      thing: textOf(memory).slice(0, 9),
    })
    return { content: JSON.stringify({ first: side(first), second: side(second) }) }
  }
  if (!rules.includes('"facts"')) return exchangeReply({})
  const text = textOf(episode)
  const stable = LASTING.find(([said]) => said === text)
  const facts =
    stable === undefined ? [] : [{ text, category: 'fact', key: null, value: null, confidence: 0.9, ground: stable[1] }]
  return { content: JSON.stringify({ facts, refusal: facts.length === 0 ? 'nothing_lasting' : null }) }
}

/** A memory that consolidates in this way. */
export async function openConsolidating(way: Way) {
  const embedded = way !== 'rules over full text'
  const server = embedded ? await startEmbeddingServer({ dimension: DIMENSION }) : null
  onTestFinished(() => server?.close())
  const thinking = await openThinking(way === 'a model over embeddings' ? 'model' : 'rules', {
    script: STEPS,
    ...(server === null
      ? {}
      : { embedding: { provider: 'openai' as const, baseUrl: server.url, apiKey: 'k', model: 'bag' } }),
  })
  return { ...thinking, embeddings: server }
}

/** Where, by whom and when something was told. */
export interface Told {
  readonly chat?: string
  readonly who?: string
  /** Minutes before now. */
  readonly ago?: number
}

/** Remembers an episode; its id. */
export async function tellOf(memory: OpenMemory, text: string, { chat = 'chat', who = 'user', ago = 60 }: Told = {}) {
  const at = new Date(START.getTime() - ago * MINUTE)
  const { results } = await memory.add(text, {
    infer: false,
    memoryType: 'episodic',
    conversationId: chat,
    who,
    createdAt: at,
    metadata: { context: 'told in a test', thing: 'what was told', time: at.toISOString(), chatid: chat, who },
  })
  return results[0]!.id
}

/** The episodes that hold or held. */
export const episodes = async (memory: OpenMemory) =>
  (await allMemories(memory)).filter(({ memoryType }) => memoryType === 'episodic')
