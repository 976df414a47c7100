/**
 * By which words does a sentence tell something that a person would look up in their notes: who they are, what they like
 * and do, what was decided? What must be in the sentence itself, not only in the message around it.
 */

const MORE =
  '(?:really|much|still|generally|strongly|absolutely|totally|do|also|just|both|all|personally|especially|particularly|always|usually|mostly|actually|definitely|truly|now|currently|even)'
const I = String.raw`\b(?:i|we|(?:the )?user)(?:['’](?:m|ve|re|d))?`
/** A clause of its own: "the things I love make me happy" tells no taste. */
const CLAUSE = String.raw`(?:^|[,;:.(–—-]\s*|\b(?:and|but|so|because|since|as|though|although|that|also|now|still|well|while|user says) )`
/** An object that says by itself what is meant: no pronoun, no clause, no gerund of being. */
const THING = String.raw`(?!(?:it|that|this|these|those|them|him|her|you|how|when|what|why|where|everything|all|to[.!]*$|to (?:see|hear|know|say|think|feel|be|make|help|share|keep)|not being|being (?!outdoors|outside|alone|active|near|by)|seeing|hearing|having (?:him|her|them|you|it|that|this|such|so|fun|a (?:great|good|lovely))|making|knowing|watching (?:him|her|them)|the (?:way|idea|feeling|fact|thought|look|sound)|every|each|our (?:time|talks?|chats?))\b)`

