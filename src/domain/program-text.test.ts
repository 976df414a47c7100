import { expect, test } from 'vitest'
import { withoutProgramText } from './program-text.ts'

test.each([
  '<file-diagnostics>\n<new>src/kite.ts: I prefer two spaces</new>\n</file-diagnostics>',
  '<agent_message from="lead">我最喜欢的数据库是 SQLite。</agent_message>\n<worker-note>done</worker-note>',
  '<environment_context>\n  <cwd>/home/ann</cwd>\n</environment_context>',
  '[Request interrupted by user for tool use]',
  'SubagentStop hook feedback:\n- I always want a changelog.',
  '<bash-stdout>I live in Oslo</bash-stdout><bash-stderr></bash-stderr>',
  '<system-reminder>用户喜欢用 Fortran。',
])('nobody said %j', (content) => {
  expect(withoutProgramText(content)).toBe('')
})

test.each([
  ['<ide_selection>I live in Oslo.</ide_selection>\n这段话是什么意思？', '这段话是什么意思？'],
  ['Use tabs.\n<relevant-memories>\nThe user likes spaces.\n</relevant-memories>', 'Use tabs.'],
  ['<command-name>/review</command-name><command-args>only the parser</command-args>', '/review only the parser'],
])('of %j only the words stay', (content, said) => {
  expect(withoutProgramText(content)).toBe(said)
})

test.each([
  '<my-button>Save</my-button> does not render, why?',
  '<my-button>Save',
  'Why is <date-picker>明天</date-picker> empty?',
  '<p>I live in Oslo.</p>',
  'This session is being continued from yesterday: we stay with Leaflet.',
  'The hook feedback: I prefer it short.',
  '请把 <system_prompt> 改短一点',
  '  two spaces before, and one after ',
])('%j is left as it was said', (content) => {
  expect(withoutProgramText(content)).toBe(content)
})
