/**
 * Runs the command line: `node test/e2e/cli-entry.ts memory_store --role user …`. From its sources, or as it was bundled
 * for a run of the tests (`test/support/bundle-cli.ts`).
 */
const { main } = await import(process.env.MNEME_BUNDLED_CLI ?? '../../src/doors/cli/main.ts')

const [program = 'mneme', ...words] = process.argv.slice(2)
await main(program, words)

export {}
