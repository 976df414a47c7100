/** The words of the page in English and Chinese; English words are the keys, and `one|several` chooses by `n`. */
import { computed } from '@preact/signals'
import CHINESE from './chinese.json' with { type: 'json' }
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
