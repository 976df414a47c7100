/**
 * Of whom does a text speak? Relations are known by one English word whatever the language ("我妈" → mother); names are
 * kept as written. The user is `user`: whoever writes, unless the text says that somebody else does, is or has it.
 */
import { type PhraseHit, type PhraseIndex, phraseIndex } from './phrase-index.ts'
import { type Word, wordsOf } from './words.ts'

/** Relation | English words | Chinese words. */
const RELATIONS = `
mother|mum, mom, mother, mama, mam|我妈 妈妈 老妈 母亲 俺妈 咱妈 妈
father|dad, father, papa, daddy|我爸 爸爸 老爸 父亲 俺爸 咱爸 爸
parents|parents, my folks|父母 爸妈 爹妈
brother|brother, big brother, little brother, older brother, younger brother|哥哥 弟弟 我哥 我弟 二哥 兄弟
sister|sister, big sister, little sister, older sister, younger sister|姐姐 妹妹 我姐 我妹 二姐
son|son, boy of mine|儿子 我儿
daughter|daughter|女儿 闺女
elder_child|eldest, older son, older daughter, elder daughter, elder son, oldest|老大 大女儿 大儿子 大宝 大的那个
younger_child|youngest, younger son, younger daughter, little one|老二 小女儿 小儿子 二宝 小的那个
child|kid, kids, child, children, baby, toddler, twins|孩子 娃 宝宝 双胞胎 小孩 小朋友
partner|wife, husband, girlfriend, boyfriend, partner, fiance, fiancé, fiancee, fiancée, spouse, better half, other half, missus, hubby, my better half, old man, the wife|老伴 我家那位 我那口子 孩子他爸 孩子他妈 家属 老婆 妻子 媳妇 太太 爱人 老公 丈夫 女朋友 男朋友 女友 男友 对象 未婚夫 未婚妻 先生
ex|ex, ex-wife, ex-husband, ex-girlfriend, ex-boyfriend|前妻 前夫 前女友 前男友 前任
grandmother|grandma, gran, nan, nana, granny, grandmother|奶奶 外婆 姥姥 我奶 阿婆
grandfather|grandpa, grandad, granddad, grandfather|爷爷 外公 姥爷 我爷
grandchild|grandson, granddaughter, grandchild, grandkids|孙子 孙女 外孙 外孙女
aunt|aunt, auntie, aunty|阿姨 姑姑 姨妈 大姨 小姨 舅妈 婶婶
uncle|uncle|叔叔 舅舅 伯伯 大伯 姑父 姨父
cousin|cousin|表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹
niece|niece|侄女 外甥女
nephew|nephew|侄子 外甥
mother_in_law|mother-in-law, her mum, his mum|婆婆 丈母娘 岳母
father_in_law|father-in-law|公公 老丈人 岳父
brother_in_law|brother-in-law|姐夫 妹夫 小舅子 大舅哥
sister_in_law|sister-in-law|嫂子 弟妹 小姨子
flatmate|flatmate, roommate, housemate|室友 舍友 合租的
friend|friend, mate, best friend, bestie, buddy, pal|朋友 闺蜜 哥们 兄弟 死党 好友 基友
colleague|colleague, coworker, co-worker, teammate, desk mate, workmate|同事 同组 队友 隔壁组 隔壁工位
boss|boss, line manager, team lead|老板 领导 上司 组长
neighbour|neighbour, neighbor|邻居 隔壁 楼上 楼下
landlord|landlord, landlady|房东
classmate|classmate, labmate, lab mate|同学 师兄 师姐 师弟 师妹
supervisor|supervisor, advisor, adviser|导师
team_other|other team, platform team, mobile team, data team, the frontend team, the backend team, their team, sister team, other squad, everyone else, other people, the competition|别的组 他们组 兄弟团队 隔壁团队 前端组 后端组 平台组 其他人 别人 人家 其他团队 对面公司 同行
newcomer|new hire, new guy, new girl, intern, the new one, trainee, apprentice of|实习生 新人 徒弟 新来的
customer|client, customer|客户 甲方`

