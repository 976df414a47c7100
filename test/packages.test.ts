/** The packages that are installed with us: from where, under which licence, and running nothing by themselves. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly hasInstallScript?: boolean
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
const own = read('package.json')
const packages = Object.entries<Locked>(read('package-lock.json').packages).filter(([path]) => path !== '')
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** May be shipped with and used by anybody. */
const FREE = /^(?:MIT|Apache-2\.0|ISC|0BSD|BSD-[23]-Clause|MIT OR Apache-2\.0)$/
/** Of tools that build and test and are not shipped: these too. */
const OF_TOOLS = /MPL-2\.0|LGPL-3\.0|AFL-2\.1|CC-BY|CC0|BlueOak|Python-2\.0|Unlicense/

test('every package of the lockfile is named by the hash of what is installed', () => {
  expect(packages.length).toBeGreaterThan(100)
  const loose = packages.filter(
    ([, { resolved = 'https://', integrity = '', link }]) =>
      link !== true && !(resolved.startsWith('https://') && integrity.startsWith('sha512-')),
  )
  expect(loose.map(([path]) => path)).toEqual([])
})

test('what is installed with us has a licence that anybody can live with; tools may have a few more', () => {
  const unknown = packages.filter(([, { license = '', dev, devOptional, optional, peer }]) => {
    const isTool = dev === true || devOptional === true || optional === true || peer === true
    return !FREE.test(license) && !(isTool && OF_TOOLS.test(license))
  })
  expect(unknown.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})

test('no package that is installed with us runs a script when it is installed', () => {
  const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  const shipped = running.filter(
    ([, { dev, devOptional, optional, peer }]) => !(dev || devOptional || optional || peer),
  )
  expect(shipped.map(([path]) => nameOf(path))).toEqual([])
  // npm runs the scripts of those that are named here, and of no others.
  expect(Object.keys(own.allowScripts)).toEqual(['node'])
})
