/** The command `mneme mcp` from its sources, for a bench to talk to. */
import { main } from '../../src/doors/cli/main.ts'

await main('mneme')
