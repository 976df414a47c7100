/** A bench that needs the data sets says so where they are not. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freshFolder } from './support/folder.ts'

const BENCH = fileURLToPath(new URL('../bench/run.ts', import.meta.url))

test.each([
  ['evidence'],
  ['recall-quality'],
  ['recall-quality', '--sets', 'cmrc'],
  ['recall-quality', '--sets', 'commits'],
  ['extraction'],
  ['updates'],
  ['notes', '--messages', 'yes'],
  ['notes', '--person', 'Ann'],
])('bench %s without data names --data', (...words) => {
  const { status, stderr } = spawnSync(process.execPath, [BENCH, ...words, '--data', freshFolder()], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/ is not there: name the folder .* --data DIR\n$/)])
})
