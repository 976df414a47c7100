/** Prints the help of many commands of `mneme` in one process, as JSON by name: `node help-of-commands.ts store "memory add"`. */
import { main } from '../../src/doors/cli/main.ts'

// Every call listens to it.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)
const helps: Record<string, string> = {}
const write = process.stdout.write.bind(process.stdout)
for (const command of process.argv.slice(2)) {
  let help = ''
  process.stdout.write = ((piece: string | Uint8Array): boolean => {
    help += piece.toString()
    return true
  }) as typeof process.stdout.write
  await main('mneme', [...command.split(' '), '--help'])
  helps[command] = help
}
process.stdout.write = write
process.stdout.write(JSON.stringify(helps))
