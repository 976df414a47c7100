/** The words of the page in English and Chinese; English words are the keys, and `one|several` chooses by `n`. */
import { computed } from '@preact/signals'
import CHINESE from './chinese.json' with { type: 'json' }
import SERVER from './server-words.json' with { type: 'json' }
import { language as chosen } from './session.ts'

export type Words = keyof typeof CHINESE

export const language = computed(() => {
  const wanted = chosen.value === '' ? navigator.language : chosen.value
  return wanted.startsWith('zh') ? 'zh' : 'en'
})

/** The language with the region's customs, such as the order of a date. */
export const region = computed(
  () => navigator.languages.find((one) => one.startsWith(language.value)) ?? language.value,
)

/** The text in the reader's language, with names in braces filled in. */
export function t(words: Words, values: Readonly<Record<string, string | number>> = {}): string {
  const isChinese = language.value === 'zh'
  const [one, several] = (isChinese ? CHINESE[words] : words).split('|') as [string, string?]
  const form = several === undefined || values.n === 1 ? one : several
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    return typeof value === 'number' ? value.toLocaleString(region.value) : value
  })
}

/** The server's sentences with places in them: what reads each, and its Chinese. */
const FORMS = Object.entries(SERVER)
  .filter(([english]) => english.includes('{'))
  .map(([english, chinese]) => {
    const form = english.replace(/[^\w\s{}]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.{1,4000}?)')
    return [new RegExp(`^${form}$`, 's'), chinese] as const
  })

/** The server's English in the reader's language, as far as its sentences are known; what stood in them is told likewise. */
export function told(said: string): string {
  if (language.value !== 'zh') return said
  const sentences: Readonly<Record<string, string>> = SERVER
  if (Object.hasOwn(sentences, said)) return sentences[said]!
  // A refusal names its place first.
  const at = said.indexOf(': ') + 2
  const reason = at < 2 ? '' : told(said.slice(at))
  if (!said.endsWith(reason)) return `${told(said.slice(0, at - 2))}：${reason}`
  for (const [form, chinese] of FORMS) {
    const values = form.exec(said)?.groups
    if (values !== undefined) return chinese.replace(/\{(\w+)\}/g, (_, name: string) => told(values[name]!))
  }
  return said
}
