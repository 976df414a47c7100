import { describe, expect, test } from 'vitest'
import { decideByRules } from './rules.ts'

describe('what is told beside a question or an order', () => {
  test.each([
    ['I moved to Ghent, where do I register my bike?', 'I moved to Ghent'],
    ['what can I cook tonight, my son is allergic to sesame', 'my son is allergic to sesame'],
    ['Write a short bio for me because I work as a vet', 'I work as a vet'],
    ['服务器迁到阿里云了，怎么配安全组？', '服务器迁到阿里云了'],
    ['给我推荐几道菜，我对虾过敏', '我对虾过敏'],
    ['车祸以后我不能提重物，这几个动作哪些不能做？', '车祸以后我不能提重物'],
    ['我上周换了新牙医，他建议拔智齿，有没有必要？', '我上周换了新牙医，他建议拔智齿'],
    ['我爸下周三要做心脏搭桥然后我得回老家陪着你说我请几天假够不够', '我爸下周三要做心脏搭桥然后我得回老家陪着'],
    ['我妈膝盖做过手术 住院费四万三 帮我写个报销申请 不要太长', '我妈膝盖做过手术 住院费四万三'],
    ["We're getting married on May 9 in Bath and I'm wondering if that's a good idea", "We're getting married on May 9 in Bath"],
    ['我们下月搬去厦门，除了学校和房租，还要打听什么？', '我们下月搬去厦门'],
  ])('%s', (message, told) => {
    expect(decideByRules({ content: message }).parts.map(({ text }) => text)).toEqual([told])
  })

  test.each([
    'If I move to Ghent, where do I register my bike?',
    'I work at the town hall, right?',
    'I want the report on the budget, which is 1,500 euros, can you find it?',
    'always give me the weights in grams, I own no cups',
    '等我搬到成都以后，社保怎么转？',
    '我住在成都，对吧？',
    '我养了两只猫，像这样天天掉毛的？',
    '我该去成都，还是去昆明？',
  ])('stays whole or is refused: %s', (message) => {
    const { parts } = decideByRules({ content: message })
    expect(parts.map(({ text }) => text).filter((text) => text !== message)).toEqual([])
  })
})
