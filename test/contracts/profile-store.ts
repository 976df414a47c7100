/** The duties of every store of profiles. A backend runs it with a function that opens an empty one, twice. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PROFILE_LINES, type ProfileStore } from '../../src/domain/contracts/small-stores.ts'

const START = Date.parse('2026-03-02T09:00:00Z')

/** Runs the suite. */
export function profileStoreContract(
  name: string,
  open: () => Promise<{
    readonly profiles: ProfileStore
    readonly other: ProfileStore
    readonly close: () => Promise<void>
  }>,
): void {
  describe(`profile store: ${name}`, () => {
    let profiles: ProfileStore
    let other: ProfileStore
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ profiles, other, close } = await open())
    })
    afterEach(() => close())

    const background = (...texts: readonly string[]) => texts.map((text) => ({ section: 'background' as const, text }))
    const sources = async () =>
      Object.fromEntries((await profiles.get('anna')).lines.map(({ text, source }) => [text, source]))

    test('a user who has none has an empty one', async () => {
      expect(await profiles.get('anna')).toEqual({ text: '', lines: [], updatedAt: null })
    })

    test('lines of the machine stand below the heading of their section', async () => {
      const lines = [
        { section: 'background' as const, text: 'I am a nurse in Bergen' },
        { section: 'reply_style' as const, text: 'keep answers short' },
        ...background('two children'),
      ]
      expect(await profiles.addLines('anna', lines, START)).toEqual(lines)
      const profile = await other.get('anna')
      expect(profile.text).toBe(
        '## Background\n- I am a nurse in Bergen\n- two children\n\n## Reply style\n- keep answers short',
      )
      expect(profile.updatedAt).toBe(START)
      expect(profile.lines.map(({ section, text, source, updatedAt }) => [section, text, source, updatedAt])).toEqual([
        ['background', 'I am a nurse in Bergen', 'machine', START],
        ['background', 'two children', 'machine', START],
        ['reply_style', 'keep answers short', 'machine', START],
      ])
    })

    test('a line that stands there already is not added again, whoever wrote it and however it is spelled', async () => {
      await profiles.setText('anna', '我是护士。\nWorks nights', START)
      expect(await profiles.addLines('anna', background('我是护士', 'works  NIGHTS.', '   ', '。'), START)).toEqual([])
      await profiles.addLines('anna', background('住在卑尔根'), START)
      expect(await other.addLines('anna', background('住在卑尔根。', '养了一只猫', '养了一只猫'), START)).toEqual(
        background('养了一只猫'),
      )
    })

    test('what the user wrote stays word for word when lines are added', async () => {
      const beginning = 'My notes\r\n\r\n# Background\n  * born 1980 \n'
      const end = '\n# Pets\n- a cat: "Mia"\n\n'
      const written = beginning + end
      await profiles.setText('anna', written, START)
      expect((await profiles.get('anna')).text).toBe(written)
      await profiles.addLines('anna', background('speaks Norwegian'), START + 1)
      const { text, lines } = await profiles.get('anna')
      expect(text).toBe(`${beginning}- speaks Norwegian\n${end}`)
      expect(lines.map(({ section, text: said }) => [section, said])).toEqual([
        [null, 'My notes'],
        ['background', 'born 1980'],
        ['background', 'speaks Norwegian'],
        [null, 'a cat: "Mia"'],
      ])
    })

    test('a line that the user changed is the user’s, and the old wording does not come back', async () => {
      await profiles.addLines('anna', background('lives in Bergen', 'is a nurse'), START)
      const { text } = await profiles.get('anna')
      await profiles.setText('anna', text.replace('lives in Bergen', 'lives in Oslo now'), START + 5)
      expect(await sources()).toEqual({ 'lives in Oslo now': 'user', 'is a nurse': 'machine' })
      expect(await profiles.addLines('anna', background('Lives in Bergen.'), START + 6)).toEqual([])
    })

    test('a line that the user took out does not come back, until the user writes it again', async () => {
      await profiles.addLines('anna', background('对花生过敏', 'runs marathons'), START)
      await profiles.setText('anna', '## 背景\n- 对花生过敏\n', START)
      expect(await other.addLines('anna', background('Runs marathons!'), START)).toEqual([])
      await profiles.setText('anna', '', START)
      expect(await other.addLines('anna', background('runs marathons', '对花生过敏'), START)).toEqual([])
      await profiles.setText('anna', 'runs marathons', START)
      await profiles.clear('anna', START)
      expect(await sources()).toEqual({ 'runs marathons': 'user' })
      await profiles.setText('anna', '', START)
      expect(await profiles.addLines('anna', background('runs marathons'), START)).toHaveLength(1)
    })

    test('the machine can take out its own untouched lines only', async () => {
      await profiles.addLines('anna', background('drives a van', 'drives a bus'), START)
      const { text } = await profiles.get('anna')
      await profiles.setText('anna', `${text.replace('a bus', 'a red bus')}\n- drives a tram`, START)
      await profiles.clear('anna', START + 1)
      expect(await sources()).toEqual({ 'drives a red bus': 'user', 'drives a tram': 'user' })
      expect(await profiles.addLines('anna', background('drives a van'), START)).toHaveLength(1)
      await profiles.clear('nobody', START)
    })

    test('what a memory says again in other words adds no line', async () => {
      const by = (text: string, ...memoryIds: readonly string[]) =>
        profiles.addLines('anna', [{ section: 'background', text, telling: { memoryIds } }], START)
      await profiles.addLines(
        'anna',
        ['keeps bees', 'sells honey'].map((text) => ({
          section: 'background' as const,
          text,
          telling: { memoryIds: ['m1'] },
        })),
        START,
      )
      expect(await by('has bees', 'm1')).toEqual([])
      expect(await by('Keeps bees.', 'm2')).toEqual([])
      expect((await other.get('anna')).lines.map(({ text, tellings }) => [text, tellings])).toEqual([
        ['keeps bees', [{ memoryIds: ['m1'] }, { memoryIds: ['m2'] }]],
        ['sells honey', [{ memoryIds: ['m1'] }]],
      ])
    })

    test('a line leaves with the last of its tellings, unless the user touched it or none is known', async () => {
      const by = (text: string, conversationId: string, ...turnIds: readonly number[]) =>
        profiles.addLines('anna', [{ section: 'background', text, telling: { conversationId, turnIds } }], START)
      const take = (conversationId: string, turnId: number | null) =>
        other.takeBack(
          'anna',
          {
            turns: new Map(turnId === null ? [] : [[conversationId, new Set([turnId])]]),
            whole: new Set(turnId === null ? [conversationId] : []),
          },
          START + 1,
        )
      await by('plays the oboe', 'chat', 1)
      await by('Plays the oboe.', 'chat', 7)
      await by('住在卑尔根', 'chat', 2, 3)
      await by('keeps bees', 'elsewhere')
      await profiles.addLines('anna', background('sings bass'), START)
      expect(await take('chat', 1)).toBe(0)
      expect(await take('chat', 3)).toBe(1)
      expect(await take('chat', 7)).toBe(1)
      expect(Object.keys(await sources())).toEqual(['keeps bees', 'sings bass'])
      expect(await take('elsewhere', 1)).toBe(0)
      expect(await take('elsewhere', null)).toBe(1)
      expect(await take('chat', 9)).toBe(0)
      await by('drives a bus', 'chat', 4)
      await profiles.setText('anna', '## Background\n- drives a red bus', START)
      expect(await take('chat', null)).toBe(0)
      expect(await sources()).toEqual({ 'drives a red bus': 'user' })
      expect(await take('nowhere', null)).toBe(0)
    })

    test('a section keeps the newest lines of the machine and all of the user', async () => {
      await profiles.setText('anna', '## Background\n- written by hand', START)
      for (let at = 0; at < PROFILE_LINES + 3; at += 1)
        await profiles.addLines('anna', background(`learned fact number ${at}`), START + at)
      const texts = (await profiles.get('anna')).lines.map(({ text }) => text)
      expect(texts).toHaveLength(PROFILE_LINES + 1)
      expect(texts).toContain('written by hand')
      expect(texts).not.toContain('learned fact number 2')
      expect(texts.at(-1)).toBe(`learned fact number ${PROFILE_LINES + 2}`)
    })

    test('two processes that add at the same time lose no line', async () => {
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 === 0 ? profiles : other).addLines('anna', background(`line ${at}`), START),
        ),
      )
      expect((await profiles.get('anna')).lines).toHaveLength(10)
    })

    test('profiles of users do not meet', async () => {
      await profiles.addLines('anna', background('plays the cello'), START)
      await profiles.addLines('bert', background('plays chess'), START)
      expect((await profiles.get('anna')).text).not.toContain('chess')
      expect((await other.get('bert')).text).toContain('chess')
    })
  })
}
