/**
 * Is what is worth keeping kept, and nothing else? A model is fitted on some labelled messages and measured on others.
 *
 * `never looked at`: messages that nobody read while features and examples were written
 * `own`: messages written for this project, trickier than most
 * `--set DIR`: the weights of the repository on the files of another folder
 */
import { readdir } from 'node:fs/promises'
import type { WriteDecision } from '../../src/domain/thought.ts'
import { decideWith } from '../../src/thinking/write-decision/decide-by-rules.ts'
import { featuresOf } from '../../src/thinking/write-decision/features.ts'
import { judgeWith, writeJudgement } from '../../src/thinking/write-decision/linear-model.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { fitWeights } from '../training/write-decision/fit.ts'
import {
  contrastsIn,
  freshExamples,
  type LabelledMessage,
  labelledGroups,
  labelledMessages,
  OWN_TO_LEARN_FROM,
  OWN_TO_MEASURE,
  ownExamples,
  ownMessages,
} from '../training/write-decision/messages.ts'
import { type LabelledSentence, realSentences } from '../training/write-decision/real-sentences.ts'
import { requireData } from './data-folder.ts'

type Decide = (message: LabelledMessage) => WriteDecision

interface Decided {
  readonly message: LabelledMessage
  readonly decision: WriteDecision
}

/** Flags: `--set DIR` (labelled files of the same form, all of them unseen). */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  if (flags.set !== undefined) return measureSet(requireData(flags.set))
  const folder = requireData(`${data}/extraction-dev`)
  const own = [...(await ownMessages(OWN_TO_LEARN_FROM)), ...(await ownExamples()), ...(await freshExamples())]
  const ownUnread = await ownMessages(OWN_TO_MEASURE)
  const lookAlikes = await contrastsIn(OWN_TO_MEASURE)
  const { first, secondSeen, secondUnseen } = await labelledGroups(folder)
  const second = [...secondSeen, ...secondUnseen]
  const real = realSentences(data)
  const figures: Figure[] = []
  for (const [title, seen, unseen] of [
    ['never looked at', [...first, ...secondSeen], secondUnseen],
    ['fitted on 1, files 2', first, second],
    ['fitted on 2, files 1', second, first],
  ] as const) {
    const table = fitWeights([...seen, ...own, ...real.filter(({ measured }) => !measured)])
    const decide: Decide = ({ text }) => decideWith((said) => judgeWith(table, featuresOf(said)), text)
    figures.push(...measure(title, unseen, decide))
    if (unseen !== secondUnseen) continue
    figures.push(...measure('own, never looked at', ownUnread, decide))
    figures.push(...measure('look-alikes, never learnt from', lookAlikes, decide))
    figures.push(
      ...measureSentences(
        real.filter(({ measured, isWhole }) => measured && !isWhole),
        decide,
      ),
    )
  }
  return [...figures, speed([...first, ...second])]
}

async function measureSet(folder: string): Promise<readonly Figure[]> {
  const names = (await readdir(folder)).filter((name) => /^(?:en|zh).*\.jsonl$/.test(name))
  const messages = await Promise.all(names.sort().map((name) => labelledMessages(folder, name.replace('.jsonl', ''))))
  const figures = measure('unseen set', messages.flat(), ({ text }) => decideWith(writeJudgement, text))
  return [...figures, speed(messages.flat())]
}

function measure(title: string, messages: readonly LabelledMessage[], decide: Decide): readonly Figure[] {
  return (['en', 'zh'] as const).flatMap((lang) => {
    const decided = messages
      .filter((one) => one.lang === lang)
      .map((message) => ({ message, decision: decide(message) }))
    const wanted = decided.filter(({ message }) => message.semantic)
    const lasting = decided.filter(({ decision }) => decision.parts.some(({ semantic }) => semantic))
    const worth = decided.filter(({ message }) => message.store)
    const guarded = decided.filter(({ message }) => message.must_not.length > 0)
    const facts = decided.flatMap(({ message, decision }) =>
      message.facts.map(({ value_contains }) => holdsAny(decision, value_contains)),
    )
    const figure = (name: string, list: readonly unknown[], right: number): Figure => ({
      bench: 'extraction',
      figure: `${title}, ${lang}: ${name}`,
      value: (100 * right) / Math.max(1, list.length),
      unit: '%',
      n: list.length,
    })
    const count = (list: readonly Decided[], holds: (one: Decided) => boolean): number => list.filter(holds).length
    return [
      figure(
        'store or not',
        decided,
        count(decided, ({ message, decision }) => message.store === decision.store),
      ),
      figure(
        'worth storing, stored',
        worth,
        count(worth, ({ decision }) => decision.store),
      ),
      figure(
        'semantic precision',
        lasting,
        count(lasting, ({ message }) => message.semantic),
      ),
      figure(
        'semantic recall',
        wanted,
        count(wanted, (one) => lasting.includes(one)),
      ),
      figure(
        'reason',
        decided,
        count(decided, ({ message, decision }) => message.reason === decision.reason),
      ),
      figure(
        'importance',
        worth,
        count(worth, ({ message, decision }) => message.importance === decision.importance),
      ),
      figure('facts whose words were stored', facts, facts.filter(Boolean).length),
      figure('must_not stored, word for word', guarded, count(guarded, saysForbidden)),
      figure('must_not, whole message to be refused but stored', guarded, count(guarded, storedAgainstRule)),
    ]
  })
}

/** Sentences of real chats, each alone: of those worth keeping the share that is kept, and of those kept the share that is worth it. */
function measureSentences(sentences: readonly LabelledSentence[], decide: Decide): readonly Figure[] {
  return [...Map.groupBy(sentences, ({ set }) => set)].flatMap(([set, ones]) => {
    const kept = ones.filter((one) => decide(one).store)
    const worth = ones.filter(({ store }) => store)
    const both = kept.filter(({ store }) => store).length
    const figure = (name: string, n: number): Figure => ({
      bench: 'extraction',
      figure: `sentences of ${set}, half measured: ${name}`,
      value: (100 * both) / Math.max(1, n),
      unit: '%',
      n,
    })
    return [figure('worth keeping, kept', worth.length), figure('kept, worth keeping', kept.length)]
  })
}

function storedAgainstRule({ message, decision }: Decided): boolean {
  return !message.store && decision.store
}

/** A kept part says it in the words of the label, the user named as "user" or speaking. */
function saysForbidden({ message, decision }: Decided): boolean {
  const said = decision.parts.map(({ text }) => text.toLowerCase())
  return message.must_not.some((statement) => {
    const third = statement.toLowerCase()
    const first = third
      .replace(/^user is /, "i'm ")
      .replace(/^user has /, 'i have ')
      .replace(/^user /, 'i ')
    return said.some((text) => [third, first, third.replace(/^用户/, '我')].some((words) => text.includes(words)))
  })
}

function holdsAny(decision: WriteDecision, words: readonly string[]): boolean {
  return words.some((word) => decision.parts.some(({ text }) => text.toLowerCase().includes(word.toLowerCase())))
}

/** Mean processor time of a decision when everything is warm: other work on the machine does not count. */
function speed(messages: readonly LabelledMessage[]): Figure {
  const decideAll = (): void => {
    for (const { text } of messages) decideWith(writeJudgement, text)
  }
  decideAll()
  const start = process.cpuUsage()
  decideAll()
  const { user, system } = process.cpuUsage(start)
  const value = (user + system) / messages.length
  return { bench: 'extraction', figure: 'one decision, processor time', value, unit: 'µs', n: messages.length }
}
