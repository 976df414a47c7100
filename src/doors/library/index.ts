/** The package `mneme`: what `import … from 'mneme'` gives. */

export type { GatewayReply } from '../../domain/contracts/models.ts'
export { type ErrorCode, MnemeError } from '../../domain/errors.ts'
export type { Logger } from '../../domain/logger.ts'
export type { Explanation, FeatureScore, Ranking, ResultKind } from '../../domain/recall.ts'
export type { Role } from '../../domain/turn.ts'
export { extractKeywords } from '../../language/keywords.ts'
export type { Briefing } from '../../usecases/briefing.ts'
export type { ChatEvent } from '../../usecases/chat/chat.ts'
export type { CompletionReply } from '../../usecases/chat/complete-chat.ts'
export type { BuiltContext, ContextMessage } from '../../usecases/message-context.ts'
export type { ImportReport } from '../import-export/import-conversations.ts'
export type { LogImportReport } from '../import-export/import-logs.ts'
export type { ExportCounts } from '../import-export/write-export.ts'
export type {
  ConversationView,
  MemoryEventView,
  MemoryView,
  RecallResultView,
  RecallView,
  SummaryView,
  TurnView,
  WorkingMemoryView,
} from './binding.ts'
export type { ChatAnswer, Chats, Contexts, EvidenceAnswer, EvidenceView, RecallEvidence } from './context.ts'
export type {
  Conversations,
  ListView,
  SessionSummaries,
  SessionSummaryView,
  StoredTurnView,
  SummarizeView,
  WorkingMemories,
} from './conversations.ts'
export type { JobView, Maintenance, OverviewView, VectorStoreView } from './maintenance.ts'
export type {
  AddedView,
  AddView,
  FoundView,
  LookedView,
  Memories,
  MemoryOwnerView,
  Owners,
  SearchView,
} from './memories.ts'
export type { MemoryFileBackup, MemoryFiles, MemoryFileView } from './memory-file.ts'
export { type OpenMemory, type OpenOptions, openMemory } from './open-memory.ts'
export type {
  CreatedKeyView,
  Keys,
  KeyView,
  ProfileLineView,
  Profiles,
  ProfileView,
  Settings,
} from './profile-settings-keys.ts'
