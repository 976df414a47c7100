/**
 * How does a sentence stand to what it says: does it hold, begin, end, correct, lie in the past, or is it no statement
 * at all (a question, a wish, a hypothesis, hearsay)? Read from the words that people use for it in both languages.
 */
import { isQuestion } from '../../text/questions.ts'
import { splitSentences } from '../../text/sentences.ts'

/** What the words of a text say about the standing of its statement. */
export interface Stance {
  /** Something takes a place: now, switched, moved, the first day, 换成, 搬到, 入职. */
  readonly begins: boolean
  /** The change is named with what it replaces or as a change: switched, instead, 换成, 改用. */
  readonly replaces: boolean
  /** Something is over: quit, sold, no longer, 不再, 退了. */
  readonly ends: boolean
  /** A mistake is put right: actually, I meant, 说错了. */
  readonly corrects: boolean
  /** The mistake itself is named: misread, mixed up, 记错了; "actually" and 其实 alone name none. */
  readonly mistaken: boolean
  /** It was so once: used to, years ago, 以前, 小时候. */
  readonly past: boolean
  /** It comes on top: also, too, 也, 另外. */
  readonly adds: boolean
  /** Less than sure: I think, maybe, 好像. */
  readonly hedged: boolean
  /** A question, a wish, a plan, a hypothesis, hearsay: nothing that is so. */
  readonly unreal: boolean
}

