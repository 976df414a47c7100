/**
 * Runs the command line: `node test/e2e/cli-entry.ts memory_store --role user …`. From its sources, or as it was bundled
 * for a run of the tests (`test/support/bundle-cli.ts`), a hook with the code that was kept, as `bin/start.js` does.
 */
interface Program {
  main(program: string, words: readonly string[]): Promise<void>
}

const [program = 'mneme', ...words] = process.argv.slice(2)
const bundled = process.env.MNEME_BUNDLED_CLI
const load = async (): Promise<Program> => {
  if (bundled === undefined) return import('../../src/doors/cli/main.ts')
  const compiled = new URL('../../bin/compiled.js', import.meta.url).href
  return words[0] === 'hook' ? (await import(compiled)).loadCompiled(bundled) : import(bundled)
}
/** The program as it was loaded. */
export const { main } = await load()
if (import.meta.main) await main(program, words)
