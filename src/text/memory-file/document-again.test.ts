/** What is taken over from the file as it was must never be seen: the parts are those of a file read for the first time. */
import { expect, test } from 'vitest'
import { oneOf, seeded, wholeNumber } from '../../../test/support/random.ts'
import { entriesOf, parseMemoryFile } from './document.ts'
import { changeEntries, insertEntries } from './edit-document.ts'
import { bytesOfParts } from './rewrite.ts'
import type { TextWithParts } from './unchanged-entries.ts'

const line = (text: string, id: string): string => `- [2026-05-07] ${text} <!-- mneme:${id.padStart(12, '0')} -->\n`
const read = (text: string, before?: TextWithParts): TextWithParts => ({
  text,
  parts: parseMemoryFile(text, 'both', before),
})

const FILE = `# MEMORY\n\n## 用户信息\n${line('I live in Porto.', '1')}${line('我会说德语。', '2')}
## 偏好设置\n${line('I drink oolong tea.', '3')}${line('早上不喝咖啡。', '4')}`

const EDITS: readonly (readonly [string, (text: string) => string])[] = [
  [
    'an indented line continues an entry',
    (text) => text.replace('Porto. <!-- mneme:000000000001 -->\n', '$&  and like it\n'),
  ],
  ['a tab does, too', (text) => text.replace('德语。 <!-- mneme:000000000002 -->\n', '$&\tund ein wenig Englisch\n')],
  ['a fence that is opened and closed makes code of entries', (text) => `\`\`\`\n${text}\`\`\`\n`],
  ['a fence that is never closed makes nothing of them', (text) => `\`\`\`\n${text}`],
  ['a comment that is opened hides them', (text) => text.replace('# MEMORY\n', '<!-- gone\n').concat('-->\n')],
  [
    'a heading between them is another section',
    (text) => text.replace('- [2026-05-07] 我', '## 技术配置\n- [2026-05-07] 我'),
  ],
  ['a heading that is gone leaves them to the section before', (text) => text.replace('## 偏好设置\n', '')],
  ['a heading of their own puts them under none', (text) => text.replace('## 用户信息', '## Elsewhere')],
  ['lines change places', (text) => text.split('\n').reverse().join('\n')],
  ['the last line has no end', (text) => text.trimEnd()],
  ['a line stands twice', (text) => text.replace(/^.*oolong.*\n/m, '$&$&')],
  ['lines end otherwise', (text) => text.replaceAll('\n', '\r\n')],
  ['nothing is left', () => ''],
]

test.each(EDITS)('%s', (_, edit) => {
  const before = read(FILE)
  const text = edit(FILE)
  expect(parseMemoryFile(text, 'both', before)).toEqual(parseMemoryFile(text, 'both'))
  // And back again, from a file that was itself read so.
  expect(parseMemoryFile(FILE, 'both', read(text, before))).toEqual(before.parts)
})

test('entries that stay are the same objects, whatever comes or goes around them', () => {
  const lines = Array.from({ length: 500 }, (_, at) => line(`Note number ${at}, 第${at}条。`, String(at)))
  const before = read(`## 用户信息\n${lines.join('')}`)
  const fresh = [line('Something new.', 'aaa'), ...lines.slice(0, 100), line('又一条。', 'bbb'), ...lines.slice(120)]
  const known = new Set(entriesOf(before.parts))
  const again = entriesOf(parseMemoryFile(`## 用户信息\n${fresh.join('')}`, 'both', before))
  expect(again.filter((entry) => !known.has(entry)).map(({ text }) => text)).toEqual(['Something new.', '又一条。'])
})

test('a file that was changed at random, again and again, is read and written as if for the first time', () => {
  const random = seeded(11)
  const others = [
    '\n',
    '## 技术配置\n',
    '### Mine\n',
    '```\n',
    '<!-- mine\n',
    '-->\n',
    '  deeper\n',
    '- by hand\n',
    'words\n',
  ]
  let before = read(FILE)
  for (let round = 0; round < 400; round += 1) {
    const lines = before.text.match(/[^\n]*\n|[^\n]+$/g) ?? []
    for (let edit = wholeNumber(random, 1, 3); edit > 0; edit -= 1) {
      const at = wholeNumber(random, 0, lines.length)
      const kind = wholeNumber(random, 0, 3)
      if (kind === 0) lines.splice(at, wholeNumber(random, 0, 2))
      else if (kind === 1) lines.splice(at, 0, oneOf(random, others))
      else lines.splice(at, 0, line(oneOf(random, ['会议室在二楼。', 'It costs 7 euros.']) + round, String(round)))
    }
    const now = read(lines.join(''), before)
    expect(now.parts).toEqual(parseMemoryFile(now.text, 'both'))
    const entries = entriesOf(now.parts)
    const changes = new Map(entries.length === 0 ? [] : [[oneOf(random, entries), oneOf(random, ['', '- 改了\n'])]])
    const added = wholeNumber(random, 0, 2) === 0 ? [] : [{ section: 'user', line: `- added ${round}` } as const]
    const parts = insertEntries(changeEntries(now.parts, changes), added, 'zh')
    const bytes = bytesOfParts(parts, now, Buffer.from(now.text))
    expect(Buffer.from(bytes).toString()).toBe(Buffer.from(bytesOfParts(parts, now, null)).toString())
    before = now
  }
  expect(entriesOf(before.parts).length).toBeGreaterThan(100)
})