/** Words of a text that begin with a capital and are no name. */
const NO_NAME = new Set(
  `i im ive ill id a an the my our your his her its their this that these those we you he she it they there here and but
  or so if as at by for from in of on to up with no not yes ok okay oh well hey hi hello sorry thanks please also just
  still now then today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january
  february march april may june july august september october november december mrs mr ms dr was is are am were be been
  had has have do does did can could will would should may might must what when where which who why how actually finally
  back after before since until during because while though although once every each all both some any many most more
  first last next new old never always usually often sometimes funny long turns got get getting went going gone made
  make making took take taking moved moving picked passed handed switched dropped started starting stopped quit bought
  sold told correction update fyi btw ps remember note reminder easter christmas english chinese`.split(/\s+/),
)
const RELATION_NAMES: ReadonlySet<string> = new Set(
  RELATIONS.trim()
    .split('\n')
    .map((line) => line.slice(0, line.indexOf('|'))),
)

/** true for the word that stands for a relation: `mother`, `flatmate`. */
export function isRelation(subject: string): boolean {
  return RELATION_NAMES.has(subject)
}

/** Given names that are common enough to be taken for a person at the head of a sentence. */
const GIVEN_NAMES = new Set(
  `aaron abby adam adrian agnes ahmed aisha alan albert alex alexander alice alicia alina amanda amber amelia amir amy ana anders
  andre andrea andrew andy angela anika anita anna anne annie anton antonio anya arjun arthur astrid austin ava barbara bea beatrice
  becky ben benjamin bernard beth bill billy bob boris brad brandon brenda brian bruno callum cara carl carla carlos carmen carol
  caroline catherine cathy cecilia charles charlie charlotte chloe chris christian christina christine claire clara colin connor
  craig daisy dan dana daniel daniela darren dave david dawn dean deborah declan deepa denis denise derek diana diego dimitri dmitri
  dominic don donna doris dorothy doug duncan dylan eddie edith edward eileen elaine eleanor elena eli elias elif elizabeth ella ellen
  ellie emil emily emma eric erica erik ethan eva evan eve evelyn farah fatima felix finn fiona frances francis frank fred freya gabriel
  gareth gary gavin gemma george georgia gerald gina giulia gloria gordon grace graham greg greta gus hamid hannah hans harold harriet
  harry hassan hazel heather helen helena henry holly hugh hugo ian ibrahim ida igor imran ines ingrid irene iris isaac isabel isla
  ivan ivy jack jackie jacob jade jake james jamie jan jane janet jason jasmine javier jay jean jeff jen jenna jennifer jenny jeremy
  jess jessica jill jim jo joan joanna joe joel johan john jon jonas jonathan jordan jorge jose joseph josh joshua joy juan judith julia
  julian julie karen karl kate katie kathy katya keith kelly ken kenji kevin kim kirsten klaus kofi kyle lara lars laura lauren leah
  lee leila lena leo leon leona lewis liam lily linda lisa liz lola lorenzo lotte lou louis louise luca lucas lucia lucy luis luke lydia
  maeve magda mandy marco marcus marek margaret maria marie marina mario marion mark marta martha martin mary matt matteo matthew maya
  meera mei mel melissa mia michael michelle miguel mike mila mina miriam mohamed mohammed moira molly mona monica nadia nancy naomi
  natalie natasha nathan neil nell nia niamh nick nicola nicole nigel nikhil nils nina noah noor nora norman oliver olga olivia omar
  oscar otto owen pablo paddy pam pat patricia patrick paul paula pavel pedro peggy penny pete peter petra phil philip phoebe pia pierre
  piotr polly priya rachel raj rajesh ralph ramona raul ravi ray rebecca rhys richard rick rita rob robert robin roger rohan roland ron
  rosa rose rosie ross ruby rupert russell ruth ryan sally sam samantha samir samuel sandra sanjay sara sarah scott sean sebastian
  shane shannon sharon shaun sheila simon sofia sonia sophia sophie stan stefan stella stephen steve steven stuart sue suki susan
  sven sylvia tamara tania tara ted teresa terry tess theo theresa thomas tiago tim timothy tina toby todd tom tomas tommy tony tracy
  ulrike una ursula usha valerie vanessa vera veronica vic victor victoria vijay vikram vincent viola wanda wayne wendy will william
  xavier yan yara yasmin yolanda yuki yusuf yvonne zac zara zoe ola kasia jana milan ali hana aya omari kwame chidi ngozi`.split(/\s+/),
)
/** What people do and things hardly ever. */
const HUMAN_VERB =
  /^(?:drives|eats|drinks|plays|speaks|loves|hates|likes|says|said|thinks|wants|prefers|lives|moved|married|quit|studies|teaches|swears|smokes|cooks|reads|told|asked|thought|promised|laughed|decided|retired|graduated|turned|became|bought|sold)$/
