/**
 * A whole turn index and log in memory, built from plain turns: the same contract as a real store, for tests, benches
 * and replays. Ordinals and rows are the positions of the turns in the input.
 */
import type { ConversationLog } from '../../src/domain/contracts/conversation-log.ts'
import {
  type IndexedConversation,
  type PostingList,
  TURN_DELETED,
  TURN_HAS_SYMBOLS,
  TURN_IS_QUESTION,
  type TurnView,
} from '../../src/domain/contracts/text-index.ts'
import { ROLES, type Role, type Summary, type SymbolMention, type Turn } from '../../src/domain/turn.ts'
import { isQuestion } from '../../src/language/questions.ts'
import { extractSymbols } from '../../src/language/symbols/symbols.ts'
import { termCount, turnTerms } from '../../src/language/terms.ts'

/** A turn as a test or a bench has it. */
export interface PlainTurn {
  readonly conversationId: string
  readonly content: string
  readonly role?: Role
  readonly speaker?: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly projectRoot?: string
  readonly deleted?: boolean
}

/** The sources of `answerFromView`. */
export interface InMemorySources {
  readonly view: TurnView
  readonly log: Pick<ConversationLog, 'turnsByRow' | 'summariesCovering'>
}

const EMPTY: PostingList = { term: '', documents: new Uint32Array(0), frequencies: new Uint8Array(0) }

/** Indexes the turns; each is numbered from 1 within its conversation, in the order given. */
export function inMemorySources(plain: readonly PlainTurn[], summaries: readonly Summary[] = []): InMemorySources {
  const columns = {
    row: new Float64Array(plain.length),
    conversation: new Uint32Array(plain.length),
    number: new Uint32Array(plain.length),
    createdAt: new Float64Array(plain.length),
    length: new Uint16Array(plain.length),
    speaker: new Uint16Array(plain.length),
    role: new Uint8Array(plain.length),
    flags: new Uint8Array(plain.length),
    previous: new Int32Array(plain.length).fill(-1),
    next: new Int32Array(plain.length).fill(-1),
  }
  const conversations = new Map<string, { index: number; last: number; count: number; projectRoot: string }>()
  const speakers = new Map<string, number>()
  const lists = new Map<string, { documents: number[]; frequencies: number[] }>()
  const turns: Turn[] = []
  let live = 0
  let lengths = 0
  plain.forEach((turn, ordinal) => {
    const { conversationId, content, createdAt, role = 'user', speaker = null, projectRoot = '' } = turn
    let conversation = conversations.get(conversationId)
    if (conversation === undefined) {
      conversation = { index: conversations.size, last: -1, count: 0, projectRoot }
      conversations.set(conversationId, conversation)
    }
    const symbols: readonly SymbolMention[] = extractSymbols(content)
    const terms = turnTerms(content, symbols)
    columns.row[ordinal] = ordinal
    columns.conversation[ordinal] = conversation.index
    columns.number[ordinal] = ++conversation.count
    columns.createdAt[ordinal] = createdAt
    columns.length[ordinal] = termCount(terms)
    columns.role[ordinal] = ROLES.indexOf(role)
    columns.speaker[ordinal] = indexOf(speakers, speaker ?? '')
    columns.flags[ordinal] =
      (turn.deleted === true ? TURN_DELETED : 0) |
      (isQuestion(content) ? TURN_IS_QUESTION : 0) |
      (symbols.length > 0 ? TURN_HAS_SYMBOLS : 0)
    columns.previous[ordinal] = conversation.last
    if (conversation.last >= 0) columns.next[conversation.last] = ordinal
    conversation.last = ordinal
    for (const [term, frequency] of terms) {
      let list = lists.get(term)
      if (list === undefined) {
        list = { documents: [], frequencies: [] }
        lists.set(term, list)
      }
      list.documents.push(ordinal)
      list.frequencies.push(frequency)
    }
    if (turn.deleted !== true) {
      live++
      lengths += columns.length[ordinal]!
    }
    turns.push({
      conversationId,
      turnId: conversation.count,
      role,
      content,
      speaker,
      createdAt,
      externalId: null,
      metadata: null,
      isCollected: false,
      symbols: symbols.map(({ symbol }) => symbol),
    })
  })
  const packed = new Map<string, PostingList>()
  for (const [term, { documents, frequencies }] of lists) {
    packed.set(term, { term, documents: Uint32Array.from(documents), frequencies: Uint8Array.from(frequencies) })
  }
  const indexed: IndexedConversation[] = [...conversations].map(([conversationId, { projectRoot }]) => ({
    conversationId,
    projectRoot,
    summarizedTo: Math.max(0, ...summaries.filter((s) => s.conversationId === conversationId).map((s) => s.endTurn)),
  }))
  return {
    view: {
      size: plain.length,
      live,
      averageLength: live === 0 ? 0 : lengths / live,
      columns,
      conversations: indexed,
      speakers: [...speakers.keys()],
      postings: async (terms) => terms.map((term) => packed.get(term) ?? { ...EMPTY, term }),
    },
    log: {
      turnsByRow: async (_user, places) =>
        places.filter(({ row }) => row in turns).map(({ row }) => ({ ...turns[row]!, row })),
      summariesCovering: async (_user, references) =>
        summaries.filter((summary) =>
          references.some(
            ({ conversationId, turnId }) =>
              conversationId === summary.conversationId && turnId >= summary.startTurn && turnId <= summary.endTurn,
          ),
        ),
    },
  }
}

function indexOf(table: Map<string, number>, name: string): number {
  const known = table.get(name)
  if (known !== undefined) return known
  table.set(name, table.size)
  return table.size - 1
}
