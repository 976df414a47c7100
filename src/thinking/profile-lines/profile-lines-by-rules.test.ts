import { expect, test } from 'vitest'
import { profileLinesByRules } from './profile-lines-by-rules.ts'

const refused = { store: false, reason: 'knowledge_question' } as const

function sections(message: string): readonly string[] {
  return profileLinesByRules(message, refused).map(({ section }) => section)
}

test('lasting wishes about answers become lines of reply_style, in the user’s words', () => {
  for (const text of [
    'From now on keep your answers short.',
    'Never use emojis when you reply.',
    'Please always explain step by step.',
    'I prefer answers with an example.',
    'Call me Captain.',
    '以后回答都简短一点。',
    '别再用表情了。',
    '以后叫我阿远。',
  ])
    expect(profileLinesByRules(text, refused), text).toEqual([{ section: 'reply_style', text }])
})

test('a wish that rides on another matter becomes a line without it', () => {
  for (const [message, text] of [
    ['帮我查一下明天的天气，回答我时简短点', '回答我时简短点'],
    ['明早去哪里看日出？回答问题时请尽量简洁，不要用表情。', '回答问题时请尽量简洁，不要用表情。'],
    ["I'm packing for Peru, and keep it short when you reply.", 'keep it short when you reply.'],
  ] as const)
    expect(profileLinesByRules(message, refused), message).toEqual([{ section: 'reply_style', text }])
  for (const text of ['客户回答问题时很紧张，我也是。', 'I like it when you answer quickly, thanks.'])
    expect(profileLinesByRules(text, refused), text).toEqual([])
})

test('a line ends where its statement does, not at the subject of the clause that belongs to it', () => {
  const kept = { store: true, reason: 'preference' } as const
  for (const [message, line] of [
    ['I love the autumn because my brother and I go sailing every year', 'my brother and I go sailing every year.'],
    ["I don't like bars, because I prefer quieter places where I can hear people.", 'where I can hear people.'],
  ] as const)
    expect(profileLinesByRules(message, kept).at(-1)?.text, message).toMatch(new RegExp(`${line}$`))
})

test('what is told with an act as its subject, or behind one, is no wish about answers', () => {
  for (const text of [
    'Rowing with friends from the old quarter is a fine way to keep in touch.',
    'Keeping a balance between the shop and the choir has always been a priority.',
    'By lending my tools to the neighbours, I hope to make them curious.',
    "While I haven't thought much about fencing, I believe that timing matters in every sport.",
    '被你说得我都脸红了。',
    '它让我以后每次出海都愿意多等一刻。',
  ])
    expect(profileLinesByRules(text, { store: true, reason: 'style_wish' }), text).toEqual([])
})

test('the taste of somebody near is no line about the user', () => {
  for (const text of ['My husband prefers dark chocolate.', '我先生喜欢味道更苦的巧克力。'])
    expect(profileLinesByRules(text, { store: true, reason: 'preference' }), text).toEqual([])
})

test('lasting wishes about the language, and the languages a user speaks, become lines of language', () => {
  for (const text of [
    'Always answer in Portuguese.',
    '以后都用中文回答我。',
    'I speak Dutch and a little Korean.',
    '我的母语是粤语。',
  ])
    expect(sections(text), text).toEqual(['language'])
})

test('what the assistant is not to do lasts when it is told as a matter of taste, and no other taste is about answers', () => {
  const taste = { store: true, reason: 'preference' } as const
  for (const text of ['and dont use tables please i hate them', '别用列表，我看着烦'])
    expect(profileLinesByRules(text, taste)).toMatchObject([{ section: 'reply_style' }])
  for (const text of ['I hate short trousers.', '我讨厌香菜。'])
    expect(profileLinesByRules(text, taste)).toEqual([{ section: 'background', text }])
})

