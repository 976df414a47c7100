/** Writes text to stdout at the reader's pace; a closed reader (`| head`) ends the program quietly. */
import { once } from 'node:events'

/** Writes and waits while the pipe is full. */
export async function writeOut(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Ends the program silently when the reader of stdout or stderr has closed, and with one line when a disk is full. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      if (stream === process.stdout)
        process.stderr.write(`error: standard output cannot be written (${error.message})\nremedy: Free space there.\n`)
      process.exit(1)
    })
}
