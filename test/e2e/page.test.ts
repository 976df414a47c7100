/** The page as a person meets it: served by a real server, looked at with a real browser. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startModelServer } from '../support/model-server.ts'
import { axeFindings, buildPage, noBrowser, openPage, startBrowser } from '../support/page.ts'
import { type RestServer, startForTest } from '../support/rest-server.ts'

let folder: string
let page: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-page-'))
  page = await buildPage(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('what the server sends', () => {
  test('the address of the server is the page, under a policy that lets nothing inline or foreign in', async () => {
    const { ask } = await startForTest({ page })
    const index = await ask('GET', '/')
    expect([index.status, index.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(index.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(index.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(index.headers.get('cache-control')).toBe('no-cache')
    expect(index.text).toContain('<noscript>')
    expect(index.text).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|style=|(?:src|href)="(?:https?:)?\/\//)
    const again = await ask('GET', '/', undefined, { 'if-none-match': index.headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('its files are named by their content, kept for good and sent compressed; the first script is small', async () => {
    const { ask } = await startForTest({ page })
    const { text } = await ask('GET', '/')
    const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!)
    expect(files.filter((name) => name.endsWith('.js'))).toHaveLength(1)
    for (const name of files) {
      const file = await ask('GET', name, undefined, { 'accept-encoding': 'gzip, deflate, br' })
      expect([name, file.status]).toEqual([name, 200])
      expect(file.headers.get('cache-control')).toContain('immutable')
      expect(file.headers.get('x-content-type-options')).toBe('nosniff')
      if (!name.endsWith('.svg')) expect(file.headers.get('content-encoding')).toBe('br')
      const plain = await ask('GET', name, undefined, { 'accept-encoding': 'identity' })
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(plain.text).toBe(file.text)
      if (name.endsWith('.js')) expect(brotliCompressSync(plain.text).length).toBeLessThan(80 * 1024)
    }
  })

  test('what is not there stays a problem in JSON, and a name that leaves the folder finds nothing', async () => {
    const { ask } = await startForTest({ page })
    for (const path of ['/nothing', '/assets/nothing.js', '/assets/..%2Findex.html', '/assets/%2e%2e%2findex.html']) {
      const answer = await ask('GET', path)
      expect([path, answer.status, answer.body?.code]).toEqual([path, 404, 'not_found'])
    }
    expect((await ask('POST', '/', {})).status).toBe(405)
    expect((await ask('GET', '/settings')).status).toBe(200)
  })

  test('the page takes no key, what it asks for does; pages of other sites are refused', async () => {
    const { ask } = await startForTest({ page, apiKey: 'a key of twenty letters' })
    expect((await ask('GET', '/')).status).toBe(200)
    expect((await ask('GET', '/settings')).status).toBe(401)
    expect((await ask('GET', '/', undefined, { origin: 'https://elsewhere.example' })).status).toBe(403)
  })

  test('without a built page the address says so in JSON, as before', async () => {
    const { ask } = await startForTest({ page: join(folder, 'nowhere') })
    expect((await ask('GET', '/')).body.code).toBe('not_found')
  })

  test('what is built names no other host', () => {
    const scripts = readdirSync(join(page, 'assets')).filter((name) => name.endsWith('.js') || name.endsWith('.css'))
    expect(scripts.length).toBeGreaterThan(2)
    for (const name of scripts) {
      expect(statSync(join(page, 'assets', name)).size).toBeGreaterThan(1000)
      expect(readFileSync(join(page, 'assets', name), 'utf8')).not.toMatch(/(?:import|fetch|url)\(\s*["'`]?https?:/)
    }
  })
})

describe.skipIf(noBrowser !== undefined)(
  `in a browser${noBrowser === undefined ? '' : ` (skipped: ${noBrowser})`}`,
  () => {
    let browser: Browser

    beforeAll(async () => {
      browser = await startBrowser()
    })
    afterAll(() => browser?.close())

    const open = ({ url }: RestServer, hash = '', options: Parameters<Browser['newPage']>[0] = {}) =>
      openPage(browser, url, hash, options)

    test('what was said is remembered, corrected, found as corrected, and deleted for good', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const { shown, complaints } = await open(server)
      await shown.getByRole('heading', { name: 'What should I remember?' }).waitFor()

      await shown.getByLabel('Message', { exact: true }).fill('My dentist is Dr. Kwan on Mill Road.')
      await shown.keyboard.press('Enter')
      await shown.getByText('No model is connected, so nobody answers.').waitFor()
      await shown.getByText('How to connect one').click()
      await shown.getByText('MNEME_LLM_BASE_URL').waitFor()
      await server.memory.idle()

      await shown.getByRole('link', { name: 'Memories' }).click()
      await shown.locator('.memory-text', { hasText: 'Dr. Kwan' }).click()
      await shown.getByRole('button', { name: 'Correct', exact: true }).click()
      await shown.getByLabel('What is right?').fill('My dentist is Dr. Amara on Station Street.')
      await shown.keyboard.press('Control+Enter')
      await shown.locator('.history ins', { hasText: 'Dr. Amara' }).waitFor()
      await shown.locator('.memory-text', { hasText: 'Dr. Amara' }).waitFor()
      expect((await server.memory.search('dentist')).results.map(({ text }) => text)).toEqual([
        'My dentist is Dr. Amara on Station Street.',
      ])

      await shown.getByRole('link', { name: 'Context' }).click()
      await shown.getByLabel('Message').fill('Who is my dentist?')
      await shown.keyboard.press('Enter')
      await shown.locator('.layer pre', { hasText: 'Dr. Amara' }).first().waitFor({ state: 'attached' })
      await shown.getByRole('button', { name: 'Why this?' }).first().click()
      await shown.locator('.why .bar-fill').first().waitFor()

      await shown.getByRole('link', { name: 'Memories' }).click()
      await shown.getByLabel('Search what is remembered').fill('dentist')
      await shown.locator('.memory-text', { hasText: 'Dr. Amara' }).click()
      await shown.getByRole('button', { name: 'Delete' }).click()
      await shown.getByText('1 memory deleted').waitFor()
      // It can be taken back, and was not sent yet.
      expect((await server.memory.getAll({})).total).toBe(1)
      await shown.getByRole('button', { name: 'Undo' }).click()
      await shown.locator('.memory-text', { hasText: 'Dr. Amara' }).waitFor()
      await shown.locator('.choose input').first().check()
      await shown.locator('.chosen').getByRole('button', { name: 'Delete' }).click()
      await shown.getByRole('heading', { name: 'No matches.' }).waitFor()
      // Leaving the page is a decision.
      await shown.goto('about:blank')
      await expect.poll(async () => (await server.memory.getAll({})).total).toBe(0)
      expect((await server.memory.search('dentist')).results).toEqual([])
      expect(complaints).toEqual([])
    })

    test('a model’s words come as they are said, as Markdown that can do nothing', async () => {
      const words = [
        '**Miso**',
        ' is afraid.\n\n```js\nalert(1)\n```\n',
        '<img src=x onerror="document.title=1"><script>1</script>',
        '[x](javascript:alert(1))',
      ]
      const events = [
        ...words.map((content) => ({ model: 'm', choices: [{ delta: { content } }] })),
        { model: 'm', choices: [{ delta: {}, finish_reason: 'stop' }] },
        '[DONE]',
      ]
      const vendor = await startModelServer({ events })
      onTestFinished(() => vendor.close())
      const llm = { provider: 'openai', baseUrl: vendor.url, model: 'm', apiKey: 'k', retries: 0 } as const
      const server = await startForTest({ page, open: { userId: 'local', llm, thinking: false } })
      const told = 'Our cat is called Miso and she is afraid of thunder.'
      await server.memory.add(told, { infer: false })
      const { shown, complaints } = await open(server)
      await shown.getByLabel('Message', { exact: true }).fill('What is our cat afraid of?')
      await shown.keyboard.press('Enter')
      await shown.locator('.prose strong', { hasText: 'Miso' }).waitFor()
      await shown.locator('.prose pre[tabindex="0"]', { hasText: 'alert(1)' }).waitFor()
      expect(await shown.locator('.prose img, .prose script, .prose a[href^=javascript]').count()).toBe(0)
      await shown.locator('.side .evidence', { hasText: told }).waitFor()
      await shown.getByRole('button', { name: 'This is wrong' }).click()
      await shown.getByLabel('What is right?').fill('Our cat is called Miso and she is afraid of dogs.')
      await shown.getByRole('button', { name: 'Save' }).click()
      await shown.locator('.side .evidence', { hasText: 'afraid of dogs' }).waitFor()
      expect((await server.memory.getAll({})).items.map(({ text }) => text)).toEqual([
        'Our cat is called Miso and she is afraid of dogs.',
      ])
      expect(complaints).toEqual([])
    })

    test('thousands of memories are a few rows, and the address holds what is filtered', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      for (let at = 0; at < 1200; at += 1) {
        const category = at % 100 === 0 ? 'preference' : 'fact'
        await server.memory.add(`Shelf ${at} holds box ${at * 7}.`, { infer: false, category })
      }
      const { shown } = await open(server, '#/memories')
      await shown.getByText('1,200 memories').waitFor()
      expect(await shown.locator('.memory-row').count()).toBeLessThan(60)
      await shown.locator('.rows').evaluate((box) => box.scrollTo(0, box.scrollHeight))
      await shown.locator('.memory-text', { hasText: 'Shelf 0 holds' }).waitFor()
      // Only the rows in sight are read anew.
      await server.memory.add('The shelves are full.', { infer: false })
      await shown.getByLabel('Select: Shelf 3 holds').press('Space')
      await shown.locator('.chosen').getByRole('button', { name: 'Bury' }).click()
      await shown.getByText('1 memory buried').waitFor()
      await shown.locator('.memory-text', { hasText: 'Shelf 0 holds' }).waitFor()
      expect(await shown.locator('.row-waiting').count()).toBe(0)
      await shown.getByLabel('Category').selectOption('preference')
      await shown.getByText('12 memories').waitFor()
      expect(shown.url()).toContain('category=preference')
      await shown.reload()
      await shown.getByText('12 memories').waitFor()
      await shown.goBack()
      await shown.getByText('1,200 memories').waitFor()
      await shown.getByLabel('Search what is remembered').fill('box 7693')
      await shown.locator('.memory-text', { hasText: 'Shelf 1099' }).waitFor()
    })

    test('markup, links and marks of direction in a memory are text', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const evil = '<b onclick="alert(1)">bold</b> \u202egnirts https://elsewhere.example/x'
      await server.memory.add(evil, { infer: false })
      const { shown, complaints } = await open(server, '#/memories')
      expect(await shown.locator('.memory-text').textContent()).toBe(evil)
      expect(await shown.locator('.memory-text *').count()).toBe(0)
      expect(complaints).toEqual([])
    })

    test('a shared address asks for a key, which stays in the tab', async () => {
      const server = await startForTest({ page, apiKey: 'a-key-of-twenty-letters', open: { userId: 'ann' } })
      await server.memory.add('The boat is called Petrel.', { infer: false })
      const { shown } = await open(server, '#/memories')
      await shown.getByRole('heading', { name: 'Who is there?' }).waitFor()
      expect(await shown.locator('.rail, .view, .notice').filter({ visible: true }).count()).toBe(0)
      await shown.getByLabel('User').fill('ann')
      for (const wrong of ['芝麻开门', 'wrong']) {
        await shown.getByLabel('Key', { exact: true }).fill(wrong)
        await shown.keyboard.press('Enter')
        await shown.locator('.unlock').getByText('This key is not known here.').waitFor()
      }
      await shown.getByLabel('Key', { exact: true }).fill('a-key-of-twenty-letters')
      await shown.keyboard.press('Enter')
      await shown.locator('.memory-text', { hasText: 'Petrel' }).waitFor()
      await shown.reload()
      await shown.locator('.memory-text', { hasText: 'Petrel' }).waitFor()
      expect(await shown.evaluate(() => JSON.stringify(localStorage))).not.toContain('twenty')
    })

    test('a setting acts at once, a profile is a document, a conversation has the name that it is given', async () => {
      const overrides = { settings: { 'memory.enable_user_profile': true }, settingsSource: 'environment' }
      const server = await startForTest({ page, open: { userId: 'local', ...overrides } })
      await server.memory.conversations.store({ conversationId: 'boats', turns: [{ role: 'user', content: 'Boats.' }] })
      const { shown } = await open(server, '#/settings')
      await shown.getByLabel('Memories for a message').fill('3')
      await shown.keyboard.press('Tab')
      await shown.getByRole('button', { name: 'back to default' }).waitFor()
      expect((await server.memory.settings.get())['memory.rag_top_n'].value).toBe(3)
      expect(await shown.getByLabel('Show the profile').isDisabled()).toBe(true)
      // An empty field is no zero.
      await shown.getByLabel('Memories for a message').fill('')
      await shown.keyboard.press('Tab')
      await expect.poll(async () => (await server.memory.settings.get())['memory.rag_top_n'].source).toBe('default')
      await shown.getByRole('link', { name: 'Profile' }).click()
      await shown.getByLabel('Profile', { exact: true }).fill('- I live in Ghent.')
      await shown.keyboard.press('Control+Enter')
      await expect.poll(async () => (await server.memory.profile.get({})).text).toBe('- I live in Ghent.')
      await shown.getByRole('link', { name: 'Chat' }).click()
      await shown.getByRole('button', { name: 'Rename: Boats.' }).click()
      await shown.getByLabel('Name of the conversation').fill('About boats')
      await shown.keyboard.press('Control+Enter')
      await shown.locator('.conversation-name', { hasText: 'About boats' }).waitFor()
    })

    test('the page speaks the browser’s Chinese, and the language that is chosen; keys lead everywhere', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const { shown } = await open(server, '', { locale: 'zh-CN' })
      await shown.getByRole('heading', { name: '要我记住什么？' }).waitFor()
      expect(await shown.locator('html').getAttribute('lang')).toBe('zh')
      await shown.goto(`${server.url}/#/settings`)
      await shown.getByLabel('语言').selectOption('en')
      await shown.getByRole('heading', { name: 'Settings' }).waitFor()
      await shown.getByRole('link', { name: 'Memories' }).click()
      await shown.locator('h1').click()
      await shown.keyboard.press('/')
      await shown.locator('#search:focus').waitFor()
      await shown.locator('h1').click()
      await shown.keyboard.press('n')
      await shown.getByLabel('What should I remember?').waitFor()
      await shown.keyboard.press('Escape')
      await shown.keyboard.press('?')
      await shown.getByRole('dialog', { name: 'Keys' }).waitFor()
    })

    test('a server that goes away is a calm line, and a message that could not be sent stays in its conversation', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const { shown } = await open(server)
      await shown.getByLabel('Message', { exact: true }).fill('half a thou')
      await shown.context().setOffline(true)
      await shown.keyboard.press('Enter')
      await shown.getByText('The server does not answer. What you typed').waitFor()
      await shown.getByRole('link', { name: 'Overview' }).click()
      await shown.locator('.failed').waitFor()
      await shown.context().setOffline(false)
      // The failed page is loaded when the server is back.
      await shown.locator('.way').first().waitFor()
      expect(await shown.locator('.banner').count()).toBe(0)
      await shown.getByRole('link', { name: 'Chat', exact: true }).click()
      const field = shown.getByLabel('Message', { exact: true })
      expect(await field.inputValue()).toBe('half a thou')
      // An unsent message is there in its conversation, after the page was loaded anew too.
      await shown.goto(`${server.url}/#/chat/other`)
      await expect.poll(() => field.inputValue()).toBe('')
      await shown.goBack()
      await shown.reload()
      await expect.poll(() => field.inputValue()).toBe('half a thou')
      await field.press('Enter')
      await shown.getByText('No model is connected').waitFor()
    })

    test('words that are being typed stay where they are while the server is gone, and where their writer looks elsewhere', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      await server.memory.add('The attic has a skylight.', { infer: false })
      const { shown } = await open(server, '#/memories')
      await shown.locator('.memory-link').click()
      await shown.locator('.side').getByRole('button', { name: 'Correct', exact: true }).click()
      const field = shown.getByLabel('What is right?')
      await field.fill('The attic has two skylights.')
      await shown.context().setOffline(true)
      await shown.getByRole('button', { name: 'Save' }).click()
      await shown.locator('.banner').waitFor()
      await shown.locator('.side .failed').waitFor()
      expect(await field.inputValue()).toBe('The attic has two skylights.')
      await shown.context().setOffline(false)
      await shown.locator('.banner').waitFor({ state: 'detached' })
      await shown.getByRole('button', { name: 'Save' }).click()
      await shown.locator('.history ins', { hasText: 'two skylights' }).waitFor()

      await shown.goto(`${server.url}/#/profile`)
      const profile = shown.getByLabel('Profile', { exact: true })
      await profile.fill('- I keep bees.')
      await shown.getByRole('link', { name: 'Overview' }).click()
      await shown.locator('.tile').first().waitFor()
      await shown.getByRole('link', { name: 'Profile' }).click()
      await expect.poll(() => profile.inputValue()).toBe('- I keep bees.')
      await shown.getByRole('button', { name: 'Save' }).click()
      await expect.poll(async () => (await server.memory.profile.get()).text).toBe('- I keep bees.')
    })

    test.for([
      [1280, 'light'],
      [380, 'dark'],
    ] as const)(
      'at %i pixels, %s: axe finds nothing, and nothing is wider than the screen',
      async ([width, colorScheme]) => {
        const server = await startForTest({ page, open: { userId: 'local' } })
        const { memory } = server
        await memory.conversations.store({
          conversationId: 'move',
          turns: [{ role: 'user', content: 'I live in Porto.' }],
        })
        await memory.idle()
        await memory.conversations.store({
          conversationId: 'move-2',
          turns: [{ role: 'user', content: 'I moved to Ghent last week.' }],
        })
        await memory.idle()
        const { items } = await memory.getAll({ includePast: true })
        const replaced = items.find(({ supersededBy }) => supersededBy !== null)!
        const { shown, complaints } = await open(server, '', { colorScheme, viewport: { width, height: 760 } })
        const views = [
          ['#/chat', '.empty'],
          ['#/chat/move', '.bubble'],
          ['#/memories?state=all', '.chip.replaced'],
          [`#/memories/${replaced.id}?state=all`, '.history li'],
          ['#/memories?q=nothing+of+the+kind+zzz&category=pattern', '.empty'],
          ['#/context?message=Where+do+I+live%3F', '.layer'],
          ['#/memories?state=buried', '.empty'],
          ['#/memories?who=user&from=2020-01-01', '.more-filters[open]'],
          ['#/changes?from=2020-01-01', '.difference'],
          ['#/context?message=Where+do+I+live%3F&left=hybrid&right=long-term', '.ranking li'],
          ['#/overview', '.growth'],
          ['#/profile', '.document'],
          ['#/profile/conversations', '.section-head'],
          ['#/profile/file', '.failed'],
          ['#/settings', '.setting'],
          ['#/settings/jobs', '.section-head'],
          ['#/settings/data', '.drop'],
          ['#/settings/connect', '.connect'],
          ['#/settings/keys', '.key-form'],
        ] as const
        for (const [hash, sign] of views) {
          await shown.goto(`${server.url}/${hash}`)
          await shown.locator(sign).first().waitFor()
          expect([hash, await axeFindings(shown)]).toEqual([hash, []])
          const overflow = await shown.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
          expect([hash, overflow]).toEqual([hash, 0])
        }
        expect(complaints).toEqual([])
      },
    )
  },
)
