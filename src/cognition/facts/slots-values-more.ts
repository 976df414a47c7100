/**
 * Still more words of slots: values, colloquial names and how one asks for them, collected from what people say in everyday
 * chat. `slot.ts` says how a line is read.
 */
export const MORE_WORDS = `
phone|android, ios, run on android, fairphone, feature phone, foldable, iphones, galaxies, zenfone, shiftphone|安卓 苹果机 智能机 折叠手机 功能机 小米手机
energy|heat the house, heats the house, heated, central heating, oil boiler, pellet stove, wood burner, coal, storage heaters, underfloor heating, gas boiler, solar, heat my, keep the house warm, warm in winter|取暖 烧煤 热泵 煤炉 锅炉 地暖 电暖 暖炉 供热 烧柴 空气源 电热毯 集中供暖
boss|one-to-one, one to one, 1:1, one-on-one, skip-level, head of team, my head, new head, performance review with, acting head|一对一 新老板 新上司 顶头 主管换 新主管 空降
university|dropped out, drop out, dropping out, master's degree, doctoral, lecture hall, lectures, am i a student, still studying, studying at, matriculated, student union, exchange semester, readmitted, deferred|退学 休学 读书 在读 念书 还在上学 学籍 读完研 入学 复学 读研究生 毕业论文 本硕
major|criminology, physics, chemistry, biology, history, economics, law degree, philosophy, sociology, psychology, nursing degree, what does she study, what does he study, study law, studying law, studying medicine, studying engineering, read english, geography, linguistics, veterinary science, course is|念法学 法学 侦查学 学医 学法 念医 学什么 念什么 什么专业 经济学 社会学 心理学 物理系 化学系 中文系 外语系 会计专业 土木 自动化 临床
school|nursery, kindergarten, preschool, playgroup, reception at, reception class, the jumper, settling-in, pre-k, year one, year two, sixth form, comprehensive, grammar school, secondary|幼儿园 托班 小班 中班 大班 学前班 小学 初中 高中 开学典礼 一年级 二年级 三年级 四年级 五年级 六年级 初一 初二 初三 高一 高二 高三 转校
work_hours|on nights, on days, nights as of, put me on, which shift, late turn, early turn, graveyard shift, back shift, rotating shifts, swing shift, ten till six, two till ten, six till two, down to three days, down to four days, compressed hours, condensed hours, shift pattern|白班 夜班 早八晚六 接班 上夜 下夜 排到 倒班 一周上几天 上几天班 周五歇 上四天 上三天 早班 中班 晚班 两头班
sport|keep fit, lengths, laps, front crawl, boxing, boxing gym, treadmill, what sport do i, exercise do i, active, bouldering, walking football, orienteering, roller derby, aqua aerobics, tai chi, handball, water polo, curling, bouts|练拳 搏击 搏击馆 游泳卡 游了 一千米 自由泳 蛙泳 撸铁 动感单车 运动 打卡健身 跳绳 爬楼 八段锦 普拉提 踢球 打羽毛球 打乒乓 练 打太极
gym|boxing gym, fight gym, dojo, studio, swim pass|搏击馆 拳馆 游泳卡 道馆 瑜伽卡 月卡 次卡
instrument|telecaster, stratocaster, les paul, handpan, melodica, cajon, alto, soprano, tenor, baritone, sing alto, sing in, choir, chamber choir, folk band, viola, dulcimer, concertina, what do i play, instrument do i|手碟 民谣吉他 电吉他 贝斯 架子鼓 口琴 女中音 男低音 合唱 唱女 唱男 中阮 柳琴 唢呐 葫芦丝 尺八 长笛 什么乐器 玩什么乐器
club|choir, sponsor, sponsorship, under-tens, under-twelves, troop, cubs, brownies, men's shed, pub team, quiz team, debating, bell ringing, bell ringers, morris, parish council, am dram, book circle|合唱团 赞助 足球队 少年队 篮球队 舞蹈队 社团活动 乐团 老年大学 话剧社 读书群 车队 志愿队
dentist|dental practice, dental, root canal, hygienist appointment, crown, filling, which dentist|看牙 牙 牙医 补牙 拔牙 牙冠 口腔医院 口腔科 诊所 牙科 正畸
rent|a month for the flat, pay for the flat, pay for my flat, pay the landlord, bills on top, how much is the flat, rent went up, rent goes up|押一付 房租多少 租金多少 一个月房租 涨租 涨房租
lunch|for lunch, at lunch, my lunch, bring soup, packed lunch, lunchbox, meal deal, canteen, sandwich, falafel, wrap, bento, food truck, eat at work, midday|中午吃 午饭吃 带饭 便当 食堂 黄焖鸡 麻辣烫 盒饭 盖浇饭 轻食 沙拉 午饭 中饭 中午
blog|wordpress, hugo, ghost, jekyll, hexo, astro blog, static site, blog built, blog runs, blog is built, my blog in, write my blog, newsletter runs|公众号 排版 博客用 博客搭 秀米 WordPress Hexo Hugo 静态博客
side_project|side hustle, side project, my little app, weekend project, scraper, hobby app, open source project, my library, my package|业余在做 小程序 副业 自己的项目 开源项目 业余项目 小工具
design_tool|premiere, final cut, davinci resolve, davinci, capcut, imovie, after effects, edit videos, edit my videos, video editor, cut my videos, affinity, procreate, lightroom, darktable, gimp, krita, blender|剪视频 剪辑 剪片子 PR 达芬奇 剪映 必剪 修图 醒图 美图 后期
branch|called master, called main, trunk, default branch|主干 默认分支 主分支
smoking|roll-ups, rollies, a pack a day, twenty a day, nicotine gum, do i smoke, non-smoker, smoke-free, snus|一天一包 一天两包 烟龄 抽烟吗 戒了烟 不抽烟 不抽
alcohol|touch alcohol, tee-total, dry drunk, elderflower, prosecco, cider, cocktails, drink alcohol, do i drink, ale, rum, vodka, tequila, sake|喝酒吗 碰酒 酒精 啤的 白的 清酒 威士忌 黄酒 鸡尾酒 一口酒
medication|without a single tablet, tapered, tapering off, come off the, came off the, weaned off, on any medication, beta blocker, inhaler, melatonin, antihistamine, eye drops, ointment, insulin pump, thyroxine, warfarin|优甲乐 停药 减药 停了药 吃着药 还在吃药 一片没吃 降糖药 降脂药 安眠药 褪黑素 抗抑郁 滴眼液 药膏 胰岛素泵 华法林 缬沙坦 布洛芬 二甲双胍 阿司匹林
illness|pacemaker, stent, bypass, hip replacement, knee replacement, cataract, hernia, appendix, operation is, having put in, having done, biopsy, stroke, angina, sciatica, slipped disc, gallstones, kidney stone, shingles|支架 起搏器 搭桥 换髋 髋关节 膝盖手术 白内障 疝气 阑尾 做手术 手术做 骨刺 结石 中风 心梗 腰突 带状疱疹 肺炎
pet|beagle, border terrier, dachshund, whippet, spaniel, collie, husky, pug, corgi, tabby, ginger tom, moggy, siamese, ragdoll, rabbit, guinea pig, hamster, gerbil, budgie, parrot, cockatiel, tortoise, gecko, goldfish, ferret, walker comes, dog walker, what breed, breed of|比格 柯基 柴犬 金毛 拉布拉多 泰迪 哈士奇 萨摩耶 阿拉斯加 法斗 雪纳瑞 狸花 橘猫 布偶 英短 美短 暹罗 三花 奶牛猫 仓鼠 兔子 乌龟 鹦鹉 龙猫 养狗 养猫 土狗 田园犬 大黄狗 什么品种 猫都叫
livestock|bees, keep bees, two hives, queenless, honey, alpacas, llamas, bantams, ducklings, keep sheep|养蜂 蜂蜜 两箱蜂 箱蜂 养兔 养鸽 鸽子 养驴 羊驼
wedding|wedding is on, the wedding, hen do, stag do, best man, save the date|婚礼定 婚礼哪天 婚期 伴郎 伴娘 办婚礼
birthday|birthday is on, her birthday, his birthday, present for|生日是 几号生日 哪天生日 阳历生日 农历生日
appointment|stand-up slot, viewing, smear, mot, jab, check-in, ultrasound, mammogram|打疫苗 产检 复查 取号 看房时间 B超
port|listens on, port is, which port, on port|监听 端口号 监听在
hosting|fly.io, render, railway app, heroku, vercel, netlify, linode, digitalocean, hetzner, ovh, scaleway, on-prem, our own servers, bare metal, where is our app, aws, gcp, azure|腾讯云 阿里云 华为云 火山云 百度云 京东云 青云 自建机房 哪家云 部署在 服务都在 上云 物理机
deploy_tool|jenkins, github actions, argo cd, argocd, spinnaker, octopus deploy, ship releases, ship our releases, ships through, release pipeline, how do we ship, we deploy with, capistrano, fabric script|发版 用什么发版 发版走 发布系统 上线流程 Argo 发布用
logging|papertrail, loki, splunk, graylog, logs go to, log drain, logtail|日志走 SLS 日志服务 日志在 查日志
cache|flag store, session store, sessions live|会话存
feature_flags|feature flags, feature flag, launchdarkly, unleash, flagsmith, flags we keep, toggles|功能开关 特性开关 灰度开关 Apollo 开关存
formatter|tabs, spaces, indent with, four spaces, two spaces, semicolons, line length, prettier, black formatter|空格缩进 四空格 两空格 tab缩进 用tab 分号
programming_language|write everything in, code in, what language do we, written in go, written in rust, written in, rewritten in|用什么语言 什么语言写 全线用 写代码用什么 Go写 Rust写
coffee_beans|beans from, coffee beans, beans come from, roasts, a bag a fortnight, coffee supplier|豆子 咖啡豆 烘焙 手冲豆 买豆
newspaper|the guardian, the observer, the times, the ft, the economist, read the, which newspapers, paper do i read, on paper|南方周末 财新 新京报 澎湃 三联 报刊 看什么报 读什么报 订报
hometown|is from, where is he from, where is she from, comes from, native of, born and bred|老家哪里 哪里人 广西人 海南人 湖南人 四川人 东北人 河南人 山东人 浙江人 江苏人 广东人 福建人 安徽人 江西人 湖北人 人家是
blood_type|blood group, o negative, a positive, b negative, ab positive, donor card|什么血型 型血 血型
cleaner|mop, hoover, we have a cleaner, every other friday, tidies the house|请了钟点工 钟点工 家政阿姨 做卫生 搞卫生
commute|how do i get to, crosses by, gets in by, comes by motorbike, comes in by, takes the train from, takes the tram, drives in from|轻轨 高铁上班 摩托 坐高铁 坐轻轨 骑电动车 打的上班 开车上班
partner|go out with, going out with, moved his, moved her, in a relationship, seeing each other, am i married, my husband, husband is, joao, civil partner, ex-husband, ex-wife|我男朋友叫 有男朋友 有女朋友 我丈夫 老公叫 老婆叫 同居 相处 在一起
home|narrowboat, caravan park, tower block, static caravan, houseboat, where is my home, council flat, ground floor flat, terraced house, semi-detached, relocated, retired to, has settled in|住洪山 筒子楼 带院 小院 退休搬 安了家 定居在 住哪 住哪儿 我家住 家住
employer|transfer came, transferred to, branch i work, which branch, at the branch, ipswich branch, seconded, our branch, the branch|支行 分行 调令 调去 调到 营业部 分公司 总行 网点
business|kiosk, stall, pop-up, franchise, etsy shop, online shop|开店 网店 淘宝店 加盟 夜市
loan|car payments, paying off, repayments, owes me, owe him, owe her, borrowed from, lent|车贷 还款 还车贷 借给 欠 借了 还钱 月供
car|jazz, fiesta, corsa, clio, tesla, kia, skoda, part-exchanged, automatic, estate, hatchback, convertible, suv|思域 雅阁 帕萨特 轩逸 朗逸 特斯拉 比亚迪 飞度 自动挡 手动挡 五菱 电车 油车
teaching|teach maths, teach pottery, what do i teach, teach at, teach evening|教数学 教语文 教英语 都教什么 我教 带课 带陶艺 陶艺课 代课 授课
property|lock-up, storage unit, workshop space, garage rental, rent storage|画室 车库 仓储 租了间 工作室 租着
allergy|wasps, bees sting, sesame, dairy, shellfish, cannot have, can't have, sets me off, swells up, hives all over, latex, cat hair, dust mites|芝麻 牛奶 马蜂 蜇 花生 虾蟹 尘螨 猫毛 酒精过敏 海鲜过敏
colleague|our designer, our analyst, our tester, our new hire, our intern|同事小 设计师 测试小 运营小
exam|bib, start number, half marathon entry|半马 全马 报名半马
`
