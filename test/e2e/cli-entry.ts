/** Runs the command line from its sources: `node test/e2e/cli-entry.ts memory_store --role user …`. */
import { main } from '../../src/interfaces/cli/main.ts'

const [program = 'mneme', ...words] = process.argv.slice(2)
await main(program, words)
