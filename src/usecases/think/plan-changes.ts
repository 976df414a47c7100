/** How do new memories change those that are there? A plan holds for one state of them. */
import { isoTime } from '../../domain/clock.ts'
import type { MemoryChange, MemoryPatch } from '../../domain/contracts/memory-store.ts'
import { LIMITS } from '../../domain/limits.ts'
import { CHANGED_BY, DOUBTED_BY, type Memory, sourcesOf, subjectsOf } from '../../domain/memory.ts'
import { MEMORY_FILE_DEFAULTS } from '../../domain/memory-file.ts'
import { giveWay } from '../../domain/scheduling.ts'
import { editSimilarity, foldedText, isMoreAlike } from '../../language/spelling.ts'
import { isForgotten } from '../../thinking/change/forget.ts'
import { ownersApart } from '../../thinking/change/overlap.ts'
import { relate } from '../../thinking/change/relate.ts'
import { ENDING, type Statement } from '../../thinking/change/statement-reading.ts'
import { stanceOf } from '../../thinking/facts/stance.ts'
import { joinSources } from '../../thinking/merge/episode-metadata.ts'
import { plainValue } from '../../thinking/model-answers/bounded-text.ts'
import { inContrast, textProfile } from '../../thinking/similarity/similarity.ts'
import { type Effect, effectOn, fulfils, touchedBy } from './change-effect.ts'
import type { Draft, News, Outcome } from './draft.ts'
import { candidates, type MemoryReads, type RelatedMemory, relationsOf, statementOf } from './related-memories.ts'

/** Memories to insert and to change, and the outcomes of the drafts, in order; of news only those with a change. */
export interface Plan {
  readonly insert: readonly Memory[]
  readonly update: readonly MemoryChange[]
  readonly outcomes: readonly Outcome[]
}

/** Conversations in which a caller may use the same id of its own. */
const MOST_OF_A_NAME = 1000

/**
 * Makes the plan; memories stored later than `now` had a wrong clock, and count as older. Words that no turn keeps repeat
 * a memory only from `dedupThreshold` on.
 */
export async function planChanges(
  memories: MemoryReads,
  userId: string,
  drafts: readonly (Draft | News)[],
  newId: () => string,
  now: number,
  dedupThreshold: number = MEMORY_FILE_DEFAULTS.dedupThreshold,
): Promise<Plan> {
  const plan = planInProgress()
  const outcomes: Outcome[] = []
  for (const draft of drafts) {
    await giveWay(userId)
    const stored = await storedBefore(memories, userId, draft)
    if (stored !== null) {
      outcomes.push({ memory: stored, event: 'NONE', superseded: [], doubted: [] })
      continue
    }
    const statement = statementOf({ ...draft.memory, id: '' })
    const news = 'kind' in draft ? draft : null
    const isOrder = news?.kind === 'forget'
    const found = await candidates(memories, userId, statement, draft)
    const others = found.filter(({ id }) => !plan.isPlanned(id)).map((one) => notAhead(plan.current(one), draft, now))
    const known = [...plan.planned(), ...others].filter(
      (memory) =>
        (isOrder ||
          memory.validTo === null ||
          (memory.supersededBy === null && memory.validTo > draft.memory.createdAt)) &&
        (news?.turnId !== undefined || !ownersApart(statement, statementOf(memory))) &&
        mayMeet(memory, draft),
    )
    if (isOrder) {
      outcomes.push(...planForgotten(plan, news, statement, known))
      continue
    }
    const isBeside = (memory: Memory): boolean => memory.projectRoot === draft.memory.projectRoot
    // A statement that holds everywhere may repeat any memory, but changes none of a project.
    const judged: readonly RelatedMemory[] =
      draft.replaces === undefined
        ? relationsOf(draft.memory, statement, known)
            .filter(({ memory, relation }) => relation === 'same' || isBeside(memory))
            .map((one) =>
              one.relation === 'same' && fulfils(draft, one.memory) ? { ...one, relation: 'supersedes' } : one,
            )
        : [
            ...relationsOf(draft.memory, statement, known).filter(
              (one) => !plan.isPlanned(one.memory.id) && isSameByModel(one, draft),
            ),
            ...(await replacedBy(memories, userId, draft.replaces, plan)),
          ]
    if (news !== null && !judged.some((one) => one.newer && effectOn(one.memory, draft, one).kind !== 'leave')) continue
    // A sentence of the message that made a memory doubtful stands beside it, and does not settle the doubt.
    const twin = judged
      .filter(({ relation, memory }) => relation === 'same' && !isNearOnly(memory, draft, dedupThreshold))
      .filter(({ memory }) => !plan.isPlanned(String(memory.metadata?.[DOUBTED_BY])))
      .sort((a, b) => b.strength - a.strength)[0]
    if (twin !== undefined) {
      // A model may repeat a known statement and end another memory with it.
      const others = draft.replaces === undefined ? [] : judged.filter(({ relation }) => relation === 'supersedes')
      const ended = others.map(({ memory }) => memory).filter(({ id }) => id !== twin.memory.id)
      for (const other of ended)
        plan.change(other, { ...endedBy(other, draft), supersededBy: twin.memory.id }, 'SUPERSEDE')
      const outcome = planRepeat(plan, twin.memory, draft)
      outcomes.push(
        ended.length === 0 ? outcome : { ...outcome, event: 'UPDATE', superseded: ended.map(({ id }) => id) },
      )
    } else {
      const outcome = planDraft(plan, draft, judged, known.filter(isBeside), newId)
      outcomes.push(news === null ? outcome : { ...outcome, lifted: news.refusal })
    }
  }
  return {
    insert: plan.planned(),
    update: plan.updates(),
    outcomes: outcomes.map((outcome) => ({ ...outcome, memory: plan.current(outcome.memory) })),
  }
}