const REPLACES = [
  String.raw`shift(?:ed|ing) (?:\w+ ){0,4}(?:to|over|into)|(?:took|taken) (?:his|her|their|over|the) (?:room|place|desk|job|role|seat|slot|shift)|filling in for|stepped in for|leading the|has taken on|standing in|back to the old|gone back|went back|switch(?:ed|ing)? (?:\w+ ){0,4}(?:to|from|over|back)|(?:only|just) .{1,30} now|now (?:only|just)|nothing but .{1,20} now|swap(?:ped|ping)?|replac(?:ed|es|ing)|instead|migrat(?:ed|ing|ion)|moved? (?:\w+ ){0,4}(?:to|over|into|back|from)|moving (?:\w+ ){0,4}(?:to|over|into)|we have moved|we've moved|just moved|chang(?:ed|ing)|upgraded|downgraded|rewr(?:ite|itten|ote)|ported|convert(?:ed|ing)|traded|part exchange|went (?:back )?(?:with|for|over)|renamed|rebranded|transferr?ed|reassigned|took over|takes over|taken over|(?:no|not) .{1,30}(?:any ?more|any longer|now).{0,3}(?:it is|it's|we use|i use)|from now on|as of|going forward|rather than|in favou?r of|ditched|dropped .{1,30} for|gave up .{1,30} for|left .{1,30} for|back (?:to|on|with|at) (?:\w+)|made the (?:jump|switch|move)|jumped ship|gone over to|went over to|settled on|landed on|flipped|cut over|took the place|takes the place|took the plunge|caved|goodbye .{1,30} hello|farewell .{1,30} (?:hello|hi)|out with .{1,30} in with|phased out|ripped out|torn out|sunset|is retired|retired the|no longer .{1,40} but|not .{1,30} any ?more,? .{0,10}(?:but|now)|over to|traded in|exchanged .{1,30} for|sold .{1,40} (?:bought|got)|used to .{1,60} (?:now|but)|moved (?:house|flat|in|desks|offices|schools|teams)|(?:new|different) (?:one|address|place|number) (?:is|now)|is now|are now|am now|has become|have become|rolled out|consolidated|merged into`,
  '接(?:过来|回家|回来|走|手|了过来)|把(?:我|他|她|它)?调|挪(?!用)|换(?!位|句|个说法|言之)|改(?:成|用|到|为|叫|吃|喝|走|坐|骑|去|在|学|打|养|跟|投|做|订|约|签|由|了|期|名|喂|穿|住|回)|搬(?:到|去|来|完|家|进|了|回)|转(?:到|去|用|成|岗|行|学|投|做|回|为|了|专业|至)|迁(?:移|到|去|往|至)|切(?:到|换|成|回|了|过)|重写|升级(?:到|成|了|为)|回到|又[^，。！？]{0,3}回|退回|调(?:到|去|岗|回|成)|跳(?:到|槽|去)|接手|接替|接班|代替|取代|替掉|替换|顶替|变成|不.{1,8}了.{0,3}(?:改|换)|取而代之|挪(?:到|了|去)|转战|投奔|弃.{0,10}(?:投|用|选|转)|真香|割接|改走|并(?:到|入)|归(?:到|了)|划到|移交|淘汰|弃用|全(?:部|都|面|线)?(?:用|上|走|切|换)|告别.{1,12}(?:拥抱|投|用|上|换)|(?:现在|如今|以后|往后|眼下|目前)(?:就|也)?只|只(?:敢|能)(?:吃|喝|用|走|坐|穿|住)|从.{1,12}(?:到|换|改|搬|转|跳|切|迁)(?!大|小时|头|早|来没)|变(?:了|为)|易主|轮到|改口味|改签|改约',
]
const BEGINS = [
  String.raw`first night|(?:they've|they have|have|has|'ve|'s) (?:had|got|put|stuck|moved) me (?:at|on|in|up|with)|stuck me|got (?:my|our|his|her|the) keys|(?:was|were|been|got) delivered|unboxed|(?:i'm|i am|we're|we are) settling in|induction|orientation|onboard(?:ed|ing)|passed probation|converted to|converting to|(?:just|finally) (?:put|had) .{1,30} (?:in|on|fitted|installed)|took delivery|came home (?:with|today|yesterday)|brought home|lives with us|(?:is|are) here at last|made me (?:the|a)|put in charge|in charge of|(?:have|has|'ve|'s) (?:taken|joined|started|begun|moved|bought|adopted|settled)|(?<!right |for |just |by |till |until |even |every )now(?! and| that i think| (?:plan|write|give|make|tell|show|help|suggest|explain|translate|find|list|draft)\b)|nowadays|these days|currently|at the moment|starting (?:today|tomorrow|this|next|on|from|with)|from (?:today|tomorrow|this|next|monday|tuesday|wednesday|thursday|friday)|since (?:the|a|today|yesterday|this|last|monday|january|february|march|april|may|june|july|august|september|october|november|december)|day one|(?:first|second) (?:\w+ )?(?:day|week|shift|lesson|class|session|morning|night|month|appointment|ride|drive|payslip|run|flight|visit|rehearsal|commute)|day one|(?:has |have |just )?arrived|picked (?:\w+ )?up|picked it up|(?:finally |just |have |has |'ve )(?:got|bought|ordered|adopted|signed|settled|landed|started|joined|received)|bought|signed (?:the|a|with|up|on|for)|started (?:at|as|with|on|using|my|a|working|taking|going|learning)|joined|became|am now|got (?:a|an|the|my|our|promoted|hired|engaged|married|keys|into|accepted)|brand new|new (?!year|yorker|york|zealand|orleans|jersey|delhi|to me)\w+|turned \d+|is live|went live|goes live|up and running|accepted (?:the|an|a)|unpacked|moved in|promoted|handed over to|put .{1,20} on|has me on|put me on|enrolled|brought (?:\w+ ){0,2}home|keys in hand|got the keys|it's official|officially|say hello|meet (?:my|our|the)|passed my|first time (?:at|on|with|in)|welcomed|took (?:up|on|home|delivery)|taken (?:up|on)|enrolled|registered with|signed up|opened an account|proud owner|moved|have been (?:on|at|with|using|in) .{1,20} (?:since|for a)|set up|installed|got me (?:on|onto|into)|this (?:week|month|term|year) (?:i|we)|since (?:my|our|the) (?:move|birthday|operation|promotion|divorce|wedding)|just (?:got|bought|moved|started|joined|signed|switched|picked|became|turned|finished)|started|starting|begins|began|newly|(?:i'm|i am|we're|we are|is|are) .{1,40} again|back (?:on|to|at|in)|appointed|hired|assigned|landed|now`,
  '捡(?:回|起)|重新(?:拿起|做|干|玩|练|学)|拿到(?:offer|钥匙|录取)|进组|入组|收房|住进|搬进|开张|上岗|就位|抱回|牵回|捡(?:了|回)|买回|接上了|全量|切流|迁完|换完|装上|到岗|试用期|现在|如今|目前|眼下|这会儿|新(?:的|买|换|来|公司|家|房|车|手机|电脑|工作|学校|老师|室友|单位|版|入|到|租|接|任)|提车|提了|入职|到手|到货|到家了|从今|从这|从明|从下|打今儿|往后|(?:周|月|年|学期|天|号|日)起|开始|第一(?:天|次|节|课|周|晚)|头一(?:天|次|回|节)|终于|买了|入了|入手|拿到|领到|接到|领养|领回|升(?:到|了|初|高|职|任)|签了|报了|当上|考上|录取|办了|办好|装好|装了|上线了|落户|落脚|定居|刚(?:买|换|搬|入|接|到|报|签|领|装|上)|用上|住上|开上|养了|怀上|领证|喜提|拿下|到位|安顿|报到|交房|入坑|接入|定下|定好|生了|换上|报名|注册了|开通|开户|下单|安家|上任|就任|转正|结婚|成了|启用|今起|即日起|自打|自从|(?:上|这|本)(?:周|个?月|礼拜|星期)(?:刚|才|开始|换|搬|买|入|去|起)|(?:昨天|今天|前天|昨晚|今早)(?:刚|换|搬|买|入|把|装|提|领|接|办|签|正式|起|开始|送|第一)|正式|迎来',
]
const ENDS = [
  String.raw`no longer|(?:took|had|did|played|taught|paid|smoked|drank|finished|rode|drove|gave|worked) (?:my|our|the) (?:very )?last|(?:passed|handed) on (?:the|my|our)|(?:taken|took|take) (?:\w+ )?off file|(?:is|are|were|was)? ?(?:my|our) own again|shut up shop|can stop|could stop|i'm out|that's (?:me|us) done|won't need|signed me off|(?:do|does|am|is|are|have|has)(?:n['’]?t| not) .{1,60} any ?(?:more|longer)|said goodbye|dumped|refund(?:ed)?|turned in (?:my|our|the)|cleared (?:out )?(?:my|our) (?:desk|locker|room)|leaving (?:do|party|card|drinks)|farewell (?:party|drinks|lunch)|severance|opted out|has ended|terminated|discontinued|deprecated|torn down|tore down|reverted|removed|lapse[ds]?|buried|funeral|cremated|put to rest|weaned|grown out of|retired (?:from|the|our|my)|bowed out|stood down|handed back|gave (?:it|them|him|her) (?:to|away|back)|nothing to do with .{1,20} now|washed (?:my|our) hands|sent back|taken down|took (?:it|them) down|switched off|put up for sale|changed hands|off the market|done for|kaput|packed up|conked out|beyond repair|withdr(?:ew|awn)|dropped out|deferred|pass(?:ed|ing) (?:\w+ ){1,4}on to|hand(?:ed|ing) (?:\w+ ){1,4}(?:on|over) to|flew home|moved back home|came off|struck off|stopped|paused|put (?:\w+ ){1,4}on (?:ice|hold)|mothballed|archived|(?:room|house|stable|cage|tank|kennel|desk|office) is empty|ran out(?! of)|ripped (?:it|them) out|tore (?:it|them) out|(?:did not|didn't|without) replac(?:e|ing)|(?:days|weeks|months|years) (?:without|clean|sober)|without a (?:cigarette|drink|drop|smoke)|(?:went|going|gone) (?:for|to) (?:scrap|the tip|landfill)|contract (?:ended|is up|ran out)|quits?|bowed out|wound (?:it|things) up|(?:not|n't|nothing|never|nobody|no) .{0,40}any ?more|any longer|quit(?:ting)?|resign(?:ed|ing)|handed (?:in|back)|hand(?:ing)? (?:us|them|it) .{0,8}on|gave (?:it |them |up|away|back|in my)|given (?:up|away|back)|giving up|(?:have |has |'ve |'s |just |finally )?stopped|cancell?ed|cancell?ing|unsubscribed|sold|got rid of|getting rid of|donated|threw|thrown (?:out|away)|binned|chucked|died|(?:is|are|was|'s) dead(?! until| slow| easy| good| serious| on)|passed away|(?:is|are|was|all|has|have|'s) gone(?! to\b| up\b| down\b| on\b| through\b| well\b)|(?:is|it's|was|be|all|are|we're) over\b(?! \d)|over between|broke (?:up|it off)|split(?: up)?|divorc(?:ed|e)|separated|called (?:it|the \w+) (?:off|quits|a day)|call(?:ed|ing)? it (?:off|quits)|ended|ending|finished with|done with|clos(?:ed|ing) (?:down|for good|my|the|our)|has closed|shut (?:down|its|for good)|expired|lapsed|(?:did not|didn't|not|won't|will not|never) renew\w*|deleted|uninstalled|retir(?:ed|ing|es)|laid off|let (?:me |him |her |us )?go|fired|redundant|last (?:ever )?(?:day|shift|lesson|class|session|rehearsal|payment|cigarette|drink|one)|moved out|dropped out|rehomed|put (?:him|her|it) (?:down|to sleep)|scrapped|decommissioned|retire it|(?:turned|switched|shut) (?:it |them |everything )?off|killed|never again|out of business|wound up|written off|totalled|stolen|returned (?:the|my|our|it)|sent (?:it|him|her|them) back|walked out|left (?:the|my|our) (?:job|company|firm|team|band|club|choir|group|church|board|school)|off the \w+ for good|(?:left|gone|closed|close|stopped|quit|over|shut|finished|out|moved) for good|free of|clean for|packed (?:it|that) in|pulled the plug|wrote off|evicted|disbanded|folded|dissolved|came off|(?:is|was|stands|stood|sits) empty|none left|nothing left|all gone|wiped out|no more|hung up my|threw in the towel|kicked the habit|smoke[- ]free|cold turkey|given notice|gave notice|said (?:goodbye|farewell|our goodbyes)|farewell|rip|r\.i\.p|rainbow bridge|we lost|lost (?:him|her|it|them|the|my|our)|didn't make it|stepped (?:down|back|away)|bowed out|pulled out|deleted my account|closed my account|wrapped up|graduated|moved away|outgr[eo]w[n]?|cured|all clear|fully recovered|discharged|recovered|walked away|wound down|given (?:it|her|him|them) (?:up|away)|handed (?:them|it|the|my|over)|gave (?:my|the|our)|taken away|called time|shut it|swore off|sworn off|past tense|history now|is history|not together|left (?:me|him|her|us)|packed (?:up|my|his|her)|goodbye|off the hook|on my own again|single again|without (?:it|him|her|them) now|have not .{1,30} (?:since|in)|haven't .{1,30} (?:since|in)|not .{1,20} since|slipped away|charity shop|won't be (?:coming|going|doing|back|playing|using|needing|renewing|driving)|not coming back|given to|went to (?:a|the) (?:good|new) home|let (?:it|them) (?:go|lapse|run out)|hung up|to the tip|in the bin|on ebay|for scrap|without a|off (?:it|them|the pills|the meds|the tablets)`,
  '不再|歇了|挂(?:了)?(?:闲鱼|咸鱼)|给了收废品|(?<!刚|没|大学|快要?)毕业(?!于|设计|论文|照|季|证|典礼|后|那|时|院校|以后|了?就|找)|(?:就|只)剩(?:下)?我|剩我一个|停了吧|不用再|埋(?:在|到)|钥匙(?:都|也)?交|金盆洗手|洗手不干|不(?:在|住|做|干|是|用|去|养|开|喝|吃|喜欢|爱).{0,14}了(?!吗)|掰了|闹掰|断交|拉黑|退(?:还|款|押金)|结业|关张|清仓|报停|停机|销卡|剪卡|不续|送走了|火化|安乐死|埋(?:了|在)|安葬|走失|收拾(?:东西|行李)走|欢送|散伙饭|最后一班|收官|(?:下|摘|干|砍|去|拔|撤|拆|删|废|停)掉|废(?:弃|了)|弃用|移除|归档|出师|(?:不用|用不着|无需|不必|不需要)[^，。！？]{0,6}了|停用|下架|收摊|关停|(?:不|没)(?:更|写|带|教|养|住|跑|练|追|看)了|盘(?:出去|掉|给)|转让|清了账|(?:不|没)(?:来|做|干|去|上|用|吃|喝|学|订|养)了|辞(?:了|去|掉)|回(?:国|省队|总部)了|再也(?:不|没)|(?<!受|少|忘|免|除|大|错|差|等|来|算|罢)不[^，。！？,s]{1,4}了|没(?:续|再|干|养|租)|没了|停(?:了|掉|用|产|更|服|药|刊|办|播)|戒(?:了|掉)|退(?:订|租|了|掉|出|学|休|役|群|会|房|货|款|费|伙|社|圈|役)|辞(?:了|职|掉)|离(?:职|婚|了|开|队)|分手|散(?:了|伙)|分(?:了|开了|居)|黄了|吹了|崩了|卖(?:了|掉|给|出)|送(?:人|走|养|给|出去)|扔(?:了|掉)|丢(?:了|掉)|弄丢|死(?:了|掉)|走了|去世|过世|没扛住|没撑住|没熬过|没挺过|没救过来|倒闭|关(?:了|门|停|张|掉)|注销|销(?:号|户|了)|删(?:了|掉|除)|卸(?:了|载|掉)|解(?:散|绑|约|除|聘|雇)|取消|到期|过期了|作废|完结|结束|拿到毕业证|下(?:架|线|岗)|被(?:裁|辞|开除|偷|撤)|裁(?:了|员)|(?:工牌|门禁卡?|钥匙|门卡)(?:都|也)?(?:交|还)|交(?:了|还)?(?:工牌|门禁|钥匙)|还(?:了|给|回)|过户|报废|拉倒|断(?:了|更|供|联|舍)|放弃|撤(?:了|掉|回)|搬走|搬出|枯(?:了|死)|跑了|放生|转让|转手|转卖|处理掉|出掉|出给|砸了|烧了|拆了|不干了|收摊|歇业|告吹|闭店|清空|送回|没有了|再没|不在了|(?:喵|汪)星|告别|拜拜|再见了|散伙|收手|弃(?:了|坑|养)|翻篇|痊愈|康复|拆线|出院|拆石膏|交接完|搬空|结清|还清|付清|到头了|没戏|凉了|脱手|出了|挂(?:闲鱼|咸鱼)|一别两宽|没养(?:活|住)|各走各|一个人了|清零|封(?:盘|存)|下岗|失业|黄掉|解约|失效|停卡|挂失|丢失|没(?:保住|挺过|留住|活)|再不|从此不|彻底不|早(?:就)?不|早没|好久不|好久没|多久没|不.{1,6}已经|最后一(?:天|次|节|课|班|顿|支|根|杯)',
]
const CORRECTS = [
  String.raw`sa(?:y|id|ying) the wrong|(?:some|somebody|someone) (?:other|else)\S*(?: \w+)?(?:'s)? (?:chart|file|results?|letter|account|invoice|bill|name|report)|false alarm|not mine after all|(?<!\w )actually,? (?:it|it's|the|that|my|his|her|he|she|is|they|not|we|i'm|our)|actually (?:is|was|are|called)|correction|i meant|meant to (?:say|write|type)|mis(?:read|heard|typed|spoke|remembered|counted|spelt|spelled|calculated|took|understood)|mix(?:ed|ing) (?:\w+ ){0,3}up|my (?:mistake|bad|error)|i (?:was|am|had|must have|got|have) .{0,14}wrong|wrong (?:about|by|day|date|number|name|way round)|got .{1,20} wrong|wrongly|^not (?:on |at |the )*\d|(?:looked|read|checked) .{1,40} again|(?:i|we) (?:just |have |'ve )?(?:double[- ])?checked|,? sorry[.!]?$|informs me|informed me|(?:tells|told|reminds|reminded|says to) me (?:he|she|it|they|that it)(?:'s| is| are)?|ignore me|typo|oops|whoops|sorry,|scratch that|strike that|not what|turns out|turned out|told (?:me|us) off|laughed at (?:me|us)|checked again|double[- ]checked|looked again|look(?:ed)? it up|to be precise|should (?:be|have (?:said|been))|i said|as i said it|not \S+(?: \S+){0,3},? (?:but|it's|it is)|no,|never was|it was never|looking at .{1,20} (?:it's|it is)|corrected me|set me straight|put me right|i stand corrected|had it backwards|the other way r?a?round|not .{1,25} like i (?:said|told|wrote)|ignore (?:what|that|my)|forget what i said|i told you .{1,40} but|that was (?:wrong|last|for|the old|my)|i confused|confus(?:ed|ing)|off by (?:one|two|three|a|an|\d+)|fat[- ]fingered|autocorrect|i keep (?:saying|writing|getting)|must have been thinking of|was thinking of|rather,|i lied|brain fart|looking at it again|says here|it says|on the (?:ticket|invoice|letter|form|label) it`,
  '(?:说|记|写|看|打|搞|弄|听|认|填|念|读|讲|算|数|发|报|传|拿|送|抓|背|抄|贴)(?:错|岔|反|混|串)|虚惊一场|误诊|乌龙(?!茶)|看串|串行|别人的(?:报告|单子|结果|片子)|错了|弄错|有误|更正|纠正|订正|改正|勘误|其实|实际(?:上)?是|应该是|应为|准确(?:地|点)?(?:说|讲)|不是.{1,10}[，,]?(?:而|是)|不对|口误|笔误|手滑|手误|原来(?:是|叫|不|人家)|明明|骂我|笑我|纠错|才对|才发现|才知道|误会|查了(?:一下)?|核实|核对|改口|仔细看|再看|一看才|张冠李戴|记岔|看走眼|眼花|脑子.{0,4}(?:糊涂|抽|乱)|前面(?:说|那)|刚(?:才)?(?:说|写|发)的|上次(?:说|写|告诉)|上回(?:说|写|告诉)|是我(?:记|搞|弄|看|说)|把.{1,8}当成|当成了|不叫|不姓|没那么|并不是|哪(?:里)?是|才不是|压根|自动更正|输入法|多打|少打|漏了',
]
const PAST = [
  String.raw`used to|when (?:i|we|he|she|they) (?:had|lived|worked|owned|rented|shared|kept|drove|stayed|studied|played|smoked|ran the)|back (?:in|when|then)|when i was|when we were|as (?:a|an) (?:kid|child|boy|girl|teen|teenager|student|youngster|undergrad|junior|trainee)|(?:years?|decades?|ages|a lifetime) (?:ago|before|back|earlier)|in my (?:\w+ )?(?:20s|30s|twenties|thirties|youth|teens|childhood|(?:i|we|he|she|they) (?:lived|worked (?:as|at|for|in)|drove an?|owned an?|studied (?:at|in)|played (?:the|for)) .{1,60}(?:for (?:a|two|three|four|five|six|ten|\d+|some|many|several|about|nearly|almost)\b|once|years|then|back|until|till|before|when|after)|lived in .{1,40} (?:for|after|before|once)|at (?:\d\d|eighteen|nineteen|seventeen|sixteen|fifteen|twenty\S*|thirty) i|(?:straight|just|right) (?:after|out of) (?:uni|university|school|college)|after (?:uni|university|college|school|graduation) i?|gap year|student job|summer job|holiday job|my first job|(?:an?|\w+) (?:life|lifetime|era|decade|marriage)s? ago|student days|previous|old|former|last|younger)|previously|formerly|once (?:lived|worked|had|was|upon|played|drove|owned)|in (?:the )?(?:19|20)\d\d(?:s)?|in the (?:eighties|nineties|noughties|80s|90s)|growing up|at (?:uni|university|school|college) (?:i|we|everybody|everyone|all|they|my|the)|in the (?:first|early|original|initial) (?:version|days|release|years)|before (?:that|this),? (?:i|we|he|she)|originally,? (?:we|it|i) (?:used|had|ran|was)|long ago|long before|before (?:that|this|i|we|any|the kids|uni)|in those days|at the time|in a (?:past|previous|former) life|in (?:a|my) (?:past|previous) (?:job|life|role)|my first (?:job|car|phone|flat|bike|laptop|dog|computer) was|i grew out|remember when|childhood|(?:i|we|he|she|they) (?:lived|worked (?:as|at|for|in)|drove an?|owned an?|studied (?:at|in)|played (?:the|for)) .{1,60}(?:for (?:a|two|three|four|five|six|ten|\d+|some|many|several|about|nearly|almost)\b|once|years|then|back|until|till|before|when|after)|lived in .{1,40} (?:for|after|before|once)|at (?:\d\d|eighteen|nineteen|seventeen|sixteen|fifteen|twenty\S*|thirty) i|(?:straight|just|right) (?:after|out of) (?:uni|university|school|college)|after (?:uni|university|college|school|graduation) i?|gap year|student job|summer job|holiday job|my first job|(?:an?|\w+) (?:life|lifetime|era|decade|marriage)s? ago|mis?spent youth|my (?:old|former|previous) \w+ (?:was|were|had)|fresh out of|for years (?:i|we|before)`,
  '(?<!没|未|不|没有|从没|从来没)(?:(?<![经通超路])[^\\s，。不没过经通超]过)(?!敏|期|户|程|分|于|年|节|夜|生|来|去|得|不|几|两|一|瘾|滤|重|时|后|头|场|完|关|街|桥|马|火|门|眼|了|目)|(?:(?:以前|之前)(?!跟|和|对|说|写|记|报|给|发|讲|填|那个|的[^，。]{1,6}(?:错|不对))|从前|过去(?!了)|曾经|曾|当年|当初|小时候|年轻(?:时|的时候|那)|那(?:会儿|时候|时|几年|两年|阵子|年头)|前些年|早年|早些年|原先|刚毕业|上学(?:时|那会)|读书(?:时|那会)|大学(?:时|那会|那几年|期间)|高中(?:时|那会|那三年)|初中(?:时|那会)|(?:\\d+|[一二三四五六七八九十两几好多]+)年前|(?<!\\d)(?:19|20)\\d\\d ?年(?:的时候|那会|那阵|在|我|去|还|时)|[零一]\\w年那|老早|头几年|前几年|早先|想当年|最早|很久以前|在校时|(?:最早|最初|一开始|起初|原来)(?:那版|的版本|用的|那会)|第一(?:辆|台|部|份|任)|大学时|上一份|上家|前公司|前东家|还在念|还是学生)',
]
const ADDS = [
  String.raw`also|too\b(?! (?:much|many|long|late|slow|big|small|expensive|hard|far|old|noisy|heavy))|as well|besides|in addition|another|plus|on top of|alongside|second (?:job|phone|car|cat|dog|language|instrument|one|home|bike|laptop|child)|additionally|in the evenings?|on weekends|at weekends|on the side|sometimes|when it rains|both|for work i|the other one|next to the|learning|side gig|side job|passed (?:the|my)|occasionally|as an? (?:extra|spare|backup|second)|spare|extra|a second|my second|two of|one more|more than one|and i still|still (?:have|use|keep|play|work|go)|keeping the|kept the|not giving up|for the (?:kids|weekend|evenings?)|at weekends|on (?:saturdays|sundays|weekends)|joining the first|a new addition|sibling for|company for|friend for|side|moonlight\w*|part[- ]time|picked up some|learnt|learned|passed|apart from|beside the|added|adopted a second|more:`,
  '也(?!许|不知|没|算)|还(?:有|会|养|买|用|学|兼|想要|接|带|玩|吃|喝|练|订|备|在)|另外|再(?:加|养|学|买|来|添)|外加|顺便|兼(?:职|着|任|做)?|同时|除了|之外|第二(?:只|个|辆|台|门|份|把|部|套)|又(?:养|买|学|开|多|加|接|报|领|添|收|认)|多了(?:一|个|只)|加上|偶尔|下雨天|有时|周末(?:就|我|会|再)|晚上(?:就|我|改|再)|学会|考过|过了|副业|添了|两个都|一起用|另一|其他|平时.+(?:周末|下雨)|雨天|两(?:个|只|台|辆|部|份|边)都|都(?:用|吃|喝|学|会|有|养)|备用|多一(?:个|只|份|台|门)|又一|作伴|做伴|给.{1,4}作伴|搭着|配着|轮着|换着|交替|捎带|额外|兼着|周末(?:去|做|在|兼|跑)|业余|还是(?:留着|用着|在用)|照样|仍然|没丢|老的(?:也|还)|原来的(?:也|还)|拿到了?.{0,10}证',
]
const HEDGED = [
  `i think|i guess|maybe|perhaps|probably|possibly|i believe|not sure|might be|kind of|sort of|i suppose|apparently|seems|if i remember|afaik|iirc|around|roughly`,
  '好像|可能|也许|大概|应该(?!是)|似乎|估计|说不定|貌似|八成|印象中|记不太清|没记错|差不多',
]
const UNREAL = [
  String.raw`^(?:if|suppose|imagine|what if|let's say|say i|hypothetically|assuming|pretend)\b|\bif (?:i|we|my|she|he|they)\b|hypothetically|i wish|i'd (?:love|like)|would (?:be|love|like|have|rather)|i hope|hoping|(?:i'm |am |we're |are )?(?:thinking|dreaming) (?:of|about)|considering|tempted|might (?:move|switch|buy|get|try|change|quit|leave)|(?<!not |n't )want(?:ed|s)? to(?! know)|going to (?:look|try|think)|planning to|someday|one day|should i|could i|heard (?:that|about)|they say|people say|rumou?r|read (?:that|somewhere|about)|supposedly|in the novel|in the game|for example|e\.g\.|quote|some (?:say|people)|as a joke|kidding`,
  '^(?:如果|要是|假如|假设|万一|倘若|比如)|如果|要是|假如|假设|万一|(?<!还)想(?:要|换|买|搬|去|学|养|试|辞|转)|打算|考虑|希望|但愿|真想|早晚|有朝一日|听说|据说|传闻|网上说|有人说|人家说|比方|开玩笑|纠结|犹豫|要不要|该不该|能不能|会不会|正在看',
]

