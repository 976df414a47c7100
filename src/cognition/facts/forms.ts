/**
 * In which forms do people state an attribute? A form is a pattern with the value as `v`, for one slot; the subject is
 * read elsewhere, so that "she works at" and "I work at" are one form. More particular forms stand first.
 */
import { FULL_WEEKDAY, ENGLISH_MONTH as MONTH } from '../../text/english-date-words.ts'
import { DAY, MARK_IN_NUMBER as MARK } from './whole-values.ts'
import { anyOf } from './word-lists.ts'

/** One way of stating a slot. */
export interface Form {
  readonly key: string
  readonly pattern: RegExp
}

/** A day with its month, with or without weekday and year. */
const ENGLISH_DAY = String.raw`(?:${FULL_WEEKDAY}${MARK}? (?:the )?)?(?:${DAY}(?: of)? ${MONTH}|${MONTH} (?:the )?${DAY})\b(?:${MARK}? ?(?:(?:19|20)|['’])\d\d\b)?`
const NUMERIC_DAY = String.raw`(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{4}${MARK}\d{1,2}${MARK}\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{2,4}|\d{1,2}${MARK}\d{1,2}${MARK}\d{2,4})(?!\d)`
const CHINESE_DAY =
  '(?:(?:\\d{4}|\\d{2}|[〇零一二三四五六七八九]{2,4}) ?年 ?)?(?:农历|阴历|阳历)?(?:\\d{1,2}|[一二三四五六七八九十冬腊正]{1,3}) ?月 ?(?:\\d{1,2}|[初一二三四五六七八九十廿]{1,3}) ?[号日]?'
/** An amount of money: 3,500元, 两万三千五百块, 2.5万. */
const CHINESE_AMOUNT = String.raw`(?<!\d|${MARK})(?:\d+(?:${MARK}\d+)* ?[kKwW千万]?|[一二两三四五六七八九十百千万零点半]{2,14}) ?(?:元|块)?`
const CHINESE_HOUR = String.raw`(?:\d{1,2}${MARK}\d\d|[一二三四五六七八九十\d]{1,3}点[半\d一二三四五十]*分?)`

/** The value of an English form: up to the end of the clause or a word that begins another thought. */
const ENGLISH_VALUE = String.raw`(?<v>[^,.;:!?\n()]{1,60}?)(?=\s*(?:$|[,;:!?\n()]|\.(?:\s|$))|\s+(?:and|but|so|because|since|where|which|who|while|these days|now|nowadays|as of|from now|for (?:the|\d|a|two|three|ten|years|ages|many)|at the moment|instead|today|anymore|any more|already|again|with my|as (?:an?|the)|on (?:weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)|(?:next|this|last) (?:night|weekend|week|month|year|spring|summer|autumn|winter|fall|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|yesterday|tomorrow|tonight|(?:\w+ |a (?:few|couple of) ){1,2}(?:days?|weeks?|months?|years?|hours?) ago|in (?:(?:19|20)\d\d\b|january|february|march|april|may|june|july|august|september|october|november|december))\b|\s+(?:on|since|until|till|from|by|before|after) (?:the )?(?:${ENGLISH_DAY}|${NUMERIC_DAY}))`
const CHINESE_VALUE =
  '(?<v>[^，。；：！？,;!?\\n（）]{1,24}?)(?=[，。；！？,;!?\\n（）]|$|了(?:[，。！,]|$)|的(?:时候|日子|[，。！？,!?]|$))'

const DIETS =
  'vegetarian|vegan|pescatarian|keto|halal|kosher|gluten[- ]free|dairy[- ]free|teetotal|carnivore|plant[- ]based|lactose intolerant|coeliac|celiac'
const PROFESSION = String.raw`(?:[\w-]+ ){0,3}(?:nurse|teacher|engineer|developer|programmer|designer|manager|accountant|lawyer|solicitor|doctor|surgeon|electrician|plumber|carpenter|joiner|chef|cook|driver|journalist|editor|translator|architect|pharmacist|freelancer|apprentice|intern|lead|paramedic|librarian|firefighter|worker|baker|barista|waiter|waitress|cashier|bartender|scientist|analyst|consultant|student|professor|lecturer|researcher|dentist|vet|therapist|physio|midwife|farmer|pilot|photographer|musician|writer|artist|administrator|director|officer|assistant|technician|mechanic|builder|welder|barber|hairdresser|tailor|florist|gardener|actor|producer|sysadmin|tester|data scientist|tutor|coach|guide|translator|interpreter|clerk|secretary|receptionist|supervisor|owner|founder)`
const CHINESE_PROFESSION =
  '[^，。！？,\\s]{0,8}(?:工程师|程序员|产品经理|设计师|老师|教师|医生|护士|律师|会计|厨师|司机|记者|编辑|翻译|架构师|经理|总监|主管|顾问|分析师|研究员|学生|研究生|博士生|教授|讲师|药师|技师|飞行员|摄影师|公务员|警察|消防员|销售|运营|前端|后端|算法|测试|运维|实习生|农民|工人|外卖员|快递员|保安|导游|主播|博主|作家|画家|演员|教练|裁缝|理发师|花匠|电工|木工|焊工|水手|船员|兵|店长|老板|创始人|自由职业者?)'

