/** The views of the page as a person walks them: sample, burying, time, where a memory comes from, undo, context, files, keys. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { type SeenRequest, startModelServer } from '../support/model-server.ts'
import { buildPage, noBrowser, openPage, startBrowser } from '../support/page.ts'
import { type RestServer, startForTest } from '../support/rest-server.ts'

describe.skipIf(noBrowser !== undefined)(
  `the views in a browser${noBrowser === undefined ? '' : ` (skipped: ${noBrowser})`}`,
  () => {
    let folder: string
    let page: string
    let browser: Browser

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'mneme-page-'))
      page = await buildPage(folder)
      browser = await startBrowser()
    })
    afterAll(async () => {
      await browser?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const open = ({ url }: RestServer, hash = '', options: Parameters<Browser['newPage']>[0] = {}) =>
      openPage(browser, url, hash, options)

    async function say({ memory }: RestServer, conversationId: string, content: string, daysAgo = 0): Promise<void> {
      const createdAt = new Date(Date.now() - daysAgo * 86_400_000)
      await memory.conversations.store({ conversationId, turns: [{ role: 'user', content, createdAt }] })
      await memory.idle()
    }

    test('who begins is offered three ways and a sample, and one click removes it', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const { shown, complaints } = await open(server)
      for (const way of ['Start talking', 'Import', 'Connect an assistant'])
        await shown.locator('.way', { hasText: way }).waitFor()
      await shown.getByRole('button', { name: 'Take a sample memory' }).click()
      await shown.getByText('A sample memory is here.').waitFor()
      await shown.getByRole('link', { name: 'Overview' }).click()
      await shown.locator('.tile', { hasText: 'current' }).locator('strong', { hasText: '12' }).waitFor()
      await shown.locator('.tile', { hasText: 'in doubt' }).click()
      await shown.locator('.memory-text', { hasText: 'rye flour' }).click()
      await shown.locator('.map-card.source', { hasText: 'mill in Barcelos' }).waitFor()
      await shown.getByRole('link', { name: 'Overview' }).click()
      await shown.getByRole('button', { name: 'Remove the sample' }).click()
      await shown.locator('.way').first().waitFor()
      expect((await server.memory.getAll({ includePast: true, includeBuried: true })).total).toBe(0)
      expect((await server.memory.conversations.list()).total).toBe(0)
      expect(complaints).toEqual([])
    })

    test('the sample comes in Chinese where the page is', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const { shown } = await open(server, '#/overview', { locale: 'zh-CN' })
      await shown.getByRole('button', { name: '放入一份示例记忆' }).click()
      await shown.getByRole('link', { name: '记忆', exact: true }).click()
      await shown.locator('.memory-text', { hasText: '玛拉对芝麻过敏。' }).waitFor()
    })

    test('a memory is buried beside the list, seen among the buried alone, and taken out again', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      await server.memory.add('My locker at the pool is number 214.', { infer: false })
      await server.memory.add('My bicycle is green.', { infer: false })
      const { shown, complaints } = await open(server, '#/memories')
      await shown.locator('.memory-text', { hasText: 'locker' }).click()
      await shown.locator('.side').getByRole('button', { name: 'Bury' }).click()
      await shown.locator('.side .note', { hasText: 'shown to no model' }).waitFor()
      await shown.getByText('1 memory', { exact: true }).waitFor()
      expect((await server.memory.search('Which locker?')).results).toEqual([])
      await shown.getByRole('button', { name: 'Buried' }).click()
      await shown.locator('.chip', { hasText: 'buried' }).waitFor()
      await shown.locator('.choose input').check()
      await shown.locator('.chosen').getByRole('button', { name: 'Unbury' }).click()
      await shown.getByRole('heading', { name: 'No matches.' }).waitFor()
      expect((await server.memory.search('Which locker?')).results).toHaveLength(1)
      expect(complaints).toEqual([])
    })

    test('as of a day there is what held then; between two days there is what was learnt, changed, ended and buried', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      await say(server, 'old', 'I live in Porto.', 30)
      await say(server, 'new', 'I moved to Ghent last week.', 5)
      await server.memory.add('The gate code changes in spring.', { infer: false })
      const { results } = await server.memory.add('My bicycle is green.', { infer: false })
      await server.memory.bury(results[0]!.id)
      const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
      const { shown } = await open(server, `#/memories?at=${day(20)}`)
      await shown.locator('.memory-text', { hasText: 'Porto' }).waitFor()
      await shown.getByText('1 memory', { exact: true }).waitFor()
      await shown.getByRole('slider', { name: 'Day' }).press('End')
      await shown.locator('.memory-text', { hasText: 'Ghent' }).waitFor()
      await shown.goto(`${server.url}/#/changes?from=${day(20)}&to=${day(0)}`)
      await shown.locator('.is-learnt', { hasText: 'gate code' }).waitFor()
      const changed = shown.locator('.is-changed li').first()
      expect(await changed.locator('del').textContent()).toContain('Porto')
      expect(await changed.locator('ins').textContent()).toContain('Ghent')
      await shown.locator('.is-buried', { hasText: 'bicycle' }).waitFor()
      await shown.getByLabel('to the end of').fill(day(10))
      await shown.getByRole('heading', { name: 'Nothing changed.' }).waitFor()
      expect(shown.url()).toContain(`to=${day(10)}`)
    })

    test('a doubt names the memory that casts it, and leads there', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      await server.memory.add('Deploys go to Heroku with a script.')
      await server.memory.add('Deploys go to Fly.io now.')
      const { items } = await server.memory.getAll({ includePast: true })
      const doubted = items.find(({ suspect }) => suspect !== null)!
      const { shown } = await open(server, `#/memories/${doubted.id}?state=all`)
      await shown.locator('.note.doubt a', { hasText: 'Fly.io' }).click()
      await shown.locator('.side .memory-whole', { hasText: 'Fly.io' }).waitFor()
    })

    test('conversations show their project and are listed by it; one that is found opens at what was found', async () => {
      const server = await startForTest({ page, open: { userId: 'local', thinking: false } })
      const store = (conversationId: string, projectRoot: string, texts: readonly string[]) =>
        server.memory.conversations.store({
          conversationId,
          projectRoot,
          turns: texts.map((content, at) => ({
            role: 'user',
            content,
            createdAt: new Date(Date.now() - 1e6 + at * 1000),
          })),
        })
      const chatter = Array.from({ length: 60 }, (_, at) => `Then we looked at room ${at}.`)
      await store('till', '/srv/shop', ['The test of the till is flaky.', ...chatter])
      await store('posts', '/srv/blog', ['The test of the feed is flaky.', 'Why is a test flaky?'])
      for (const width of [1280, 390]) {
        const { shown, complaints } = await open(server, '#/chat/posts', { viewport: { width, height: 760 } })
        await shown.locator('.thread-head .tag', { hasText: 'blog' }).waitFor()
        await shown.locator('[data-turn="2"]').hover()
        await shown.getByRole('button', { name: 'What was recalled?' }).last().click()
        await shown.locator('.side .quote', { hasText: 'feed' }).waitFor()
        expect(await shown.locator('.side').textContent()).not.toContain('till')
        await shown.locator('.side').getByRole('button', { name: 'Close' }).click()
        if (width === 390) await shown.getByRole('button', { name: 'Conversations' }).click()
        await shown.locator('.conversations').getByLabel('Project').selectOption('/srv/shop')
        await shown.locator('.conversation-link', { hasText: 'feed' }).waitFor({ state: 'detached' })
        await shown.getByLabel('Search conversations').fill('flaky')
        await shown.locator('.conversation-link[href$="/till?turn=1"]').click()
        await shown.locator('.turn.target', { hasText: 'till is flaky' }).waitFor()
        await expect.poll(() => shown.locator('.turns').evaluate((box) => box.scrollTop)).toBeLessThan(400)
        const overflow = await shown.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
        expect([overflow, complaints]).toEqual([0, []])
      }
    })

    test('what a tool was given and gave is told apart from answers, and folded', async () => {
      const server = await startForTest({ page, open: { userId: 'local', thinking: false } })
      const said = [
        ['assistant', 'I push it.'],
        ['tool', 'Bash: git push'],
        ['tool', 'To the origin\nmain -> main'],
      ] as const
      const turns = said.map(([role, content]) => ({ role, content }))
      await server.memory.conversations.store({ conversationId: 'c', turns })
      const { shown } = await open(server, '#/chat/c', { viewport: { width: 390, height: 760 } })
      await shown.locator('p.tool', { hasText: 'git push' }).waitFor()
      expect(await shown.getByText('main -> main').isVisible()).toBe(false)
      await shown.locator('details.tool summary').press('Enter')
      await shown.getByText('main -> main').waitFor()
      expect(await shown.locator('.prose').count()).toBe(1)
    })

    test('MEMORY.md says on the page which of its lines are in doubt', async () => {
      const path = join(mkdtempSync(join(folder, 'notes-')), 'MEMORY.md')
      const server = await startForTest({ page, open: { userId: 'local', memoryFile: { path } } })
      await server.memory.add('Remember: deploys go to Heroku with a script.')
      await server.memory.memoryFile.digest()
      await server.memory.add('Deploys go to Fly.io now.')
      await server.memory.memoryFile.digest()
      const { shown } = await open(server, '#/profile/file')
      await shown.locator('.file li', { hasText: 'Heroku' }).filter({ hasText: 'In doubt since' }).waitFor()
      expect(await shown.locator('.file li', { hasText: 'Fly.io' }).textContent()).not.toContain('doubt')
    })

    test('the map of a memory leads to its turn and what it replaced; what a conversation told is taken back after a look', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      await say(server, 'old', 'I live in Porto.', 30)
      await say(server, 'new', 'I moved to Ghent last week.')
      const { shown } = await open(server, '#/memories')
      await shown.locator('.memory-text', { hasText: 'Ghent' }).click()
      await shown.locator('.map-card', { hasText: 'replaced' }).waitFor()
      await shown.getByRole('button', { name: 'Forget all from this conversation' }).click()
      const dialog = shown.getByRole('dialog', { name: 'Forget what was remembered from this conversation?' })
      await dialog.locator('ins', { hasText: 'Porto' }).waitFor()
      expect(await dialog.locator('del').allTextContents()).toEqual([expect.stringContaining('Ghent')])
      await shown.keyboard.press('Escape')
      expect((await server.memory.getAll({ includePast: true })).total).toBe(2)
      await shown.getByRole('button', { name: 'Forget all from this conversation' }).click()
      await dialog.getByRole('button', { name: 'Forget 1 memory' }).click()
      await shown.getByText('1 memory forgotten').waitFor()
      await expect.poll(() => shown.locator('.side').count()).toBe(0)
      expect((await server.memory.getAll({})).items.map(({ text }) => text)).toEqual(['I live in Porto.'])
      await shown.goto(`${server.url}/#/memories`)
      await shown.locator('.memory-text', { hasText: 'Porto' }).click()
      await shown.locator('.map-card.source').click()
      await shown.locator('.turn.target .bubble', { hasText: 'I live in Porto.' }).waitFor()
    })

    test('of a long conversation the message that a link names is shown, with ways to what came before and after', async () => {
      const server = await startForTest({ page, open: { userId: 'local', thinking: false } })
      const turns = Array.from({ length: 900 }, (_, at) => ({
        role: 'user' as const,
        content: `第 ${at + 1} 号浮标 is lit.`,
      }))
      await server.memory.conversations.store({ conversationId: 'buoys', turns })
      const { shown } = await open(server, '#/chat/buoys?turn=7')
      await shown.locator('.turn.target', { hasText: '第 7 号浮标' }).waitFor()
      expect(await shown.locator('.turn').count()).toBe(400)
      await shown.getByRole('link', { name: 'Show later messages' }).click()
      await shown.locator('.turn.target', { hasText: '第 401 号浮标' }).waitFor()
      await shown.getByRole('link', { name: 'Show earlier messages' }).waitFor()
      await shown.getByLabel('Message', { exact: true }).fill('Which buoy is dark?')
      await shown.keyboard.press('Enter')
      // Saying something scrolls to the end.
      await shown.locator('.turn', { hasText: 'Which buoy is dark?' }).waitFor()
      await shown.locator('.turn', { hasText: '第 900 号浮标' }).waitFor()
      expect(await shown.getByRole('link', { name: 'Show later messages' }).count()).toBe(0)
    })

    test('a message is put into other words where it stands, and deleted with what was remembered from it', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      await say(server, 'home', 'I live in Porto.')
      await say(server, 'home', 'I am allergic to sesame.')
      const { shown, complaints } = await open(server, '#/chat/home')
      const message = shown.locator('.turn', { hasText: 'Porto' })
      await message.getByRole('button', { name: 'Edit' }).click()
      await shown.locator('.turn').getByLabel('Message', { exact: true }).fill('I live in Ghent.')
      await shown.locator('.turn').getByRole('button', { name: 'Save' }).click()
      await shown.locator('.bubble', { hasText: 'Ghent' }).waitFor()
      await shown.locator('.turn', { hasText: 'sesame' }).getByRole('button', { name: 'Delete' }).click()
      await shown.getByText('Message deleted').waitFor()
      expect(await shown.locator('.bubble').allTextContents()).toEqual(['I live in Ghent.'])
      await shown.goto('about:blank')
      const texts = async () => (await server.memory.getAll({})).items.map(({ text }) => text)
      await expect.poll(texts).toEqual(['I live in Ghent.'])
      expect(complaints).toEqual([])
    })

    test('a model sees something else without a memory, and two rankings stand side by side', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      await server.memory.add('My bicycle is green.', { infer: false })
      await server.memory.add('My old bicycle was blue.', { infer: false })
      const { shown } = await open(server, '#/context?message=What+colour+is+my+bicycle%3F')
      await shown.locator('.layer pre', { hasText: 'green' }).waitFor()
      const card = shown.locator('.evidence', { hasText: 'is green' }).first()
      await card.getByRole('button', { name: 'Look without it' }).click()
      await shown.locator('.switched-off', { hasText: 'is green' }).waitFor()
      expect(await shown.locator('.layer pre', { hasText: 'is green' }).count()).toBe(0)
      expect(shown.url()).toContain('without=')
      await shown.getByRole('button', { name: 'Compare two rankings' }).click()
      await shown.locator('.ranking').nth(1).locator('li', { hasText: 'green' }).waitFor()
      await shown.getByLabel('Right ranking').selectOption('associative')
      expect(await shown.locator('.ranking').nth(0).locator('li').count()).toBe(2)
      await shown.locator('.switched-off .chip').click()
      await shown.locator('.layer pre', { hasText: 'is green' }).waitFor()
      expect((await server.memory.getAll({})).items.every(({ accessCount }) => accessCount === 0)).toBe(true)
    })

    test('an answer is corrected where its evidence stands, asked again it is another; deleted, it is in no search, export or byte', async () => {
      // The model says the sentence about the cat that it was given.
      const answer = ({ body }: SeenRequest) => {
        const given = (body.messages ?? []).map(({ content }) => content).join('\n')
        const content = /Miso is afraid of \w+/.exec(given)?.[0] ?? 'I do not know.'
        return {
          events: [
            { model: 'm', choices: [{ delta: { content } }] },
            { model: 'm', choices: [{ delta: {}, finish_reason: 'stop' }] },
            '[DONE]',
          ],
        }
      }
      const vendor = await startModelServer(answer)
      onTestFinished(() => vendor.close())
      const llm = { provider: 'openai', baseUrl: vendor.url, model: 'm', apiKey: 'k', retries: 0 } as const
      const path = join(folder, 'cat.db')
      const server = await startForTest({ page, path, open: { userId: 'local', llm, thinking: false } })
      await server.memory.add('Our cat Miso is afraid of thunder.', { infer: false })
      const { shown, complaints } = await open(server)
      const ask = async (question: string): Promise<void> => {
        await shown.getByLabel('Message', { exact: true }).fill(question)
        await shown.keyboard.press('Enter')
      }
      await ask('What is Miso afraid of?')
      await shown.locator('.prose', { hasText: 'Miso is afraid of thunder' }).waitFor()
      const evidence = shown.locator('.side .evidence', { hasText: 'thunder' })
      await evidence.getByRole('button', { name: 'Forget this' }).waitFor()
      expect(await evidence.locator('.actions').count()).toBe(1)
      await evidence.getByRole('button', { name: 'This is wrong' }).click()
      await shown.getByLabel('What is right?').fill('Our cat Miso is afraid of balloons.')
      await shown.getByRole('button', { name: 'Save' }).click()
      await shown.getByText('Corrected.').waitFor()
      // In a new conversation: what was said in this one stays said.
      await shown.getByRole('link', { name: 'New', exact: true }).click()
      for (const { conversationId } of (await server.memory.conversations.list()).items)
        await server.memory.conversations.mute(conversationId)
      await ask('Tell me what Miso is afraid of.')
      await shown.locator('.prose', { hasText: 'Miso is afraid of balloons' }).waitFor()
      await shown
        .locator('.side .evidence', { hasText: 'balloons' })
        .getByRole('button', { name: 'Forget this' })
        .click()
      await shown.getByText('1 memory deleted').waitFor()
      await shown.goto('about:blank')
      await expect.poll(async () => (await server.memory.getAll({})).total).toBe(0)
      for (const { conversationId } of (await server.memory.conversations.list()).items)
        await server.memory.conversations.delete({ conversationId })
      expect((await server.memory.search('Miso')).results).toEqual([])
      expect((await server.ask('GET', '/export')).text).not.toContain('Miso')
      await server.memory.idle()
      const bytes = ['', '-wal'].map((ending) => {
        try {
          return readFileSync(path + ending, 'latin1')
        } catch {
          return ''
        }
      })
      expect(bytes.join('').includes('afraid of balloons')).toBe(false)
      expect(complaints).toEqual([])
    })

    test('what an assistant said is not remembered as the user’s own words, and once is enough', async () => {
      const server = await startForTest({ page, open: { userId: 'local', thinking: false } })
      const turns = [
        { role: 'user', content: 'Any advice for the frost?' },
        { role: 'assistant', content: 'Cover the figs with straw.' },
      ] as const
      await server.memory.conversations.store({ conversationId: 'garden', turns })
      const { shown } = await open(server, '#/chat/garden')
      const answer = shown.locator('.turn.assistant').getByRole('button', { name: 'Remember this' })
      for (const already of [0, 1]) {
        await answer.click()
        await expect.poll(() => shown.getByText('Remembered.').count()).toBe(already + 1)
      }
      await shown.locator('.turn.user').getByRole('button', { name: 'Remember this' }).click()
      await expect.poll(() => shown.getByText('Remembered.').count()).toBe(3)
      const { items } = await server.memory.getAll({})
      expect(items.map(({ text, source }) => [text, source]).sort()).toEqual([
        ['Any advice for the frost?', 'user_stated'],
        ['Cover the figs with straw.', 'system'],
      ])
    })

    test('a source is shown to no model from one click on, and shown again from another', async () => {
      const server = await startForTest({ page, open: { userId: 'local', thinking: false } })
      await say(server, 'pool', 'My locker at the pool is number 214.')
      const { shown } = await open(server, '#/context?message=Which+locker+is+mine+at+the+pool%3F')
      const card = shown.locator('.evidence', { hasText: '214' }).first()
      await card.getByRole('button', { name: 'Not from this source again' }).click()
      await shown.getByText('No model is shown this conversation any more.').waitFor()
      expect((await server.memory.recall('Which locker is mine at the pool?')).results).toEqual([])
      await shown.goto(`${server.url}/#/chat/pool`)
      await shown.locator('.conversation-meta', { hasText: 'muted' }).waitFor()
      await shown.getByRole('button', { name: 'Unmute' }).click()
      await expect
        .poll(async () => (await server.memory.recall('Which locker is mine at the pool?')).results.length)
        .toBe(1)
    })

    test('a file is taken in with its counts and what was skipped, an empty one is refused, and what is filtered is taken away', async () => {
      const from = await startForTest({ open: { userId: 'local' } })
      await from.memory.add('My bicycle is green.', { infer: false })
      await from.memory.add('我喜欢喝绿茶。', { infer: false, category: 'preference' })
      const file = join(folder, 'export.json')
      const text = (await from.ask('GET', '/export')).text
      writeFileSync(
        file,
        text.replace(/("memory_type":"semantic"[\s\S]*)"memory_type":"semantic"/, '$1"memory_type":"nonsense"'),
      )
      const server = await startForTest({ page, open: { userId: 'local' } })
      const { shown } = await open(server, '#/settings/data')
      await shown.locator('input[type=file]').setInputFiles(file)
      await shown.locator('.import-state', { hasText: '1 new' }).waitFor()
      await shown.getByRole('heading', { name: '1 skipped' }).waitFor()
      await shown.locator('.import-state li', { hasText: 'memory_type' }).waitFor()
      writeFileSync(join(folder, 'empty.json'), '')
      writeFileSync(join(folder, 'other.json'), '{"a": 1}')
      // Each of several files is told of.
      await shown
        .locator('input[type=file]')
        .setInputFiles(['empty.json', 'other.json'].map((one) => join(folder, one)))
      await shown.locator('.import-state', { hasText: 'other.json' }).locator('.failed').waitFor()
      await shown.locator('.import-state', { hasText: 'empty.json' }).getByText('The file is empty.').waitFor()
      const log = [
        { role: 'user', content: 'The oboe is mended.' },
        { role: 'jester', content: 'Ha.' },
      ]
      writeFileSync(join(folder, 'log.jsonl'), log.map((line) => JSON.stringify(line)).join('\n'))
      await shown.getByLabel('Make memories of what is new').uncheck()
      await shown.locator('input[type=file]').setInputFiles(join(folder, 'log.jsonl'))
      await shown.locator('.import-state', { hasText: 'log.jsonl:2' }).waitFor()
      await shown.locator('.import-state', { hasText: '1 new' }).waitFor()
      await server.memory.add('The boat is called Petrel.', { infer: false })
      await shown.goto(`${server.url}/#/memories?source=user_stated`)
      await shown.getByText('2 memories').waitFor()
      const download = shown.waitForEvent('download')
      await shown.getByRole('button', { name: 'Export these' }).click()
      const saved = readFileSync(await (await download).path(), 'utf8')
      expect(saved.trim().split('\n')).toHaveLength(2)
      expect(saved).toContain('Petrel')
      await shown.goto(`${server.url}/#/settings/data`)
      const whole = shown.waitForEvent('download')
      await shown.getByRole('button', { name: 'Export', exact: true }).click()
      expect(readFileSync(await (await whole).path(), 'utf8')).toContain('"mneme_export":1')
    })

    test('the memory file is brought up to date, and a backup shows what is different', async () => {
      const server = await startForTest({ page, path: join(folder, 'file.db'), open: { userId: 'local' } })
      await server.memory.add('Remember: the meeting is every Tuesday at nine.')
      const { shown, complaints } = await open(server, '#/profile/file')
      await shown.getByRole('heading', { name: 'There is no file yet.' }).waitFor()
      await shown.getByRole('button', { name: 'Update now' }).click()
      await shown.locator('.file .prose', { hasText: 'meeting' }).waitFor()
      expect(await shown.locator('.file .prose').textContent()).not.toContain('<!--')
      const { file } = await server.memory.memoryFile.read()
      appendFileSync(file, '\n- Our cat is called Miso.\n')
      await shown.getByRole('button', { name: 'Update now' }).click()
      await shown.getByText('1 of your edits taken over').waitFor()
      await server.memory.add('Remember: 会议改到周三上午十点。')
      await shown.getByRole('button', { name: 'Update now' }).click()
      await shown.locator('.file .prose', { hasText: '周三' }).waitFor()
      await shown.locator('.backups button').first().click()
      await shown.locator('.differences ins', { hasText: '周三' }).waitFor()
      expect(complaints).toEqual([])
    })

    test('work that failed and waits is done at once by a click', async () => {
      const vendor = await startEmbeddingServer()
      onTestFinished(() => vendor.close())
      vendor.spoil(() => ({ status: 500 }))
      const embedding = { provider: 'openai', baseUrl: vendor.url, model: 'm', apiKey: 'k' } as const
      // By a clock that stands still the next attempt never comes.
      const noon = new Date()
      const server = await startForTest({ page, open: { userId: 'local', embedding, clock: () => noon } })
      await server.memory.add('My loom has eight shafts.')
      const job = async () => (await server.memory.maintenance.jobs()).items[0]
      await expect.poll(async () => (await job())?.lastError ?? '').toContain('500')
      expect(await job()).toMatchObject({ state: 'waiting' })
      const { shown, complaints } = await open(server, '#/settings/jobs')
      vendor.spoil(() => null)
      await shown.getByRole('button', { name: 'Try now' }).click()
      await shown.getByText('1 job is tried again').waitFor()
      await expect.poll(job).toBeUndefined()
      await shown.getByRole('button', { name: 'Look again' }).click()
      await shown.getByText('Nothing waits, and nothing failed.').waitFor()
      expect(complaints).toEqual([])
    })

    test('the first key is made with one for this page, which goes on; a key is taken back', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const { shown } = await open(server, '#/settings/keys')
      await shown.getByLabel('For which program').fill('reader')
      await shown.getByLabel('What it may do').selectOption('read')
      await shown.getByRole('button', { name: 'Make a key' }).click()
      const key = (await shown.locator('.key-made code').textContent()) ?? ''
      expect(key).toMatch(/^mneme_/)
      expect((await server.ask('GET', '/settings')).status).toBe(401)
      const by = { authorization: `Bearer ${key}`, 'x-user-id': 'local' }
      expect((await server.ask('GET', '/memory/long-term', undefined, by)).status).toBe(200)
      await shown.getByRole('button', { name: 'Revoke: reader' }).click()
      await shown.getByText('The key is revoked.').waitFor()
      expect((await server.ask('GET', '/memory/long-term', undefined, by)).status).toBe(401)
      await shown.getByRole('link', { name: 'Memories' }).click()
      await shown.getByRole('heading', { name: 'Nothing is remembered yet.' }).waitFor()
    })

    test('a key that is taken back is asked for, and what was being written stays', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const { shown } = await open(server, '#/settings/keys')
      await shown.getByLabel('For which program').fill('other')
      await shown.getByLabel('What it may do').selectOption('admin')
      await shown.getByRole('button', { name: 'Make a key' }).click()
      const key = (await shown.locator('.key-made code').textContent()) ?? ''
      await shown.getByRole('link', { name: 'Profile' }).click()
      await shown.getByLabel('Profile', { exact: true }).fill('- I live in Ghent.')
      const by = { authorization: `Bearer ${key}`, 'x-user-id': 'local' }
      const { items } = (await server.ask('GET', '/keys', undefined, by)).body
      const own = items.find(({ name }: { name: string }) => name === 'this page')
      await server.ask('DELETE', `/keys/${own.id}`, undefined, by)
      await shown.getByRole('button', { name: 'Save' }).click()
      await shown.getByLabel('Key', { exact: true }).fill(key)
      await shown.keyboard.press('Enter')
      await shown.getByRole('button', { name: 'Save' }).click()
      await shown.getByText('Saved.').waitFor()
      expect((await server.memory.profile.get({})).text).toBe('- I live in Ghent.')
    })

    test('nothing moves while a view loads', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      await server.memory.conversations.store({
        conversationId: 'boats',
        projectRoot: '/home/ann/a-project-with-a-long-name',
        turns: [{ role: 'user', content: 'My boat is called Petrel.' }],
      })
      await server.memory.idle()
      const { shown } = await open(server)
      for (const hash of ['chat/boats', 'memories', 'memories?at=2026-01-01', 'overview', 'profile', 'settings']) {
        await shown.goto('about:blank')
        await shown.goto(`${server.url}/#/${hash}`)
        await shown.locator('.bubble, .memory-row, .empty, .growth, .document, .setting').first().waitFor()
        const moved = await shown.evaluate(`new Promise((resolve) => {
          const nodes = []
          new PerformanceObserver((list) => {
            for (const { sources } of list.getEntries()) nodes.push(...sources.map(({ node }) => node?.outerHTML))
          }).observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => resolve(nodes), 500)
        })`)
        expect([hash, moved]).toEqual([hash, []])
      }
    })

    test('a line of the profile leads to the message that told it', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      await say(server, 'home', 'I live in Ghent and I am allergic to sesame.')
      const { shown } = await open(server, '#/profile')
      const line = shown.locator('.listing li', { hasText: 'sesame' })
      await line.getByRole('link', { name: 'Memory' }).click()
      await shown.locator('.map-card.source', { hasText: 'sesame' }).click()
      await shown.locator('.turn.target', { hasText: 'sesame' }).waitFor()
    })

    test('of two tabs that edit one memory the second is told, and its words stay', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const { results } = await server.memory.add('The boat is called Petrel.', { infer: false })
      const hash = `#/memories/${results[0]!.id}`
      const [{ shown: one }, { shown: other }] = [await open(server, hash), await open(server, hash)]
      for (const tab of [one, other]) {
        await tab.locator('.side').getByRole('button', { name: 'Correct', exact: true }).click()
        await tab.getByLabel('What is right?').waitFor()
      }
      await one.getByLabel('What is right?').fill('The boat is called Fulmar.')
      await one.getByRole('button', { name: 'Save' }).click()
      await one.getByText('Corrected.').waitFor()
      await other.getByLabel('What is right?').fill('The boat is called Gannet.')
      await other.getByRole('button', { name: 'Save' }).click()
      await other.getByText('It says now: The boat is called Fulmar.').waitFor()
      expect((await server.memory.get(results[0]!.id)).text).toBe('The boat is called Fulmar.')
      expect(await other.getByLabel('What is right?').inputValue()).toBe('The boat is called Gannet.')
      await other.getByRole('button', { name: 'Save' }).click()
      await expect.poll(async () => (await server.memory.get(results[0]!.id)).text).toBe('The boat is called Gannet.')
    })

    test('of two tabs that edit the profile or a message the second is told, and its words stay', async () => {
      const server = await startForTest({ page, open: { userId: 'local', thinking: false } })
      await say(server, 'pool', 'My locker at the pool is number 214.')
      await server.memory.profile.set({ text: '- I am Noor.' })
      const { shown } = await open(server, '#/profile')
      const document = shown.getByLabel('Profile', { exact: true })
      await document.fill('- I am Noor.\n- I like tea.')
      await server.memory.profile.set({ text: '- I am Noor.\n- I live in Ghent.' })
      await shown.getByRole('button', { name: 'Save' }).click()
      await shown.getByText('It says now: - I am Noor. - I live in Ghent.').waitFor()
      expect((await server.memory.profile.get({})).text).toContain('Ghent')
      expect(await document.inputValue()).toContain('tea')
      await shown.getByRole('button', { name: 'Save' }).click()
      await expect.poll(async () => (await server.memory.profile.get({})).text).toContain('tea')

      await shown.goto(`${server.url}/#/chat/pool`)
      await shown.locator('.turn').getByRole('button', { name: 'Edit' }).click()
      await server.memory.conversations.editTurn({ conversationId: 'pool', turnId: 1, content: 'It is number 215.' })
      await shown.locator('.turn textarea').fill('It is number 216.')
      await shown.keyboard.press('ControlOrMeta+Enter')
      await shown.getByText('It says now: It is number 215.').waitFor()
      await shown.keyboard.press('ControlOrMeta+Enter')
      await shown.locator('.bubble', { hasText: '216' }).waitFor()
    })

    test('a wrong memory is found, corrected in its row and deleted with the keyboard alone', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      await server.memory.add('My dentist is Dr. Kwan.', { infer: false })
      await server.memory.add('My bicycle is green.', { infer: false })
      const { shown } = await open(server, '#/memories')
      await shown.locator('.memory-row').nth(1).waitFor()
      await shown.keyboard.press('/')
      // The word is still being typed.
      await shown.keyboard.type('denti')
      await shown.locator('.memory-text', { hasText: 'Kwan' }).waitFor()
      await shown.locator('.memory-link', { hasText: 'Kwan' }).focus()
      await shown.keyboard.press('Tab')
      await shown.keyboard.press('Enter')
      await shown.getByLabel('What is right?').waitFor()
      await shown.keyboard.press('ControlOrMeta+a')
      await shown.keyboard.type('My dentist is Dr. Amara.')
      await shown.keyboard.press('ControlOrMeta+Enter')
      await shown.locator('.memory-text', { hasText: 'Amara' }).waitFor()
      await shown.getByLabel('Select: My dentist').focus()
      await shown.keyboard.press('Space')
      await shown.locator('.chosen').getByRole('button', { name: 'Delete' }).focus()
      await shown.keyboard.press('Enter')
      await shown.getByText('1 memory deleted').waitFor()
      await shown.goto('about:blank')
      await expect
        .poll(async () => (await server.memory.getAll({})).items.map(({ text }) => text))
        .toEqual(['My bicycle is green.'])
    })

    test('without JavaScript there is one sentence, in both languages', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const { shown } = await open(server, '', { javaScriptEnabled: false })
      const text = await shown.locator('noscript').textContent()
      expect(text).toContain('This page needs JavaScript')
      expect(text).toContain('此页面需要 JavaScript')
    })

    test('a past day shows the words, the doubt and the burial of then', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const told = { infer: false, createdAt: new Date(Date.now() - 20 * 86_400_000) }
      const add = async (text: string) => (await server.memory.add(text, told)).results[0]!.id
      await server.memory.update(await add('The ferry leaves at seven.'), 'The ferry leaves at nine.')
      await server.memory.bury(await add('我的储物柜在三楼。'))
      const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10)
      const { shown } = await open(server, `#/memories?at=${day}`)
      await shown.locator('.memory-row', { hasText: 'at seven' }).waitFor()
      await shown.locator('.memory-row', { hasText: '储物柜' }).waitFor()
      expect(await shown.locator('.chip.over, .chip.doubt').count()).toBe(0)
      await shown.goto(`${server.url}/#/memories?state=buried&q=${encodeURIComponent('储物柜')}`)
      await shown.locator('.chip', { hasText: 'buried' }).waitFor()
      await shown.goto(`${server.url}/#/changes?from=${day}`)
      await shown.locator('.is-changed ins', { hasText: 'at nine' }).waitFor()
      expect(await shown.locator('.is-changed .count').textContent()).toBe('1')
    })

    test('the context of another user and day is theirs alone, and shows what they know', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      const [own, other] = ['I am allergic to lupins.', 'I am allergic to celery.']
      await server.memory.add(own!, { infer: false })
      await server.memory.add(other!, { infer: false, userId: 'noor' })
      const message = 'message=What+am+I+allergic+to%3F&left=hybrid&right=long-term'
      const { shown } = await open(server, `#/context?user=noor&${message}`)
      await shown.locator('.evidence', { hasText: 'celery' }).waitFor()
      await shown.locator('.ranking').nth(1).locator('li', { hasText: 'celery' }).waitFor()
      expect(await shown.locator('main').textContent()).not.toContain('lupins')
      expect(await shown.getByRole('button', { name: 'Forget this' }).count()).toBe(0)
      await shown.getByRole('button', { name: 'Look without it' }).click()
      await shown.locator('.switched-off', { hasText: 'celery' }).waitFor()
      await shown.goto(`${server.url}/#/context?now=2026-01-01&${message}`)
      await shown.getByText('Nothing that is remembered answers').waitFor()
      await shown.goto(`${server.url}/#/context?${message}`)
      await shown.locator('.evidence', { hasText: 'lupins' }).waitFor()
    })

    test('keys work beside a box that is ticked, not under a dialog, and the focus stays where something was edited', async () => {
      const server = await startForTest({ page, open: { userId: 'local' } })
      for (const text of ['The oboe is mended.', 'The gate is locked.', 'The kettle is new.'])
        await server.memory.add(text, { infer: false })
      const { shown } = await open(server, '#/memories')
      await shown.locator('.choose input').first().focus()
      await shown.keyboard.press('/')
      await shown.locator('#search:focus').waitFor()
      await shown.locator('.choose input').first().focus()
      await shown.keyboard.press('?')
      await shown.getByRole('dialog', { name: 'Keys' }).waitFor()
      await shown.keyboard.press('n')
      expect(await shown.locator('.text-form').count()).toBe(0)
      await shown.keyboard.press('Escape')
      const last = shown.getByRole('button', { name: 'Correct: The oboe' })
      for (const key of ['Escape', 'ControlOrMeta+Enter']) {
        await last.focus()
        await shown.keyboard.press('Enter')
        await shown.getByLabel('What is right?').press('End')
        await shown.keyboard.type(' Again.')
        await shown.keyboard.press(key)
        await shown.locator('button[aria-label^="Correct: The oboe"]:focus').waitFor()
      }
      await expect.poll(() => shown.locator('.memory-text').first().textContent()).toBe('The oboe is mended. Again.')
      await shown.locator('button[aria-label^="Correct: The oboe"]:focus').waitFor()
      // A deleted memory is one key away, wherever the focus is outside a field.
      const kettle = shown.locator('.memory-link', { hasText: 'kettle' })
      for (const place of ['Undo', 'Add']) {
        await kettle.press('Enter')
        await shown.locator('.side').getByRole('button', { name: 'Delete' }).press('Enter')
        await shown.locator('.notice button:focus', { hasText: 'Undo' }).waitFor()
        await shown.getByRole('button', { name: place, exact: true }).press(place === 'Undo' ? 'Enter' : 'u')
        await kettle.waitFor()
        await shown.locator('#new:focus').waitFor()
      }
      await shown.locator('.choose input').first().press('Space')
      await shown.locator('.chosen').getByRole('button', { name: 'Delete' }).press('Enter')
      await shown.locator('.notice button:focus', { hasText: 'Undo' }).press('u')
      await shown.locator('.notice').waitFor({ state: 'detached' })
      // On a phone the column lies over the list, and keeps the focus where it is.
      await shown.setViewportSize({ width: 380, height: 760 })
      await shown.locator('.memory-link', { hasText: 'kettle' }).press('Enter')
      await shown.locator('.side').getByRole('button', { name: 'Correct', exact: true }).press('Enter')
      await shown.getByLabel('What is right?').press('End')
      await shown.keyboard.type(' Again.')
      await shown.keyboard.press('ControlOrMeta+Enter')
      await shown.locator('.history ins', { hasText: 'Again.' }).waitFor()
      await shown.locator('.side button:has(.icon-pencil):focus').waitFor()
    })

    test('an answer goes on while its reader looks elsewhere, and one that broke off is asked for once', async () => {
      const { promise: looked, resolve: look } = Promise.withResolvers<void>()
      const delta = (content: string) => ({ model: 'm', choices: [{ delta: { content } }] })
      const vendor = await startModelServer([
        {
          events: [delta('Snails '), delta('are '), 400, 400, delta('slow.'), { choices: [{ finish_reason: 'stop' }] }],
        },
        { after: looked, events: [delta('Half')], afterwards: 'cut' },
        { events: [delta('A whole answer.'), { choices: [{ delta: {}, finish_reason: 'stop' }] }] },
      ])
      onTestFinished(() => vendor.close())
      const llm = { provider: 'openai', baseUrl: vendor.url, model: 'm', apiKey: 'k', retries: 0 } as const
      const server = await startForTest({ page, open: { userId: 'local', llm, thinking: false } })
      await say(server, 'pool', 'My locker at the pool is number 214.')
      const { shown } = await open(server)
      const field = shown.getByLabel('Message', { exact: true })
      await field.fill('Tell me about snails.')
      await shown.keyboard.press('Enter')
      await shown.locator('.prose', { hasText: 'Snails' }).waitFor()
      await shown.getByRole('link', { name: 'Memories', exact: true }).click()
      await shown.locator('.conversation-link', { hasText: 'locker' }).waitFor({ state: 'detached' })
      await shown.getByRole('link', { name: 'Chat', exact: true }).click()
      await shown.locator('.conversation-link', { hasText: 'locker' }).click()
      await shown.locator('.bubble', { hasText: '214' }).waitFor()
      expect(await shown.locator('.prose').count()).toBe(0)
      await shown.goBack()
      await shown.locator('.prose', { hasText: 'Snails are slow.' }).waitFor()

      await field.fill('And whelks?')
      await shown.keyboard.press('Enter')
      look()
      await shown.locator('.failed').waitFor()
      expect(await shown.getByRole('button', { name: 'Try again' }).count()).toBe(1)
      await shown.getByRole('button', { name: 'Try again' }).click()
      await shown.locator('.prose', { hasText: 'A whole answer.' }).waitFor()
      expect(await shown.locator('.bubble').allTextContents()).toEqual(['Tell me about snails.', 'And whelks?'])
      expect(await shown.locator('.prose').count()).toBe(2)

      // One that failed before its first word is asked for again after the page was loaded anew, too.
      vendor.play([
        { status: 401, body: { error: { message: 'no' } } },
        { events: [delta('They as well.'), { choices: [{ delta: {}, finish_reason: 'stop' }] }] },
      ])
      await field.fill('And slugs?')
      await shown.keyboard.press('Enter')
      await shown.locator('.failed').waitFor()
      const failed = await shown.locator('.failed').innerText()
      // The reason stays while the page learns of other changes.
      await shown.getByRole('button', { name: 'Remember this' }).last().click()
      await shown.getByText('Remembered.').waitFor()
      await shown.getByRole('link', { name: 'Memories', exact: true }).click()
      await shown.locator('.memory-link').first().waitFor()
      await shown.getByRole('link', { name: 'Chat', exact: true }).click()
      expect(await shown.locator('.failed').innerText()).toBe(failed)
      await shown.reload()
      await shown.getByText('There was no answer.').waitFor()
      await shown.getByRole('button', { name: 'Try again' }).click()
      await shown.locator('.prose', { hasText: 'They as well.' }).waitFor()
      expect(await shown.locator('.bubble').allTextContents()).toContain('And slugs?')
      expect(await shown.locator('.bubble').count()).toBe(3)
      expect(await shown.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    })

    test('a page that is loaded anew has the answer that goes on, and beside it the evidence that was shown then', async () => {
      const delta = (content: string): object => ({ model: 'm', choices: [{ delta: { content } }] })
      const end = { choices: [{ delta: {}, finish_reason: 'stop' }] }
      const { promise: loaded, resolve: load } = Promise.withResolvers<void>()
      const vendor = await startModelServer({ after: loaded, events: [delta('It is '), delta('number 214.'), end] })
      onTestFinished(() => vendor.close())
      const llm = { provider: 'openai', baseUrl: vendor.url, model: 'm', apiKey: 'k', retries: 0 } as const
      const server = await startForTest({ page, open: { userId: 'local', llm, thinking: false } })
      const told = 'My locker at the pool is number 214.'
      const { results } = await server.memory.add(told, { infer: false })
      const { shown } = await open(server)
      await shown.getByLabel('Message', { exact: true }).fill('Which locker is mine?')
      await shown.keyboard.press('Enter')
      await shown.waitForURL(/chat\/./)
      await shown.reload()
      await shown.locator('.thinking').waitFor()
      load()
      await shown.locator('.prose', { hasText: 'It is number 214.' }).waitFor()
      await shown.locator('.side .evidence', { hasText: told }).waitFor()
      expect(await shown.locator('.bubble').allTextContents()).toEqual(['Which locker is mine?'])

      await server.memory.update(results[0]!.id, { text: 'My locker at the pool is number 7.' })
      await shown.reload()
      await shown.getByRole('button', { name: 'What was recalled?' }).click()
      await shown.locator('.side .quote', { hasText: told }).waitFor()
      await shown.locator('.side .remembered', { hasText: 'number 7' }).waitFor()
      await shown.getByRole('button', { name: 'Why this?' }).click()
      await shown.locator('.why .bar-fill').first().waitFor()
      await server.memory.delete(results[0]!.id)
      await shown.reload()
      await shown.getByRole('button', { name: 'What was recalled?' }).click()
      await shown.getByText('1 of it was deleted since').waitFor()
      await shown.goto(`${server.url}/#/changes`)
      await shown.locator('.is-deleted', { hasText: '1 memory, of which nothing is kept' }).waitFor()
    })

    test('a slow answer is stopped; a text of a megabyte is pasted, sent and answered, and laid out in part', async () => {
      const vendor = await startModelServer({
        events: [{ model: 'm', choices: [{ delta: { content: 'Slowly' } }] }],
        afterwards: 'hang',
      })
      onTestFinished(() => vendor.close())
      const llm = { provider: 'openai', baseUrl: vendor.url, model: 'm', apiKey: 'k', retries: 0 } as const
      const server = await startForTest({ page, open: { userId: 'local', llm, thinking: false } })
      const { shown } = await open(server)
      await shown.getByLabel('Message', { exact: true }).fill('Go on, slowly.')
      await shown.keyboard.press('Enter')
      await shown.locator('.prose', { hasText: 'Slowly' }).waitFor()
      // The click that stops does not send the new text.
      await shown.getByLabel('Message', { exact: true }).fill('And then')
      await shown.getByRole('button', { name: 'Stop' }).click()
      await shown.getByText('The answer was cut here.').waitFor()
      expect(await shown.locator('.bubble').allTextContents()).toEqual(['Go on, slowly.'])
      expect(await shown.locator('#message:focus').inputValue()).toBe('And then')
      // A browser takes minutes to lay a megabyte out in a field: what is pasted stands beside it.
      await shown.evaluate(`{
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', '长话短说。 '.repeat(60_000))
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        document.getElementById('message').dispatchEvent(paste)
      }`)
      await shown.locator('.attached', { hasText: '360,000' }).waitFor()
      vendor.play({
        events: [{ model: 'm', choices: [{ delta: { content: 'Read.' }, finish_reason: 'stop' }] }, '[DONE]'],
      })
      await shown.getByLabel('Message', { exact: true }).press('Enter')
      await shown.locator('.prose', { hasText: 'Read.' }).waitFor()
      await shown.getByRole('button', { name: 'Show all' }).waitFor()
    })
  },
)
