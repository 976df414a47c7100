/** The built page and a real browser to look at it with. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { onTestFinished } from 'vitest'

const CONFIG = fileURLToPath(new URL('../../src/doors/web/vite.config.ts', import.meta.url))
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']

/** Where Chromium is; undefined where there is none. */
export const browserPath = [process.env.CHROMIUM_PATH, ...PLACES].find((path) => path !== undefined && existsSync(path))
/** Why tests with a browser are skipped; undefined where they are not. */
export const noBrowser =
  browserPath === undefined
    ? 'there is no Chromium here: install the package chromium, or set CHROMIUM_PATH'
    : undefined

if (noBrowser !== undefined && process.env.PAGE_TESTS === 'required') throw new Error(noBrowser)

/** Builds the page into a folder. */
export async function buildPage(folder: string): Promise<string> {
  const outDir = join(folder, 'web')
  await build({ configFile: CONFIG, logLevel: 'error', build: { outDir, emptyOutDir: true } })
  return outDir
}

/** Starts the browser; with flags of V8, where they are given. */
export function startBrowser(v8 = ''): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', `--js-flags=${v8}`]
  return chromium.launch({ executablePath: browserPath!, args })
}

/** Opens the page of a server for one test, with what the browser complained of meanwhile. */
export async function openPage(
  browser: Browser,
  url: string,
  hash = '',
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<{ readonly shown: Page; readonly complaints: readonly string[] }> {
  const shown = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options })
  // The machine may have much else to do.
  shown.setDefaultTimeout(30_000)
  onTestFinished(() => shown.close())
  const complaints = complaintsOf(shown, url)
  await shown.goto(`${url}/${hash}`)
  return { shown, complaints }
}

/** Faults of a page, as they happened: errors, refused scripts, requests to other hosts. */
export function complaintsOf(page: Page, url: string): readonly string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // A refused request (a wrong key) is told by the page itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) complaints.push(`request: ${request.url()}`)
  })
  return complaints
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Findings of axe on the page as it stands, by the rules of WCAG AA. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      readonly axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
      }
    }
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const { violations } = await axe.run({ runOnly })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  })
}