/** The plan of a draft with news, and its effects on the others. */
function planDraft(
  plan: PlanInProgress,
  draft: Draft,
  judged: readonly RelatedMemory[],
  known: readonly Memory[],
  newId: () => string,
): Outcome {
  const id = newId()
  const superseded: string[] = []
  const doubted: string[] = []
  const repaired = judged.find(({ repairs, newer }) => repairs !== undefined && newer)
  let memory: Memory = { ...(repaired === undefined ? draft.memory : putRight(draft, repaired)), id }
  for (const one of judged) {
    const { memory: other, relation, reason, newer } = one
    if (!newer) {
      // An earlier statement processed last is stored as the past.
      if (ENDING.has(relation)) memory = { ...memory, validTo: endOf(memory, other), supersededBy: other.id }
      else if (relation === 'doubts') memory = { ...memory, suspect: { reason, since: other.createdAt } }
      continue
    }
    const effect: Effect = draft.replaces === undefined ? effectOn(other, draft, one) : { kind: 'end' }
    if (effect.kind === 'end' && effect.at !== undefined) {
      const metadata = { ...other.metadata, [DOUBTED_BY]: id, [CHANGED_BY]: id }
      plan.change(other, { validTo: Math.max(other.validFrom, effect.at), metadata }, 'UPDATE')
    } else if (effect.kind === 'end') {
      plan.change(other, { ...endedBy(other, draft), supersededBy: id }, 'SUPERSEDE')
      superseded.push(other.id)
      // A plan that is given up ends nothing.
      for (const one of known.map(plan.current))
        if (one.validTo !== null && one.supersededBy === null && one.metadata?.[CHANGED_BY] === other.id)
          plan.change(one, { validTo: null }, 'UPDATE')
    } else if (effect.kind === 'doubt') {
      const metadata = { ...other.metadata, [DOUBTED_BY]: id, ...(effect.sameMatter ? { [CHANGED_BY]: id } : {}) }
      plan.change(other, { suspect: { reason: effect.reason, since: draft.memory.createdAt }, metadata }, 'UPDATE')
      doubted.push(other.id)
    }
  }
  if (draft.replaces === undefined) memory = asPast(memory, draft, known)
  plan.insert(memory)
  const restated = repaired === undefined ? null : restatedBy(repaired)
  return {
    memory,
    event: superseded.length > 0 ? 'SUPERSEDE' : 'ADD',
    superseded,
    doubted,
    ...(restated === null ? {} : { restated }),
  }
}

/** The words that are put right, with the right value; null where the wrong one is only a part of a word: 3 of 3A. */
function restatedBy({ memory: { text }, repairs }: RelatedMemory): string | null {
  const { wrong, right } = repairs!
  const value = new RegExp(`(?<!\\w)${RegExp.escape(wrong)}(?!\\w)`)
  return value.test(text) ? text.replace(value, () => right) : null
}

/** A correction behind the words that it puts right: of the same attribute, and of the same day where it gives no other. */
function putRight({ memory }: Draft, { memory: other, repairs }: RelatedMemory): Draft['memory'] {
  const { wrong, right, day } = repairs!
  const isDated = memory.occurredAt !== memory.createdAt && day === undefined
  const occurredAt = day === undefined ? other.occurredAt : new Date(other.occurredAt).setUTCDate(day)
  const isOfDay = !isDated && other.occurredAt !== other.createdAt
  return {
    ...memory,
    text: `“${other.text}” ${memory.text}`,
    ...(isOfDay ? { occurredAt, metadata: { ...memory.metadata, time: isoTime(occurredAt) } } : {}),
    ...(memory.key === null && other.key !== null
      ? { key: other.key, value: String(other.value).replace(wrong, right), who: other.who }
      : {}),
  }
}

