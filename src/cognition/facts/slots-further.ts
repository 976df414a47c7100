/**
 * Further attributes of a life and of a project, rarer than those of `slots-life.ts` and `slots-work.ts`: who looks after
 * what, the desk and its things, what runs beside the service. `slot.ts` says how a line is read.
 */
export const FURTHER_SLOTS = `
blog|1f|blog, blog posts, my articles, substack, medium|博客 专栏 文章发 我的文章 写文章
dictionary|1f|dictionary app, dictionary|词典 字典
lives_with|1f|lives with, living together with|跟谁住 跟我们住 一起住 跟外婆住 跟奶奶住 跟爷爷住 住一起
national_id|1f|id card|身份证
teaching|1f|i teach at, school do i teach, where do i teach|在哪教书 哪个学校教
apprentice|nf|mentoring, mentee, apprentices|带徒弟 徒弟 带新人
anniversary|1f|anniversary, wedding anniversary|结婚纪念日 纪念日
mechanic|1f|mechanic, car workshop, tyre place, service my car, servicing the car, repair the car|修车师傅 修车铺 汽修店 修理厂 保养在 4S店 在哪修车 在哪保养
vet|1f|vet, veterinary, vets, animal clinic|兽医 宠物医院 宠物诊所
therapist|1f|therapist, counsellor, counselor, psychologist, psychiatrist, see for therapy, therapy|心理咨询师 咨询师 心理医生 心理咨询
physio|1f|physio, physiotherapist, osteopath, chiropractor|康复师 理疗师 推拿师 正骨
optician|1f|optician, optometrist, eye test|眼镜店 验光师 配镜
accountant|1f|accountant, tax adviser, tax advisor, bookkeeper, does my taxes, does the books|代账 报税找 记账公司 税务师
lawyer|1f|my lawyer, our lawyer, solicitor, legal adviser, my attorney|我的律师 法律顾问 找的律师
gardener|1f|our gardener, my gardener, mows the lawn, cuts the hedge|园丁 修草坪
plumber|1f|plumber, electrician, handyman, heating engineer|水电工 水管工 维修师傅 修水管
babysitter|1f|babysitter, nanny, au pair, childminder, looks after the kids, watches the kids|保姆 育儿嫂 月嫂 看孩子 带孩子的阿姨
priest|1f|vicar, priest, pastor, rabbi, imam, parish, my church, our church, congregation|教堂 牧师 神父 师父寺
veg_box|1f|veg box, vegetable box, meal kit, meal box, milk delivery, milkman, food delivery|买菜平台 生鲜配送 净菜 订奶 鲜奶 买菜用
tea|np|kind of tea, favourite tea|什么茶 茶叶
coffee_beans|1f|coffee beans, roaster, roastery|咖啡豆 豆子烘焙
mattress|1f|mattress, my bed is, duvet, pillow|床垫 枕头 被子
chair|1f|office chair, desk chair, standing desk, my desk is|人体工学椅 升降桌 办公椅 电脑椅
keyboard|1f|keyboard, mechanical keyboard, keycaps, keyboard layout, qwerty, colemak, dvorak|键盘 机械键盘 键位 键盘布局 轴体
mouse|1f|trackball, trackpad, gaming mouse, wireless mouse, vertical mouse|鼠标 触控板 轨迹球
display|1f|monitor is, external monitor, ultrawide, second screen, 4k screen, screen is|显示器 外接屏 带鱼屏 副屏
console|1f|games console, game console, steam deck, xbox series|游戏机 掌机
podcast|nh|podcast, podcasts, episode of|播客 电台节目
music|np|music taste, listen to music, kind of music, favourite band, playlist, vinyl|歌单 听什么歌 曲风 喜欢的歌手 黑胶
series|nh|tv series, box set, watching at the moment, binge, which show, what show|在追的剧 追剧 看的剧 综艺 番剧 追番
film|np|kind of films, favourite film, movie night, genre of films|爱看的电影 什么电影 影片
drawing|nh|sketching, watercolour, life drawing, calligraphy|素描 水彩 国画 篆刻
friend|nf|best friend, close friend, old friend|闺蜜 发小 死党 好朋友
emergency_contact|1f|emergency contact, in an emergency, next of kin|紧急联系人 出事找谁
licence|1f|driving licence, driver's license, licence plate, number plate|驾驶证 车牌号 驾照
passport_number|1f|passport number, id number|护照号 身份证号
seat|1f|my desk is, where i sit, seat number, locker, locker number|工位 座位 座位号 储物柜 柜子号
badge|1f|badge number, employee number, staff number|工号 员工号 门禁卡号
leave|1f|days of leave, annual leave, holiday allowance, vacation days, days off a year|年假 几天假 假期天数
pension|1f|pension provider, pension plan, 401k, retirement plan|养老金 企业年金
credit_card|1f|credit card is, pay with, card i use|信用卡 刷哪张卡
payment_habit|1h|apple pay, google pay, contactless, pay by, pay cash|付款用 支付用 支付宝 微信支付 花呗
taxes|1f|tax code, tax number, tax return|税号 报税
driving_school|1f|driving lessons, driving instructor, driving test, driving school|驾校 学车 科目二 科目三
goal|1f|my goal, target for the year, aim for this year, resolution|年度目标 今年目标 小目标 计划目标
project|1f|working on at the moment, current project, project is called, project name, codename, product name|在做的项目 手头的项目 项目名 项目叫 代号 负责的项目
team|1f|which team, my team is, team am i, on the team, my squad, transferred to the, joined the team, my department, which department|哪个组 哪个团队 哪个部门 所在组 调到 部门是 部门 我组
team_size|1f|people on the team, team of, how big is the team, how many of us|团队几个人 组里几个人 多少人
release_day|1h|release day, releases are on, deploy on, release on, ship on, release every, release train, day do we deploy, day do we release|发版日 周几发版 几号发版 哪天发版 发版 发布窗口 上线窗口 周几上线 哪天上线 上线日
on_call|1h|on call, on-call rota, pager, duty rota|值班 轮值
review|1h|code review, reviewer, approvals, approve merge|代码评审 审代码 谁审
licence_of_code|1f|mit license, apache license, gpl, licensed under, open source licence|开源协议 许可证
domain|1f|domain name, our domain, site lives at, url of, website address|域名 网址 站点地址
dns|1f|dns, nameserver, registrar|域名解析 解析放
server_address|1f|ip address, hostname, server address, connect to, address of the server, test server, jump host, bastion|服务器地址 主机名 跳板机 堡垒机 测试机 测试服 内网地址
region|1f|which region, availability zone, eu-west-1, us-east-1|机房在 可用区 地域
secrets|1f|secrets manager, vault, secret store, secrets in, sops, env file|密钥管理 密钥放 配置中心 Nacos Apollo
registry|1f|container registry, docker registry, artifact registry, artifactory, nexus, npm registry|镜像仓库 制品库 私服 Harbor
container|1f|kubernetes, k8s, nomad, ecs, docker compose, orchestrated|容器编排 编排
infrastructure_code|1f|terraform, opentofu, ansible, puppet, chef recipes, saltstack|基础设施代码
web_server|1f|nginx, caddy, apache httpd, traefik, haproxy, envoy, reverse proxy, load balancer, ingress|反向代理 负载均衡 网关用 入口
alerting|1f|alerting, alerts go to, who gets paged|告警 报警发到
tracing|1f|tracing, distributed tracing|链路追踪 调用链
error_tracking|1f|error tracking, crash reporting, bugsnag, rollbar, raygun|错误上报 崩溃上报
analytics|1f|web analytics, product analytics, google analytics, plausible, matomo, mixpanel, amplitude, posthog|埋点 统计工具 友盟 神策
bi_tool|1f|dashboards in, bi tool, metabase, tableau, looker, power bi, superset, reporting tool|报表工具 看板用 报表用 数据看板 帆软 观远
warehouse|1f|data warehouse, snowflake, bigquery, redshift, databricks, clickhouse, lakehouse|数仓 数据仓库 分析库 离线数仓
etl|1f|etl, data pipeline, dbt, airbyte, fivetran, pipelines with|数据管道 同步任务 数据同步 DataX
dataset|1f|dataset, training data, trained on, corpus|数据集 训练数据 语料
gpu|1f|gpu, graphics card, rtx, a100, h100|显卡 算力卡
model|1f|base model, fine-tune, language model, embedding model|基座模型 底座模型 微调 向量模型
vector_store|1f|vector store, vector database, embeddings in|向量数据库 向量库
object_storage|1f|object storage, s3 bucket, blob storage, minio, files stored, uploads go to|对象存储 文件存储 图片存 OSS COS 附件存
sms_provider|1f|sms provider, text messages through, twilio|短信平台 短信服务 短信走
crm|1f|crm, salesforce, hubspot, pipedrive|客户管理系统 CRM
help_desk|1f|help desk, support tickets, zendesk, intercom, freshdesk|客服系统 工单系统
invoicing|1f|invoicing, invoices with, bookkeeping software, xero, quickbooks, freeagent|开票软件 记账软件 财务软件 记账用
survey_tool|1f|survey tool, typeform, google forms|问卷工具 问卷星
cms|1f|cms, content management, contentful, strapi, sanity, drupal|内容管理 建站系统 后台内容
rate_limit|1f|rate limit, requests per second, throttle|限流 每秒请求 QPS
timeout|1f|timeout, times out after|超时 超时时间
retention|1f|retention, keep logs for, logs are kept, deleted after|保留期 日志留 保存多久 保留多少天
rotation|1f|rotate, rotates every, rotation period|多久换一次 轮换
coverage|1f|code coverage, coverage threshold, test coverage|覆盖率
schedule|1h|cron schedule, job runs at, runs every night, nightly job, batch runs|跑批时间 定时跑 几点跑 每天跑
theme|1p|color theme, colour theme, colour scheme, color scheme, solarized, dracula theme, gruvbox, catppuccin|主题 配色
font|1p|font, typeface, ligatures, jetbrains mono, fira code|字体
timezone|1f|time zone, timezone, utc offset|时区
window_manager|1p|window manager, tiling, i3, sway, hyprland, yabai|窗口管理
mobile_stack|1f|ios app, android app, mobile app is, app is written|安卓端 移动端 手机端
game_engine|1f|game engine, unity, unreal, godot|游戏引擎
temperature|1p|air conditioning, thermostat, room temperature, degrees at night|空调 温度 多少度
seat_preference|1p|aisle seat, window seat|靠窗 靠过道
motion_sickness|1f|travel sick, car sick, seasick, motion sickness|晕车 晕船 晕机 坐车
phobia|nf|afraid of, scared of, phobia, terrified of|害怕 恐高 怕黑 怕狗 幽闭
favourite_colour|1p|favourite colour, favorite color|最喜欢的颜色 什么颜色
zodiac|1f|star sign, zodiac|星座 属相 生肖 属什么
tattoo|nf|tattoo, piercing|纹身 耳洞
`

