/** All operations at every door, in the order of the reference and of the tools: what the subjects' files export. */
import * as changing from './change-memories.ts'
import * as chat from './chat.ts'
import * as connector from './connector.ts'
import * as context from './context-and-profile.ts'
import * as conversations from './conversations.ts'
import { snakeName } from './field-names.ts'
import * as finding from './find-memories.ts'
import * as graph from './graph.ts'
import * as importExport from './import-export.ts'
import * as keys from './keys.ts'
import * as memoryFile from './memory-file.ts'
import type { AnyOperation } from './operation.ts'
import * as recalling from './recall.ts'
import * as search from './search-everything.ts'
import * as settings from './settings.ts'
import * as turns from './turns.ts'
import * as upkeep from './upkeep.ts'

const SUBJECTS: readonly Readonly<Record<string, unknown>>[] = [
  search,
  finding,
  changing,
  recalling,
  conversations,
  turns,
  context,
  memoryFile,
  chat,
  importExport,
  settings,
  upkeep,
  keys,
  graph,
  connector,
]

const isOperation = (one: unknown): one is AnyOperation => typeof one === 'object' && one !== null && 'handler' in one

export type NamedOperation = AnyOperation & { readonly name: string }

export const OPERATIONS: readonly NamedOperation[] = SUBJECTS.flatMap((subject) =>
  Object.entries(subject).flatMap(([name, one]) => (isOperation(one) ? [{ name: snakeName(name), ...one }] : [])),
)