/** Whether the memory file wants words that are less alike than this as lines of their own (004), and no turn has them. */
function isNearOnly({ text }: Memory, { memory }: Draft, threshold: number): boolean {
  const usual = MEMORY_FILE_DEFAULTS.dedupThreshold
  if (threshold <= usual || memory.sourceTurnIds.length > 0) return false
  const similarity = editSimilarity(foldedText(text), foldedText(memory.text))
  return isMoreAlike(similarity, usual) && !isMoreAlike(similarity, threshold)
}

/** A model's statement repeats a memory only where each says the other, or both give one attribute one value. */
function isSameByModel({ relation, memory: older }: RelatedMemory, { memory, replaces = [] }: Draft): boolean {
  if (relation !== 'same' || replaces.includes(older.id)) return false
  if (inContrast(textProfile(older.text), textProfile(memory.text))) return false
  if (older.key !== null && memory.key !== null)
    return older.key === memory.key && foldedText(plainValue(older.value)) === foldedText(plainValue(memory.value))
  return relate(statementOf(older), statementOf({ ...memory, id: '' })).relation === 'same'
}

/** The memories whose place a model gave to a draft, as far as they still hold. */
async function replacedBy(
  memories: Pick<MemoryReads, 'get'>,
  userId: string,
  ids: readonly string[],
  plan: PlanInProgress,
): Promise<readonly RelatedMemory[]> {
  const found = await Promise.all(ids.map((id) => memories.get(userId, id)))
  return found
    .filter((memory) => memory !== null)
    .map((memory) => plan.current(memory))
    .filter(({ validTo }) => validTo === null)
    .map((memory) => ({ memory, relation: 'supersedes', reason: 'the model says so', strength: 1, newer: true }))
}

/** A memory with times that can be: none was told after now. */
function notAhead(memory: Memory, { memory: newer }: Draft | News, now: number): Memory {
  if (memory.createdAt <= now) return memory
  const { createdAt } = newer
  const occurredAt = memory.occurredAt === memory.createdAt ? createdAt : memory.occurredAt
  return { ...memory, createdAt, occurredAt, validFrom: Math.min(memory.validFrom, newer.validFrom) }
}

/** A statement of one project meets those that hold there; an order to forget that names none reaches all. */
function mayMeet({ projectRoot }: Memory, draft: Draft | News): boolean {
  const own = draft.memory.projectRoot
  if (own === null && 'kind' in draft && draft.kind === 'forget') return true
  return projectRoot === null || projectRoot === own
}

async function storedBefore(
  memories: Pick<MemoryReads, 'list'>,
  userId: string,
  { memory: { externalId, conversationId } }: Draft,
): Promise<Memory | null> {
  if (externalId === null) return null
  const filter = { externalId, includePast: true, includeBuried: true }
  const { items } = await memories.list(userId, { limit: MOST_OF_A_NAME, offset: 0, filter })
  return items.find((item) => item.conversationId === conversationId) ?? null
}

/** A state that was over when told ("I used to …") steps behind the present fact. */
function asPast(memory: Memory, draft: Draft, known: readonly Memory[]): Memory {
  const { past, corrects } = stanceOf(memory.text)
  if (memory.validTo !== null || !past || corrects) return memory
  // In a conversation many sentences touch on a subject in passing: there only a past fact of one value steps behind another.
  const heard = memory.conversationId !== null
  const held = draft.facts.filter(({ standing, single }) => standing === 'held' && single)
  const subjects = heard ? new Set(held.map(({ key }) => key)) : touchedBy(draft)
  const present = known.find(
    (one) =>
      one.who === memory.who &&
      !stanceOf(one.text).past &&
      [one.key ?? '', ...(heard ? [] : subjectsOf(one))].some((tag) => subjects.has(tag)),
  )
  return present === undefined ? memory : { ...memory, validTo: endOf(memory, present), supersededBy: present.id }
}

/** When it held, also where it was stored under a time to come. */
function endedBy(older: Memory, { memory }: Draft): Pick<Memory, 'validFrom' | 'validTo'> {
  return { validFrom: older.validFrom, validTo: endOf(older, memory) }
}

/** The old one holds until the new one begins, and never ends before it began. */
function endOf(older: Pick<Memory, 'validFrom'>, newer: Pick<Memory, 'validFrom'>): number {
  return Math.max(older.validFrom, newer.validFrom)
}

