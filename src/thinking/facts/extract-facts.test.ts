import { describe, expect, test } from 'vitest'
import type { Fact } from '../../domain/thought.ts'
import { extractFacts } from './extract-facts.ts'

function read(text: string): readonly Fact[] {
  return extractFacts(text)
}

function valueRead(text: string, key: string): string | undefined {
  return read(text).find((fact) => fact.key === key)?.value
}

describe('a sentence of the user becomes key and value', () => {
  test.each([
    ['I work for Larkfield Foods.', 'employer', 'Larkfield Foods'],
    ['I live in Tromsø and I love it.', 'home', 'Tromsø'],
    ['I grew up in Galway.', 'hometown', 'Galway'],
    ["I'm a paediatric nurse.", 'job', 'paediatric nurse'],
    ["I'm allergic to kiwi fruit.", 'allergy', 'kiwi fruit'],
    ["turns out i'm allergic to rabbits lol", 'allergy', 'rabbits'],
    ["I can't eat pesto because I'm allergic to nuts", 'allergy', 'nuts'],
    ['My handset is a Nokia 3310.', 'phone', 'Nokia 3310'],
    ['My blood type is O negative.', 'blood_type', 'O negative'],
    ['My dentist is Dr. O. Patel.', 'dentist', 'Dr. O. Patel'],
    ['I live in St. Gallen.', 'home', 'St. Gallen'],
    ['I moved to Trieste two weeks ago', 'home', 'Trieste'],
    ['we moved to Trieste in 2017', 'home', 'Trieste'],
    ['hey, im agnes and i fix clocks', 'name', 'agnes'],
    ["I'm Bruno, 61, retired", 'name', 'Bruno'],
    ['kate here, from leeds', 'name', 'kate'],
    ["Hi there, forgot to say, I'm Noor.", 'name', 'Noor'],
    ['we moved to Lyon last March', 'home', 'Lyon'],
    ['我在青禾农业上班', 'employer', '青禾农业'],
    ['My favorite band right now is Low.', 'favourite_band', 'Low'],
    ['my favorite color is teal', 'favourite_colour', 'teal'],
    ['My favourite film is Alien at the moment.', 'favourite_film', 'Alien'],
    ['My rent is 640 euros since May.', 'rent', '640 euros'],
    ['My landlord is Mr. Osei.', 'landlord', 'Mr. Osei'],
    ['My manager is Ines, she is new.', 'boss', 'Ines'],
    ['Ines left, so my new manager is Tom.', 'boss', 'Tom'],
    ['现在最喜欢的歌手是林俊杰了。', 'favourite_歌手', '林俊杰'],
    ['我住在泉城路，离地铁近', 'home', '泉城路'],
    ['我在成都玉林住，做烘焙', 'home', '成都玉林'],
    ['我老家是邯郸', 'hometown', '邯郸'],
    ['我在成都做插画师', 'job', '插画师'],
    ['我搬到苏州园区了', 'home', '苏州园区'],
    ['我血型其实是O型', 'blood_type', 'O型'],
    ['我会说普通话和粤语', 'spoken_language', '普通话和粤语'],
    ['I have two cats and a dog', 'pet', 'two cats and a dog'],
    ['我对虾过敏', 'allergy', '虾'],
    ['我才发现我对尘螨过敏', 'allergy', '尘螨'],
    ['我在浦东租了间小公寓', 'home', '浦东'],
    ['35, living in Ghent atm', 'home', 'Ghent'],
    ['the queue moved from port 5671 to 5672', 'port', '5672'],
    ['我是前年搬来温州的', 'home', '温州'],
    ['我今年四十一岁，属马', 'age', '四十一岁'],
    ['家里养了只白猫，三岁', 'pet', '白猫'],
    ['我爱人是教化学的，带毕业班', 'job', '教化学'],
    ['房租一个月两千八，水电另算', 'rent', '两千八'],
    ['工资涨到9500了', 'salary', '9500'],
  ])('%s', (text, key, value) => {
    expect(valueRead(text, key)).toBe(value)
  })

  test('a fact says whom it holds for, how sure it is and where it stands', () => {
    const [fact] = read('I live in Tromsø.')
    expect(fact).toMatchObject({
      about: 'user',
      standing: 'holds',
      single: true,
      source: 'user_stated',
      category: 'fact',
    })
    expect(fact!.confidence).toBeGreaterThanOrEqual(0.9)
    expect(fact!.text).toBe('I live in Tromsø.')
  })
})

