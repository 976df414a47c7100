import { expect, test } from 'vitest'
import { decideByRules, decideWith } from './decide-by-rules.ts'
import { writeJudgement } from './linear-model.ts'

const decide = (content: string, previous?: string) =>
  decideByRules({ role: 'user', content, createdAt: 0 }, previous === undefined ? {} : { previous })

test.each([
  ["I'm a paediatric nurse in Ghent and I'm allergic to walnuts.", 'identity'],
  ['我在杭州当小学老师，对花生过敏', 'identity'],
  ['We run MariaDB 11 on port 3307 behind haproxy', 'config'],
  ['我们的数据库是 MariaDB 11，端口 3307', 'config'],
  ["I can't stand olives, never could", 'preference'],
])('a lasting fact is kept as semantic: %s', (content, reason) => {
  const decision = decide(content)
  expect(decision).toMatchObject({ store: true, reason })
  expect(decision.parts.some(({ semantic }) => semantic)).toBe(true)
})

test.each([
  'My flight to Helsinki leaves on Thursday',
  '下周二要去西安出差',
  'They cancelled our wedding venue yesterday',
])('an event or a plan is kept, but is not lasting: %s', (content) => {
  const decision = decide(content)
  expect(decision.store).toBe(true)
  expect(decision.parts.every(({ semantic }) => !semantic)).toBe(true)
})

test.each([
  'What is the difference between a violin and a viola?',
  '小提琴和中提琴有什么区别？',
  'write me a limerick about a lazy walrus',
  'Remember the Alamo',
  'Do you remember what I said about olives?',
  '记得我上次说的吗',
  'Where do I live?',
  'Where do I work?',
  'Which vet did I book for my old tabby cat last month?',
  '我飞昆明的航班是几号几点的？',
  '怎么才能记住这么多单词',
  'hahaha good one',
  '谢谢啦，晚安',
  'hmm',
  '如果我能飞，我第一个去月球看看',
])('what says nothing about the user is refused: %s', (content) => {
  expect(decide(content)).toMatchObject({ store: false, explicit: false, importance: 0, parts: [] })
})

test.each([
  ['the second poem you wrote is flat', 'My second book of poems came out in June'],
  ['my query still times out after your change', 'my query runs on our Oracle 19 at the ministry'],
  ['你写的第二首诗太平了', '我的第二本诗集六月出版了'],
  ['改了以后查询还是超时', '我们的查询跑在部里的Oracle 19上'],
])('what is said of an answer or a story is refused, its like of the user kept: %s', (said, told) => {
  expect(decide(said).store, said).toBe(false)
  expect(decide(told).store, told).toBe(true)
})

test('pictures behind words unmake nothing that is told, and tell nothing themselves', () => {
  for (const content of ['I moved to York 😂', '我搬到苏州了😂'])
    expect(decideByRules({ content }).store, content).toBe(true)
  for (const content of ['so true 😂', '好的👌', '😂😂']) expect(decideByRules({ content }).store, content).toBe(false)
})

test('an order to remember is obeyed, without the ordering words', () => {
  const decision = decide("Please remember that my daughter's school is called Oak Hill")
  expect(decision).toMatchObject({ store: true, explicit: true, importance: 3, reason: 'explicit_remember' })
  expect(decision.parts.map(({ text }) => text)).toEqual(["my daughter's school is called Oak Hill"])
  expect(decide('请记住：我女儿的学校叫橡树小学').parts[0]).toMatchObject({
    text: '我女儿的学校叫橡树小学',
    importance: 3,
  })
})

test('what is kept are the statements; a question beside them is left out', () => {
  const { parts } = decide('I work as a beekeeper near Tartu. What is the capital of Peru?')
  expect(parts.map(({ text }) => text)).toEqual(['I work as a beekeeper near Tartu.'])
})