/** Ends and buries the memories that the order means, with an outcome for each: no model is shown them, or what told them. */
function planForgotten(
  plan: PlanInProgress,
  order: News,
  statement: Statement,
  known: readonly Memory[],
): readonly Outcome[] {
  const { turnId, memory: named } = order
  const isTold = (memory: Memory): boolean =>
    sourcesOf(memory).some(
      ({ conversation_id, turn_ids }) => conversation_id === named.conversationId && turn_ids.includes(turnId!),
    )
  return known
    .filter((memory) => (turnId === undefined ? isForgotten(statement, statementOf(memory)) : isTold(memory)))
    .map((memory) => {
      const validTo = memory.validTo ?? Math.max(memory.validFrom, named.createdAt)
      const patch = { validTo, suspect: null, buriedAt: named.createdAt }
      plan.change(memory, patch, 'UPDATE')
      return {
        memory: { ...memory, ...patch },
        event: 'UPDATE',
        superseded: [memory.id],
        doubted: [],
        lifted: order.refusal,
      }
    })
}

/** A repeat: an order makes the old memory more important, and the caller's metadata and end count. */
function planRepeat(plan: PlanInProgress, twin: Memory, { memory, said }: Draft): Outcome {
  const patch: MemoryPatch = {
    ...(memory.importance > twin.importance ? { importance: memory.importance } : {}),
    ...(memory.confidence > twin.confidence ? { confidence: memory.confidence } : {}),
    ...(twin.suspect === null ? {} : { suspect: null }),
    ...(said !== undefined && memory.createdAt >= twin.createdAt ? toldNow(twin, said, memory.createdAt) : {}),
  }
  const event = Object.keys(patch).length > 0 ? 'UPDATE' : 'NONE'
  const all = { ...patch, ...alsoFrom({ ...twin, ...patch }, memory) }
  if (Object.keys(all).length > 0) plan.change(twin, all, 'UPDATE')
  return { memory: { ...twin, ...all }, event, superseded: [], doubted: [] }
}

/** The news among the caller's fields; metadata never grows beyond its limit. */
function toldNow(twin: Memory, { validTo, metadata }: NonNullable<Draft['said']>, toldAt: number): MemoryPatch {
  const all = { ...twin.metadata, ...metadata }
  const isNew = Object.entries(metadata ?? {}).some(
    ([name, value]) => JSON.stringify(twin.metadata?.[name]) !== JSON.stringify(value),
  )
  return {
    ...(validTo === twin.validTo || (validTo !== null && validTo <= toldAt) ? {} : { validTo }),
    ...(isNew && Buffer.byteLength(JSON.stringify(all)) <= LIMITS.metadataBytes ? { metadata: all } : {}),
  }
}

/** The turns that said it again, beside those that it was made from. */
function alsoFrom(twin: Memory, again: Omit<Memory, 'id'>): MemoryPatch {
  const before = sourcesOf(twin)
  const sources = joinSources([...before, ...sourcesOf(again)])
  const count = (list: typeof sources): number => list.reduce((sum, { turn_ids }) => sum + turn_ids.length, list.length)
  // A memory of an unstored turn has no source in it.
  if (again.sourceTurnIds.length === 0 || count(sources) === count(before)) return {}
  const own = sources.find(({ conversation_id }) => conversation_id === twin.conversationId)
  return {
    sourceTurnIds: own?.turn_ids ?? twin.sourceTurnIds,
    ...(sources.length > 1 ? { metadata: { ...twin.metadata, sources } } : {}),
  }
}

interface PlanInProgress {
  /** Memories to insert, as they are by now. */
  planned(): readonly Memory[]
  isPlanned(id: string): boolean
  /** A memory as it will be after the plan so far. */
  current(memory: Memory): Memory
  insert(memory: Memory): void
  change(memory: Memory, patch: MemoryPatch, event: MemoryChange['event']): void
  updates(): readonly MemoryChange[]
}

function planInProgress(): PlanInProgress {
  const planned = new Map<string, Memory>()
  const patches = new Map<string, MemoryChange>()
  return {
    planned: () => [...planned.values()],
    isPlanned: (id) => planned.has(id),
    current: (memory) => planned.get(memory.id) ?? { ...memory, ...patches.get(memory.id)?.patch },
    insert: (memory) => void planned.set(memory.id, memory),
    change: (memory, patch, event) => {
      const own = planned.get(memory.id)
      if (own !== undefined) planned.set(memory.id, { ...own, ...patch })
      else patches.set(memory.id, { id: memory.id, patch: { ...patches.get(memory.id)?.patch, ...patch }, event })
    },
    updates: () => [...patches.values()],
  }
}