const NAME_LIKE = /^[A-Z\u00c0-\u00de][a-z\u00df-\u024f]+$/
/** "I, we, my" at the head of a clause, 我, 我们, 咱, 俺: the writer speaks of himself. */
/** 老王, 小李, 阿杰, 张工, 王姐 at the head of a clause. */
const CHINESE_NAME =
  /^(?:我们?|咱们?)?(?:(?:老|小|大)[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤]|阿[\u4e00-\u9fff]|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤](?:工|总|姐|哥|老师|师傅|主任|医生|经理|教授|阿姨|叔|姨|婶|爷|奶奶|大夫))/u
const FIRST_PERSON =
  /\b(?:i|i'm|i’m|i've|i’ve|i'll|i'd|im|ive|we|we're|we've|us|me|mine|ours)\b|我(?!妈|爸|哥|姐|弟|妹|爷|奶|婆|家人)|咱|俺|本人/i

/** What the writer has, and no person. */
const OWN = /^\s*(?:my|our)\b|我(?:的|们的|家)/i

let known: PhraseIndex<string> | undefined

function index(): PhraseIndex<string> {
  known ??= phraseIndex(
    RELATIONS.trim()
      .split('\n')
      .flatMap((line) => {
        const [relation, english, chinese] = line.split('|')
        return [...english!.split(','), ...chinese!.split(/\s+/)]
          .filter((word) => word.trim() !== '')
          .map((word) => [word.trim(), relation!] as const)
      }),
  )
  return known
}

/** The people of a text. */
export interface People {
  /** Relations anywhere in it. */
  readonly mentioned: ReadonlySet<string>
  /** Names anywhere in it, lowercase. */
  readonly names: ReadonlySet<string>
  /** Whom its clauses are about: `user`, relations, names, `pronoun`; never empty. */
  readonly subjects: ReadonlySet<string>
  readonly clauses: readonly SubjectClause[]
}

/** A clause and whom it is about. */
export interface SubjectClause {
  readonly text: string
  readonly subjects: ReadonlySet<string>
}

/** A clause about "she" or 他, whoever that is. */
export const PRONOUN_SUBJECT = 'pronoun'

const CLAUSE = /[,.;:!?，。；：！？、\n]+(?!\d)|\s+(?:and|but|so|because|while|whereas|since)\s+/u
/** How far from the head of a clause its subject stands. */
const SUBJECT_WORDS = { latin: 5, han: 8 }
const USER: ReadonlySet<string> = new Set(['user'])

/** Reads who is spoken of. A clause without a subject goes on about whom the one before it was about. */
export function peopleOf(text: string): People {
  const mentioned = new Set<string>()
  const names = new Set<string>()
  const clauses: SubjectClause[] = []
  let current: ReadonlySet<string> | undefined
  let third: ReadonlySet<string> | undefined
  for (const clause of text.split(CLAUSE)) {
    const words = wordsOf(clause)
    if (words.length === 0) continue
    const hits = index().find(words)
    for (const { entry } of hits) mentioned.add(entry)
    for (const name of namesIn(words)) names.add(name)
    const other = otherSubject(clause, words, hits)
    if (other !== null) third = current = other
    else if (isPronoun(clause, words)) current = third ??= new Set([PRONOUN_SUBJECT])
    else if (current === undefined || FIRST_PERSON.test(clause) || OWN.test(clause)) current = USER
    else if (!goesOn(words, current)) current = USER
    clauses.push({ text: clause, subjects: current })
  }
  const subjects = new Set(clauses.flatMap((clause) => [...clause.subjects]))
  return { mentioned, names, subjects: subjects.size === 0 ? USER : subjects, clauses }
}

/** People of whom more than one thing is seldom told: after "my boss is away" the next clause is one's own again. */
const PASSING: ReadonlySet<string> = new Set(['boss', 'colleague', 'customer', 'landlord', 'neighbour', 'team_other', 'supervisor'])