const TASTE_ENGLISH = new RegExp(
  [
    String.raw`${CLAUSE}${I}(?: ${MORE})*(?: (?:don['’]?t|do not|never|can['’]?t|cannot))?(?: ${MORE})* (?:prefer|prefers|like|likes|love|loves|hate|hates|dislike|dislikes|enjoy|enjoys|adore|avoid|stand|collect|collects)\s+${THING}\w`,
    String.raw`\b(?:is|are|['’]s|has been)(?: (?:\w+ly|pretty much|always been|always|still))* (?:my|our)(?: [\w-]+){0,2} (?:go-to|thing|passions?|hobby|hobbies|outlets?|stress (?:relief|fix|reliever)|haven|escape|top pick|jam|guilty pleasure)\b|\b(?:at the )?top of my list\b`,
    String.raw`\b(?:my|our|the user['’]s)(?: \w+)? (?:all-time )?favou?rites?\b[^.!?]{0,60}\b(?:is|are|was|has (?:always )?been)\b|\b(?:is|are)(?: \w+)? (?:my|our)(?: \w+)? favou?rites?\b`,
    String.raw`${I}(?: am| are)?(?: ${MORE}| very| super| so| pretty| a)* (?:all about|drawn to|partial to|keen on|kind of a sucker for|a sucker for|not (?:really )?into|into|fond of|(?:(?:big|huge|total) )?fan of|obsessed with|passionate about|interested in|allergic to|afraid of|addicted to)\s+${THING}\w`,
    String.raw`${I}(?:['’]d| would) rather\b|${CLAUSE}${I}(?: ${MORE})* (?:don['’]?t|do not|never|only) (?:drink|eat|use|wear|watch|smoke|read|listen to|like it when|do|fly|travel by)\b`,
    String.raw`${CLAUSE}${I}(?: am| are| have|['’]ve)?(?: ${MORE}| been)* (?:crazy about|nuts about|hooked on|picky about|inspired by(?= \w+ing\b)|fascinated by|more of an? [\w-]+(?= person\b)|an? [\w-]+(?= person\b)|a (?:\w+ )?(?:sucker|nerd|fanatic|addict) (?:for|about|when)?)\s*${THING}\w`,
    String.raw`^(?:always been|long been) (?:interested in|into|fascinated by|drawn to|fond of|passionate about)\s+${THING}\w`,
    String.raw`${CLAUSE}${I}(?: ${MORE})* (?:swear by|live for|don['’]?t care for|can['’]?t (?:live|do|start [\w ]{1,20}|function) without|can['’]?t get enough of|could never give up|go for|stick (?:to|with)|tend to)\s+${THING}\w`,
    String.raw`^(?!(?:it|that|this|they|he|she|these|those|you|there)\b)[\p{L}][^,.!?]{1,40} (?:is|are|['’]s|has (?:always )?been)(?: always| still)? (?:(?:such )?an? (?:(?:really |very )?(?:huge|big|important|major) )?part of (?:my|our) (?:life|lives|day|week|routine|mornings?|evenings?)|my (?:comfort \w+|weakness|happy place|jam))\b|^nothing beats \p{L}`,
    String.raw`^(?:prefers?|likes|loves|hates|dislikes|enjoys|collects)\s+${THING}\w`,
    String.raw`\b(?:drives?|freaks?|creeps?|stress(?:es)?|wears?|puts?) me (?:crazy|nuts|mad|insane|out|off|up the wall|round the bend|bananas)\b|\b(?:annoys?|irritates?|bugs?|bores?|confuses?|disgusts?|scares?|terrif(?:y|ies)) me\b|\b(?:is|are) (?:an? )?(?:absolute |total )?(?:nightmare|torture|heaven|bliss|sacred|must|no-go|deal-?breaker|sacrilege) (?:for|to) me\b`,
    String.raw`${I}(?:['’]ve| have)?(?: got)? (?:zero|no|little|not much) (?:patience|time|tolerance|interest|love|use) (?:for|in) ${THING}\w|${CLAUSE}${I}(?: ${MORE})* (?:refuse to (?:\w+)|won['’]?t (?:touch|eat|drink|wear|buy|fly|watch|use)|can['’]?t (?:do|handle|digest|tolerate|sleep (?:with|without)|work (?:with|without)|concentrate (?:with|without)|relax until)|work best|sleep best|think best|learn best|focus best)\s+${THING}\w`,
    String.raw`\b(?:give me|i['’]?(?:ll|d) (?:always )?(?:take|pick|choose))\b[^.!?]{2,40}\bover\b[^.!?]{2,40}(?:\bany (?:day|time)\b|\bevery (?:single )?time\b|$)|^[\w' -]{3,40} over [\w' -]{3,40}(?:,? (?:for me|any day|every (?:single )?time))\b|\b(?:only|always|never) for me\b|\b[\w-]+ only for me\b|\bmy (?:comfort|guilty|go-to|default|signature|all-time) [\w-]+ (?:is|are)\b|\bmy (?:golden |only |one |own )?rule is\b`,
  ].join('|'),
  'iu',
)
/** "I'd love to lend a hand". */
const OFFER = /\b(?:i|we)(?:['’]d| would)(?: \w{1,40})? (?:love|like|enjoy|hate)\b/i
const DEFINITE = /\b(?:love|like|enjoy|hate|adore|dislike)s? the (?!\p{Lu})([\p{L}-]+)/u
/** Things of which there is one for everybody. */
const EVERYBODY_KNOWS: ReadonlySet<string> = new Set(
  `ocean sea seaside beach mountains mountain countryside outdoors city woods forest desert snow rain cold heat sun sunrise
  sunset winter summer spring autumn fall night morning evening piano guitar violin cello drums flute theatre theater opera
  cinema movies gym news radio internet terminal shell window aisle metric imperial classics smell sound taste`.split(
    /\s+/,
  ),
)
const TASTE_CHINESE =
  /(?:喜欢|喜爱|偏好|偏爱|最爱|热爱|钟爱|更愿意|宁愿|讨厌|反感|受不了|不爱|爱(?:吃|喝|看|听|用|玩)|习惯(?:用|了|于|先|在)?|倾向于|口味|对.{1,8}过敏|感兴趣|[只不](?:吃|喝|用|碰|看|听|穿)|忌口|离不开|[吃喝用看听住睡]不(?:惯|来)|宁可|情愿|无.{1,3}不欢|夜猫子|没(?:什么|啥)?兴趣|从小就(?:爱|喜欢)|痴迷|着迷|迷上了?|上瘾|(?:没|缺)(?:什么|啥|有)?耐心|(?:只|就)认(?!识|为|真|得|出|错)|永远(?:选|是|都)|能(?:天天|每天)(?:吃|喝|看|玩)|是我的(?:最爱|乐趣|心头好|快乐|软肋|底线|规矩|习惯)|最怕|怕(?:吵|光|黑|冷|热|辣|生人|麻烦)(?=[，。！]|$)|毫无抵抗力|有好感|打死(?:也|都)?不|我都(?:用|开|坐|选|点|穿|戴|走)|(?:我|我家|我们家)[^，。]{0,6}(?:不沾|不碰|必须|一定要|必)(?!要)|(?<=我是.{1,6})(?:控|党)(?=[，。！]|$))(?!(?:这|那|它|他|她|你)|吗|$)/

const HOW_OFTEN = String.raw`(?:always|usually|generally|regularly|on a regular basis|typically|as a rule|rarely|every (?:\w+ )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|spring|autumn|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?|each (?:day|morning|evening|night|week|month|year)|on (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:s| (?:mornings?|evenings?|nights?))|weekends|weekdays)|(?:once|twice|three times|four times|\d+ times)(?: or \w+)? (?:a|every) (?:day|week|month|year)|daily|weekly|regular(?:ly)?|in my (?:free|spare) time)`
const HABIT_ENGLISH = new RegExp(
  String.raw`(?:${I}|\b(?:my|our) \w+)\b[^,;.!?]{0,60}\b${HOW_OFTEN}\b|^${HOW_OFTEN},? ${I}|^(?:always|usually|every|each|on (?:\w+days|weekends|weekdays))\b[^,;.!?]{0,40},? ${I}`,
  'i',
)
/** What somebody does with what, in the present: "I use a whiteboard to stay on track". */
const USES = new RegExp(
  String.raw`${CLAUSE}${I}(?: ${MORE})* (?:use|colou?r-code|keep a (?:journal|diary|log|list)|meditate|commute|work out|wake up|get up|go to bed)\b(?! (?:it|that|this|them|to)\b)[^.!?]*\b(?:to|for|so|at|by|with)\b`,
  'i',
)
/** "I write my notes in Markdown". */
const KEEPS = new RegExp(
  String.raw`${CLAUSE}${I}(?: ${MORE})* (?:write|keep|store|name|format|organi[sz]e|back up|save|put) (?:(?:my|our|all)\b|(?:[\w-]+ )?(?:files|notes|data|records|documents|docs|photos|passwords|backups|receipts|recipes|contacts|tasks|tickets|secrets|logs)\b)[^.!?]*\b(?:in|on|at|by|with|as)\b`,
  'i',
)
const HABIT_CHINESE =
  /(?:每[天周月年晚早]|一般(?:都|会|是|要|在|早|晚|上午|下午|中午|周|吃|喝|用|先|[零一二三四五六七八九十\d]{1,40}点)|每个?(?:周末|星期|礼拜|早上|晚上|月)|每(?:周|星期)[一二三四五六日天]|每逢|经常|总是|平时|通常|从不|从来不|几乎不|坚持|习惯|一向|向来|雷打不动|十年如一日|每次.{1,10}(?:都|必))(?=.{2,})/

const PERSON =
  '(?:wife|husband|partner|fianc\\w+|girlfriend|boyfriend|son|daughter|kids?|child(?:ren)?|baby|toddler|twins|sisters?|brothers?|siblings?|mother|mom|mum|father|dad|parents?|grand\\w+|aunt|uncle|cousin|nephews?|nieces?|roommates?|boss|manager|colleagues?|mentor|dogs?|cats?|pup\\w*|kitten\\w*|pets?|rabbits?|hamster|guinea pigs?|turtles?|parrot|fish|horse|snake)'
const COUNT = '(?:an?|one|two|three|four|five|six|seven|\\d+|several|twin|another)'
const WHO_ENGLISH = new RegExp(
  [
    String.raw`\bmy (?:\w+ )?(?:name|job|profession|occupation|role|position|title|major|minor|degree|research|thesis|birthday|hometown|nationality|age|pronouns|employer|salary|address|phone(?: number)?|e-?mail(?: address)?|blood type|dream|(?:main |long-term |ultimate )?goal|passion|hobby|hobbies|${PERSON})(?:['’]s? names?)? (?:is|are)\b`,
    String.raw`\b(?:named|called) (?:it|him|her|them) \w|\b(?:his|her|its|their) names? (?:is|are)|\b(?:his|her|its|their) name['’]s`,
    String.raw`${I}(?: ${MORE})* (?:have|has|had|got|['’]ve got|own|owns|adopted|keep|foster|raise)(?: got)? (?:my |our )?${COUNT}(?: [\w'-]+){0,2} ${PERSON}\b`,
    String.raw`${I}(?: am| are)?(?: ${MORE})* (?:work(?:s|ing)? (?:as|at|for|in|on (?:a|an|my|the|our))|worked (?:as|at|for) .*\bfor|liv(?:e|es|ing) (?:in|at|near|with)|based in|come(?:s)? from|majoring|major in|stud(?:y|ies|ying) (?:for )?\w|(?:am |are )?learning (?:(?:how )?to (?:play|speak|drive|sail|swim|code|program|sign|cook|bake|knit|sew|dance|paint|draw|surf|ski|fly)\b|(?:the )?(?:violin|piano|guitar|cello|drums|flute|ukulele|spanish|french|german|italian|japanese|chinese|mandarin|korean|arabic|portuguese|russian|dutch|sign language)\b)|teach(?:es|ing)? \w|speaks? (?:\w+ and \w+|\w+ish|\w+ese|\w+ian|french|german|mandarin|cantonese|arabic|hindi|dutch|thai)|grew up|was born|single\b|married|divorced|engaged to|retired|vegan|vegetarian|left-handed|diabetic|pregnant|mentor(?:s|ing)? \w|coach(?:es|ing)? \w|volunteer(?:s|ing)? (?:at|for|with|in)|training for)`,
    String.raw`${I}(?: ${MORE})* (?:run|own|manage|lead|founded|started|opened|launched|set up|opening|starting|running) (?:my|our|an?|the) (?:own )?(?:[\w'-]+ ){0,3}(?:business|studio|shop|store|company|startup|restaurant|caf[eé]|channel|blog|podcast|school|clinic|group|club|team|non-?profit|foundation|brand|clothing line|farm|gym|department|practice)\b`,
    String.raw`${I}(?:['’]m| am)?(?: ${MORE})* (?:a|an|the)(?: [\w-]+){0,3} (?:\w{3,}(?:ist|ician|man|woman)|engineer|teacher|developer|designer|manager|writer|author|actor|dancer|lawyer|doctor|professor|carpenter|plumber|baker|farmer|driver|singer|painter|researcher|officer|worker|trainer|founder|owner|consultant|accountant|assistant|architect|mom|mum|mother|dad|father|parent|nurse|student|veteran|chef|coach|pilot|vet|guide|volunteer|member of [^,.!?]+)\b`,
    String.raw`${I}['’]?(?:ve)? (?:have )?(?:been |known |lived |worked |played |owned |had )(?!(?:playing|doing|working|going|running|learning|waiting|trying|at it)? (?:for|since)\b)[^.!?]{0,50}\b(?:for (?:\d+|many|several|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|over|almost|about|nearly|around)[^.!?]{0,20}\b(?:years?|months?|decades?)|since (?:i was|childhood|high school|college|(?:19|20)\d\d))`,
    String.raw`${I}(?: am| are| have| have been| been)?(?: ${MORE}| just| recently| actually)* (?:(?:started|began) )?(?:volunteering|blogging|coaching|teaching|mentoring|tutoring|freelancing|interning|offering|fostering|apprenticing|taking (?:[\w-]+ )?(?:lessons|classes|courses))\b`,
    String.raw`${I}(?: ${MORE}| just| recently)* applied (?:to|for) \w|${I} used to (?:be|live|work|play|compete|own|have|teach|study|run)\b|\bturning my [^.!?]{3,40} into (?:a|an|my) (?:[\w-]+ )?(?:business|career|job)\b|${I}(?: am)?(?: \w+)? (?:allergic to|lactose intolerant|gluten[- ]intolerant|coeliac|celiac|asthmatic|colou?r-?blind|hard of hearing|dyslexic)\b|${I} (?:['’]ve |have )?got an? (?:[\w-]+ )?(?:job|internship|scholarship|degree|diagnosis)\b|\b(?:i['’]m|i am) lactose\b`,
    String.raw`${I}(?: ${MORE})* (?:lost|quit|left|changed) (?:my|our) jobs?\b|${I}(?: ${MORE})* (?:moved (?:to|from)|relocated|emigrated|immigrated|retired from|graduated|joined (?:a|an|the|our)\b(?! (?:\w+ )?(?:chat|call|conversation|fun|party|game)\b)|enlisted|got (?:married|engaged|divorced|promoted|hired|accepted|my \w+ (?:degree|licen[sc]e|certificat\w+)))`,
    String.raw`${I}(?: ${MORE})* (?:play|sing|compete|perform|write|paint|sew|knit|bake|cook|garden|climb|sail|surf|ski|dance|record|film)\b(?! (?:it|that|this|them|together|along|out)\b)[^.!?]*\b(?:guitar|piano|violin|cello|drums|flute|clarinet|saxophone|ukulele|bass|choir|band|professionally|for a living|for \w+ years|as a hobby|screenplays?|novels?|poetry|poems)\b`,
  ].join('|'),
  'iu',
)

/** "Oscar, my guinea pig", "my wife Lena", "our son Theo". */
const NAMED_ONE = new RegExp(
  String.raw`\b\p{Lu}\p{Ll}+, (?:my|our) (?:[\w-]+ ){0,2}${PERSON}\b|\b(?:[Mm]y|[Oo]ur) (?:[\w-]+ ){0,2}${PERSON},? \p{Lu}\p{Ll}+\b(?! \w+ed\b)`,
  'u',
)

/** "I'm Priya, …", "I am Tom and …", "My daughter Asha turned six". */
const NAME_GIVEN = new RegExp(
  String.raw`\b[Ii](?:['’]m| am) \p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+){0,2}(?=,| and\b|\.|$)|\b[Mm]y (?:[\w-]+ )?${PERSON}(?: \p{Lu}\p{Ll}+)? turned \w`,
  'u',
)

/** What is looked up: "my licence plate is …", 我微信号是…. */
const OWN_NUMBER =
  /\b(?:my|our) (?:[\w'’-]{1,40} ){0,3}(?:numbers?|plates?|id|handle|nickname|username|account|iban|sizes?|height|birthday|address|e-?mail|post ?code|zip(?: code)?|extension|locker|badge|passport) (?:is|are)\b(?! (?:so|very|too|not|at|in|on|broken|full|gone|here|there)\b)|(?:我|我们|公司|家里?)的?\p{Script=Han}{0,6}(?:号码?|账号|身份证\p{Script=Han}{0,5}|护照\p{Script=Han}{0,3}|车牌|微信|QQ|邮箱|生日|身高|体重|尺码|鞋码|工号|学号|地址|血型)(?:是|为|[:：])?\s{0,40}[\p{Script=Han}]?[\w@.-]{2,}/iu
/** "My Eircode is H91 E2K3": a value to copy. */
const OWN_VALUE = /\b[Mm]y (?:[\w'’-]{1,40} ){1,3}is (?:\p{Lu}{1,4}-?\d[\w-]*|\d[\d -]{3,40}\d)/u
/** Courses that take years. */
const STUDIES =
  /\b(?:doing|finishing|taking|pursuing|working towards?) (?:an?|my) (?:[\w-]{1,40} ){0,2}(?:degree|master['’]?s?|bachelor['’]?s?|ph\.?d|doctorate|mba|diploma|apprenticeship|residency|traineeship)\b|(?:我|本人)(?:现在|目前|正在|还)?(?:在)?读(?:着|了)?(?:在职|非全日制|全日制)?\s?(?:[A-Z]{2,}|研究生|硕士|博士|本科|大[一二三四]|高[一二三])/
/** What a doctor has found. */
const HEALTH =
  /\b(?:doctor|dentist|therapist|gp|allergist|physio) (?:says?|said|told me|found)(?: that)? (?:i|my)\b|\bi (?:was|have been|['’]ve been|got) diagnosed with\b|\bi(?:['’]ve| have)? had an? (?:[\w-]{1,40} )?(?:replacement|surgery|operation|transplant|bypass|stroke|heart attack|concussion)\b|我\p{Script=Han}{0,4}(?:做过|动过|得过|患有|骨折过|断过)|(?:医生|大夫|体检)(?:说|查出|发现|诊断出?)我?(?:有|得了|患)/iu

/** The illness or the work, the home and the studies of somebody near, as they are and not as they pass. */
const NEAR_STATE = new RegExp(
  String.raw`^(?:[Mm]y|[Oo]ur) (?:[\w-]+ ){0,2}${PERSON}(?: \p{Lu}\p{Ll}+)?,? (?:(?:also|still|both) )?(?:has (?:type|high|low|an? (?:\w+ )?allergy|asthma|diabetes|dementia|epilepsy|coeliac)|suffers from|had an? (?:stroke|heart attack|bypass|hip|knee)|works|teaches|studies|lives|speaks|plays|runs|owns|was born|is (?:an? |allergic|vegan|vegetarian|married|retired|deaf|blind|from|called|named|in (?:the )?\w+ (?:grade|school|class|year))|(?:are|have) )|^我(?:的|们)?(?:家)?(?:老?[妈爸公婆]|妈妈|爸爸|母亲|父亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|妻子|丈夫|爱人|媳妇|女儿|儿子|孩子|[哥弟姐妹]{1,2}|表[哥弟姐妹]|堂[哥弟姐妹]|女朋友|男朋友|对象)(?:\p{Script=Han}{0,3})(?:有(?:高血压|糖尿病|低血糖|哮喘|痛风|心脏病|\p{Script=Han}{1,4}(?:病|炎|症))|患|得了|在[^，。]{1,10}(?:做|工作|上班|当|读|念|上学|开|教|住)|做|是|当|住|叫|属|对|不[吃喝]|喜欢|退休)`,
  'u',
)

/** A decision of a private kind says so in as many words; among technical things an action is enough. */
const DECIDED =
  /\b(?:i|we|they|team|user|everyone|everybody)(?:['’](?:ve|d)| have| had)?(?: \w{1,40})? (?:decided|agreed (?:not )?(?:to|on|that)|voted (?:not )?to|settled on|concluded|made up (?:my|our) minds?)\b|\b(?:decision|conclusion) (?:is|was|to)\b|决定|敲定|拍板|选定|定下来|定了|改用|约定|达成一致|一致(?:同意|决定|通过|认为)|(?:最终|最后|终于|我们)选(?:了|择)/i

/** Whether the sentence says that something was decided, and not only that something will go on. */
export function saysDecided(sentence: string): boolean {
  return DECIDED.test(sentence)
}

/** One of several things at hand: "I like the second draft better", 第二稿我更喜欢. */
const CHOICE_AT_HAND =
  /\b(?:the (?:first|second|third|fourth|last|latter|former|other|new|old|previous) (?:one|draft|version|option|variant|idea|title|sentence|paragraph|sketch|photo|picture)|(?:option|version|variant|plan|draft|number) (?:[a-h]|\d|one|two|three))\b|第[一二三四五六\d]{1,40}[个稿版种张段句条款套]|(?:方案|选项|版本|草稿)\s?[A-Ha-h一二三四\d]|(?:前|后|上|下)一[个稿版种张段句条款套]/i
/** 用户更喜欢短表单: what a study, a story or a ticket tells of others. */
const TASTE_OF_OTHERS =
  /^(?!.*我).*(?:用户|客户|顾客|消费者|主角|角色|读者|观众|玩家|网友|研究|调查|数据|邻居|同事|老板|领导)\p{Script=Han}{0,6}(?:喜欢|喜爱|偏好|偏爱|热爱|更愿意|宁愿|讨厌|反感|受不了|爱|习惯)|^(?:不?喜欢|讨厌|爱|受不了)[^，。]{1,10}的人(?!是我)|^(?:这|那)?\p{Script=Han}{0,3}(?:故事|小说|电影|剧|文章)(?:里|中)/u

/** Whether it tells what the user likes, avoids or prefers. */
export function tellsTaste(sentence: string): boolean {
  if (CHOICE_AT_HAND.test(sentence)) return false
  if (TASTE_CHINESE.test(sentence)) return !TASTE_OF_OTHERS.test(sentence)
  return TASTE_ENGLISH.test(sentence) && !OFFER.test(sentence) && !isOfTheMoment(sentence)
}

/** Whether what it likes is only what is in sight, or one of several things that the talk around it names. */
export function likesWhatIsThere(sentence: string): boolean {
  return CHOICE_AT_HAND.test(sentence) || isOfTheMoment(sentence)
}

/** "I love the colours and texture": what is in sight. "I love the sea" is a taste. */
function isOfTheMoment(sentence: string): boolean {
  const thing = DEFINITE.exec(sentence)?.[1]
  return thing !== undefined && !EVERYBODY_KNOWS.has(thing)
}

/** Whether it tells what the user does again and again. */
export function tellsHabit(sentence: string): boolean {
  return HABIT_CHINESE.test(sentence) || HABIT_ENGLISH.test(sentence)
}

/** Whether it tells how the user does something, with what. */
export function tellsWay(sentence: string): boolean {
  return USES.test(sentence) || KEEPS.test(sentence)
}

/** Whether it tells how somebody near lives or is, and not what they do for the moment. */
export function tellsNearOne(sentence: string): boolean {
  return NEAR_STATE.test(sentence)
}

/** Whether it tells who the user is, with whom they live, what they do. */
export function tellsWho(sentence: string): boolean {
  return [WHO_ENGLISH, NAMED_ONE, NAME_GIVEN, OWN_NUMBER, OWN_VALUE, STUDIES, HEALTH].some((told) =>
    told.test(sentence),
  )
}
