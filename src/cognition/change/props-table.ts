/**
 * The things that go with an attribute, by which people tell its end or change without naming it: the badge with the job,
 * the keys with the flat, the lead with the dog. `attributes | English | Chinese`, `~` before what goes with much else, too.
 */
export const PROPS = `
employer job office|badge, lanyard, name tag, staff pass, locker, my desk, desk plant, apron, tabard, overalls, hi-vis, hard hat, keycard, key card, key fob, payslip, last payslip, p45, leaving do, leaving card, leaving cake, exit interview, redundancy, severance, work laptop, company laptop, till keys, cab keys, forklift keys, timesheet, ~uniform, ~notice, ~contract, hr, ~colleagues, ~shift, ~farewell, union rep, probation, ~van, ~whistle, induction, ~team, ~boss, headhunter, ~office, recruiter|工牌 工位 柜子 工服 工装 饭卡 门禁卡 离职证明 散伙饭 人事 裁员 补偿金 赔偿金 安全帽 对讲机 竞业 公章 围裙 ~合同 ~交接 ~社保 ~档案 ~钥匙 ~制服 ~报到 ~调令 ~团队 ~老板 ~同事 offer 年终奖
business job employer|shutters, sign above, the sign, lease, the stall, stock, the till, last customers, food truck, pitch, stallholder, griddle, ~van, market spot, trading, ~counter|招牌 卷帘门 转让 铁板 三轮 收摊 摆摊 摊位 摊子 库存 货架 盘出去 铺面 店面 推车 餐车 营业执照 ~歇
home rent flatmate lives_with|deposit, letterbox, removal van, movers, removals, forwarding address, meter readings, inventory, spare room, estate agent, letting agent, sold sign, packing tape, cardboard boxes, housewarming, doorbell, ~keys, ~boxes, ~landlord, ~lease, ~unpacked, ~neighbours, ~balcony, ~view, her room, his room, house share, ~rooms|押金 退租 纸箱 搬家公司 水电表 房东 物业 ~钥匙 ~行李 ~箱子 ~新房 ~楼上 暖房 ~窗外 续租 ~屋里 ~床位
partner|ring, toothbrush, her things, his things, her stuff, his stuff, her records, his records, moved her, moved his, divorce papers, solicitor, wardrobe is half, on my own again, single again, parted, going our separate ways, ~papers, ~sofa, ~her side, ~his side, down on one knee, said yes, registry office|戒指 牙刷 东西都搬走 东西拉走 东西搬走 都拉走 拉黑 民政局 离婚证 一个人过 各走各 好聚好散 删了好友 ~唱片 ~搬走 不合适 ~异地 领证 求婚
pet|basket, bowl, leash, collar, litter tray, cat flap, crate, ashes, rainbow bridge, put to sleep, slipped away, the lead, scratching post, fish tank, aquarium, cage, hutch, chew toys, paws, ~fourteen, ~rehomed, under the apple tree, buried|牵引绳 项圈 猫砂盆 食盆 骨灰 彩虹桥 喵星 汪星 猫爬架 笼子 鱼缸 狗窝 猫窝 ~窝 睡着睡着 ~走了 埋在 送人
livestock|fox, coop, hive, hives, smoker, bee suit, feed sack, eggs, incubator, barn, paddock, field shelter, the run, badger, ~feathers, ~trailer, knacker, abattoir|黄鼠狼 鸡笼 饲料 鸡蛋 蜂箱 防护服 ~圈 羊圈 牛棚 屠宰 鸡毛
plants|frost, slugs, compost, seeds, spade, root rot, the plot, watering can, ~pots, ~shed, aphids, wilted, potting|花盆 倒春寒 烂根 花架 铲子 肥料 蚜虫 枯 ~土 ~盆 浇水
car fuel parking|car keys, logbook, scrapyard, breakers, forecourt, part exchange, tow truck, number plates, written off, odometer, driveway, ~garage, charging cable, jump leads, dealer, ~test drive|车钥匙 报废 过户 二手车商 二手车 拖车 行驶证 绿本 ~车位 验车 ~提车 摇号 ~开走
bike|angle grinder, bike lock, d-lock, thieves, pannier, ~chain, ~shed, swine|车锁 ~贼 驮包 偷车 锁被
commute|railcard, season pass, oyster card, season ticket, timetable, platform, bus pass, ~helmet, ~seat|月票 站台 时刻表 交通卡 ~头盔 早高峰 换乘 拼车群
gym sport club|membership, fob, bib, boots, racket, boxing gloves, shin pads, physio, ligament, stress fracture, cruciate, yoga mat, harness, wetsuit, running shoes, goggles, dumbbells, barbell, rowing machine, surfboard, skis, clubs, changing room, lengths, ~knees, ~knee, ~ankle, ~locker, ~kit, ~medal, ~coach, ~season, ~race, start line, finisher|会员卡 年卡 护具 球拍 球鞋 跑鞋 拳套 半月板 骨折 韧带 名额 号码布 瑜伽垫 泳镜 泳帽 哑铃 转卡 储物柜 ~教练 ~膝盖 ~手腕 ~脚踝 钓竿 鱼竿 滑板 雪板
instrument club|bow, violin case, reed, amp, sheet music, scores, music stand, sticks, mouthpiece, rosin, metronome, recital, concert dress, black folder, ~case, ~folder, ~strings, ~rehearsal, ~conductor|琴盒 谱子 谱夹 谱架 琴弓 音箱 鼓棒 演出服 哨片 节拍器 考级 排练 ~指挥 ~团长
club volunteering|gavel, minutes, agm, committee, treasurer, cash box, ledger, petty cash, hall keys, sash, neckerchief, costume, armband, robe, membership card, stall rota, whistle, ~folder, ~dress, ~rota, ~vest, ~chair, ~secretary, the chain, collection tin|团长 队长 社长 演出服 谱夹 反光背心 马甲 红袖标 袖章 值班表 账本 会费 退群 戏服 ~背心 ~队里 会长 ~群主 捐款箱
medication illness doctor therapist|pill box, packet, tapered, tapering, weaned, blister pack, chemist, pharmacy, repeat prescription, bloods, blood test, the scan, test results, crutches, plaster cast, consultant, waiting list, single tablet, last tablet, discharged, ~tablet, ~tablets, ~doctor, ~results, side effects, needles, remission, ~cast|药盒 药瓶 一片没吃 减量 停药 复查 指标 拐杖 石膏 药房 出院 ~一片 ~大夫 ~医生 副作用 化验 康复 ~针 拆线
diet|bacon sandwich, first bacon, steak, burger, sausage roll, roast chicken, barbecue, cheese again, sugar again, bread again, fell off the wagon, ~chicken, ~fish|红烧肉 牛排 烤肉 破戒 开荤 排骨 鸡腿 羊肉串 火锅里的肉
smoking|ashtray, lighter, patches, last packet, rollies, roll-ups, ~craving, ~cravings|打火机 烟灰缸 戒断 烟瘾 整条
alcohol|bottle bank, hangover, last drink, a hundred days, day one without, ~bar, mocktail, dry|酒柜 断片 一滴 破例 戒酒 ~酒杯
drink coffee_beans coffee_machine tea|jitters, kettle, teapot, caffeine headache, ~mug, ~palpitations, ~cup|心慌 ~杯子 茶壶 茶具 手冲
streaming newspaper insurance phone_plan|direct debit, auto-renew, renewal, logged out, standing order, cancellation email, paywall, letterbox, subscription, the card expired, ~renew, ~account|自动续费 续费 解绑 扣款 到期 退订 ~续 连续包月 ~账号
phone phone_plan phone_number|sim, esim, port my number, handset, ~contract, ~contacts, ~cracked, ~screen|携号转网 手机卡 合约机 副卡 ~通讯录 ~碎屏 换号
computer operating_system|ssd, boots, reinstalled, wiped the disk, recycling centre, motherboard, ~charger, ~keyboard, ~fan|重装 主板 固态 开机 回收 ~风扇 装机
internet energy|router, fibre, engineer came, smart meter, tariff, ~meter, the boiler, tank, chimney, oil tank, radiators|光猫 路由器 装宽带 电表 锅炉 暖气片 烟囱 ~师傅上门 煤炉
monitoring logging error_tracking analytics alerting tracing|agents, dashboards, dashboard, alerts, card on file, card taken off, invoice, ~licence, ~uninstalled, ~seats, retention|探针 看板 告警 埋点 ~授权 ~账单
hosting server_address region container database cache queue search_engine backend|cutover, cut over, droplets, instances, nodes, terminated the, decommissioned, dump, restore, migration, traffic, last server, racks, downtime, ~cluster, ~snapshot, ~dns, ~replica, ~port|切流量 切流 节点 实例 停机 集群 下线 迁移 机房 机柜 ~快照 ~副本
ci deploy_tool repository build_tool test_framework|pipelines, pipeline, last job, runners, workflow file, ships through, releases go, mirror, read-only, green builds, ~jobs, ~plugins|流水线 发版 跑批 镜像仓 ~只读 任务下掉 ~插件
docs_tool notes_tool task_tool chat_tool calendar_tool|last page, copied over, exported, vault, tickets, boards, sprint board, channels, workspace, imported, seats, ~archive, ~pages, ~markdown|导出 工单 频道 工作区 搬完 ~导入 ~归档 看板
side_project business blog game|repo archived, archived the repo, the domain, servers off, last users, refunds, app store listing, users, sold it to, ~repo, ~archived, ~servers, ~launch|下架 归档 域名 仓库归档 服务器停了 退款 ~用户 卖号 停更 封号
university school thesis major|student card, library card, gown, mortarboard, dropped out, halls, supervisor, viva, dorm, graduation, transcript, enrolment, tuition, ~locker, ~dissertation, ~chapter|学生证 图书证 学位服 退学 宿舍 导师 答辩 毕业照 毕业证 成绩单 学费 开题 ~第一章
spoken_language|streak, flashcards, phrasebook, language app, textbook, conversation class, tandem partner, the owl, ~course, ~tutor, ~app|打卡 单词书 单词 教材 外教 语伴 ~App ~课
loan savings bank|instalment, installment, last payment, square with, paid back, debt-free, settled up, owe nothing, statement, ~paid|最后一笔 结清 两清 还清 无债 清账 ~还完 销户
childcare cleaner babysitter gardener plumber|mop, last friday, pick-up, ~agency, references, nappies, bedtime stories|拖把 最后一趟 中介 ~接送 尿布
exam appointment flight trip wedding meeting|refund, refunded, rescheduled, called off, voucher, tickets back, postponed, ~tickets, ~booking, suitcase, guests|退票 改签 退订 延期 改期 推迟 取消 ~行李箱 请柬
teacher instrument spoken_language driving_school|last lesson, ~lesson, ~pupils|最后一节 最后一课 ~学生
book series film podcast game|last page, finale, last episode, uninstalled, spoiler, credits, back to the library, ~shelf|大结局 卸载 看完 最后一集 读完 还书 ~完结
religion priest|confirmation, baptised, stopped going, pews, ~sunday mornings|受洗 不去做礼拜 还俗 ~寺里
appliance tv printer|skip, council collection, repair man, scrap, ~recycling, ~buzzing|报废 收废品 师傅说修不了 ~以旧换新
property|completion, exchanged contracts, sold sign, mortgage offer, ~keys|过户 网签 交房 ~钥匙 房本
pregnancy child|maternity, midwife, waters, cot, pram, contractions, weighed in at|产检 待产 月子 婴儿床 出生证 顺产 剖
employer job office|cleared my desk, my pass, the rota, off the roster, clock card, clocking off, contract ran out, contract ended, notice period, offer letter, start date, trial shift, new starter, name badge, scrubs, stethoscope, hung up my, last customer, retirement do, ~canteen, ~classroom, ~box of my things, ~desk, ~first of the month, ~probation|收拾完 东西收拾 排班表 合同到期 试岗 试工 录用 调岗 编制 护士服 白大褂 警服 厨师服 讲台 交接完 没人续 ~报到 ~上工 ~纸箱 ~桌上的东西 ~名单上 ~门禁
work_hours|days from, ~the rota|倒班 轮班 ~排班
home|four walls, last box, own front door, slept on the floor, ~first night, ~no lift, ~third floor, ~echoes, ~unpacked|最后一个纸箱 四面墙 暖房 钥匙到手 ~电梯 ~天花板 ~窗外 ~锅碗
partner wedding|gave me back, the rings back, table for one, told our parents, stayed friends, as friends, wedding dress, custody, half the wardrobe, single bed, ~moved out, ~solicitor|戒指 还我了 酒店退 酒席退 婚纱 彩礼 和平分手 各过各 好聚好散 情侣 拿走了东西 ~酒店 ~红本
pet|dog bed, fell asleep, in his sleep, in her sleep, put down, good run, good innings, pear tree, apple tree, belly up, ~fourteen years, ~floating, ~new family, ~garden|睡过去 没受罪 翻肚 没醒过来 走丢 猫粮 狗粮 ~埋 ~缸 ~院子里
medication|off my list, took me off, the dose, half a tablet, blue tablet, ~halved, ~bumped, ~nudged|药量 剂量 一片半 半片 停药 药停 停了观察 ~加到 ~减到
commute|season ticket, fully remote, from home now, bus stop, folding bike, railcard, ~remote, ~on foot, ~wheels|远程 全远程 地铁卡 公交卡 小电驴 共享单车 居家办公 ~月票
car fuel mechanic|on the drive, wallbox, went for scrap, for scrap, failed its, part exchange, plugs in, ~hums, ~tow|拉去报废 充电桩 绿牌 绿本 二手车行 以旧换新 ~门口停 ~充一次
hobby|potter's wheel, the wheel, kiln, easel, loom, sewing machine, ~gathering dust, ~ebay|拉坯机 画架 织机 缝纫机 ~吃灰 ~落灰 ~闲鱼
sport club|the terraces, shirt number, my back can't, ~the seat, ~my knee, ~my knees, ~my shoulder|年票 坐不住 打不动 ~膝盖 ~肩膀
smoking|day forty, nicotine, ~without one, ~hundred days|一根没 打火机 烟瘾 ~没碰 ~一百天
alcohol|not a drop, ~mocktail, ~hundred days|一滴没 ~没沾 ~一百天
diet|bacon roll, fried chicken, meat again, ~sausage, ~a burger, ~ribs|羊蝎子 烤串 牛肉面 涮肉 炸鸡 肉夹馍
pregnancy|she's here, he's here, they're here, mother and baby, waters broke, contractions, ~kilos, ~pounds|母女平安 母子平安 顺产 ~六斤 ~七斤 ~八两 ~出来了 ~出生
trip flight wedding|vouchers, the airline, called off, fell through, ~is off, ~refunded, ~not happening, ~visa|去不成 机票全退 退票 酒店退 泡汤 去不了 ~黄了 ~改签
streaming newspaper|last issue, ~lapse, ~the pile|最后一期 看不过来 ~没再续
monitoring hosting ci deploy_tool|pulled the plug, went dark, powered down, last workload, ~that box, ~switched off|断电拉走 最后一台 自建机房 ~断电 ~关停
notes_tool task_tool docs_tool|years of it, all my notes, ~exported, ~imported, ~poured|导出来 全倒 ~倒进 ~导进 ~数据都
bank salary|salary goes, wages go, ~paid into, ~cut up|工资打 打那边 销卡 老卡 ~工资卡
phone_number|reach me on, text me on, new sim, ends in|打这个 尾号 停机 老的停
rent|letter from the landlord, ~a month from, ~went up|爱住不住 ~涨到 ~降到
school|big school, blazer, reception class, school gates, ~uniform|上小学 上初中 分班 ~开学 ~校服
boss team|answer to, report to, took our team, ~stood down, ~took over|归一个 顶他的 ~新来的 ~调走 ~接手 ~空降
employer job office|fob, swipe card, security pass, id card, staff card, id badge, chalk, marking, mortuary, ward, tool belt, tool bag, gold watch, carriage clock, whip-round, garden leave, gardening leave, handover notes, out of office, cubicle, p60, tribunal, last shift, thirty years, forty years, clocked off, the depot, the yard, the kitchen pass, chef whites, mop bucket, dispatch, the counter, ~ledger, ~stapler, ~swivel chair, ~mug home, ~farewell email, ~send-off|胸牌 胸卡 听诊器 教案 粉笔 工号 值班室 内退 买断 办离职 欢送会 铺盖卷 结工资 工龄 退休证 荣休 收工 最后一班岗 工具箱交 手术服 教鞭 安全帽交 ~工资结 ~花名册 ~送行 ~大巴车 ~更衣柜
business|till roll, closing down, closing-down sale, everything must go, liquidator, wound up, handed over the shop, signed the shop over, for let, last loaf, last haircut, ~regulars|清仓 最后一单 歇业 关张 注销执照 盘给 兑出去 ~老主顾
home|storage unit, removal men, new postcode, our new street, new front door, hired van, bubble wrap, redirect our post, front step, skip outside, ~attic, ~new neighbours, ~kettle first|搬家师傅 拆箱 入户 换锁 落户 户口迁 搬进来 乔迁 新小区 ~阳台朝 ~新邻居
partner|done between us, over between us, took his things, took her things, my own bed, signed the papers, blocked him, blocked her, calls it off, called it a day, no longer a couple, just friends, ~half empty, ~his mother rang|到此为止 一别两宽 缘分尽 离了 手续办了 散伙 不联系了 各自安好 行李拿走 ~红本换
pet|on my lap, the vet's table, pet cemetery, sanctuary, rehoming, rehomed, last walk, empty bowl, ~the needle, ~garden, ~old age|安乐 火化 送养 领走 宠物墓 空碗 老死 最后一次遛 寿终
medication illness|weaned off, clean bill, tapered off, off the tablets, haematologist, cardiologist, consultant says, took me off, came off, last dose, prescription stopped, ~the bottle, ~cured|不用吃了 可以停 停了它 处方 痊愈 断根 治好了 最后一次化疗 ~大夫说
club volunteering|seed money, the books, handed the chain, stood down, stepped down, cash tin, badge of office, agm voted, party card, hymn books, ~banner, ~whistle|账本和章 交接会 公章 换届 卸任 会旗 钥匙交给
gym sport club|weigh-ins, weigh-in, locker key, day pass, hung up my boots, the kit bag, retired my shirt, ~treadmill, ~fees|转让年卡 退卡 挂靴 挂拍 球衣 健身卡转 ~跑步机
spoken_language university|the owl, last class, certificate came, final lesson, ~green bird|绿鸟 断签 结业 结课 ~最后一课
car|new wheels, crusher, crushed it, sorn, part-ex, test drove, collected it from the dealer, silver one, ~the old girl, ~mot|提车 落牌 临牌 四S店 4S店 压成铁 试驾 ~新车味
child|flown the nest, dropped him at uni, dropped her at uni, empty nest, moved out to halls, ~bunk|离家 去上大学 住校去 空巢 ~上下铺
streaming newspaper phone_plan insurance|lapse, let it lapse, ran out, cancelled the card, stopped paying, ~switched provider|没续 不续了 到期不管 停付 断供 ~换一家
hosting server_address backend|terminated, tore down, torn down, turned off, last droplet, moved off, ~final invoice|关机 销毁 删了实例 退租 ~最后一张账单
`