/**
 * Does a clause without a subject go on about the person before? A Chinese one does, an English one when it begins with
 * a verb; an English noun begins something of one's own.
 */
function goesOn(words: readonly Word[], current: ReadonlySet<string>): boolean {
  if ([...current].some((subject) => PASSING.has(subject))) return false
  const { text, han } = words[0]!
  return han || words.length <= SHORT_CLAUSE || VERB_LIKE.test(text)
}

/** A clause of so few words adds to the one before it: "…, a blue one". */
const SHORT_CLAUSE = 4

/** The first word of a clause that has no subject of its own, or one that belongs to the person before. */
const VERB_LIKE =
  /^(?:is|was|has|had|does|did|can|will|would|not|never|still|just|now|also|then|always|even|who|which|that|at|in|on|for|with|from|to|about|since|until|like|because|they|their|them|it|its|went|got|took|bought|left|came|made|gave|said|no|full|all|\w+(?:ed|ing|s))$/i

/** The relation or name that a clause begins with; null when it is about the user or does not say. */
function otherSubject(
  clause: string,
  words: readonly Word[],
  hits: readonly PhraseHit<string>[],
): ReadonlySet<string> | null {
  const head = hits.find(({ at }) => isHead(words, at))
  if (head !== undefined && !isFirstPerson(clause, words[head.at]!)) {
    const name = namesIn(words.slice(0, SUBJECT_WORDS.latin + 1))[0]
    return new Set(name === undefined ? [head.entry] : [head.entry, name])
  }
  const chinese = CHINESE_NAME.exec(clause.trim())?.[0]
  if (chinese !== undefined) return new Set([chinese.replace(/^(?:我们?|咱们?)/, '')])
  const named = namesIn(words.slice(0, 2))[0]
  return named !== undefined && isActing(words, named) ? new Set([named]) : null
}

function isPronoun(clause: string, words: readonly Word[]): boolean {
  return /^[他她]/.test(clause.trim()) || /^(?:he|she|his|her|he's|she's|he’s|she’s)$/i.test(words[0]!.text)
}

function isHead(words: readonly Word[], at: number): boolean {
  const word = words[at]!
  return at < (word.han ? SUBJECT_WORDS.han : SUBJECT_WORDS.latin) && !afterVerb(words, at)
}

/** "I moved in with my sister", 送女儿, 给表弟: spoken to or with, not of. */
function afterVerb(words: readonly Word[], at: number): boolean {
  for (let before = 0; before < at; before += 1) {
    const { text, han } = words[before]!
    if (
      han
        ? '给送跟和同带陪替帮把被让找见问为对比像叫'.includes(text)
        : /^(?:with|to|for|from|by|at|told|tell|gave|give|asked|took|like|than|of|see|met|called|as)$/i.test(text)
    )
      return true
  }
  return false
}

/** "I" or 我 before the relation, "my sister" and 我妈 aside. */
function isFirstPerson(clause: string, relation: Word): boolean {
  const before = clause.slice(0, relation.start).trim()
  if (relation.han) return /(?:我|咱|俺).+/.test(before.replace(/(?:新|老|大|小|那个?|这个?|前|的|们|家|公司|组|以前|现在|同|亲|俩|个|里|班|寝室)+$/, ''))
  return FIRST_PERSON.test(before.replace(/\b(?:my|our)\b/gi, ''))
}

function namesIn(words: readonly Word[]): readonly string[] {
  const names: string[] = []
  for (const { text } of words) {
    const bare = text.replace(/['’]s$/, '')
    if (NAME_LIKE.test(bare) && !NO_NAME.has(bare.toLowerCase())) names.push(bare.toLowerCase())
  }
  return names
}

/** "Sam drives", "Ivy's birthday", "Mrs Okafor": a given name or a title, or a name that does what only people do. */
function isActing(words: readonly Word[], name: string): boolean {
  const at = words.findIndex(({ text }) => text.toLowerCase().startsWith(name))
  if (/^(?:mr|mrs|ms|miss|dr|prof|auntie|aunt|uncle|sister|brother)$/i.test(words[at - 1]?.text ?? '')) return true
  const next = words[at + 1]?.text.toLowerCase() ?? ''
  return GIVEN_NAMES.has(name) || HUMAN_VERB.test(next)
}
