/** Is anything left of what was deleted, edited or overwritten? Words that occur nowhere else are looked for in every file. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openMemory } from '../../src/doors/library/index.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds, Tally } from './campaign.ts'

export async function run({ seconds, seed }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const made = (): string =>
    `q${Array.from({ length: 9 }, () => 'bcdfghjklmnpqrstvwxz'[Math.floor(random() * 20)]).join('')}`
  const gone = new Tally('words of deleted or overwritten texts that a file still holds')
  const texts = new Tally('old texts of edited memories that the memory file or a copy still holds')
  const kept = new Tally('words of kept texts that no file holds')
  await rounds(seconds, () =>
    inFolder(async (path) => {
      const memory = await openMemory({ path, userId: 'one' })
      const [words, stays] = [new Set<string>(), new Set<string>()]
      const told = { importance: 3, who: 'user', infer: false } as const
      const edited = await Promise.all(
        [made(), made()].map((word) => memory.add(`The ${word} hangs in the hall.`, told)),
      )
      await memory.memoryFile.digest()
      const say = (word: string): string => `I keep the ${word} of my sister in Porto, and run${word}() fails.`
      for (let number = 0; number < 8; number += 1) {
        const conversationId = `c${number}`
        const said = Array.from({ length: 3 + Math.floor(random() * 10) }, made)
        const turns = said.map((word) => ({ role: 'user' as const, content: say(word) }))
        await memory.conversations.store({ conversationId, turns })
        if (random() < 0.5) await memory.idle()
        if (random() < 0.3) await memory.memoryFile.digest()
        const way = Math.floor(random() * 5)
        const [word, next] = [said[1]!, made()]
        const turn = { conversationId, turnId: 2 }
        if (way === 0) await memory.conversations.delete({ conversationId })
        else if (way === 1) await memory.conversations.deleteTurn(turn)
        else if (way === 2) await memory.conversations.editTurn({ ...turn, content: say(next) })
        else if (way === 3) {
          await memory.profile.set({ text: `Has a ${word}x.` })
          await memory.profile.set({ text: `Has a ${next}.` })
        } else {
          await memory.sessionSummaries.update({ conversationId, title: `${word}x` })
          await memory.sessionSummaries.update({ conversationId, title: next })
        }
        for (const one of way === 0 ? said : way < 3 ? [word] : [`${word}x`]) words.add(one)
        for (const one of way === 0 ? [] : said) if (!words.has(one)) stays.add(one)
      }
      await memory.idle()
      // The history keeps what a memory said before: only the memory file and its copies must not.
      const before = edited.map(({ results }) => results[0]!)
      for (const { id } of before) await memory.update(id, { text: `The ${made()} hangs in the hall.` })
      await memory.memoryFile.sync()
      await memory.idle()
      await memory.close()
      const folder = dirname(path)
      const notes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => readFileSync(join(folder, name), 'utf8').toLowerCase())
      for (const { memory: text } of before)
        texts.check(notes.length > 1 && !notes.some((note) => note.includes(text.toLowerCase())), text)
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString('latin1').toLowerCase())
      for (const word of words) gone.check(!files.some((text) => text.includes(word)), word)
      for (const word of stays)
        kept.check(
          files.some((text) => text.includes(word)),
          word,
        )
    }),
  )
  return [gone.finding, texts.finding, kept.finding]
}