describe('a fact belongs to the person it is told of', () => {
  test.each([
    ['My sister lives in Porto.', 'sister'],
    ['My brother Tom works for a brewery.', 'tom'],
    ['My boss Edda is 52 and lives in Skopje.', 'edda'],
    ['my cousin Ines is vegan', 'ines'],
    ['Pablo is allergic to celery.', 'pablo'],
    ['小满对腰果过敏', '小满'],
    ['她对腰果过敏', 'someone'],
    ['My uncle is a plumber so I know pipes.', 'uncle'],
    ['Our dog is allergic to wheat.', 'pet'],
    ['我妈住在扬州', 'mother'],
    ['我室友对花生过敏', 'flatmate'],
    ['对了我姐夫在港务局上班', 'brother_in_law'],
  ])('%s', (text, about) => {
    expect(read(text).map((fact) => fact.about)).toContain(about)
  })
})

test('what a relative does for a living is no name of his', () => {
  expect(read('我爱人是教化学的').map(({ key }) => key)).toEqual(['job'])
  expect(valueRead('我爱人叫林芳', 'partner')).toBe('林芳')
})

test('no name is read where none is given', () => {
  for (const text of ["I'm fine, thanks", "i'm frank, most of the time", "I'm Polish, 47", 'im rose gold obsessed'])
    expect(valueRead(text, 'name')).toBeUndefined()
})

describe('the standing of a fact', () => {
  test.each([
    ['I no longer work for Larkfield Foods.', 'ended'],
    ['I used to live in Tromsø.', 'held'],
    ['Sorry, I misspoke: I live in Bergen.', 'corrects'],
    ['turns out im not allergic to wasps', 'ended'],
    ["We don't have a nut allergy", 'ended'],
    ['医生说我对虾不过敏', 'ended'],
    ["I can't eat pesto because I'm allergic to nuts", 'holds'],
    ['我不再住在泉城路了', 'ended'],
    ['我以前住在泉城路', 'held'],
    ['说错了，我住在经十路', 'corrects'],
    ['原来我不是海鲜过敏，是对酒过敏', 'ended'],
  ])('%s → %s', (text, standing) => {
    expect(read(text).map((fact) => fact.standing)).toContain(standing)
  })
})

test('what is less than sure has less confidence and is inferred', () => {
  for (const text of ['I think my blood type is A.', '我的血型好像是A型']) {
    const fact = read(text).find(({ key }) => key === 'blood_type')
    expect(fact).toMatchObject({ source: 'inferred' })
    expect(fact!.confidence).toBeLessThan(0.9)
  }
})

test.each([
  'Where do I live in winter?',
  'If I lived in Porto I would surf every day.',
  'I wish I worked for a brewery.',
  "With more money, I'd live in Porto and I'd drive a Volvo.",
  'The tenant wrote "We moved out on Friday. I live in Ghent now." What do I answer?',
  '房东写道：“我是新房东。我住在静安区。”我怎么回？',
  'I heard that my neighbour works for the tax office.',
  'we moved to production',
  'i work at night',
  '如果我住在大理就好了',
  '我住在哪里？',
  '听说他在青禾农业上班',
])('no fact is read from %s', (text) => {
  expect(read(text)).toEqual([])
})

test('any text is taken and few facts are read from a long one', () => {
  expect(read('')).toEqual([])
  expect(read('\ud83d 🧪 \0')).toEqual([])
  expect(read('My tent is green. '.repeat(500)).length).toBeLessThanOrEqual(24)
})

test('neither a due date nor what happens along the way is a person or an attribute', () => {
  const keys = (text: string) => extractFacts(text).map(({ key }) => key)
  expect(keys('我媳妇的预产期是九月初')).toEqual([])
  expect(keys('家里养了只白猫，三岁')).toEqual(['pet'])
  expect(keys('我们养的那条老狗走了，十五岁')).toEqual([])
  expect(keys('晚上食堂又是面条')).toEqual([])
  expect(keys('my cousin Tove is staying with us till the 9th')).toEqual([])
})

test.each([
  ['我从成都搬到了重庆。', '重庆'],
  ['我从首都搬到郊区了。', '郊区'],
])('"%s" tells the new home, though a city ends in 都', (text, value) => {
  const facts = extractFacts(text)
  expect(facts.find(({ key }) => key === 'home')?.value).toContain(value)
})