test('a wish is a line beside a fact, in a later sentence, and as a change', () => {
  const told = { store: true, reason: 'identity' } as const
  for (const [message, text] of [
    ['我最近在装修，以后报价都用表格列出来', '以后报价都用表格列出来'],
    ['技术问题直接给代码，不用解释。注释用英文，其他用中文', '注释用英文，其他用中文'],
    ["I'm Noor, a vet. pls keep answers short and no bullet points, I read between visits", 'no bullet points'],
    ['longer is fine now, still no tables please', 'longer is fine now, still no tables please'],
    ['回复可以再长一点了，之前的看不明白，但还是别用表情', '回复可以再长一点了'],
    ["I'm grieving so no jokes in your replies", 'no jokes in your replies'],
  ] as const) {
    const lines = profileLinesByRules(message, told).filter(({ section }) => section !== 'background')
    expect(lines.map((line) => line.text).join('\n'), message).toContain(text)
  }
})

test('a wish for this one answer adds nothing', () => {
  for (const text of [
    'As a table, this time.',
    'Give me the answer as a table please.',
    'Answer this one in Dutch.',
    'Translate this letter into Dutch.',
    '这次用表格回答。',
    '把这段翻译成英文。',
    '用三句话解释一下潮汐。',
  ])
    expect(sections(text), text).toEqual([])
})

test('who the user is becomes a line of background; what passes, others and questions do not', () => {
  expect(profileLinesByRules('How long do tulips last? I work as a florist in Utrecht.', refused)).toEqual([
    { section: 'background', text: 'I work as a florist in Utrecht.' },
  ])
  expect(sections('我在海事大学读研究生，帮我看看这份报告。')).toEqual(['background'])
  for (const text of [
    'I am tired today.',
    'My sister works as a florist.',
    'Do I work as a florist?',
    '如果我是医生会怎样',
  ])
    expect(sections(text), text).toEqual([])
})

test('praise, moments, requests and others add nothing; of a longer sentence the clause that lasts is the line', () => {
  for (const text of [
    'No problem!',
    'Keep believing in yourself!',
    'I attended a fair with my partner Ines on May 4.',
    'I will play the harp tonight.',
    "I'm trying to write an app that always returns short replies.",
    'She lives in Oslo.',
  ])
    for (const store of [false, true])
      expect(profileLinesByRules(text, { store, reason: 'style_wish' }), text).toEqual([])
  expect(profileLinesByRules("I'm 52, so can you plan my week?", refused)).toEqual([
    { section: 'background', text: "I'm 52." },
  ])
  expect(sections('My sister Ines is vegan.')).toEqual(['background'])
  expect(sections('Always name the ferry line when I ask about islands.')).toEqual(['reply_style'])
})

test('what happened on a day, what would be, and "always" in a statement add nothing', () => {
  for (const text of [
    'I joined the bell ringers on June 3 and I know twelve of them.',
    "I'd love some hints on casting a bell.",
    'Bell casting has always been a riddle to me.',
  ])
    expect(profileLinesByRules(text, refused), text).toEqual([])
  expect(profileLinesByRules('但我是一名铸钟工人。', refused)).toEqual([
    { section: 'background', text: '我是一名铸钟工人。' },
  ])
  expect(sections('My birthday is June 3.')).toEqual(['background'])
})

test('the same line is not said twice, and a message gives a bounded number of lines', () => {
  const wish = 'From now on keep your answers short. '
  expect(profileLinesByRules(wish.repeat(3), refused)).toHaveLength(1)
  const many = Array.from({ length: 20 }, (_, n) => `From now on use style ${n} in your replies.`).join(' ')
  expect(profileLinesByRules(many, refused).length).toBeLessThanOrEqual(6)
})

test('what the decider took for a lasting wish is a line, though no listed word stands in it', () => {
  const wish = 'Quiz me before you lecture me, whatever the topic.'
  expect(profileLinesByRules(wish, { store: true, reason: 'style_wish' })).toEqual([
    { section: 'reply_style', text: wish },
  ])
})

test('neighbouring clauses that tell of the user are one line, and what passes between them is left out', () => {
  expect(
    profileLinesByRules('我女儿叫小满，今年五岁，对花生过敏。周末想带她去动物园，带什么零食合适？', refused),
  ).toEqual([{ section: 'background', text: '我女儿叫小满，今年五岁，对花生过敏。' }])
  expect(
    profileLinesByRules(
      "I work as a glass blower in Leerdam, and I'm kinda worried about the gas bill, can you help?",
      refused,
    ),
  ).toEqual([{ section: 'background', text: 'I work as a glass blower in Leerdam.' }])
})

