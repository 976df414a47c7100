/** Notices at the edge of the page: successes, failures, and deletions that can be undone. */
import { computed, signal } from '@preact/signals'
import { call, Problem } from './api.ts'
import { changes } from './session.ts'
import { language, t, told, type Words } from './translations.ts'

export interface Notice {
  readonly text: string
  readonly isError: boolean
}

const SHOWN_MS = 6000

export const notices = signal<readonly Notice[]>([])

export function tell(text: string, isError = false): void {
  const notice = { text, isError }
  notices.value = [...notices.value, notice].slice(-3)
  setTimeout(() => dismiss(notice), SHOWN_MS)
}

export function dismiss(notice: Notice): void {
  notices.value = notices.value.filter((other) => other !== notice)
}

export function tellProblem(error: unknown): void {
  // The page asks for a key by itself.
  if (!(error instanceof Problem) || error.status !== 401) tell(reasonOf(error), true)
}

/** Does what a person asked for: the words that come of it are told, and so is a failure. */
export async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    const words = await work()
    if (typeof words === 'string') tell(words)
  } catch (error) {
    tellProblem(error)
  }
}

/** The server's refusals by their status: its own words are English. */
const REFUSED: Readonly<Record<number, Words>> = {
  400: 'That is not accepted here.',
  403: 'This key may not do that.',
  409: 'It was changed meanwhile.',
  413: 'It is too large.',
  429: 'That was too much at once.',
  502: 'The model failed.',
  503: 'The server is busy.',
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Problem)) return error instanceof Error ? error.message : String(error)
  // The server's advice about keys and ids is for programs.
  if (error.status === 401) return t('This key is not known here.')
  if (error.status === 404) return t('It is not there; it may have been deleted.')
  const words = REFUSED[error.status]
  const said = sentences(error.message, error.remedy)
  const isKnown = language.value === 'en' || words === undefined || told(error.message) !== error.message
  return isKnown ? said : `${t(words)}（${said}）`
}

/** The failure and its remedy, as two sentences. */
export function sentences(detail: string, remedy = ''): string {
  const said = told(detail).replace(/^[a-z]+(?= )/, (word) => word[0]!.toUpperCase() + word.slice(1))
  const [stop, gap] = language.value === 'zh' ? ['。', ''] : ['.', ' ']
  const ended = /[.!?。！？]$/.test(said) ? said : said + stop
  return remedy === '' ? ended : ended + gap + told(remedy)
}

const UNDO_MS = 10_000

export interface Deletion {
  readonly ids: readonly string[]
  /** The deleted items' name, beside the undo button. */
  readonly label: string
  /** Deletes them for good. `isLeaving` is true when the page is closing. */
  readonly remove: (isLeaving: boolean) => Promise<unknown>
}

const waiting = signal<readonly Deletion[]>([])
const gone = signal<ReadonlySet<string>>(new Set())

function undo(one: Deletion): void {
  waiting.value = waiting.value.filter((other) => other !== one)
}

async function sendDeletion(deletion: Deletion, isLeaving = false): Promise<void> {
  if (!waiting.value.includes(deletion)) return
  gone.value = new Set([...gone.value, ...deletion.ids])
  undo(deletion)
  try {
    await deletion.remove(isLeaving)
  } catch (error) {
    gone.value = new Set([...gone.value].filter((id) => !deletion.ids.includes(id)))
    tellProblem(error)
  }
  changes.value += 1
}

/** Deletions that wait to be sent, and the ids of what is not shown any more. */
export const deletions = {
  waiting,
  hidden: computed(() => new Set([...gone.value, ...waiting.value.flatMap(({ ids }) => ids)])),
  undo,
  add(deletion: Deletion): void {
    waiting.value = [...waiting.value, deletion]
    setTimeout(() => void sendDeletion(deletion), UNDO_MS)
  },
  /** Sends pending deletions, because the page is closing. */
  leave(): void {
    for (const deletion of waiting.value) void sendDeletion(deletion, true)
  },
}

/** Deletes what has this id on the page, and stands at this path, unless it is taken back in time. */
export function removeLater(label: string, id: string, path: string): void {
  deletions.add({ ids: [id], label, remove: (keepalive) => call('DELETE', path, undefined, { keepalive }) })
}
