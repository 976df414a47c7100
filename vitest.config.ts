import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const TEMP = 'test/support/temp-folder.ts'

export default defineConfig({
  test: {
    // Only what hangs meets them: a machine may be twenty times as busy as usual.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    // One more for each two processors: the tests with Milvus and a browser wait half of their time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Suites keep nothing in their module that another suite could meet: they share processes, which load the sources once.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], globalSetup: TEMP } },
      {
        extends: true,
        test: { name: 'doors', include: ['test/**/*.test.ts'], globalSetup: [TEMP, 'test/support/bundle-cli.ts'] },
      },
    ],
  },
})