const RULES = {
  replaces: both(REPLACES),
  begins: both(BEGINS),
  ends: both(ENDS),
  corrects: both(CORRECTS),
  past: both(PAST),
  adds: both(ADDS),
  hedged: both(HEDGED),
  unreal: both(UNREAL),
} as const

const MISTAKEN =
  /\b(?:mis(?:read|heard|typed|spoke|remembered|counted|spelt|spelled|calculated|took)|meant|informs? me|informed me|ignore me|wrong one|sa(?:y|id|ying) the wrong|(?:some|somebody|someone) (?:other|else)\S*(?: \w+)?(?:'s)? (?:chart|file|results?|letter|account|invoice|bill|name|report)|false alarm|not mine after all|^not (?:on |at |the )*\d|(?:looked|read|checked) .{1,40} again|(?<!always |never |keep |often )(?:(?:was|am|were|got|get|had|wrote|said|typed|told you|gave you|counted|got (?:it|that|his|her|the \w+)|it|that|name|date|one|number|brother|sister|day|address) (?:all |completely |quite )?wrong|wrong (?:about|by|day|date|number|name|way|one|all))|(?:by|with|at|reading|using|quoting|the) the wrong|mix(?:ed|ing) (?:\w+ ){0,3}up|mistake|typo|correct(?:ion|ed)|confus(?:ed|ing)|told me off|stand corrected|backwards)\b|[说记写看打搞弄听认填拿送抓背抄]错|虚惊一场|误诊|乌龙(?!茶)|看串|串行|别人的(?:报告|单子|结果|片子)|错了|有误|更正|纠正|订正|改正|口误|笔误|手滑|记岔|搞混|弄混|记混|张冠李戴|骂我|笑我/i
/** "I used to live in Leeds but now …", 以前…现在改成…: the past only serves to name what has changed. */
const NOW =
  /(?<![A-Za-z])(?:but now|now (?:i|we|it|he|she|they)|these days|nowadays|(?:i|we) now|switched|changed to|moved to .{1,20} (?:last|this|yesterday))(?![A-Za-z])|现在|如今|目前|改成|换成|后来(?:换|改|搬)/i

/** Reads the standing of a text: what any of its sentences that says something does. */
export function stanceOf(text: string): Stance {
  const sentences = splitSentences(text).map(stanceOfSentence)
  const real = sentences.filter(({ unreal }) => !unreal)
  if (sentences.length === 1 || real.length === 0) return sentences[0] ?? stanceOfSentence(text)
  const some = (flag: keyof Stance): boolean => real.some((stance) => stance[flag])
  const newsBeside = real.some((stance) => !stance.past && (stance.begins || stance.ends || stance.corrects))
  return {
    replaces: some('replaces'),
    begins: some('begins'),
    ends: some('ends'),
    corrects: some('corrects'),
    mistaken: some('mistaken'),
    past: some('past') && !newsBeside,
    adds: some('adds'),
    hedged: some('hedged'),
    unreal: false,
  }
}

/** Something began, ended or was put right, and it is no tale of the past. */
export function tellsOfChange(text: string): boolean {
  const { begins, ends, corrects, past } = stanceOf(text)
  return (begins || ends || corrects) && !past
}

function stanceOfSentence(text: string): Stance {
  const plain = text.replaceAll('’', "'")
  const replaces = RULES.replaces.test(plain)
  const mistaken = MISTAKEN.test(plain)
  return {
    replaces,
    begins: replaces || RULES.begins.test(plain),
    ends: RULES.ends.test(plain),
    corrects: mistaken || RULES.corrects.test(plain),
    mistaken,
    past: RULES.past.test(plain) && !NOW.test(plain),
    adds: RULES.adds.test(plain),
    hedged: RULES.hedged.test(plain),
    unreal: RULES.unreal.test(plain) || asks(plain),
  }
}

/** "Had my first lesson with Anton." begins as a question does and ends as a statement: the full stop decides. */
function asks(text: string): boolean {
  return isQuestion(text) && !/^(?:had|was|were|did|has|have|is|are|do|can|will)\b[^?？]*[.!]\s*$/i.test(text)
}

/** English alternatives stand between word borders, Chinese ones anywhere. */
function both([english, chinese]: readonly string[]): RegExp {
  return new RegExp(`(?<![A-Za-z])(?:${english})(?![A-Za-z])|${chinese}`, 'i')
}
