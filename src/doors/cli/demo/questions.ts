/** The questions that the demo asks, from examples/demo/questions.json. */
import { readFileSync } from 'node:fs'
import { checkContent, checkRecord } from '../../../domain/checks.ts'
import { invalid } from '../../../domain/errors.ts'
import { packageFile } from '../package-root.ts'

/** One question, and what its answer shows. */
export interface DemoQuestion {
  readonly query: string
  /** What to look for in the answer; '' when nothing was said. */
  readonly shows: string
}

/** Reads the file. */
export function readQuestions(): readonly DemoQuestion[] {
  const path = packageFile('examples/demo/questions.json')
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!Array.isArray(value)) throw invalid(path, 'is not a list', 'Install the package again.')
  return value.map((item: unknown, index) => {
    const record = checkRecord(`${path}[${index}]`, item)
    const shows = record.shows
    return {
      query: checkContent(`${path}[${index}].query`, record.query),
      shows: typeof shows === 'string' ? shows : '',
    }
  })
}