test('a row of a log, a quoted mail and a notice are none of the user’s words', () => {
  for (const text of [
    '短信 接收 王磊：我住在青岛，对虾过敏，请您查收。',
    'SMS from Bob: I live in Leeds and I work as a pilot.',
    'What should I answer?\nFrom: Piotr Wrona\nSubject: Lease\nI live in Sopot now.',
    'He wrote:\n> I live in Sopot and work as a pilot.',
  ])
    expect(sections(text), text).toEqual([])
})

test('dreams, songs, parts that are played and quoted words add no background', () => {
  for (const text of [
    'I dreamed I live in Oslo.',
    "My character says 'I live in Oslo'.",
    'She wrote "I live in Oslo and I work as a pilot".',
    "Let's role-play. I work as a pilot.",
    '我梦见我住在奥斯陆。',
    '男主说“我住在奥斯陆”。',
  ])
    expect(sections(text), text).toEqual([])
  expect(sections('I work as a florist in Utrecht. I dreamed I live in Oslo.')).toEqual(['background'])
})

test('a wish that quotes what must not be said is a line as it was written', () => {
  const text = 'Never start your answers with "I hope this finds you well".'
  expect(profileLinesByRules(text, refused)).toEqual([{ section: 'reply_style', text }])
})

test('a line ends where it lasts most: what passes behind it is left out', () => {
  const taste = { reason: 'identity', store: true } as const
  expect(profileLinesByRules('我比较喜欢粤菜，也想尝尝本地的豆花。', taste)).toEqual([
    { section: 'background', text: '我比较喜欢粤菜。' },
  ])
})

test('a task for now and words without a verb make no line', () => {
  const refused = { reason: 'knowledge_question', store: false } as const
  expect(profileLinesByRules('Please write a short answer to my landlord.', refused)).toEqual([])
  expect(profileLinesByRules('Two, my wife Jana and me.', { reason: 'identity', store: true })).toEqual([])
})

test('allergies of the family are lines behind another clause too; those of colleagues and friends are none', () => {
  const line = [{ section: 'background', text: 'My niece Rika is allergic to sesame.' }]
  for (const before of ["My uncle can't stand leeks, and", 'I cook for five and', 'My uncle was seen by a nurse and'])
    expect(profileLinesByRules(`${before} my niece Rika is allergic to sesame.`, refused), before).toEqual(line)
  expect(sections('My parrot is allergic to corn.')).toEqual(['background'])
  for (const text of ['My boss is allergic to sesame.', 'My friend Rika is vegan.', '我同事对芝麻过敏。'])
    expect(sections(text), text).toEqual([])
})

test('an introduction is a line as a whole, in fragments and lower case too; what is only told beside it is none', () => {
  const introduction = { store: true, reason: 'identity' } as const
  for (const [text, line] of [
    ["i'm Wilmer, 41, i run a small kiosk", "I'm Wilmer, 41, i run a small kiosk."],
    ['im deaf in one ear, first year music student', "I'm deaf in one ear, first year music student."],
    ['大家都叫我老邵，我住在泉州，是个木匠', '大家都叫我老邵，我住在泉州，是个木匠。'],
  ] as const)
    expect(profileLinesByRules(text, introduction), text).toEqual([{ section: 'background', text: line }])
  for (const text of [
    "I'm kinda worried about my lease.",
    "I'm trying to sell my kayak, so I wrote an ad.",
    '我有个目标。',
  ])
    expect(profileLinesByRules(text, introduction), text).toEqual([])
})

test('a wish told in passing is a line, the same words about one answer are none', () => {
  for (const text of [
    'btw simpler answers pls',
    'i want numbered answers always',
    'From now on Italian.',
    'by the way, can u always give me weights in grams',
    '回答别太啰嗦',
    '帮我看看这张表，对了以后回答短一点',
    '请用繁体中文回复',
    '能不能每次都先说结论',
  ])
    expect(sections(text), text).toHaveLength(1)
  for (const text of [
    'This answer was too long.',
    'Customers want quick answers.',
    '你解释得很清楚。',
    '用中文怎么回答他？',
    '你讲得很细，帮大忙了',
    'My app returns short answers.',
    '帮我写个请假条，不要太长',
  ])
    expect(sections(text), text).toEqual([])
})