test.each([
  ['a place where a person is', 'My accountant lives in Ohrid.', 'accountant'],
  ['the language of a person', 'My husband is Danish.', 'partner'],
  ['the predicate of a person named', 'Our cousin Ilse lives in Skopje.', 'cousin_ilse'],
  ['a tool for a thing', 'I use Quizlet for Danish.', 'spoken_language'],
  ['what was done at a workplace once', '我在市医院做完体检', 'employer'],
  ['the hours of work', '小满早上十点到六点上班', 'employer'],
  ['the days of work', '小满周三到周日上班', 'employer'],
  ['the time of an act', '合同是去年5月续的', 'client'],
  ['how many there are', 'my three dogs are called Rex, Bo and Max', 'three_dogs'],
  ['what one is moved by', 'I was moved to tears.', 'home'],
  ['the nation of a person', 'My husband is American.', 'partner'],
  ['what one is told to do', '我妈叫我辞职', 'name'],
  ['whoever wrote it', '文案是小贝写', 'job'],
  ['what is done in a town', '我在苏州上班', 'home'],
  ['what others like', '我爸喜欢养鸟', 'pet'],
])('no value of another kind: %s', (_, text, key) => {
  expect(valueRead(text, key)).toBeUndefined()
})

test.each(['我家乌龟的名字叫石头', '我们店的名字是花间', 'My parrot’s birthday is June 4', '我爷爷以前觉得是小事'])(
  'the name, age or birthday of a thing or an animal is none of the user’s: %s',
  (text) => {
    const keys = extractFacts(text).flatMap(({ about, key }) => (about === 'user' ? [key] : []))
    expect(keys.filter((key) => !key.startsWith('parrot'))).toEqual([])
  },
)

test('a thing may be called what every object has', () => {
  for (const name of Object.getOwnPropertyNames(Object.prototype))
    for (const text of [`My ${name} is Lego.`, `我的${name}是乐高`]) expect(() => read(text), text).not.toThrow()
})

test.each(['我是召集人', '我是年轻人', '我妈住到年底'])('who one is and until when are no place: %s', (text) => {
  expect(read(text).filter(({ key }) => /home/.test(key))).toEqual([])
})

test.each([
  ['我入职两周了', 'employer'],
  ["I'm the only dentist who remembers her name.", 'job'],
  ['我是带孩子来玩的', 'job'],
  ['我开的是五金店', 'car'],
  ['我刚学完人际关系课', 'major'],
  ['赵姐是护士', 'sibling'],
  ['我小名叫豆子', 'name'],
  ['My neighbour says the rent rose to 950', 'neighbour_says_the_rent'],
])(
  'a stretch of time, one of several, an act, a shop, another name and a noun with a verb are no value: %s',
  (text, key) => {
    expect(valueRead(text, key)).toBeUndefined()
  },
)

test.each([
  ["I forgot to say: I'm Ngaire. And you?", 'name', 'Ngaire', 'user'],
  ['对了，忘了自我介绍，我叫霍启航，你呢？', 'name', '霍启航', 'user'],
  ['你好，我是霍启航。', 'name', '霍启航', 'user'],
  ["I'm new to this, I'm 38 and based in Cardiff, can you give me some advice?", 'age', '38', 'user'],
  ['我女儿才7岁，平时在家怎么练琴？', 'age', '7岁', 'daughter'],
  ['My boyfriend is called Sami.', 'partner', 'Sami', 'user'],
  ['我表姐有个儿子，今年九岁。', 'age', '九岁', "cousin's son"],
])('%s tells %s', (text, key, value, about) => {
  expect(extractFacts(text)).toContainEqual(expect.objectContaining({ key, value, about, standing: 'holds' }))
})

test.each([
  "I'm Vegan, any ideas?",
  "I'm Swedish.",
  'Same here!',
  'Look at this, this is Ozzy!',
  '我是金牛座',
  '我是何老师',
  '你觉得我该怎么选，是两款都买，还是只买一款？',
  "If I'm 40 by then, do I pay more?",
  'My aunt thinks we would not settle since she lives in Hull, what can I do?',
  '我表哥养了只猫，三岁',
])('%s tells no name, age, job or home', (text) => {
  const told = extractFacts(text).filter(({ standing }) => standing !== 'held')
  expect(
    told.filter(({ key, about }) => /^(?:name|age|job)$/.test(key) || (key === 'home' && about === 'user')),
  ).toEqual([])
})
