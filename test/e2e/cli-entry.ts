/**
 * Runs the command line: `node test/e2e/cli-entry.ts memory_store --role user …`. From its sources, or as it was bundled
 * for a run of the tests (`test/support/bundle-cli.ts`), a hook with the code that was kept, as `bin/start.js` does.
 */
const [program = 'mneme', ...words] = process.argv.slice(2)
const bundled = process.env.MNEME_BUNDLED_CLI
const load = async (): Promise<{ main(program: string, words: readonly string[]): Promise<void> }> => {
  if (bundled === undefined) return import('../../src/doors/cli/main.ts')
  const compiled = new URL('../../bin/compiled.js', import.meta.url).href
  return words[0] === 'hook' ? (await import(compiled)).loadCompiled(bundled) : import(bundled)
}
await (await load()).main(program, words)

export {}