/** Further words of known slots: how people ask for them, and what makes them begin or end. */
export const FURTHER_WORDS = `
internet|get online, who provides our internet, online at home|上网 家里上网 网络用的 网用的 装网 办宽带 联通宽带 电信宽带 移动宽带 wifi
car_insurance|insures my car, car insured, insures the car, car is covered, motor insurance, cover the car, car cover|车险在 车子保险 车的保险
chat_tool|keep in touch with colleagues, talk to colleagues, contact colleagues, contact my colleagues, work chat, where do i message|跟同事联系 同事联系 联系同事 工作沟通 沟通软件 跟团队联系 聊工作 办公软件 联系用
sport|run 5k, run three times, run five|跑五公里 跑三公里 跑十公里 每天跑 ~公里 运动 打什么球 锻炼
restaurant|catering, hospitality|餐饮 火锅店 烧烤店
business|catering, restaurant i run, own business, co-own, run with a partner, franchise, pop-up|餐饮 合伙 创业 自己的店 火锅店 做小生意 开店 开了家 生意
home|place i live, where i stay, rent a place, where am i based, hang my hat|租在 租的房 租哪 哪儿租 住哪 住哪儿 住在哪 哪里住 住的地方 搬到哪
school|attend school, school does, go to school, which class, what year is|上哪个学校 在哪上学 哪所学校 念书 在哪儿念书 在哪读书 上学 读几年级
smoking|cigs, do i still smoke, quit smoking, give up smoking|抽不抽烟 还抽烟 抽烟吗
savings|nest egg, where are my savings, savings account, put money aside|存钱 存款在 钱存
employer|who pays me, where do i work, company am i at, place of work, workplace, firm am i, who is my employer, employed|在哪上班 在哪家公司 哪家公司 哪里上班 在哪儿上班 供职 单位 公司 东家 在哪工作
job|for a living, job title, what do i do, position, role, profession, occupation, line of work|谋生 职位 岗位 头衔 做什么工作 干什么的 做什么的 靠什么 职业 工种
boss|approves my holiday, my manager, my supervisor, report to, reports to me, line management|直属领导 汇报对象 谁管我 上级 我领导 跟谁汇报
partner|who am i with, am i married, my other half, seeing anyone, in a relationship, love life|有对象吗 有没有对象 结婚了吗 单身吗 谈恋爱了吗 爱人姓 感情状况
child|how many kids, my children's names, little girl, little boy, my kid's name|几个孩子 孩子叫 娃叫
phone|mobile do i have, device do i call with, handset do i, brand of phone, phone model|什么手机 哪款手机 手机型号 哪个牌子的手机 用的手机 手机用
car|what do i drive, kind of car, what car, brand of car, make of car, vehicle do i|什么车 开啥车 哪款车 车型 座驾 开的车
bank|salary paid into, my pay, pay land, wages go, where is my money, bank with, main account|薪水 工资打 发工资 工资进 代发 哪家银行 哪个银行 银行卡
phone_plan|which network, mobile network, signal with, vodafone, ee, o2, giffgaff, t-mobile, verizon, at&t|电信 联通 移动 广电 哪家运营商 号卡
diet|can i eat, what can't i eat, suggest a dish, suggest a meal, cook for me, food for me, order food for me|能吃什么 不能吃什么 忌口 吃饭注意 点菜 点外卖 做菜 避开什么
allergy|allergic, allergies, allergens, react to|过敏原 过敏 过敏史
medication|which pills, what tablets, what pills, prescription, antidepressant, painkiller, blood pressure pill, which tablets|吃什么药 哪种药 用药 药吃 在用的药
illness|condition do i have, diagnosed with, health problem, what is wrong with me|得了什么病 什么毛病 身体毛病 病史 确诊
doctor|which doctor, who treats, gp is, family doctor, specialist|哪个医生 看哪个医生 主治 家庭医生 找谁看病
gym|where do i train, where do i work out, train at|在哪健身 去哪锻炼 哪家健身房 健身课
teacher|who teaches, taught by, learn with, lessons with, coached by|谁教 跟谁学 教练是谁 哪个老师 谁带 接手
university|which degree, where do i study, student at|在哪读大学 哪个大学 读哪所
trip|where am i going, holiday booked, going on holiday, travel to, vacation|去哪玩 去哪旅游 旅行 度假 出行计划
flight|flight number, plane leaves, fly to, fly out|航班号 几点的飞机 几点起飞 飞机
wake_time|alarm at, alarm set for, set my alarm, start my day, get up, wake up|闹钟 几点起 几点起床 起得
bedtime|go to bed, turn in, lights out, fall asleep|几点睡 睡觉时间 几点上床
drink|what do i drink, order me a drink, drink order, coffee order|喝什么 喝啥 点什么喝的 爱喝
book|what do i read, kind of books, genre, author i like, reading right now|看什么书 爱看什么书 读什么 悬疑 科幻 言情 武侠 小说
hobby|what do i collect, stamps, old maps, coins, spare time, free time, pastime|收藏 集邮 业余时间 闲着干嘛 平时爱做
volunteering|volunteer, volunteering, charity do i|做义工 志愿 公益
backend|server side, service written in, server written|服务端 后端框架 接口用 服务用什么
frontend|front end, front-end, client side framework, front ends, bundles our front end|前端 前端框架 界面用 页面用
build_tool|bundler, bundles, bundle with, bundled, compile|打包 构建 打包工具 构建工具 打包用
database|what database, database do we, where does our data, data live, store the data, db do we|什么数据库 哪个数据库 数据库用 主库 从库 库是
queue|message broker, messages go through, background jobs, broker|中间件 消息走 消息中间件 消息队列 异步任务
cache|cache with, caching layer, where do we cache, cached in|缓存用 缓存层 缓存
hosting|who hosts, host our app, where does the app run, runs on, hosted, deployed to|部署在哪 跑在哪 服务器在 托管 哪家云 哪朵云 上的什么云
ci|continuous integration, pipeline runs on, who builds|持续集成 流水线 CI
repository|where is the repo, code hosted, where is the code|仓库放 代码放哪 代码在哪 托管在 仓库
monitoring|which tools watch, logs and errors|监控 日志工具 看日志用
test_framework|what do we test with, tests written in, testing with|测试框架 用什么测 测试用什么
formatter|indent, indentation, how many spaces, tabs or spaces|缩进 缩进几格 几个空格
editor|which editor, code in, edit with, write my code|什么编辑器 用什么写代码 写代码用
shell|which terminal, terminal emulator, what terminal|什么终端 终端用
operating_system|which os, operating system, runs windows, what system, distro|什么系统 操作系统 电脑系统
task_tool|file a bug, track issues, where are tickets, issue tracker, tickets in, report a bug|提缺陷 需求放哪 缺陷放哪 任务放哪 项目管理
docs_tool|docs live, our docs, documentation, our wiki, documentation lives, wiki is|文档放哪 文档在哪 文档用 知识库
notes_tool|where do i take notes, note app, my notes live|记笔记 笔记用什么 笔记软件
auth|login works, how do people log in, single sign-on|登录用 怎么登录 登录走
version|node version, python version, java version, version do we run, which release|版本 哪个版本 什么版本
port|which port, listening on, what port|哪个端口 什么端口 端口
framework|what framework, which framework|什么框架 哪个框架
home|first night in, first night on, first night at, got his keys, got her keys, got our keys, got my keys, got the keys, collected the keys, picked up the keys, removal van, removal men, movers, forwarding address, terrace in, bungalow in, flat in, house in, room in, bedsit in, cottage in, taken a flat, taken a room, taken a house, houseboat, narrowboat, the boat, back at my parents, back with my parents, postcode, sublet, downsized|搬家公司 拿了钥匙 拿到钥匙 入住 乔迁 新居 出租屋 城中村 退租 租约 老破小 毛坯房 住回 搬回爸妈
employer|changed jobs, changed job, switched jobs, switching jobs, changing jobs, left my job, lost my job, handed in my notice, leaving do, leaving drinks, last payslip, p45, last shift, first shift, seconded to, the depot, gone freelance, self-employed, work out of, had me at the, has me at the, have me at the, first day at, first day in, first day on, i quit my, quit today, quit yesterday, quit my job, gave my notice, walked out of work|第一天在 头一天上班 上岗 离职 辞职 裸辞 待业 被优化 赔偿金 录用 转岗 调岗 外派 派到 单干 自由职业 干什么活 找到活 门店 科室 病房 护士站 车间 工地 物流园
job|drive a bus, drive a lorry, drive a truck, drive a taxi, drive a cab, drive a forklift, drive the school bus, treasurer, secretary of, captain of, in goal, up front, play midfield, what position, centre back|开叉车 开校车 开出租 开货车 跑网约车 跑滴滴 送外卖 送快递 摆摊 出摊 支了个摊 支摊 摊子 干什么活 做什么营生
school|blazer, school uniform, school gate, year three, year four, year five, year six, year seven, year eight, year nine, year ten, form tutor, primary, junior school, high for day one, teach at, i teach|班主任 校服 校门 校门口 开学 升学 一中 二中 三中 四中 五中 六中 七中 八中 实验中学 附中 住校 走读
commute|scooter to work, lift to work, carpool, go to work on, going to work on, get to school, cycle in|拼车 顺风车 骑车去 骑摩托 坐高铁来 坐高铁上 坐高铁从 坐动车 过来上班 来上班 开车来 骑车来 骑电驴 打车来 摩托来
medication|tablet a day, one a day, pill a day, stop taking, stopped taking, taking them, come off them|一片药 每天一片 不用再吃 停药 药停 减量 加量 中药 喝药
flatmate|share the flat with, sharing with, split the rent, other room, spare room, the lodger|搭伙租 各一半房租 屋里就剩我 一个人住 分摊房租 搭伙住
pet|walk him, walk her, walk the dog, walkies, her basket, his basket|遛两趟 遛弯 遛狗 天天遛 边牧 埋在
partner|dumped me, left me for, moved out on me|跟他分 跟她分 和他分 和她分 跟他掰 跟她掰 跟他离 跟她离 跟他断 跟她断
university|graduated, graduation, graduate|毕业了 毕业后 毕业去
cleaner|comes to clean, does the cleaning|阿姨 打扫 保洁阿姨
boss|leading the team, leads the team, lead the team, heads the team, runs the team, in charge of the team, leads us, team lead|带团队 带我们组 管我们 负责我们组
work_hours|work nights, work days, on nights, on days, night shift, day shift, early shift, late shift, which shift, what shift|夜班 白班 早班 中班 晚班 倒班 轮班 上什么班 三班倒
home|share a room in, share a room with, rent above, a flat above, four walls, which part of town, what's my address, our address|住哪 住哪儿 住哪里 住哪一片 跟媳妇住 跟老公住 跟爸妈住 跟家人住 我住 我们住 一居室 两居室 租在
meeting|daily, standup, stand-up, the daily is, weekly sync, retro|组会 周会 例会 晨会 早会 站会
medication|what dose, my dose, dosage, sertraline, thyroxine|优甲乐 降压药 二甲双胍 缬沙坦 吃几片 一天几片 一天一片 一片半
pregnancy|expecting, due in, am i pregnant, still expecting|怀着 怀上 几月生 还怀着
job|earn my money, make my money, bookbinder, paramedic, accountant, receptionist, do i earn|审计 靠什么吃饭 挣钱
in_laws|her folks, his folks, her family, his family, her sister, his sister, her brother, his brother|她家 他家 她妈 她爸 他妈 他爸 她弟 他弟 她姐 他姐
bedtime|night owl, bed at|夜猫子
pet|expecting kittens|惠比特 养了只 养了条 养着一只
spoken_language|which languages, latvian, lithuanian, slovene, slovak|闽南话 会哪些话 讲什么话 会说什么 方言 粤语 潮汕话 客家话
newspaper|guardian weekly, my paper, get any newspaper, get a magazine|订着杂志 杂志 周刊 三联
invoicing|keep accounts, expense tracker|记账
trip|are we going to, fly to, flying to|飞去 还去
`
