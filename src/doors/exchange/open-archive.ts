/** The logs in a ZIP file, as ChatGPT, Claude.ai and Takeout hand them out: the entries that may be logs, each as a stream. */
import type yauzl from 'yauzl'

/** One entry of the archive. */
export interface ArchiveEntry {
  readonly name: string
  readonly modified: number
  /** Bytes in the archive for a byte of the entry. */
  readonly packed: number
  readonly open: () => Promise<AsyncIterable<Uint8Array>>
}

/** Files of these names hold conversations or memories; user data, feedback and pages beside them do not. */
const TELLING = /(?:^|\/)(?:conversations(?:-\d{1,40})?\.jsonl?|memories\.json|MyActivity\.json)$/

/** The telling entries in the order of their names. Rejects where the file is no ZIP, or a damaged one. */
export async function* archiveEntries(path: string): AsyncGenerator<ArchiveEntry> {
  // Late: only archives need it.
  const { open } = (await import('yauzl')).default
  const archive = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    open(path, { lazyEntries: true, autoClose: false }, (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  try {
    const entries = await listEntries(archive)
    for (const entry of entries
      .filter(({ fileName }) => TELLING.test(fileName))
      .sort((a, b) => (a.fileName < b.fileName ? -1 : 1)))
      yield {
        name: entry.fileName,
        modified: entry.getLastModDate().getTime(),
        packed: entry.compressedSize / Math.max(1, entry.uncompressedSize),
        open: () =>
          new Promise((resolve, reject) =>
            archive.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream))),
          ),
      }
  } finally {
    archive.close()
  }
}

function listEntries(archive: yauzl.ZipFile): Promise<readonly yauzl.Entry[]> {
  const entries: yauzl.Entry[] = []
  return new Promise((resolve, reject) => {
    archive.on('entry', (entry: yauzl.Entry) => {
      entries.push(entry)
      archive.readEntry()
    })
    archive.on('end', () => resolve(entries)).on('error', reject)
    archive.readEntry()
  })
}