/** English forms: key | pattern, `{v}` for the value. */
const ENGLISH = String.raw`
employer|\bwork(?:s|ing|ed)?(?: now| currently| part-time| full-time)? (?:at|for) (?!home\b|myself\b|the weekend|as\b){v}
employer|\b(?:first (?:day|week|shift|morning) at|start(?:s|ed|ing)? at|hired by|employed (?:by|at)|new job at|job at|an? offer from) (?![^,.;!?]{0,40}\b(?:school|academy|nursery|primary|college|kindergarten|pre-?school|university|uni|reception|grade)\b)(?!\d|the (?:same|end|top)|noon|six|seven|eight|nine|ten){v}
employer|\bjoin(?:ed|ing) (?!the (?:club|gym|choir|call|meeting)|a |us\b|in\b){v}
employer|\b(?:as an? [\w -]{2,30}|as the [\w -]{2,30}|\b(?:am|'m|is) an? [\w -]{2,30}) (?:at|for) (?=[A-Z]){v}
job|\bwork(?:s|ing|ed)? as (?:an? |the )?{v}
job|\b(?:i am|i'm|he is|he's|she is|she's|they are|is|am|became|i was|now) (?:an? |the )?(?<v>${PROFESSION})\b
job|\bpromoted to {v}
home|\b(?:rent|rents|renting|share|sharing|bought|have) (?:an?|the|our) (?:[\w-]+ ){0,2}(?:flat|house|room|bed|bedsit|studio|cottage|apartment|bungalow|terrace) (?:in|on|near) (?=[A-Z]){v}
home|\b(?:live|lives|living|lived|based|settled|reside|resides|rent|renting)(?: now)? (?:in|at|on|near) (?!a hurry|fear|hope|the moment|the past){v}
home|(?:^|\b(?:i|we|i've|we've|i'm|we're|have|has|just|recently|finally|and|after|before|since|he|she|they) )(?:moved|moving|relocated|relocating|move) (?:back |house )?(?:from \S+(?: \S+)? )?(?:to|into) (?!the next|a new (?:job|team|phone)|production|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|\d){v}
home|\b(?:i'm|i am|we're|we are|am) (?:now |currently |based )?in (?<v>${anyOf('towns')})
hometown|\b(?:i come|i came|he comes|she comes|we come|i am|i'm|he is|he's|she is|she's|we are|we're|originally|who comes) (?:originally )?from (?=[A-Z]){v}
hometown|\b(?:grew up|was born|born|raised) in (?!\d|january|february|march|april|may |june|july|august|september|october|november|december){v}
name|\bcall me [^,.;!?]{1,30}[,;] (?:just )?(?<v>[A-Z][\w-]+) (?:is fine|will do|is better|is enough)
name|\b(?<!(?:don['’]?t|do not|never|stop|not|to) )(?:my name is|name's|call me|i'm called|i go by) {v}
age|\b(?:i am|i'm|he is|he's|she is|she's|(?:son|daughter|wife|husband|mum|mom|dad|mother|father|brother|sister|boy|girl|kid|child|baby|twins|niece|nephew|cousin|aunt|uncle|grandma|grandad|grandpa|youngest|oldest|eldest) is|turned|turning) (?<v>\d{1,3}(?:${MARK}\d)?)(?: years old)?(?=$|[,.;!?\s])(?! ?(?:am|pm|%|km|kg|min|o'clock|days|hours|minutes|of|and a half months))
birthday|\b(?:birthday|born|date of birth)(?: in [^,;!?]{1,40}?)?(?: is| was|'s)?(?: on)? (?:the )?(?<v>${ENGLISH_DAY}|${NUMERIC_DAY}|${MONTH}(?=\s*(?:$|[.,;!?]))|\d{1,2}(?:st|nd|rd|th))
diet|\b(?:i am|i'm|am|is|he's|she's|gone|went|turned|became|go|eat|eats|strictly|been) (?:an? |fully |full |strictly |completely )?(?<v>${DIETS})\b
diet|\b(?<v>(?:do not|don't|doesn't|does not|never|can't|cannot|won't|no longer) eat [^,.;!?\n]{2,40})
allergy|\ballergic to {v}
allergy|\b(?<v>\w+) (?:allergy|intolerance|intolerant)\b
alcohol|\b(?<v>(?:do not|don't|doesn't|never|no longer|stopped) drink(?:ing)?(?: alcohol| at all| any ?more)?)(?=$|[,.;!?])
drink|\bdrinks? (?:my |a |an |only |mostly |lots of |some )?(?!a lot\b|and\b|too\b|at\b|from\b){v}
car|\b(?:drive|drives|driving|bought|got|picked up|leased|ordered|have|has|own|owns) (?:an? |the |my |our |his |her )(?<v>[^,.;!?\n]{0,30}\b(?:car|van|suv|ev|kia|toyota|honda|volvo|tesla|skoda|golf|audi|bmw|mercedes|nissan|mazda|hyundai|ford|fiat|peugeot|renault|citroen|subaru|byd|dacia|seat|opel|mini|jeep|lexus|polestar|pickup|hatchback|estate)\b[^,.;!?\n]{0,20}?)(?=$|[,.;!?\n]| and | but | now| for )
car|\bdrives? (?:an? |the )(?!hard|bargain|point|message){v}
instrument|\b(?:plays?|playing|learning|took up) (?:the )?(?<v>piano|guitar|violin|cello|drums|flute|trumpet|trombone|saxophone|sax|clarinet|viola|bass|banjo|ukulele|harp|accordion|oboe|bassoon|tuba|horn|mandolin|harmonica)\b
spoken_language|\b(?:speaks?|speaking|fluent in|learning|studying|native) (?:fluent |some |a bit of |a little )?(?<v>english|portuguese|dutch|spanish|french|german|italian|japanese|korean|mandarin|cantonese|chinese|polish|russian|arabic|welsh|irish|swedish|norwegian|danish|finnish|turkish|greek|hindi|catalan|urdu|punjabi|bengali|tamil|vietnamese|thai|hebrew|czech|hungarian|romanian|ukrainian)\b
pet|\b(?:have|has|keep|keeps|got|adopted|own|owns|bought) (?<v>(?:an? |two |three |four |five |six |my |our )?(?:[\w-]+ ){0,2}(?:dogs?|cats?|puppy|puppies|kittens?|parrots?|budgies?|rabbits?|hamsters?|guinea pigs?|goldfish|hens|chickens|tortoise|snake|gecko|ferrets?|horse|pony))\b
school|\b(?:is|in|at|started|starts|starting|goes to|attends|moved to|joined) (?<v>(?:[A-Z][\w'.]+ ){0,3}(?:nursery|kindergarten|preschool|primary school|primary|secondary school|high school|grammar school|academy|elementary|year \w+|grade \w+|\w+ grade|reception class))\b
university|\b(?:study|studies|studying|student) at {v}
major|\b(?:study|studies|studying|major(?:s|ing)? in|degree in|phd in|master's in) (?!at\b|for\b|hard\b|abroad\b|in\b|with\b){v}
medication|\b(?:take|takes|taking|prescribed|on|started) (?<v>(?:\d+ ?(?:mg|mcg|ml) (?:of )?)?[a-z]{4,}(?:in|ol|ide|one|ine|ate|il|am|an|en|mab|statin|pril) ?(?:\d+ ?(?:mg|mcg|ml))?)\b
wake_time|\b(?:get|gets|wake|wakes|getting|waking) up (?:at|around|about) {v}
bedtime|\b(?:go|goes|going) to (?:bed|sleep) (?:at|around|about|by) {v}
editor|\b(?:use|uses|using|switched to|moved to|code in|write in|working in|i'm on|everything in) (?<v>vim|neovim|emacs|vs ?code|intellij|pycharm|webstorm|sublime(?: text)?|zed|helix|cursor|goland|xcode|android studio|nano|kakoune)\b
religion|\b(?:i am|i'm|he's|she's|is) (?:an? )?(?<v>christian|muslim|buddhist|hindu|jewish|sikh|atheist|catholic|quaker|agnostic)\b
partner|\b(?:wife|husband|girlfriend|boyfriend|partner|fiancée?|spouse) (?:is called|is named|'s name is|is|,) (?<v>[A-Z][\w-]+)
partner|\b(?:married to|engaged to|dating|seeing|going out with) (?<v>[A-Z][\w-]+|someone)
port|\b(?:port|listens on|runs on port)(?: is| now| to| changed| moved)* (?<v>\d{2,5})\b(?!${MARK}\d)
`
/** Chinese forms. */
const CHINESE = String.raw`
employer|在(?<v>(?!家|这|那|哪)[^，。！？,\s在]{2,16}?)(?:上班|工作|任职|就职|做事|打工|供职|干活|干了)
employer|(?:我|他|她|一直)在(?<v>(?!家|楼|线|外|群|这|那|做|用|学|看|读|吃|想|等)[^，。！？,\s在]{2,8}?)(?:做|搞|写|带|管|负责|跑)(?!客|过|梦|饭)[^，。！？,\s]{1,8}(?=[，。！？,\s]|$)
employer|在(?!${anyOf('towns')})(?<v>(?!家|这|那|哪|网上|线上)[^，。！？,\s在]{2,12}?)(?:当|担任)(?=[^，。！？,\s]{2,8}(?:[，。！？,\s]|$))
employer|(?:去|到)(?:了)?(?<v>[^，。！？,\s]{2,10}?)(?:报到|入职|上班)
employer|(?:入职|加入|跳槽到|跳槽去|跳到|去了|进了|签了)(?:了)?(?<v>[^，。！？,\s]{2,16}?(?:公司|厂|集团|银行|医院|院|所|局|科技|大学|学校|社|店|部|网|团队))(?=[，。！？,\s]|上班|工作|报到|$)
employer|(?:入职|跳槽到|跳槽去|新东家是|新公司是)(?:了)?{v}
job|(?:我|他|她|现在|目前)?(?:是|做|当|当了|干)(?:一名|一个|个|名|了)?(?<v>${CHINESE_PROFESSION})
job|是(?<v>(?:开|教|做|搞|卖|跑|修|种|养|当|带|画|写|送|打)(?!玩笑|心)[^，。！？,\s]{1,8})的(?=[，。！？,\s]|$)
home|(?:住在|住到|住进|定居在|定居|落户到|落户|租在|(?<=^|[我们在还直就都，。！\s]|现在)住)(?!院|了|过|得|的|校|不){v}
home|(?<!公司|办公室|工厂|店|团队|学校|单位|全|(?<![成首京国帝古旧])都|把.{1,8}|数据|代码|项目|服务|博客|库|文件|笔记)(?:搬到|搬去|搬来|搬进|搬回)(?:了)?(?!一起|新?办公|会议室|另一|楼上|隔壁){v}
home|(?:我|我们|人|咱)(?:现在|目前|如今|一直|人|们)?在(?<v>${anyOf('towns')}[^，。！？,\s]{0,6}?)(?=[，。！？,\s]|$|住)(?<!上班|工作|开会|出差|上学|读书)
home|(?:我们?家|咱家|俺家|新家|现在家)(?:现在|就|目前|还)?在(?!家|办|搞|装){v}
hometown|是(?<v>[^，。！？,\s]{2,6})人(?=[，。！？,\s]|$)
hometown|(?:老家|家乡|祖籍|籍贯)(?:是|在|就在)?{v}
name|(?:我叫|名字是|名字叫|(?<!别|不要|不用|甭|别再|少)叫我|小名|大名|我的名字是)(?!什么|他|她|你|了|去|来|做){v}
name|我姓(?<v>[^，。！？,\s]{1,2})
age|(?:今年|我|他|她|都|才|刚满|满|快)?(?<![\d.])(?<v>(?:\d{1,3}(?:${MARK}\d)?|[一二两三四五六七八九十百零]{1,5})岁半?)
birthday|(?:生日|出生日期|出生于|生于)(?:是|在|为)?[:：]? ?(?<v>${CHINESE_DAY}|${NUMERIC_DAY})
birthday|(?<v>${CHINESE_DAY}|${NUMERIC_DAY}) ?(?:出生|生日?(?=的?(?:[，。！？,\s]|$)))
diet|(?<v>(?:不|不能|从不|从来不|不再|绝不)吃(?!了|亏|惊|力|饭|药|这套)[^，。！？,\s]{1,10})
diet|(?<v>吃素|素食|全素|纯素|清真|无麸质|生酮|轻断食)
allergy|对(?<v>[^，。！？,\s]{1,10})过敏
allergy|(?<v>花生|海鲜|牛奶|乳糖|花粉|青霉素|芒果|鸡蛋|坚果|尘螨|猫毛|头孢)过敏
alcohol|(?<v>不喝酒|滴酒不沾|戒酒|不沾酒|不碰酒)
smoking|(?<v>不抽烟|戒烟|不吸烟|不碰烟|抽烟)
drink|(?:只|爱|都|每天|早上|晚上|喜欢)?喝(?!了|酒|完|多|醉|过|不|点|水|[^，。！？,]{1,6}(?:能|可以|会|对)){v}
car|(?:我|他|她|的)?(?:开|开的是|开着|提了|买了|换了)(?:一?辆|台|的是)(?!会){v}
car|车(?:是|换成|换了)(?:一?辆|台|的是)?{v}
phone|手机(?:是|换成|换了|用的是|用)(?:一?[部台]|的是)?{v}
instrument|(?:弹|拉|吹|学|练|打)(?<v>钢琴|吉他|小提琴|大提琴|二胡|古筝|琵琶|笛子|萨克斯|尤克里里|架子鼓|古琴|口琴|手风琴|葫芦丝)
spoken_language|(?:会说|会讲|在学|学了|学|懂|说)(?<v>英语|日语|法语|德语|西班牙语|韩语|俄语|粤语|意大利语|葡萄牙语|泰语|阿拉伯语|闽南话|客家话|上海话|四川话)
pet|(?:养了|养着|养|领养了|收养了)(?:一?[只条头匹窝缸对个])?(?<v>(?:(?:[两三四五六几]|\d+)[只条头匹窝缸对个])?[^，。！？,\s]{0,6}(?:狗|猫|鸟|鱼|兔子?|仓鼠|乌龟|鹦鹉|金毛|柯基|泰迪|布偶|英短|橘猫|边牧|鸡|鸭|羊|马|蛇|猪))
school|(?:上|读|念|在)(?:的是)?(?<v>[^，。！？,\s当教]{0,8}(?:小学|初中|高中|幼儿园|中学|附小|附中|大班|中班|小班|[一二三四五六]年级|初[一二三]|高[一二三]))(?!老师|教师|语文|数学|英语|校长)
university|在(?<v>[^，。！？,\s]{2,10}(?:大学|学院|大|师大|理工))(?:读|上|念|学)
major|(?:读|学|念|主修|专业是|学的是|念的是|转到|转去)(?<v>[^，。！？,\s]{2,10}?)(?:专业|系)
major|(?:主修|专业是|专业学|学的是|念的是){v}
medication|(?:在吃|吃着|改吃|换成|开了|现在吃|吃的是|吃)(?<v>[^，。！？,\s]{1,8}(?:片|平|坦|唑|素|林|胶囊|颗粒|丸|洛尔|他汀|双胍|列汀|地平|沙坦|普利|西林|霉素|松|芬|酮|钠|钙|冲剂))
wake_time|(?:早上|每天|一般)?(?<v>${CHINESE_HOUR})(?:就)?起床
bedtime|(?:晚上|每天|一般)?(?<v>${CHINESE_HOUR})(?:就)?(?:睡|上床|躺下)
rent|(?:房租|租金)(?:一个?月|每个?月|月付|现在|从[^，。,\s]{1,8}|涨到了?|降到了?|涨成了?|要|才|是|到)* ?(?<v>${CHINESE_AMOUNT})(?=$|[^\d.%％点号日月])
salary|(?:工资|月薪|薪水|年薪)(?:一个?月|每个?月|现在|从[^，。,\s]{1,8}|涨到了?|降到了?|涨成了?|到手|税前|税后|才|是|有|到)* ?(?<v>${CHINESE_AMOUNT})(?=$|[^\d.%％点号日月])
religion|(?:我|他|她)(?:信|是)(?<v>佛教?|基督教?徒?|天主教|伊斯兰教?|穆斯林|道教|无神论者?)
editor|(?:用|换成|换到|转到|改用|迁到|切到)(?:的是|了)? ?(?<v>vim|neovim|emacs|vs ?code|intellij|idea|pycharm|webstorm|sublime|zed|helix|cursor|goland|xcode)(?![A-Za-z])
port|端口(?:是|为|改成|换成|改为|用)?:? ?(?<v>\d{2,5})
`

/** All forms in their order. */
export const FORMS: readonly Form[] = [...read(ENGLISH, ENGLISH_VALUE, 'i'), ...read(CHINESE, CHINESE_VALUE, 'i')]

function read(table: string, value: string, flags: string): readonly Form[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const bar = line.indexOf('|')
      return { key: line.slice(0, bar), pattern: new RegExp(line.slice(bar + 1).replaceAll('{v}', value), flags) }
    })
}
