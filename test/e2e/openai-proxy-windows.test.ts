/** A chat that a client shows only in part, in another form, or that other doors have stored: nothing of it is stored twice. */
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { post, said, startChat } from './chat-server.ts'
import { assistant, type Message, turnsOf, user } from './openai-client.ts'

type Chat = Awaited<ReturnType<typeof startChat>>

/** A vendor that answers "Answer 0", "Answer 1" and so on. */
function startCounting(): Promise<Chat> {
  let number = 0
  return startChat(() => ({ content: `Answer ${number++}` }))
}

/** Sends messages to a named conversation; without a name the chat is known by its beginning. */
async function send({ url }: Chat, messages: readonly unknown[], conversation?: string): Promise<void> {
  const headers = conversation === undefined ? {} : { 'x-conversation-id': encodeURIComponent(conversation) }
  const response = await post(`${url}/v1/chat/completions`, { messages }, headers)
  expect(response.status).toBe(200)
  await response.text()
}

/** The whole chat whose questions these are, the last without an answer. */
function wholeChat(questions: readonly string[]): readonly Message[] {
  return questions.flatMap((question, at) =>
    at === questions.length - 1 ? [user(question)] : [user(question), assistant(`Answer ${at}`)],
  )
}

/** The stored lines when each question was answered, in order. */
function stored(questions: readonly string[]): readonly string[] {
  return questions.flatMap((question, at) => [`user: ${question}`, `assistant: Answer ${at}`])
}

describe('a message is known by its words and by who says it, not by its form', () => {
  const marked = (text: string) => ({
    role: 'user',
    content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
  })

  test.each([undefined, '聊天'])('marks for the cache that move on with the chat (conversation %s)', async (name) => {
    const chat = await startCounting()
    const questions = ['我养了一只猫', 'Its name is Miso', '它几岁了？']
    for (let length = 1; length <= questions.length; length += 1) {
      const messages = wholeChat(questions.slice(0, length))
      await send(chat, [...messages.slice(0, -1), marked(questions[length - 1]!)], name)
    }
    expect(await turnsOf(chat)).toEqual(stored(questions))
  })

  test('the same words of another speaker are another message', async () => {
    const chat = await startCounting()
    for (const name of ['安娜', 'Ben']) await send(chat, [{ ...user('I am hungry'), name }], 'dinner')
    expect(await turnsOf(chat)).toEqual(stored(['I am hungry', 'I am hungry']))
  })
})

describe('a client that cuts off old messages', () => {
  test.each([2, 3, 4])('the same words again are new where the answers before them are (%i messages)', async (size) => {
    const chat = await startCounting()
    const questions = ['start', '继续', '继续', '继续', '继续', 'next', 'next']
    for (let length = 1; length <= questions.length; length += 1)
      await send(chat, wholeChat(questions.slice(0, length)).slice(-size), 'story')
    expect(await turnsOf(chat)).toEqual(stored(questions))
  })

  test('the last message edited is stored alone, and the chat goes on from it', async () => {
    const chat = await startCounting()
    const questions = ['a', '二', 'c', '四', 'e', '六']
    for (let length = 1; length <= questions.length; length += 1)
      await send(chat, wholeChat(questions.slice(0, length)).slice(-5), 'letters')
    const edited = [...wholeChat(questions).slice(-5, -1), user('6')]
    await send(chat, edited, 'letters')
    await send(chat, [...edited, assistant('Answer 6'), user('七')].slice(-5), 'letters')
    expect(await turnsOf(chat)).toEqual(stored([...questions, '6', '七']))
  })

  test('what was deleted in the middle is not stored again', async () => {
    const chat = await startCounting()
    const questions = ['a', '二', 'c', '四', 'e']
    const grow = async (length: number) => send(chat, wholeChat(questions.slice(0, length)), 'letters')
    await grow(1)
    await grow(2)
    await setTimeout(5)
    const olderThan = new Date()
    await setTimeout(5)
    await grow(3)
    await grow(4)
    const name = { conversationId: 'letters', userId: 'local' }
    for (const turnId of [1, 2]) await chat.memory.conversations.collect({ ...name, turnId, isCollected: true })
    await chat.memory.conversations.delete({ userId: 'local', olderThan })
    const left = stored(questions).filter((_, at) => at !== 2 && at !== 3)
    await send(chat, wholeChat(questions).slice(2), 'letters')
    expect(await turnsOf(chat)).toEqual(left)
  })
})

describe('what another door stored is known', () => {
  test('/chat and /v1 in the same session', async () => {
    const chat = await startCounting()
    await post(`${chat.url}/chat`, { message: '早上好', session_id: 's', stream: false })
    await send(chat, [user('How are you?')], 's')
    await send(chat, wholeChat(['早上好', 'How are you?', 'Third']), 's')
    await post(`${chat.url}/chat`, { message: '第四', session_id: 's', stream: false })
    await send(chat, wholeChat(['早上好', 'How are you?', 'Third', '第四', 'Fifth']), 's')
    expect(await turnsOf(chat)).toEqual(stored(['早上好', 'How are you?', 'Third', '第四', 'Fifth']))
  })

  test('turns that were stored as a list', async () => {
    const chat = await startChat({ content: 'Answer 1' })
    const turns = [user('我叫安娜'), assistant('Answer 0')]
    await post(`${chat.url}/conversations/c/turns`, { turns })
    await send(chat, [...turns, user('Who am I?')], 'c')
    expect(await said(chat.memory)).toEqual([stored(['我叫安娜', 'Who am I?'])])
  })
})
