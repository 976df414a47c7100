/** Reads LoCoMo chats as a chat importer would store them: one user a chat, one conversation a session. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlainTurn } from '../../test/support/in-memory-view.ts'
import { requireData } from './data-folder.ts'

/** One question with the positions of its evidence in `turns`. */
export interface LocomoQuestion {
  readonly question: string
  /** 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 unanswerable. */
  readonly category: number
  readonly gold: readonly number[]
}

/** One chat: its turns in order, and what is asked about them. */
export interface LocomoChat {
  readonly id: string
  readonly turns: readonly PlainTurn[]
  readonly questions: readonly LocomoQuestion[]
  /** Moment just after the last session: "now" of the questions. */
  readonly now: number
  /** Questions left out because none of their evidence names a turn. */
  readonly leftOut: number
}

interface RawTurn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

interface RawChat {
  readonly sample_id: string
  readonly conversation: Readonly<Record<string, string | readonly RawTurn[]>>
  readonly qa: readonly { readonly question: string; readonly category: number; readonly evidence: readonly string[] }[]
}

const SECONDS_BETWEEN_TURNS = 30

/** What becomes of the caption of a shared picture: part of the turn's text, or dropped. */
export type CaptionUse = 'text' | 'none'

/** Chats of `file` in the folder `data`. Rejects with what to do when it is not there. */
export async function readLocomo(data: string, captions: CaptionUse, file = 'locomo-dev.json'): Promise<LocomoChat[]> {
  const raw = JSON.parse(await readFile(requireData(join(data, file)), 'utf8')) as readonly RawChat[]
  return raw.map((chat) => readChat(chat, captions))
}

function readChat(chat: RawChat, captions: CaptionUse): LocomoChat {
  const turns: PlainTurn[] = []
  const ordinals = new Map<string, number>()
  let now = 0
  for (let session = 1; session <= 100; session++) {
    const raw = chat.conversation[`session_${session}`]
    const date = chat.conversation[`session_${session}_date_time`]
    if (raw === undefined || typeof raw === 'string' || typeof date !== 'string') continue
    const start = sessionTime(date)
    raw.forEach((turn, index) => {
      ordinals.set(turn.dia_id, turns.length)
      const caption = captions === 'text' && turn.blip_caption !== undefined ? ` [image: ${turn.blip_caption}]` : ''
      const createdAt = start + index * SECONDS_BETWEEN_TURNS * 1000
      now = Math.max(now, createdAt)
      turns.push({
        conversationId: `session-${session}`,
        content: turn.text + caption,
        role: 'user',
        speaker: turn.speaker,
        createdAt,
      })
    })
  }
  const questions: LocomoQuestion[] = []
  let leftOut = 0
  for (const { question, category, evidence } of chat.qa) {
    const names = evidence.flatMap((one) => one.match(/D:?\d+:\d+/g) ?? []).map(plainName)
    const gold = [...new Set(names.flatMap((name) => ordinals.get(name) ?? []))]
    if (gold.length === 0) leftOut++
    else questions.push({ question, category, gold })
  }
  return { id: chat.sample_id, turns, questions, now: now + 60_000, leftOut }
}

/** "D:11:26" → "D11:26", "D10:05" → "D10:5". */
function plainName(name: string): string {
  const [session, turn] = name.replace(/^D:?/, '').split(':').map(Number)
  return `D${session}:${turn}`
}

/** "1:56 pm on 8 May, 2023" as UTC. */
function sessionTime(text: string): number {
  const parts = /^(\d+):(\d+) ([ap]m) on (\d+) (\w+), (\d+)$/.exec(text.trim())
  if (parts === null) throw new Error(`unexpected session time: ${text}`)
  const [, hour, minute, half, day, month, year] = parts
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  return Date.parse(`${day} ${month} ${year} ${hours}:${minute} UTC`)
}
