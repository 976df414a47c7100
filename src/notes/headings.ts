/** Which section of a memory file does a heading begin? The five of specification 004, in its order, in both languages. */
import { checkRecord, checkText } from '../domain/checks.ts'
import { invalid } from '../domain/errors.ts'
import { MEMORY_FILE_SECTIONS, type MemoryFileHeadings, type MemoryFileSection } from '../domain/memory-file.ts'

const NAMES: Readonly<Record<MemoryFileSection, { readonly zh: string; readonly en: string }>> = {
  user: { zh: '用户信息', en: 'User information' },
  preferences: { zh: '偏好设置', en: 'Preferences' },
  configuration: { zh: '技术配置', en: 'Technical configuration' },
  decisions: { zh: '重要决定', en: 'Important decisions' },
  problems: { zh: '技术问题', en: 'Technical problems' },
}
const LONGEST_NAME = 200

/** The name of a section as a new heading shows it. */
export function sectionName(section: MemoryFileSection, headings: MemoryFileHeadings): string {
  const { zh, en } = NAMES[section]
  if (headings === 'zh') return zh
  if (headings === 'en') return en
  return headings === 'both' ? `${zh} / ${en}` : (headings[section] ?? `${zh} / ${en}`)
}

/** The section that a heading's words name in any of the languages, or as they were configured; null: one of the person's own. */
export function sectionNamed(words: string, headings: MemoryFileHeadings): MemoryFileSection | null {
  const forms = [words, ...words.split(/[/／|｜]/)].map(folded).filter((form) => form !== '')
  for (const section of MEMORY_FILE_SECTIONS) {
    const { zh, en } = NAMES[section]
    const own = typeof headings === 'object' ? headings[section] : undefined
    const names = [zh, en, ...(own === undefined ? [] : [own])].map(folded)
    if (forms.some((form) => names.includes(form))) return section
  }
  return null
}

/** The words without marks, numbers in front, and case. */
function folded(words: string): string {
  return words
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[\s#*_\d.、)（(]+|[\s#*_:：]{1,40}$/g, '')
    .replace(/\s+/g, ' ')
}

/** Checks how headings are to be written; throws `invalid` naming the field. */
export function checkHeadings(field: string, value: unknown): MemoryFileHeadings {
  if (value === 'both' || value === 'en' || value === 'zh') return value
  if (typeof value === 'string')
    throw invalid(
      field,
      `${JSON.stringify(value)} is not known`,
      'Use both, en, zh, or an object with names of sections.',
    )
  const named: Partial<Record<MemoryFileSection, string>> = {}
  const record = checkRecord(field, value, MEMORY_FILE_SECTIONS)
  for (const section of MEMORY_FILE_SECTIONS) {
    if (record[section] === undefined) continue
    const name = checkText(`${field}.${section}`, record[section], { maxBytes: LONGEST_NAME })
    if (folded(name) === '' || /[\r\n]/.test(name))
      throw invalid(`${field}.${section}`, 'is no heading', 'Pass one line with letters in it.')
    const taken = sectionNamed(name, named)
    if (taken !== null && taken !== section)
      throw invalid(
        `${field}.${section}`,
        `is the name of the section ${taken}`,
        'Give each section a name of its own.',
      )
    named[section] = name
  }
  return named
}
