/** The package `mneme`: what `import … from 'mneme'` gives. */
export { type ErrorCode, MnemeError } from '../../domain/errors.ts'
export type { Logger } from '../../domain/logger.ts'
export type { Explanation, FeatureScore, Ranking, ResultKind } from '../../domain/recall.ts'
export type { Role } from '../../domain/turn.ts'
export type { ChatEvent, CompletionReply, GatewayReply } from '../../engine/chat.ts'
export type {
  Briefing,
  BuiltContext,
  ContextMessage,
  RestoreCounts,
} from '../../engine/engine.ts'
export { extractKeywords } from '../../engine/keywords.ts'
export type { OpenOptions } from '../../engine/open.ts'
export type { ExportCounts } from '../exchange/count-records.ts'
export type { LogImportReport } from '../exchange/import-logs.ts'
export type { ImportReport } from '../exchange/import-report.ts'
export type { ChatAnswer, Chats } from './chat.ts'
export type { Contexts } from './context.ts'
export type { Conversations, ListView, StoredTurnView, SummarizeView } from './conversations.ts'
export type { EvidenceAnswer, EvidenceView, RecallEvidence } from './evidence.ts'
export type { CreatedKeyView, Keys, KeyView } from './keys.ts'
export type { JobView, Maintenance, OverviewView, VectorStoreView } from './maintenance.ts'
export type { AddedView, AddView, FoundView, LookedView, Memories, SearchView } from './memories.ts'
export type { MemoryFiles, MemoryFileView } from './memory-file.ts'
export { type OpenMemory, openMemory } from './open-memory.ts'
export type { MemoryOwnerView, Owners } from './owners.ts'
export type { Profiles, ProfileView, Settings } from './profile.ts'
export type {
  ConversationView,
  MemoryEventView,
  MemoryView,
  RecallResultView,
  RecallView,
  SummaryView,
  TurnView,
  WorkingMemoryView,
} from './render.ts'
export type { SessionSummaries, SessionSummaryView } from './session-summaries.ts'
export type { WorkingMemories } from './working-memory.ts'
