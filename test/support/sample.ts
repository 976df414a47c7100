/** A text that an expression matches, with letters of chance: keys as their providers issue them, for tests. */
import { type AST, RegExpParser } from '@eslint-community/regexpp'

const CHARACTERS = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))

/** One that is as short as may be. Beside what it matches an expression looks at nothing here. */
export function sampleOf({ source, flags }: RegExp, random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const said = (element: AST.Element | AST.QuantifiableElement): string => {
    if (element.type === 'Character') return String.fromCodePoint(element.value)
    if (element.type === 'Quantifier') return Array.from({ length: element.min }, () => said(element.element)).join('')
    if (element.type === 'Group' || element.type === 'CapturingGroup') return of(element.alternatives)
    if (element.type === 'Assertion') return ''
    const one = new RegExp(`^${element.raw}$`, flags)
    const fit = CHARACTERS.filter((character) => one.test(character))
    const letters = fit.filter((character) => /[a-z0-9]/i.test(character))
    return pick(letters.length > 0 ? letters : fit)
  }
  const of = (alternatives: readonly AST.Alternative[]): string => pick(alternatives).elements.map(said).join('')
  return of(new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source).alternatives)
}
