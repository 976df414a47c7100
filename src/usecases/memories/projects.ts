/** Which memories hold in a project? It is the longest known root that contains a path. */
import type { ConversationLog } from '../../domain/contracts/conversation-log.ts'
import type { MemoryStore } from '../../domain/contracts/memory-store.ts'
import { type Memory, pathsAbove } from '../../domain/memory.ts'
import { breathe, late } from '../../domain/pieces.ts'
import type { CompiledFilter } from './filter.ts'

/** The part of the log that tells of projects. */
export type KnownProjects = Pick<ConversationLog, 'firstProject' | 'conversation'>

const DECIDED_A_PIECE = 200
// Loaded late: it brings the tables of attributes, and some processes only store.
const deciding = late(() => import('../../thinking/scope/scope-of.ts'))

/** The longest known root that contains the path; the path itself where none does. */
export async function projectOf(
  log: Pick<ConversationLog, 'firstProject'>,
  userId: string,
  path: string | null,
): Promise<string | null> {
  return path === null ? null : ((await log.firstProject(userId, pathsAbove(path))) ?? path)
}

/** The project of a conversation; null where it has none, or there is no such conversation. */
export async function projectOfConversation(
  log: Pick<ConversationLog, 'conversation'>,
  userId: string,
  conversationId: string,
): Promise<string | null> {
  return (await log.conversation(userId, conversationId))?.projectRoot || null
}

/** The project of an addition: the named one, else that of its conversation. */
export async function projectOfAddition(
  log: KnownProjects,
  userId: string,
  { projectRoot, conversationId }: Pick<Memory, 'projectRoot' | 'conversationId'>,
): Promise<string | null> {
  if (projectRoot !== null || conversationId === null) return projectOf(log, userId, projectRoot)
  return projectOfConversation(log, userId, conversationId)
}

/** The filter, and besides it that a memory holds in this project. */
export function boundTo(project: string | null, filter: CompiledFilter): CompiledFilter {
  return project === null ? filter : { ...filter, stored: { ...filter.stored, projectRoot: project } }
}

/** A memory that was said in this project, with the project in which it holds. `scope`: as a model said; absent: the rules decide. */
export async function inScope<T extends Pick<Memory, 'text' | 'key' | 'projectRoot'>>(
  memory: T,
  project: string | null,
  scope?: 'user' | 'project',
): Promise<T> {
  if (project === null || scope === 'user') return { ...memory, projectRoot: null }
  if (scope === 'project') return { ...memory, projectRoot: project }
  const { scopeOf } = await deciding()
  return { ...memory, projectRoot: scopeOf(memory, project) }
}

/** Memories from before there were projects get theirs before anything is compared with them. */
export async function decideOld(
  { memories, log }: { readonly memories: MemoryStore; readonly log: KnownProjects },
  userId: string,
): Promise<void> {
  for (;;) {
    const old = await memories.undecided(userId, DECIDED_A_PIECE)
    if (old.length === 0) return
    const projects = new Map<string | null, string | null>([[null, null]])
    for (const { conversationId } of old)
      if (conversationId !== null && !projects.has(conversationId))
        projects.set(conversationId, await projectOfConversation(log, userId, conversationId))
    const scopes = await Promise.all(old.map((memory) => inScope(memory, projects.get(memory.conversationId) ?? null)))
    await memories.decide(userId, scopes)
    await breathe()
  }
}
