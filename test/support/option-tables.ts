/**
 * The tables of options and settings in README and docs, made from the tables in src. `npm run tables` writes them anew;
 * `npm run check` finds one that is behind.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTING_NAMES, SETTINGS, type SettingRow } from '../../src/domain/settings.ts'
import {
  libraryName,
  OPTIONS,
  type Option,
  type OptionName,
  settingVariable,
  variableOf,
} from '../../src/doors/config/options.ts'

const ROOT = join(import.meta.dirname, '../..')
export const PAGES = ['README.md', 'docs/configuration.md', 'docs/memory-file.md', 'docs/rest.md']

/** `<!-- options: memory_file -->` and what stands behind it until `<!-- /options -->`. */
const TABLE = /(<!-- options: (\w+) -->\n)[\s\S]*?(<!-- \/options -->)/g

/** The page with its tables as they should be. */
export function withTables(page: string): string {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return text.replace(TABLE, (_, start: string, group: string, end: string) => {
    // Links in the help are those of a page of docs.
    const rows = group === 'settings' ? settingRows() : optionRows(group)
    const table = page === 'README.md' ? tabled(rows).replace(/\]\((?=[\w-]+\.md)/g, '](docs/') : tabled(rows)
    return `${start}\n${table}\n\n${end}`
  })
}

/** Options of a group of the config file; `library`: those of `openMemory` without a group; `commands`: the rest. */
function optionRows(group: string): readonly (readonly string[])[] {
  const names = (Object.keys(OPTIONS) as OptionName[]).filter((name) => {
    if (group === 'library') return !name.includes('.') && libraryName(name) !== null
    return group === 'commands' ? !/^(?:memory_file|server)\./.test(name) : name.startsWith(`${group}.`)
  })
  const columns = names.map((name) => {
    const { flag, help, byDefault, ofLibrary, ...option }: Option = OPTIONS[name]
    const usually = (group === 'library' ? ofLibrary : undefined) ?? option.usually
    const key = group === 'commands' ? name : name.slice(name.indexOf('.') + 1)
    const first = group === 'library' ? (libraryName(name) ?? '') : key
    const given = usually ?? (typeof byDefault === 'string' ? `\`${byDefault}\`` : JSON.stringify(byDefault))
    return [code(first), code(flag?.split(' ')[0]), code(variableOf(name)), given, help]
  })
  const heads = [
    group === 'library' ? 'option of `openMemory`' : 'in the config file',
    'flag',
    'variable',
    'default',
    'meaning',
  ]
  const used = heads
    .map((_, at) => at !== 1 || group !== 'library')
    .map((isUsed, at) => isUsed && columns.some((cells) => cells[at] !== ''))
  return [heads, ...columns].map((cells) => cells.filter((_, at) => used[at]))
}

function settingRows(): readonly (readonly string[])[] {
  const rows = SETTING_NAMES.map((name) => {
    const { byDefault, bounds, help }: SettingRow = SETTINGS[name]
    const within = bounds === undefined ? '' : `; ${bounds.map((bound) => bound.toLocaleString('en')).join(' to ')}`
    return [code(name), code(settingVariable(name)), String(byDefault), help + within]
  })
  return [['setting', 'variable', 'default', 'meaning'], ...rows]
}

function tabled([heads = [], ...rows]: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function code(word: string | undefined): string {
  return word === undefined ? '' : `\`${word}\``
}

if (process.argv[1] === import.meta.filename)
  for (const page of PAGES) writeFileSync(join(ROOT, page), withTables(page))