test('who belongs to the family, an illness that lasts and a business are lines; of the family the illness alone', () => {
  for (const text of [
    'I have asthma.',
    'My husband is diabetic.',
    '我妈有高血压。',
    'I run a bike shop.',
    '我开了家面馆。',
  ])
    expect(sections(text), text).toEqual(['background'])
  for (const text of [
    'I have a call with my mum.',
    'I have a friend in Oslo.',
    'My boss has gout.',
    'My wife runs a bakery.',
    'I had asthma as a child.',
  ])
    expect(sections(text), text).toEqual([])
})

test('a reason stands without what comes of it; a taste keeps its object, and what is weighed or worries is no line', () => {
  for (const [said, line] of [
    ["Since I'm allergic to sesame I'm trying out other breads.", "I'm allergic to sesame."],
    ['I prefer simple, minimal recipes for weekdays.', 'I prefer simple, minimal recipes for weekdays.'],
  ] as const)
    expect(
      profileLinesByRules(said, { store: true, reason: 'preference' }).map(({ text }) => text),
      said,
    ).toEqual([line])
  for (const said of [
    "I'm debating whether to mention my gap year in my letter, can you help me decide?",
    "I'm worried about my pension, like my old plan in Leeds.",
    "I'm using the rollDice() function, but I need to ensure it's working as expected.",
  ])
    expect(profileLinesByRules(said, { store: true, reason: 'preference' }), said).toEqual([])
})

test('the same fact is a line in every way of telling it, and what stands beside it is no part of it', () => {
  const said = { store: true, reason: 'identity' } as const
  for (const [text, line] of [
    ['Since I work as a roofer, which boots should I buy?', 'I work as a roofer.'],
    ['Because I’m allergic to squid, give me another recipe.', 'I’m allergic to squid.'],
    ['By the way I live in Tartu.', 'I live in Tartu.'],
    ["I'm left-handed.", "I'm left-handed."],
    ['My name is Oskar, parcel is at the door.', 'My name is Oskar.'],
    ['既然我是裁缝，买什么鞋好？', '我是裁缝。'],
    ['帮我写首诗（我是退休教师）', '我是退休教师。'],
    ['我妈有糖尿病，中秋能吃月饼吗', '我妈有糖尿病。'],
    ['I moved to Tartu in spring, and the bike lanes are amazing.', 'I moved to Tartu in spring.'],
    ['我叫阿强，快递在门口。', '我叫阿强。'],
    ['我在泉州读大三，论文还没动。', '我在泉州读大三。'],
  ] as const)
    expect(profileLinesByRules(text, said), text).toEqual([{ section: 'background', text: line }])
  for (const text of ['我家的十个月大，疯得很', '我想和乐乐（我五岁的女儿）聊一聊'])
    expect(sections(text), text).toEqual([])
})

test('a line about somebody near names who it is', () => {
  const kept = { store: true, reason: 'identity' } as const
  for (const [message, lines] of [
    ['My aunt Ruth moved in last week. She is allergic to penicillin.', ['My aunt Ruth is allergic to penicillin.']],
    ['My aunt Ruth moved in last week and she is allergic to penicillin.', ['My aunt Ruth is allergic to penicillin.']],
    ['我外甥叫一鸣，放假住我家。他对虾过敏。', ['我外甥一鸣对虾过敏。']],
    ['I met somebody at the fair. She is allergic to penicillin.', []],
  ] as const)
    expect(
      profileLinesByRules(message, kept)
        .map(({ text }) => text)
        .filter((text) => /allergic|过敏/.test(text)),
      message,
    ).toEqual(lines)
})

test('a line says by itself what it means: what is only taken up from the talk is none', () => {
  for (const text of [
    "I'm 52 and still quite new to this.",
    'I love the idea of a rooftop garden for the tenants.',
    'I prefer the latter for my kitchen.',
    'My favourite is pistachio.',
    '我更喜欢后者。',
    '我特别喜欢手写菜单的点子。',
    '我作为小学老师。',
  ])
    expect(profileLinesByRules(text, { store: true, reason: 'preference' }), text).toEqual([])
  for (const text of ["I'm 52 and live in Ghent.", 'My favourite tea is pistachio.', '我是小学老师。'])
    expect(profileLinesByRules(text, { store: true, reason: 'identity' }), text).toHaveLength(1)
})