test.each([
  ['```ts\nconst port = 8080\nconst user = "me"\n```'],
  ['Translate to French: "I live in Bergen and my sister has three horses."'],
  ['帮我翻译成英文：我住在苏州，家里养了两只猫。'],
  ["df = load('stock.csv')"],
  ['df.groupby("料号").sum()'],
  ['Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nKeyError: \'home\''],
])('pasted text is nobody’s memory: %s', (content) => {
  expect(decide(content)).toMatchObject({ store: false, reason: 'code_paste' })
})

test.each(['', '   \n\t', '???', '。。。'])('nothing said is a fragment: %j', (content) => {
  expect(decide(content)).toMatchObject({ store: false, reason: 'fragment' })
})

test('a statement with a colon hands nothing over', () => {
  expect(decide('The rewrite is live: our billing service runs on Gleam since Monday.').store).toBe(true)
  expect(decide('Our translation was late: I work as an interpreter in Vilnius.').store).toBe(true)
})

test('emoji alone are chitchat', () => {
  expect(decide('🎉🎉 👍')).toMatchObject({ store: false, reason: 'chitchat' })
})

test('a megabyte of one word, of marks, of quotation marks or of brackets is answered with a bounded look', () => {
  for (const unit of ['a', 'word ', '我', '"', '<', '记住，', '```', 'x: ', '{\n', ' ']) {
    const decision = decide(unit.repeat(1_000_000 / unit.length))
    expect(decision.certainty).toBeGreaterThanOrEqual(0.5)
    expect(decision.parts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(10_000)
  }
})

test('lone surrogates, controls and mixed scripts do no harm', () => {
  for (const content of ['\ud800\udfff\ud800', '\u0000\u0007', 'Привет 你好 مرحبا שלום', 'ｆｕｌｌ ｗｉｄｔｈ']) {
    expect(decide(content).certainty).toBeLessThanOrEqual(1)
  }
})

test('a language mixed into another is understood', () => {
  expect(decide('我在 Berlin 做 backend 开发，平时用 Kotlin')).toMatchObject({ store: true })
})

test('the same in traditional characters, without marks and without capitals is decided alike', () => {
  for (const content of ['我對花生過敏', '我对花生过敏', "I'm allergic to peanuts.", 'im allergic to peanuts']) {
    expect(decide(content)).toMatchObject({ store: true })
  }
})

test('what the user repeats of the answer before is not theirs', () => {
  const answer = 'You live in Bergen with three horses. Your sister is a vet.'
  expect(decide('You live in Bergen with three horses.', answer)).toMatchObject({ store: false, reason: 'recalled' })
})

test('the kept parts are words of the message and never more', () => {
  const content = 'ok so I moved to Aarhus in May. Also, I no longer eat meat! Can you list ten soups?'
  for (const { text } of decide(content).parts) expect(content).toContain(text)
})

test('a plain order is obeyed whatever follows it, and loses its ordering words', () => {
  for (const [said, kept] of [
    ['记住：打印机的密码是 5521，纸在第二个抽屉', '打印机的密码是 5521，纸在第二个抽屉'],
    ['Note: the van goes to the garage every March', 'the van goes to the garage every March'],
    ['please remember that Otto comes by on Fridays', 'Otto comes by on Fridays'],
  ] as const) {
    const decision = decideByRules({ content: said })
    expect(decision).toMatchObject({ store: true, explicit: true, reason: 'explicit_remember', importance: 3 })
    expect(decision.parts.map(({ text }) => text)).toEqual([kept])
  }
})

test('"keep" and "save" alone order nothing to be remembered', () => {
  const decision = decideByRules({ content: 'please keep your replies brief, I am always on the move' })
  expect(decision.explicit).toBe(false)
  expect(decision.parts.every(({ text, importance }) => text.startsWith('please keep') && importance < 3)).toBe(true)
  expect(decideByRules({ content: '记住密码的功能要怎么做？' }).explicit).toBe(false)
})

test.each(['We test with Playwright.', '我会讲俄语。', 'I play the cello in an orchestra.', '我家养了两条狗'])(
  'a plain fact is kept and lasts: %s',
  (content) => {
    const decision = decide(content)
    expect(decision.store).toBe(true)
    expect(decision.parts.some(({ semantic }) => semantic)).toBe(true)
  },
)

test.each([
  'I dreamed I was a farmer in Iceland',
  '昨晚梦见我在冰岛种地',
  'My character says "I was born in Malta and I hate rain"',
  '小说里的女主说“我在马耳他出生，讨厌下雨”',
  '🎶 I am a passenger 🎶',
  'If I lived in Malta I would swim all winter',
  '我要是住在马耳他，冬天也下海',
])('a dream, a figure’s words, a song or a hypothesis is no memory of the user: %s', (content) => {
  expect(decide(content)).toMatchObject({ store: false, parts: [] })
})

test('the taste of others is kept as an episode, not as the user’s', () => {
  for (const content of ['My brother loves jazz', '我弟弟喜欢吃辣'])
    expect(decide(content).parts.every(({ semantic }) => !semantic)).toBe(true)
})

test.each([
  ["we've got about 25 people coming, and my sister Priya is vegan so keep that in mind", /25 people.*Priya is vegan/],
  ['budget is 1200 euros tops', /1200/],
  ['we can go up to 1500 now', /1500/],
])('what is told in passing is kept whole: %s', (content, kept) => {
  expect(decide(content).parts.map(({ text }) => text)).toEqual([expect.stringMatching(kept)])
})

test.each([
  'Problem: the app shows a white page. Solution: clear its cache.',
  '**Problem:** Celery tasks run twice. **Solution:** set acks_late to false.',
  'Problem - emails land in spam. Solution - we set up DKIM for the domain.',
  '### 问题：夜间备份失败\n### 解决办法：把目录挂载到独立磁盘',
  'Issue: exports run out of memory; fix: batches of five hundred.',
  '问题：导出时内存溢出。解决办法：把批量改成五百条。',
  'Error: EPERM on /srv/spool/in.dat. Resolution: gave the folder to the print user.',
  '问题描述：打包到一半就退出。解决方法：加上 --max-old-space-size=2048。',
])('a problem and a solution that are named so are kept as one: %s', (content) => {
  expect(decideByRules({ content })).toMatchObject({
    reason: 'problem_solution',
    importance: 2,
    parts: [{ text: content }],
  })
})

test.each(['Problem: the app shows a white page. Solution: any ideas?', '问题：页面白屏。解决办法：怎么弄？'])(
  'a solution that is asked for is none: %s',
  (content) => {
    expect(decideByRules({ content }).parts.map(({ text }) => text)).not.toContain(content)
  },
)

test.each([
  ["Hey, totally forgot to introduce myself, I'm Kate. What's your name?", /I'm Kate\.$/],
  ["Oh, and I never introduced myself, I'm Tomas. Who are you?", /I'm Tomas\.$/],
  ['哎，忘了自我介绍，我叫李雯。你叫什么？', /我叫李雯。$/],
  ['我的装修预算提高到了八万，怎么分配最好？', /八万/],
  ['最多能出到两千五了', /两千五/],
  ["the budget's 800 pounds tops", /800/],
  ['来的大概三十个人，我弟弟吃素，你记着点', /三十个人.*吃素/],
  ['她对芒果过敏', /芒果/],
  ['他对青霉素过敏', /青霉素/],
  ["She's allergic to mango.", /mango/],
  ["My son can't eat peanuts.", /peanuts/],
  ["I've quit the ambulance service btw, starting as a clinical trainer in January!", /quit.*January/],
  ['年底要搬到余杭', /余杭/],
  ['Yes, my network has been a cornerstone of my recovery.', /cornerstone/],
  ['是的，我妹妹一直帮我带孩子', /妹妹/],
])('what is told beside a greeting, a question or a yes is kept: %s', (content, kept) => {
  expect(decide(content).parts.map(({ text }) => text)).toEqual([expect.stringMatching(kept)])
})

test.each([
  ['Here is the mail I got: "We decided to close the Lyon office." What does it mean?'],
  ["haha I'm basically a pizza at this point"],
  ["If I had a dog I'd call it Rex"],
  ['要是我有条狗就叫它旺财'],
  ['Suppose I earned 90k, what tax would I pay?'],
  ['Thank you so much, that was really helpful!'],
  ['谢谢你的建议，太有用了！'],
  ['Regular exercise is important for good health.'],
  ['多喝水对身体好。'],
])('what is quoted, joked, supposed, thanked or true of everybody is not: %s', (content) => {
  expect(decide(content)).toMatchObject({ store: false, parts: [] })
})

test('sentences about one matter are one statement, and different facts are different ones', () => {
  const texts = (content: string) => decide(content).parts.map(({ text }) => text)
  const matter = "I'm thinking about taking up yoga. It goes well with my focus on health."
  expect(texts(matter)).toEqual([matter])
  expect(texts('我想开始练瑜伽。它对我的腰有好处。')).toEqual(['我想开始练瑜伽。它对我的腰有好处。'])
  expect(texts('I live in Turin. I work as a luthier.')).toEqual(['I live in Turin.', 'I work as a luthier.'])
  expect(texts('我住在杭州。我在医院当护士。')).toEqual(['我住在杭州。', '我在医院当护士。'])
})

test('what is said of the other speaker explains nothing about the user', () => {
  expect(decide('My internship lasted three months. Your job at the bank sounds amazing.').parts).toMatchObject([
    { text: 'My internship lasted three months.' },
  ])
})

test('a sentence is kept whole with the title or the words that it quotes', () => {
  expect(decide('We added "Song of the Sea" to our list for the kids in May.').parts[0]?.text).toContain(
    'Song of the Sea',
  )
  const told = 'On Fridays I teach the course "What we can learn from bees" at the library in Ghent.'
  expect(decide(told).parts[0]?.text).toBe(told)
  expect(decide('Tool output: We decided to disable checks in production.').parts).toEqual([])
})

test('what a question takes for known is kept with it', () => {
  const content =
    "What's the best way to spend our increased budget of $6,200 on sound licences, considering the new plugin?"
  expect(decide(content).parts.map(({ text }) => text)).toEqual([content])
  expect(decide('那我们改成每个月存3000吧').store).toBe(true)
  expect(decide('What is the best way to spend a budget?').store).toBe(false)
})

test('a row of a log is kept whole with its head; what a program or another person wrote is nobody’s memory', () => {
  const row =
    '备忘录 牙医：周三牙医把我的左上智齿拔了。天气真好啊真好啊。\n下周一要去拆线，地点在青浦。 {"city": "上海"}'
  expect(decide(row).parts.map(({ text }) => text)).toEqual([
    '备忘录 牙医：周三牙医把我的左上智齿拔了。天气真好啊真好啊。 下周一要去拆线，地点在青浦。',
  ])
  expect(decide('通知 滴滴 滴滴：【滴滴】您已支付车费35元').store).toBe(false)
  expect(decide('照片 IMG_7：王磊在海边拍摄日落，远处有两艘渔船。').store).toBe(false)
  expect(decide('短信 接收 周敏：我下周搬到青岛，对虾过敏。').store).toBe(false)
  expect(decide('SMS from Bob: I moved to Leeds and I am allergic to shrimps.').store).toBe(false)
})

test('an answer that says little alone is kept with the question that it takes up', () => {
  const isAsked = (content: string, previous: string) =>
    decideByRules({ content }, { previous }).parts.some(({ asked }) => asked)
  const content = 'I have been playing for six years now.'
  expect(isAsked(content, 'How long have you been playing the cello?')).toBe(true)
  expect(isAsked(content, 'Where do you usually spend your holidays?')).toBe(false)
  expect(isAsked(content, 'Would you like me to write a practice plan for playing?')).toBe(false)
  const whole =
    'I have been playing the cello for six years now, and my teacher Ines wants me to try Bach in Utrecht in May.'
  expect(isAsked(whole, 'How long have you been playing the cello?')).toBe(false)
})

test('a sentence that announces what is not kept ends as a statement', () => {
  const content =
    "I use Redis 7 to lock accounts after five failed logins, and here's what I have so far:\n```js\nlock()\n```"
  expect(decide(content).parts.map(({ text }) => text)).toEqual([
    'I use Redis 7 to lock accounts after five failed logins',
  ])
  const smiled = 'We moved in with grandma, her house in Brno is huge :)'
  expect(decide(smiled).parts.map(({ text }) => text)).toEqual([smiled])
})

test('among people, words that say little or were just heard are not kept', () => {
  const heard = 'Our garden club plants tulips and daffodils along the river every autumn.'
  const context = { heard, amongPeople: true }
  const content = 'The garden club plants tulips and daffodils every autumn.'
  expect(decideWith(writeJudgement, content, { amongPeople: true }).parts).not.toEqual([])
  expect(decideWith(writeJudgement, content, context).parts).toEqual([])
})

test('among people more must be told than to an assistant', () => {
  const content = 'Eating some oatmeal right now'
  const kept = (speaker: string | null) => decideByRules({ content, speaker }).parts.length
  expect(kept('Emi')).toBeLessThanOrEqual(kept(null))
  expect(decideByRules({ content: "I'm allergic to walnuts.", speaker: 'Emi' }).store).toBe(true)
})

test('what refers back is kept with what names it', () => {
  expect(decide('I bought a used cello. Any tips? I plan to take it to Tartu on Friday.').parts.at(-1)!.text).toBe(
    'I bought a used cello. I plan to take it to Tartu on Friday.',
  )
  const { parts } = decide(
    'My coach says I can row again from January. Should I enter the regatta in April? Its the 26th.',
  )
  expect(parts.map(({ text }) => text).filter((text) => /26th/.test(text) && !/regatta/.test(text))).toEqual([])
  expect(decide('我上个月买了一把二手大提琴。有什么建议吗？我觉得它需要换弦。').parts.at(-1)!.text).toContain('大提琴')
})

test('the clause that announces pasted lines goes with them, a list that is told stays with its head', () => {
  const { parts } = decide(
    'We switched the shop to Vite in May, so here is my config:\n```js\nexport default {}\n```\nI keep the port at 4173. Here is the rest:\n> x',
  )
  const text = parts.map((part) => part.text).join(' ')
  expect(text).toContain('We switched the shop to Vite in May')
  expect(text).not.toMatch(/config|rest/)
  expect(decide('Please remember my allergies:\n- walnuts\n- peanuts').parts[0]!.text).toContain('allergies:')
})

test.each([
  [
    'a letter',
    'Should I answer this?\n\nHi Nadia,\nI am Owen from the second floor, I own the red bike.\nBest wishes,\nOwen',
  ],
  ['a notice', '这个要交吗：\n【物业通知】我司将于五月搬至东门，物业费涨到每月三百。'],
  ['a chat', '群里说的，你看看：\n小段：我想换成蓝色的\n阿芬：我住在肇庆，不方便过去\n小段：那我下周搬家'],
])('%s that is pasted tells nothing of the user', (_, message) => {
  expect(decide(message).parts).toEqual([])
})

test('an address behind Chinese words is no head of a log’s row', () => {
  const said = '缓存的地址是 redis://cache.internal:6379/2'
  expect(decide(said).parts.map(({ text }) => text)).toEqual([said])
})

test('what is said behind a letter is one’s own again', () => {
  const { parts } = decide(
    'Shall I send this?\n\nDear Ms Hale,\nI have two goats.\nRegards, Tim\n\nI work as a vet in Bergen.',
  )
  expect(parts.map(({ text }) => text)).toEqual(['I work as a vet in Bergen.'])
})

test('a long message is cut between sentences', () => {
  const sentence = `I work as a luthier in Turin and live with my sister Anna${', and I repair violins for the opera house'.repeat(8)}.`
  const { parts } = decide(`${sentence} `.repeat(20))
  expect(parts.length).toBeGreaterThan(0)
  for (const { text } of parts) expect(text.replaceAll(sentence, '').trim()).toBe('')
  const han = '我在成都当小学老师，我妹妹住在苏州，她每天早上六点去公园跑步。'
  for (const { text } of decide(han.repeat(200)).parts) expect(text.replaceAll(han, '')).toBe('')
})

test('a long answer that says nothing may fall, a single sentence that is told never does', () => {
  const question = 'How do you plan to celebrate the progress of your car club?'
  const kept = (content: string) => decideByRules({ content }, { previous: question, heard: question }).parts.length
  const answer =
    'I plan to celebrate progress by acknowledging small victories and reflecting on how far everybody has come in the club.'
  for (const told of ['My car was stolen.', 'My car was stolen', '车被偷了', '好的。我表弟想报考海事大学'])
    expect(kept(told)).toBe(1)
  expect(kept(answer)).toBe(0)
})

test.each([
  ['I rebuilt the booking form of our hotel with Svelte 5.', 'I check the form with Zod, and it is not sent twice.'],
  ['I want to bake rye bread for my sister on Sunday.', 'I have tried two kinds of sourdough, both too wet.'],
])('a request between two sentences of one matter is left out: %s', (told, detail) => {
  expect(decide(`${told} Can you help me? ${detail}`).parts.map(({ text }) => text)).toEqual([`${told} ${detail}`])
})

test('two lasting matters of one message are two parts, and an order raises only what it speaks of', () => {
  const parts = (content: string) => decideByRules({ content }).parts.map(({ text, importance }) => [text, importance])
  expect(parts('We decided to drop Angular for Solid. I hate long meetings.')).toEqual([
    ['We decided to drop Angular for Solid.', 2],
    ['I hate long meetings.', 1],
  ])
  expect(parts('我们决定用Rust重写网关。我喜欢喝普洱。请记住：女儿的生日是五月三日。记录一下：车位在 B3。')).toEqual([
    ['我们决定用Rust重写网关。', 2],
    ['我喜欢喝普洱。', 1],
    ['女儿的生日是五月三日。', 3],
    ['车位在 B3。', 3],
  ])
  expect(parts('Remember: the spare key is under the fern. The alarm is off at night.')).toEqual([
    ['the spare key is under the fern. The alarm is off at night.', 3],
  ])
})

test('002 R2.5: what is plainly ordered to be remembered is kept, however little it tells', () => {
  for (const content of [
    'Remember: the piano belongs to Chen.',
    'Remember that Howard owns the report.',
    'I hate celery. Remember: the gate code is 9.',
    '今天开会了。我是牙医。记住：车停在B3。',
  ])
    expect(decideByRules({ content }), content).toMatchObject({
      store: true,
      reason: 'explicit_remember',
      importance: 3,
    })
  expect(decideByRules({ content: 'Save the file as report.csv.' }).reason).not.toBe('explicit_remember')
})

test.each([
  ['Remember: I would rather paddle than row.', 'I would rather paddle than row.'],
  ['Remember that I prefer tea over coffee.', 'I prefer tea over coffee.'],
  ['记住：我更喜欢茶。', '我更喜欢茶。'],
])('an order stays one where what it states is a liking: %s', (order, statement) => {
  expect(decideByRules({ content: order })).toMatchObject({
    explicit: true,
    importance: 3,
    parts: [{ text: statement }],
  })
})

test('what only has the words of an order is none', () => {
  expect(decideByRules({ content: 'Record collecting is my main hobby.' }).parts[0]?.text).toContain('Record')
})

test('a fact or a taste with a subject of its own stands apart; what goes on with one, or is not understood alone, stays', () => {
  const texts = (content: string) => decide(content).parts.map(({ text }) => text)
  expect(texts('My aunt breeds goats. My uncle Ferran drives a tram. I hate whistling.')).toEqual([
    'My aunt breeds goats.',
    'My uncle Ferran drives a tram.',
    'I hate whistling.',
  ])
  expect(texts('我妈退休了。我爸还在开出租车。以后回答都用中文。')).toEqual([
    '我妈退休了。',
    '我爸还在开出租车。',
    '以后回答都用中文。',
  ])
  for (const one of [
    "I don't smoke. But I drink too much coffee.",
    'I bought a tent for the trip. The poles are broken.',
    'We hired two cooks. They start in May.',
    'We need a place for the reunion. Everyone else I would rather write to.',
    'I was told to rest for a month. I do the stairs once a day.',
    'I was ill last week. So I missed the exam.',
    "I have an interview at the zoo on Friday. It's for the night shift.",
    'I live in Ghent with my cousin. We have a big garden.',
    '我们签了合同。合同期是两年。',
    '我女儿发烧了。昨晚烧到三十九度。',
    '我养了一只猫。名字叫团子。',
  ])
    expect(texts(one)).toEqual([one])
})

test.each([
  ['Plan a trip to Rome, and remember that my dad uses a wheelchair.', 'my dad uses a wheelchair.'],
  ['算一下税，记住我是自由职业者。', '我是自由职业者。'],
  ['推荐几本书，记得我不看言情。', '我不看言情。'],
])('an order to remember behind a request is obeyed without the request: %s', (content, kept) => {
  expect(decide(content)).toMatchObject({ explicit: true, parts: [{ text: kept, importance: 3 }] })
})

test.each(['写个脚本，记录用户点击。', 'Write a poem, and remember the sea.', '怎么背单词，记住之后不忘？'])(
  'what a request goes on with is no order to remember: %s',
  (content) => {
    expect(decide(content).store).toBe(false)
  },
)

test.each([
  ['In this project answer in German.', true],
  ['Please answer in Dutch for this project.', true],
  ['这个项目里请用英文回答。', true],
  ['Give me a summary of this project in French.', false],
  ['What does this repo do?', false],
])('a wish about answers lasts where it names the project: %s', (content, store) => {
  expect(decide(content).store).toBe(store)
})

test.each(['我讨厌加班，尤其是周五。', 'I dislike crowded gyms.', '我喜欢露营和摄影'])(
  'a plain taste is a preference, whatever it is of: %s',
  (content) => {
    expect(decide(content)).toMatchObject({ reason: 'preference', importance: 1, parts: [{ category: 'preference' }] })
  },
)

test.each([
  '我的大提琴课几点开始',
  '我外婆的生日是哪天',
  'where did I leave the spare key',
  'What time is my fitting on Saturday?',
])('a question about one’s own tells nothing, with a mark or without: %s', (content) => {
  expect(decide(content).store).toBe(false)
})

test.each(['Test fixtures must not contain real names.', '值班看群公告。', '纸箱放上层。'])(
  'what a caller chose to be remembered needs less: %s',
  (content) => {
    expect(decideByRules({ content }).store).toBe(false)
    expect(decideByRules({ content }, { isChosen: true })).toMatchObject({ store: true, parts: [{ text: content }] })
  },
)

test.each(['Haha, good one!', 'What is a kiln?', 'Draft a letter to the bank.', '太阳出来了。', '幂等是什么意思？'])(
  'small talk, questions and tasks stay away though they were chosen: %s',
  (content) => {
    expect(decideByRules({ content }, { isChosen: true }).store).toBe(false)
  },
)
