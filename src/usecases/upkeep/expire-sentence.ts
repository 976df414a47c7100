/** Which part of a working memory is worth keeping, in one sentence in the language of its topic and variables? */
import type { WorkingMemory } from '../../domain/memory.ts'

/** Longest form of one variable's value in characters. */
const LONGEST_VALUE = 200
const MOST_VARIABLES = 50

/** null when it has neither a topic nor a variable that says something. */
export function archiveSentence({ currentTopic, contextVariables }: WorkingMemory): string | null {
  const topic = currentTopic?.trim() ?? ''
  const variables = Object.entries(contextVariables).flatMap(([name, value]) => {
    const said = plainValue(value)
    return said === '' ? [] : [{ name, said }]
  })
  if (topic === '' && variables.length === 0) return null
  const named = variables.slice(0, MOST_VARIABLES)
  const chinese = /\p{Script=Han}/u.test(topic + named.map(({ name, said }) => name + said).join(''))
  return chinese ? chineseSentence(topic, named) : englishSentence(topic, named)
}

interface Variable {
  readonly name: string
  readonly said: string
}

function englishSentence(topic: string, variables: readonly Variable[]): string {
  const known = variables.map(({ name, said }) => `${name} = ${said}`).join(', ')
  if (topic === '') return `In this conversation it was noted that ${known}.`
  return known === '' ? `This conversation was about ${topic}.` : `This conversation was about ${topic}, with ${known}.`
}

function chineseSentence(topic: string, variables: readonly Variable[]): string {
  const known = variables.map(({ name, said }) => `${name}为${said}`).join('，')
  if (topic === '') return `这次对话中记下了：${known}。`
  return known === '' ? `这次对话谈的是${topic}。` : `这次对话谈的是${topic}，其中${known}。`
}

function plainValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  const said = typeof value === 'string' ? value.trim() : JSON.stringify(value)
  if (said === '{}' || said === '[]') return ''
  const characters = [...said]
  return characters.length > LONGEST_VALUE ? `${characters.slice(0, LONGEST_VALUE - 1).join('')}…` : said
}
