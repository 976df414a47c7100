import { defineConfig } from 'vitest/config'

const TEMP = 'test/support/temp-folder.ts'

export default defineConfig({
  test: {
    // Only what hangs meets it: a machine may be twenty times as busy as usual.
    testTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    maxWorkers: '100%',
    projects: [
      // Suites beside the code keep nothing in their module that another suite could meet: they share processes.
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], isolate: false, globalSetup: TEMP } },
      {
        extends: true,
        test: { name: 'doors', include: ['test/**/*.test.ts'], globalSetup: [TEMP, 'test/support/bundle-cli.ts'] },
      },
    ],
  },
})
