/**
 * Which words tell by themselves that a statement begins, replaces, ends, corrects, adds, denies, or is past, a single
 * event, unsure or unreal? General vocabulary; telling things ("handed in my badge", 工牌交了) are weighed in `stance.ts`.
 */
import { hasHan } from '../../language/character-class.ts'
import { isQuestion } from '../../language/questions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { IRREGULAR_PAST } from '../../language/tense.ts'

/** Alternatives of one kind: English ones between word borders, Chinese ones anywhere. */
type Words = readonly [english: string, chinese: string]

const REPLACES: Words = [
  String.raw`switch(?:ed|ing)? (?:\w+ ){0,4}(?:to|from|over|back)|shift(?:ed|ing) (?:\w+ ){0,4}(?:to|over|into)|swap(?:ped|ping)?|replac(?:ed|es|ing)|instead|migrat(?:ed|ing|ion)|mov(?:ed?|ing) (?:\w+ ){0,4}(?:to|over|into|back|from)|(?:have|'ve|just) moved|moved (?:house|flat|in|offices|schools|teams)|chang(?:ed|ing)|(?:up|down)graded|rewr(?:ite|itten|ote)|ported|convert(?:ed|ing)|trad(?:ed|ing)|part exchange|renamed|rebranded|transferr?ed|reassigned|tak(?:es|en) over|took over|(?:took|taken|takes) (?:his|her|their|over|the) (?:room|place|job|role|seat|slot|shift)|fill(?:ed|ing) in|stepped in|stand(?:s|ing) in|(?:gone|went|go) (?:back|over)|back (?:to|on|with|at)|over to|from now on|as of (?:now|today|tomorrow|this|next|mon|tues|wednes|thurs|fri|satur|sun)\w*|going forward|rather than|in favou?r of|ditched|(?:dropped|gave up|left|exchanged) .{1,30} for|settled on|landed on|cut over|phased out|ripped out|torn out|no longer .{1,40} but|not .{1,30} any ?more,? .{0,10}(?:but|now)|sold .{1,40} (?:bought|got)|used to .{1,60} (?:now|but)|(?:only|just) .{1,30} now|now (?:only|just)|(?:is|are|am|has|have) (?:now|become)|rolled out|consolidated|merged into`,
  '接(?:手|替|班|过来|走)|把(?:我|他|她|它)?调|挪(?:到|了|去)|换(?!位|句|个说法|言之)|改(?:成|用|到|为|叫|走|去|在|学|投|做|由|了|期|名|穿|住|回|吃|喝|坐|骑|打|养|约|签)|搬(?:到|去|来|完|家|进|了|回)|转(?:到|去|用|成|岗|行|学|投|做|回|为|了)|迁(?:移|到|去|往|至)|切(?:到|换|成|回|了|过)|重写|升级(?:到|成|了|为)|又[^，。！？]{0,3}回|[回退]到|退回|调(?:到|去|岗|回|成)|跳(?:到|槽|去)|[代取]替|替[掉换]|顶替|代替|取代|变(?:成|了|为)|不.{1,8}了.{0,3}(?:改|换)|并(?:到|入)|归(?:到|了)|划到|移交|淘汰|弃用|全(?:部|都|面|线)?(?:用|上|走|切|换)|(?:现在|如今|以后|往后|眼下|目前)(?:就|也)?只|从.{1,12}(?:到|换|改|搬|转|跳|切|迁)(?!大|小时|头|早)|轮到',
]
const BEGINS: Words = [
  String.raw`(?:have|has|had|'ve|'s) (?:got|put|stuck|taken|joined|started|begun|moved|bought|adopted|settled) |got (?:a|an|the|my|our|promoted|hired|engaged|married|into|accepted|in)|(?:was|were|been|got) delivered|unboxed|settling in|induction|onboard(?:ed|ing)|passed (?:probation|my)|took (?:delivery|up|on|home)|taken (?:up|on)|brought (?:\w+ ){0,2}home|(?<!right |for |just |by |till |until |even |every )now(?! and| that i think| (?:plan|write|give|make|tell|show|help|suggest|explain|translate|find|list|draft)\b)|nowadays|these days|currently|at the moment|start(?:ed|ing)|from (?:today|tomorrow|this|next|mon|tues|wednes|thurs|fri)\w*|since (?:the|a|today|yesterday|this|last|my|our|\w+day)|(?:first|second) (?:\w+ )?(?:day|week|shift|lesson|class|session|morning|night|month|appointment|ride|drive|run|visit|time)|day one|(?:has |have |just )?arrived|picked (?:\w+ )?up|bought|ordered|signed (?:the|a|with|up|on|for)|joined|became|brand new|new (?!year|yorker|york|zealand|orleans|jersey|delhi|to me)\w+|turned \d+|(?:is|goes|went) live|up and running|accepted (?:the|an|a)|unpacked|moved|promoted|put (?:me|us) on|enrolled|registered with|officially|say hello|meet (?:my|our|the)|welcomed|opened an account|set up|installed|beg(?:ins|an)|newly|(?:i'm|i am|we're|we are|is|are) .{1,40} again|appointed|elected|hired|assigned|landed`,
  '最近(?:都|改|就|在|天天)?(?:骑|开|坐|用|吃|喝|住|练|学)|重新|拿到(?:offer|钥匙|录取)|进组|收房|住[进上]|搬进|开张|上岗|就位|[抱牵捡买][了回]|迁完|换完|装[上好了]|试用期|现在|如今|目前|眼下|新(?:的|买|换|来|公司|家|房|车|手机|电脑|工作|学校|老师|室友|单位|版|入|到|租|接|任)|提车|入职|到[手货岗位家]|从[今这明下]|打今儿|往后|(?:周|月|年|学期|天|号|日)起|开始|第一(?:天|次|节|课|周|晚)|头一(?:天|次|回|节)|终于|[买入签报定][了上下]|领[到养回]|接到|升(?:到|了|初|高|职|任)|当上|考上|录取|办[了好]|上线|落户|定居|刚(?:买|换|搬|入|接|到|报|签|领|装|上)|[用开换]上|养了|怀上|领证|拿下|安顿|报[名到]|交房|接入|生了|注册|开[通户]|下单|安家|上任|转正|结婚|成了|启用|即日|自[打从]|正式|迎来',
]
const ENDS: Words = [
  String.raw`no longer|(?:do|does|am|is|are|have|has|not|nothing|never|nobody|no|can't|won't|couldn't).{0,40} any ?(?:more|longer)|no more|never again|very last|last (?:ever )?(?:day|shift|lesson|class|session|payment)|quit(?:s|ting)?|resign(?:ed|ing)|stopped|gave (?:it |them |up|away|back|in my)|giv(?:en|ing) (?:up|away|back|notice)|gave notice|cancell?(?:ed|ing)|unsubscribed|terminated|discontinued|deprecated|revoked|removed|deleted|uninstalled|archived|dropped out|withdr(?:ew|awn)|opted out|sold|got rid of|donated|dumped|threw|thrown (?:out|away)|binned|scrapped|decommissioned|died|(?:is|are|was|'s) dead(?! until| slow| easy| good| serious| on)|passed away|buried|funeral|(?:is|are|'s) off(?= ?(?:[,.;!]|$|obviously|after all|then|now|for good))|(?:is|are|was|all|has|have|'s) gone(?! to\b| from\b| up\b| down\b| on\b| through\b| well\b)|(?:is|it's|was|be|all|are|we're) over\b(?! \d)|broke (?:up|it off)|split(?: up)?|divorc(?:ed|e)|separated|call(?:ed|ing)? (?:it|the \w+) (?:off|quits|a day)|end(?:ed|ing)|(?:finished|done) with|(?:has|have)? ?clos(?:ed|ing) (?:down|for good|my|the|our)|has closed|shut (?:down|its|for good|up)|expired|laps(?:e|ed)|(?:did not|didn't|not|won't|never) renew\w*|retir(?:ed|ing)|laid off|let (?:me |him |her |us |it )?go|fired|redundant|moved (?:out|away)|rehomed|put (?:him|her|it) (?:down|to sleep)|(?:turned|switched|shut|cut) (?:it |them |everything )?off|returned (?:the|my|our|it)|sent (?:it |him |her |them )?back|hand(?:ed|ing) (?:in|back|over)|walked (?:out|away)|left (?:the|my|our|me)|packed (?:up|in|it)|pulled (?:the plug|out)|wr(?:itten|ote) off|evicted|disbanded|dissolved|came off|t(?:ook|aken|akes) (?:me|him|her|us|them) off|down to (?:one|none|the last|a single)\b|(?:is|was|stands|sits) empty|none left|nothing left|graduated|outgr[eo]wn?|cured|all clear|fully recovered|discharged|stepped (?:down|back)|farewell|goodbye|won't be (?:coming|going|doing|back|playing|using|needing|renewing)|not coming back|taken (?:away|down|off)|wound (?:up|down)|for good|(?:days|weeks|months|years) (?:without|clean|sober)`,
  '不再|再也(?:不|没)|再[没不]|从此不|不用再|(?:不|没)(?:在|住|做|干|是|用|去|养|开|喝|吃|来|上|学|订|更|写|带|教|跑|练|追|看).{0,6}了(?!吗)|(?<!受|少|忘|免|除|大|错|差|等|来|算|罢)不[^，。！？,s]{1,4}了|(?:不用|用不着|无需|不必|不需要)[^，。！？]{0,6}了|没(?:续|再|干|养|租)|没了|停(?:了|掉|用|产|更|服|药|刊|办|播)|戒(?:了|掉)|退(?:订|租|了|掉|出|学|休|役|群|会|房|货|款|伙|社|圈|还)|辞(?:了|职|掉|去)|离(?:职|婚|了|开|队)|分手|散(?:了|伙)|分(?:了|开了|居)|(?<![染变发焦烤枯熏煎放泛蜡叶手])黄了|吹了|卖(?:了|掉|给|出)|送(?:人|走|给|出去)|扔(?:了|掉)|丢(?:了|掉)|死(?:了|掉)|走了|去世|过世|倒闭|关(?:了|门|停|张|掉)|注销|销[号户了卡]|删(?:了|掉|除)|卸(?:了|载|掉)|解(?:散|绑|约|除|聘|雇)|取消|到期|过期了|作废|完结|结[束业清]|下[架线岗]|被(?:裁|辞|开除|偷|撤)|裁(?:了|员)|交(?:了|还)|还(?:了|给|回|清)|过户|报废|断(?:了|更|供|联|舍)|放弃|撤(?:了|掉|回)|搬[走出]|转[让手卖]|处理掉|出掉|拆了|收摊|歇[业了]|闭店|清空|送回|没有了|(?:就|只)剩(?:下)?[一1](?:只|个|条|台|辆|家|口)|不在了|告别|弃(?:了|坑|用)|痊愈|康复|出院|付清|脱手|封存|失业|失效|挂失|最后一(?:天|次|节|课|班|顿|支|根|杯)|(?:下|摘|干|砍|去|拔|拆|废)掉|(?<!刚|没|大学|快要?)毕业(?!于|设计|论文|照|季|证|典礼|后|那|时|院校|以后|了?就|找)',
]
const CORRECTS: Words = [
  String.raw`(?<!\w )actually,? (?:it|it's|the|that|my|his|her|he|she|is|they|not|we|i'm|our)|actually (?:is|was|are|called)|correction|i meant|meant to (?:say|write|type)|i (?:was|am|had|must have|got|have) .{0,14}wrong|i (?:just |have |'ve )?(?:double[- ])?checked|checked again|look(?:ed)? (?:it up|again)|,? sorry[.!]?$|^sorry,|no,? wait|wait,? no|ignore (?:me|what|that|my)|oops|whoops|scratch that|strike that|turn(?:s|ed) out|to be precise|should (?:be|have (?:said|been))|not \S{1,40}(?: \S{1,40}){0,3},? (?:but|it's|it is)|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d\S{0,20}), not (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d)|had (?:another|a closer|a proper|a second) look|no \w+,? (?:it is|it's|he is|he's|she is|she's)|^not (?:on |at |the )*\d|no,|never was|it was never|after all|the other way r?a?round|i (?:keep|kept) (?:saying|writing|getting)|thinking of|autocorrect|(?:tells|told|reminds|reminded) me (?:he|she|it|they)|says here|it says|some(?:body|one) else's|strictly speaking`,
  '其实(?!.{0,3}(?:喜欢|爱|想|讨厌|烦|怕|习惯))|实际(?:上)?是|应该是|应为|准确(?:地|点)?(?:说|讲)|严格讲|不是.{1,10}[，,]?(?:而|是)|不对|原来(?:是|叫|不|人家)|明明|才对|才发现|才知道|误会|查了(?:一下)?|核[实对]|仔细看|再看|一看才|刚(?:才)?(?:说|写|发)的|上[次回](?:说|写|告诉)|是我(?:记|搞|弄|看|说)|把.{1,8}当成|不[叫姓]|并不是|才不是|压根|输入法|多打|少打|漏了',
]
/** The mistake itself is named; "actually" and 其实 alone name none. */
const MISTAKEN: Words = [
  String.raw`mis(?:read|heard|typed|spoke|remembered|counted|spelt|spelled|calculated|took)|meant|informs? me|informed me|ignore me|sa(?:y|id|ying) the wrong|some(?:body|one)? ?(?:other|else)\S*(?: \w+)?(?:'s)? (?:chart|file|results?|letter|account|invoice|bill|name|report)|false alarm|not mine after all|(?<!always |never |keep |often |you |when |if )(?:(?:was|am|were|got|get|had|wrote|said|typed|told you|gave you|counted|got (?:it|that|his|her|the \w+)|it|that|name|date|one|number|day|address) (?:all |completely |quite )?wrong|wrong (?:about|by|day|date|number|name|way|one|all))|(?:by|with|at|reading|using|quoting|the) the wrong|mix(?:ed|ing) (?:\w+ ){0,3}up|mistake|typo|correct(?:ion|ed)|confus(?:ed|ing)|stand corrected|backwards|(?:looked|read|checked) .{1,40} again|not (?:on |at |the )*\d[^,]*, `,
  '[说记写看打搞弄听认填拿送抓背抄念数]错|[记搞弄看认][混岔反串]|错了|有误|更正|纠正|订正|改正|口误|笔误|手滑|虚惊|误诊|乌龙(?!茶)|张冠李戴|别人的(?:报告|单子|结果|片子)',
]
const PAST: Words = [
  String.raw`used to|when (?:i|we|he|she|they) (?:had|was|were|lived|worked|owned|rented|shared|kept|drove|stayed|studied|played|smoked|ran the)|back (?:in|when|then)|as (?:a|an) (?:kid|child|boy|girl|teen|teenager|student|youngster|undergrad|junior|trainee)|(?:years?|decades?|ages|a lifetime) (?:ago|before|back|earlier)|in my (?:\w+ )?(?:20s|30s|twenties|thirties|youth|teens|childhood|student days|previous|old|former|last|younger)|back in (?:my|our|his|her) \w+ days|in (?:my|our) \w+ days|in my day|for a (?:while|time) (?:there )?(?:i|we)|there was a time|die-?hard \w+ (?:man|woman|fan|user) for|previously|formerly|once (?:lived|worked|had|was|upon|played|drove|owned)|in (?:the )?(?:19|20)\d\d(?:s)?|in the (?:eighties|nineties|noughties|80s|90s)|growing up|at (?:\w+ )?(?:uni|university|school|college),? (?:i|we|everybody|everyone|all|they|my|the)|in the (?:first|early|original|initial) (?:version|days|release|years)|before (?:that|this|i(?! forget)|we|any|the kids|uni),? ?|originally,? (?:we|it|i) (?:used|had|ran|was)|long (?:ago|before)|in those days|at the time|in a (?:past|previous|former) (?:life|job|role)|my (?:very )?first(?: \w+)? was|remember when|childhood|(?:i|we|he|she|they) (?:lived|worked (?:as|at|for|in)|drove an?|owned an?|studied (?:at|in)|played (?:the|for)) .{1,60}(?:for (?:a|two|three|four|five|six|ten|\d+|some|many|several|about|nearly|almost)\b|once|years|then|back|until|till|before|when|after)|at (?:\d\d|eighteen|nineteen|seventeen|sixteen|fifteen|twenty\S*|thirty) i|(?:straight|just|right|fresh) (?:after|out of) (?:uni|university|school|college)|gap year|(?:student|summer|holiday|my first) job|(?:an?|\w+) (?:life|lifetime|era|decade|marriage)s? ago|my (?:old|former|previous) \w+ (?:was|were|had)|for years (?:i|we|before)`,
  '(?<!没|未|不|没有|从没|从来没)(?:(?<![经通超路])[^\\s，。不没过经通超刚]过)(?!敏|期|户|程|分|于|年|节|夜|生|来|去|得|不|几|两|一|瘾|滤|重|时|后|头|场|完|关|街|桥|马|火|门|眼|了|目)|(?:(?:以前|之前)(?!跟|和|对|说|写|记|报|给|发|讲|填|那个|的[^，。]{1,6}(?:错|不对))|从前|过去(?!了)|曾经|曾|当年|当初|小时候|年轻(?:时|的时候|那)|那(?:会儿|时候|时|几年|两年|阵子|年头)|前些年|早年|早些年|原先|刚毕业|(?:上学|读书|大学|高中|初中)的?(?:时|那会|那几年|那三年|期间)|(?:\\d{1,4}|[一二三四五六七八九十两几好多]{1,4})年前|(?<!\\d)(?:19|20)\\d\\d ?年(?:的时候|那会|那阵|在|我|去|还|时)|[零一]\\w年那|老早|[头前]几年|早先|想当年|人生(?:中)?(?:的)?第一|头一(?:辆|台|部|份)|有(?:一)?(?:阵子|段时间)|前妻|前夫|前男友|前女友|最早|很久以前|在校时|(?:最早|最初|一开始|起初|原来)(?:那版|的版本|用的|那会)|第一(?:辆|台|部|份|任)|上一份|[上前]家|前公司|前东家|还在念|还是学生)',
]
const ADDS: Words = [
  String.raw`also|too\b(?! (?:much|many|long|late|slow|big|small|expensive|hard|far|old|noisy|heavy))|as well|besides|in addition|another|plus|on top of|alongside|second (?:job|phone|car|cat|dog|language|instrument|one|home|bike|laptop|child)|additionally|in the evenings?|(?:on|at) (?:the )?(?:weekends|saturdays|sundays)|on the side|sometimes|both|the other one|next to the|learn(?:t|ed|ing)|side (?:gig|job)|part[- ]time|passed|occasionally|as an? (?:extra|spare|backup|second)|spare|extra|(?:a|my) second|two of|(?:one )?more:?|(?:i|we|and) still|still (?:have|use|keep|play|work|go)|ke(?:ep|pt|eping) the|not giving up|for the (?:kids|weekend|evenings?)|addition|sibling for|company for|friend for|moonlight\w*|apart from|beside the|added`,
  '也(?!许|不知|没|算)|还(?:有|会|养|买|用|学|兼|想要|接|带|玩|吃|喝|练|订|备|在)|另[外有]?|再(?:加|养|学|买|来|添)|外加|顺便|兼(?:职|着|任|做)?|同时|除了|之外|第二(?:只|个|辆|台|门|份|把|部|套)|又(?:养|买|学|开|多|加|接|报|领|添|收|认)|多了?(?:一|个|只)|加上|偶尔|有时|周末(?:就|我|会|再|去|做|在|兼|跑)|晚上(?:就|我|改|再)|学会|考过|过了|副业|添了|[两都]个?都|一起用|其他|平时.+(?:周末|下雨)|雨天|都(?:用|吃|喝|学|会|有|养)|备用|又一|[作做]伴|搭着|配着|[轮换]着|交替|捎带|额外|业余|还是(?:留着|用着|在用)|照样|仍然|没丢|(?:老|原来)的(?:也|还)|拿到了?.{0,10}证',
]
const HEDGED: Words = [
  `i think|i guess|maybe|perhaps|probably|possibly|i believe|not sure|might be|kind of|sort of|i suppose|apparently|seems|if i remember|afaik|iirc|around|roughly`,
  '好像|可能|也许|大概|应该(?!是)|似乎|估计|说不定|貌似|八成|印象中|记不太清|没记错|差不多',
]
const UNREAL: Words = [
  String.raw`^(?:if|suppose|imagine|what if|let's say|say i|hypothetically|assuming|pretend)\b|\bif (?:i|we|my|she|he|they)\b|hypothetically|i wish|i'd (?:love|like)|would (?:be|love|like|have|rather)|i hope|hoping|(?:thinking|dreaming) (?:of|about)|considering|tempted|might (?:move|switch|buy|get|try|change|quit|leave)|(?<!not |n't )want(?:ed|s)? to(?! know)|going to (?:look|try|think)|planning to|someday|one day|should i|could i|heard (?:that|about)|they say|people say|rumou?r|read (?:that|somewhere|about)|supposedly|in the (?:novel|game)|in my (?:novel|dream)|for example|e\.g\.|quote|some (?:say|people)|as a joke|kidding|(?<!(?:have|has|'ve|'s|is|are|am|'m|was|were|be|get|got|getting) )(?:almost|nearly) (?:${IRREGULAR_PAST}|quit|cut|put|[a-z]{2,20}ed)|(?:(?<!(?:have|has|'ve|'s) )tried|plan(?:s|ned)|offer(?:s|ed)|threaten(?:s|ed)|ask(?:s|ed)|thought about) (?:\w+ ){0,3}?(?:to|\w+ing)|suggest(?:s|ed)|propos(?:es|ed)|(?:could|should|would)(?: have|'ve)`,
  '^(?:如果|要是|假如|假设|万一|倘若|比如)|如果|要是|假如|假设|(?<![一二两三四五六七八九十百千到要])万一|(?<!还)想(?:要|换|买|搬|去|学|养|试|辞|转|[从把])|^要不|下定?决心|打算|考虑|希望|但愿|真想|早晚|有朝一日|听说|据说|传闻|网上说|有人说|人家说|比方|开玩笑|纠结|犹豫|要不要|该不该|能不能|会不会|正在看|差一?点|建议|提议|本来(?:想|要)',
]

