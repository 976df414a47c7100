/**
 * What must whoever keeps memory files on disk be able to do? A file is only ever whole: the old one or the new one.
 * Every call rejects with a MnemeError that says what to do when the file cannot be used.
 */

/** A file as it was read. */
export interface FileContent {
  readonly bytes: Uint8Array
  /** Milliseconds since the epoch. */
  readonly changedAt: number
}

/** How a file is written. */
export interface ReplaceOptions {
  /** What was read before; another content by now, and nothing is written. null: there was no file. */
  readonly expected: Uint8Array | null
  /** true: only its owner may read it from now on. */
  readonly secret: boolean
  /** Backups to keep, the newest; 0: none is made. */
  readonly backups: number
  /** The present, in milliseconds since the epoch: backups are named by it. */
  readonly at: number
}

/** A file while no other process may write it. */
export interface LockedFile {
  /** Where it lies, absolute, links followed. */
  readonly path: string
  /** null: there is none. */
  read(): Promise<FileContent | null>
  /** Keeps a copy of the old file, then puts the new one in its place. `changed`: somebody else wrote it meanwhile. */
  replace(bytes: Uint8Array, options: ReplaceOptions): Promise<'changed' | { readonly backup: string | null }>
  /** Keeps a copy of a file that cannot be read whole; the copy's path. */
  setAside(bytes: Uint8Array, at: number): Promise<string>
  /** Rewrites every copy that was kept for which `change` gives other bytes. */
  rewriteCopies(change: (bytes: Uint8Array) => Uint8Array): Promise<void>
}

/** Memory files on this machine. */
export interface MemoryFiles {
  /** Does the work while no other process may write the file; waits for its turn for 10 seconds. */
  locked<T>(path: string, work: (file: LockedFile) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** The file as it is now, without waiting. */
  read(path: string): Promise<FileContent | null>
  /** The backups that were kept of the file, newest first. */
  backups(path: string): Promise<readonly { readonly name: string; readonly keptAt: number; readonly bytes: number }[]>
  /** One of them by its name; null: there is none. */
  readBackup(path: string, name: string): Promise<FileContent | null>
  /** Changes a file of somebody else's in place of which a whole new one is put; `null` leaves it. false: it was left or is absent. */
  rewrite(path: string, change: (bytes: Uint8Array) => Uint8Array | null): Promise<boolean>
  /** Calls when the file may have changed; what it returns ends that. */
  watch(path: string, changed: () => void): () => void
}
