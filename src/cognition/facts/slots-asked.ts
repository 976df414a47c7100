/**
 * In which further words is an attribute asked for, although neither its name nor a value of it is used ("靠什么吃饭" is about
 * the job, "who am I seeing" about the partner)? Hardly anybody uses them in a statement. `slot | English | Chinese`.
 */
export const ASKED_WORDS = `
name|what am i called, how am i called, what should you call me, how do i sign, who am i|怎么称呼 我是谁 该叫我 姓甚名谁
age|how old am i, how many years am i, my age|几岁 多大年纪 多大岁数 哪年的 属什么
birthday|when was i born, date was i born, when do i turn, when should you congratulate, celebrate my birthday|哪天出生 什么时候出生 哪天过生日 几号生日 几月几号生
home|where do i sleep, where is home, where's home, whereabouts am i, where am i these days, where have i settled, what city am i, which city am i, which village, which borough, which district, which street, which floor do i, where would a parcel, where do letters, where should a parcel, where do i stay, town am i in, place do i call home, roof over my head|在哪儿住 在哪住 住在哪 住在什么 搬到哪 搬去哪 现在在哪个城市 哪个小区 哪座城 哪条街 几楼住 寄到哪 寄哪里 快递寄 落脚在哪 家在哪 家住 睡在哪 窝在哪
hometown|where are my people from, where do i originally, which town am i from, where am i from|从哪里来 哪里出生 老家在 祖籍在 根在哪
rent|what does the flat cost, how much is the flat, pay each month for the, pay a month for the, who owns the flat, what does my room cost|房子多少钱 房租交 每月交多少 一个月交 房子是谁的
flatmate|who else lives, who shares, who do i share, sharing with, live alone, lodger, tenant, tenants|和谁合住 跟谁合住 租客 房客 屋里还有谁 家里还有谁 还有谁住
partner|am i single, am i seeing, am i dating, who am i seeing, am i engaged, am i getting married, is there somebody, is there someone, do i have a boyfriend, do i have a girlfriend, whom am i with, who is the love, other half|有对象吗 有没有对象 还单着 单身吗 谈着吗 跟谁谈 另一半 结婚了吗 要结婚 嫁了吗 娶了吗 枕边人 感情状况
child|am i a parent, am i a mother, am i a father, children do i have, kids do i have, how many children|几个孩子 有孩子吗 几个娃 有娃吗 有没有孩子 孩子多大 孩子几岁
pet|animals do i have, animals live, which animal, what animal, what animals, four-legged, furry, who do i walk, what breed, breed is my, have a dog, have a cat, cats do we have, dogs do we have|养什么 养着什么 养了什么 还养 什么动物 小动物 毛孩子 几只猫 几条狗 是公是母 什么品种
plants|what grows, what am i growing, in the garden, green on my|种什么 种着什么 种了什么 养什么花 阳台上
phone|what do i call with, device do i call, model of phone, which handset|拿什么打电话 什么牌子的手机 手机是什么 哪款手机
phone_number|how can you reach me, how do you reach me, which number, what number, how do people ring|怎么联系我 打哪个号 哪个号码 几号能找到我 怎么打给我
computer|what do i type on, what do i work on, machine do i use, which laptop, which computer|什么机器 哪台机器 用什么电脑 干活用的 什么本
car|what am i driving, what do we drive, which car, whats on the drive, what do i get around in, which vehicle|开什么 开的什么 什么牌子的车 车是什么 哪辆车 座驾
bike|what do i cycle|骑什么 骑的什么
commute|how do i get there, how do i travel, get to the office, get to work, when do i leave, when do i set off, which train, which bus, which tram, which line do i|怎么去 怎么去公司 怎么上班 坐几路 坐什么去 几点出门 骑什么上班 路上多久 几号线
gym|where do i sweat, where do i lift, where do i exercise|在哪健身 在哪练 去哪锻炼 哪家健身房
sport|what do i play, keep fit, how do i keep fit, which sports, what exercise, what sport, do i run, do i swim, still run, still swim|什么运动 做哪些运动 练什么 怎么锻炼 还跑步 还游泳 打什么球 锻炼吗
instrument|what do i practise, what do i play in the, musical, music do i make, instrument|什么乐器 会什么乐器 弹什么 吹什么 拉什么琴 练什么琴
hobby|do in my free time, my evenings, pastime, what do i make, what do i collect, still do pottery|业余 闲了干什么 爱好 兴趣 消遣 周末干什么 还玩
book|what am i reading, on my bedside|在读什么 看什么书
series|what am i watching, watch in the evenings|在看什么剧 追什么
game|what do i play on, what am i playing|玩什么 什么游戏
streaming|what am i subscribed, which subscriptions, what do i pay for every|订阅了什么 付费用着 开了什么会员 会员
newspaper|what do i get through the letterbox, which paper, which magazine|订了什么 订着什么 看什么报
bank|where is my money, where does my salary, where do my wages, who do i bank, which card, my account|哪家银行 什么银行 工资发到 钱存 工资卡 打到哪
savings|what am i saving|攒钱 存钱
diet|what do i eat, can i eat, what can't i eat, may i eat, what don't i eat, am i vegan, am i vegetarian, what should you cook, cook for me, what to cook, suggest for dinner, suggest a dinner, suggest for lunch, a dinner for me, which food, which foods, which herb, which vegetable, which fruit, dish for me, order for me|吃什么要注意 吃什么 忌口 不能吃 能吃 不吃什么 讨厌吃 爱吃 点外卖 点菜 给我做饭 还吃素 请我吃饭 吃饭注意
allergy|what makes me sneeze, makes me itch, what can't i have, what should i stay away|对什么过敏 过敏 碰不得 不能碰
drink|what do i order, what do i drink, which drink, brew, what should you pour, in my cup, in my mug|喝什么 泡什么 点什么喝 平时喝 杯子里
alcohol|do i drink, drink alcohol, would i like a beer, offer me a beer|喝酒吗 还喝酒 能喝吗 劝酒
smoking|do i smoke, still smoke|抽烟吗 还抽 抽不抽
medication|what am i taking, what do i take, still taking, which tablets, which pills, am i on any, what dose, what am i on|吃什么药 还吃药 吃几片 用什么药 药量 还吃降压 在吃的药
illness|what's wrong with me, what ails, what do i suffer, my condition, health trouble|什么病 哪里不舒服 身体怎么了 得了什么
doctor|who do i see about, who treats, who looks after my health, which surgery|看哪个大夫 找哪个大夫 找谁看病 去哪看病 哪个医生
dentist|who looks after my teeth, does my teeth, my teeth|看牙找谁 牙找谁
employer|who pays me, where do i earn, who am i working for, where am i working, still work at, still work for, still at the, which company, which firm|在哪上班 在哪儿上班 在哪工作 在哪家 给谁干 哪家公司 哪家单位 还在医院上班 还在那上班 还上班
job|how do i earn, how do i make my living, what am i by trade, what's my trade, earn my money, make money, am i still a, what work do i, what do i work as, what am i|做什么的 干什么的 做什么工作 靠什么 干哪行 什么工作 职业 吃哪碗饭 什么活
work_hours|when do i work, which shift, what shift, when do i start, when do i finish, which days do i work|几点上班 几点下班 上什么班 哪几天上班 什么班次
boss|who do i report, who do i answer, who's above me, who is in charge of me, who signs off|谁管我 归谁管 跟谁汇报 领导姓 领导是谁 上司是 谁批假 顶头上司
colleague|who sits next, who do i work with|跟谁搭班 谁坐我旁边 同事是谁
office|where do i sit, where is my desk|坐哪 工位在 在几楼上班 公司在几楼
salary|what do i earn, how much do i earn, what do i make|挣多少 工资多少 拿多少
meeting|when do we meet, when is the call, when's the standup|什么时候开会 几点开会 周几开会 例会
school|where does my daughter go, where does my son go, where do the kids go, which class is|在哪上学 在哪儿上学 上哪个学校 上几年级 哪个学校 在哪个班
university|where do i study, what do i study, which uni|在哪读 读什么 学什么专业 在读什么
teacher|who teaches, who gives me, who coaches, who trains|谁教 谁给孩子补 跟谁学 哪个老师 谁带
exam|when do i sit, what am i sitting|哪天考 什么时候考 考什么
appointment|when am i due, when am i seeing, when do i see, when do they want me|哪天去 几号去 约的哪天 约在几号 几号体检 专家号
trip|where are we off, where am i off, are we going, am i travelling, where am i travelling|去哪玩 去哪儿玩 还去吗 去不去 要去哪
flight|when do i fly, when do we fly, when do i land|几点飞 哪天飞 几点落地 航班
spoken_language|what can i speak, which languages, what do i speak, languages|会说什么 会讲什么 会哪些话 会哪些语言 什么话 说什么语
club|which team am i for, who do i support, team do i support, which side, what do i belong|支持哪个队 哪个球队 哪支球队 主队 是谁的球迷
religion|what do i believe, where do i pray|信什么 去哪拜
volunteering|who do i help, help out|做什么志愿 帮谁的忙
wake_time|when am i up, when do i rise, when do i get up, what time am i up|几点起 几点醒 什么时候起 几点爬起来
bedtime|when do i sleep, when do i turn in, go to sleep|几点睡 什么时候睡
childcare|who minds, who watches, who looks after the|谁带孩子 谁看孩子 谁接 谁接孩子
cleaner|who cleans, who mops, who tidies|谁打扫 谁来打扫 谁收拾
hairdresser|who cuts my hair, where do i get my hair|剪头发 在哪剪头 找谁剪
lunch|where do i eat, where do i have lunch, eat at noon|中午吃 午饭 去哪吃
supermarket|where do i shop, where do i buy, where do we buy|去哪买菜 在哪买
internet|how do i get online|上网用 宽带是
energy|how do we heat, who supplies|怎么取暖 用什么取暖
tea|which tea|泡的什么
backend|what is the server written, what's it written in, what is it built with, written in|用什么写的 拿什么写的 什么语言写 后端是
database|where is the data, what holds the data, where do the rows|数据存 库用的 存在哪个库 数据放
hosting|where does it run, where do we run, where do we host, what does it run on|跑在哪 部署在哪 放在哪跑 机器在哪
monitoring|where do the alerts, what watches|拿什么监控 告警从哪
ci|what builds, where do builds|拿什么构建 流水线在
repository|where is the code, where does the code, where do we keep the code|代码在哪 代码放哪 仓库在哪
editor|what do i write code in, what do i code in, what do i edit|写代码用 用什么编辑器 拿什么写代码
notes_tool|where do i write things down, where do i keep notes, keep notes in, what do i jot|用什么记 拿什么记 记在哪 笔记放
task_tool|where do tickets|任务放哪 需求放哪
ai_assistant|which ai, which model helps|哪个 AI 什么 AI 工具
version|which release, which version, what version|哪个版本 什么版本 几点几
port|which port|哪个端口 什么端口
deadline|when is it due, by when|什么时候交 几号交 哪天交
wedding|when do we marry, when are we getting married|哪天办酒 什么时候结婚
pregnancy|am i expecting, when am i due, when is the baby due|还怀着 哪天生 几月生 预产期
business|what do i run, is the shop still|开什么店 店还开 铺面 铺子
project|what am i working on|在做什么项目 手上什么项目
thesis|what do i write about|论文写什么
loan|do i owe, still owe, what do i owe|还欠 欠多少 还贷吗
favourite|what do i like best, which do i like|最喜欢 最爱
`