/** Patterns of the words of each kind. */
const CUES = {
  begins: both(BEGINS),
  replaces: both(REPLACES),
  ends: both(ENDS),
  corrects: both(CORRECTS),
  mistaken: both(MISTAKEN),
  past: both(PAST),
  adds: both(ADDS),
  hedged: both(HEDGED),
  unreal: both(UNREAL),
} as const

function both([english, chinese]: Words): RegExp {
  return new RegExp(`(?<![A-Za-z])(?:${english})(?![A-Za-z])|${chinese}`, 'i')
}

/** The kinds, in the order of the model's weights. */
export const CUE_NAMES = Object.keys(CUES) as readonly (keyof typeof CUES)[]

/** Which kinds of words stand in a sentence. */
export type Cues = Readonly<Record<keyof typeof CUES, boolean>>

/** Looks for the words of each kind. */
export function cuesOf(sentence: string): Cues {
  const plain = plainBeginning(sentence)
  return Object.fromEntries(CUE_NAMES.map((name) => [name, CUES[name].test(plain)])) as Cues
}

/** Whether its words tell of a wish, a plan, a near miss, an offer: nothing that has been carried out. */
export function isUnreal(clause: string): boolean {
  return CUES.unreal.test(plainBeginning(clause))
}

/** Whether nothing in it is said to be so: a question, a wish, a hypothesis, hearsay. */
export function tellsUnreal(sentence: string): boolean {
  return isUnreal(sentence) || asks(sentence)
}

/** Characters that are read of a whole text: an act is told in a sentence, or soon. */
const MOST_READ = 4000

function plainBeginning(text: string): string {
  return text.slice(0, MOST_READ).replaceAll('’', "'")
}

/** "I used to live in Leeds but now …", 以前…现在改成…: the past only serves to name the changed thing. */
export const NOW =
  /(?<![A-Za-z])(?:but now|now (?:i|we|it|he|she|they)|these days|nowadays|(?:i|we) now|switched|changed to|moved to .{1,20} (?:last|this|yesterday))(?![A-Za-z])|现在|如今|目前|改成|换成|后来(?:换|改|搬)/i

/** Whether it speaks of the past; the words alone decide, as every question is asked it. */
export function tellsOfPast(text: string): boolean {
  const isPast = (sentence: string): boolean => CUES.past.test(plainBeginning(sentence)) && !NOW.test(sentence)
  return splitSentences(text.slice(0, MOST_READ)).some(isPast)
}

/** "Had my first lesson with Anton." begins as a question does and ends as a statement: the full stop decides. */
export function asks(text: string): boolean {
  return isQuestion(text) && !/^(?:had|was|were|did|has|have|is|are|do|can|will)\b[^?？]*[.!]\s*$/i.test(text)
}

const ENGLISH =
  /\b(?:no longer|never|(?:do|does|did|am|is|are|was|were|have|has|had|ca|wo)n['’]?t|(?:do|does|did|am|is|are|i['’]m|we['’]re) not|not .{1,40} any ?(?:more|longer))\b/i
const CHINESE =
  /不再|(?:已经|早就|也|都)?(?:不(?!错|止|仅|但|光|知|管|过|得|同|少|久|是吧)|没有?再).{0,16}了|(?:^|我|已经|现在)不(?:是|在|住|做|干)(?!.{0,8}吗)/

export function denies(clause: string): boolean {
  return ENGLISH.test(clause) || CHINESE.test(clause)
}

const LASTING =
  /\b(?:every|each|always|usually|mostly|often|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|these days|nowadays|for now|currently|since)\b|每|平时|一直|通常|都(?:是|在|用|去|吃|喝|走|跟)|现在|目前|如今/i
const ONCE =
  /\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|weekend)|next (?:week|month|weekend|year)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|今天|今早|今晚|明天|后天|下(?:周|个?月|星期|礼拜)|(?:周|星期|礼拜)[一二三四五六日天]/i
const BYGONE_DAY =
  /\b(?:yesterday|last (?:night|week|month|weekend|year)|just (?:now|got|had|came))\b|昨|刚(?:刚|才)?|前天|去年|上(?:周|个?月|星期|礼拜)/i
const PAST_VERB = new RegExp(
  String.raw`(?<!\b(?:am|is|are|be|been|get|gets) |['’](?:m|s|re) )\b(?!(?<!\b(?:i|we|he|she|they) )(?:called|named)\b)(?:got|${IRREGULAR_PAST}|[a-z]{3,40}(?<!ne|b|f|s|fe|spe|exce|succe|proce|ind)ed)\b`,
  'i',
)
/** 了 at the end of a clause, or behind a verb with an object of one occasion; 过. */
const HAN_DONE = /[^\s，。了为太]了(?!吗|解|不)|[^经通超路]过(?:$|[，。！])/u
const HAN_ONCE = /[^经通超路]过(?:$|[，。！])/u

/** "We have a lodger called Piet": a state is told, and its verb form is no past. */
const STATE = /\b(?:am|is|are|has|have|do|does|can|im|don['’]?t)\b|['’](?:m|re|ve)\b/i

/** Whether it tells what is usual: "every day", 平时. */
export function isUsual(text: string): boolean {
  return LASTING.test(text)
}

/** true for an occasion, false for a state or a habit. */
export function happenedOnce(text: string): boolean {
  if (LASTING.test(text)) return false
  return ONCE.test(text) || BYGONE_DAY.test(text) || (hasHan(text) ? HAN_DONE.test(text) : PAST_VERB.test(text))
}

/** Whether it tells an act that is over: "was serviced in March", 昨天洗过; 租了间画室 tells what is so since. */
export function isPastAct(text: string): boolean {
  if (LASTING.test(text)) return false
  if (BYGONE_DAY.test(text)) return true
  return hasHan(text) ? HAN_ONCE.test(text) : PAST_VERB.test(text) && !STATE.test(text)
}
