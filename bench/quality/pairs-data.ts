/**
 * Our own pairs of memories as a careful reader labels them: `same` words, `retold` in others, `related` but different, or
 * `unrelated`. Every second pair of a kind is for choosing thresholds, the rest for reporting.
 */

/** One pair. */
export interface Pair {
  readonly language: 'en' | 'zh'
  readonly kind: 'same' | 'retold' | 'related' | 'unrelated'
  readonly a: string
  readonly b: string
}

const EN_SAME: readonly (readonly [string, string])[] = [
  [
    'I had lunch with Priya at the Korean place on Baker Street.',
    'Had lunch with Priya on Baker Street, at the Korean place.',
  ],
  [
    'Our staging database ran out of disk space on Tuesday night.',
    'On Tuesday night the staging database ran out of disk.',
  ],
  ['Signed the lease for the flat in Leith today.', 'Today I finally signed the lease on the flat in Leith.'],
  ['My flight to Oslo was delayed by three hours because of fog.', 'Fog delayed my Oslo flight by three hours.'],
  ['Dad had his knee operated on at St. Mary hospital.', 'My dad had a knee operation at the St. Mary hospital.'],
  ['We chose Postgres over MySQL for the billing service.', 'For the billing service we chose Postgres, not MySQL.'],
  ['Passed my driving test on the second attempt!', 'I passed the driving test on my second attempt.'],
  [
    'I adopted a grey kitten named Pixel from the shelter.',
    'Adopted a kitten from the shelter, she is grey and named Pixel.',
  ],
  [
    'The release of version 2.4 was postponed to Monday because the payment tests failed.',
    'Version 2.4 release postponed to Monday, payment tests failed.',
  ],
  ['Ran the Bristol half marathon in 1:52 this morning.', 'This morning I ran the half marathon in Bristol in 1:52.'],
  ['My laptop was stolen from the café near the station.', 'Someone stole my laptop in the café near the station.'],
  [
    'Interviewed with Nordwind for the data engineer position.',
    'I had an interview at Nordwind for a position as data engineer.',
  ],
  [
    'I broke my wrist falling off the bike on the way to work.',
    'Fell off my bike on the way to work and broke my wrist.',
  ],
  [
    'We moved the cron jobs from the old server to Kubernetes.',
    'The cron jobs were moved to Kubernetes from the old server.',
  ],
]

const EN_RELATED: readonly (readonly [string, string])[] = [
  [
    'I had lunch with Priya at the Korean place on Baker Street.',
    'I had dinner with Priya and her brother at the Korean place on Baker Street.',
  ],
  ['Ran 5 km in the park on Monday morning.', 'Ran 8 km in the park on Thursday morning.'],
  ['My flight to Oslo was delayed by three hours because of fog.', 'My flight to Bergen was cancelled because of fog.'],
  [
    'The staging database ran out of disk space on Tuesday night.',
    'The production database ran out of connections on Friday night.',
  ],
  ['Meeting with the dentist about the crown on 3 March.', 'Meeting with the dentist about the bridge on 17 April.'],
  ['We chose Postgres over MySQL for the billing service.', 'We chose Redis over Memcached for the session service.'],
  ['Mum visited us for her birthday and we baked a cake.', 'Dad visited us for his birthday and we grilled fish.'],
  ['I read the first chapter of Middlemarch on the train.', 'I read the last chapter of Emma on the train.'],
  [
    'Fixed the timeout bug in PaymentClient by raising the retry limit.',
    'Fixed the timeout bug in OrderClient by closing the socket.',
  ],
  ['Paid 420 euros rent for the garage in May.', 'Paid 435 euros rent for the garage in June.'],
  ['Took Pixel to the vet for her first vaccination.', 'Took Pixel to the vet because she had swallowed a ribbon.'],
  ['Gave a talk about caching at the Leeds meetup.', 'Gave a talk about tracing at the York meetup.'],
  ['Released version 2.4 with the new export dialog.', 'Released version 2.5 with the new import dialog.'],
  ['Had a video call with Tomas about the Berlin budget.', 'Had a video call with Tomas about the Madrid schedule.'],
]

const EN_UNRELATED: readonly (readonly [string, string])[] = [
  ['I had lunch with Priya at the Korean place on Baker Street.', 'The printer in the office is out of toner again.'],
  ['My sister is getting married in September.', 'We switched the logger to JSON output.'],
  ['I planted tomatoes on the balcony this weekend.', 'The exam in organic chemistry went badly.'],
  ['Bought a second-hand piano for 300 pounds.', 'The train to Cardiff was packed with football fans.'],
  ['My laptop was stolen from the café near the station.', 'Grandma taught me how to bake rye bread.'],
  ['The build fails since the upgrade to Node 24.', 'I signed up for a pottery course.'],
  ['We saw dolphins from the ferry.', 'I got a raise of four percent this year.'],
  ['My back hurts after moving the sofa.', 'The client accepted our offer for the website.'],
  ['Dad had his knee operated on at St. Mary hospital.', 'I finished the crossword in ten minutes.'],
  ['The neighbours complained about the drums.', 'Deployed the search service behind a feature flag.'],
  ['I failed to renew my passport in time.', 'Our team won the pub quiz.'],
  ['Cooked risotto for eight people.', 'The heating in the flat broke down in January.'],
]

const ZH_SAME: readonly (readonly [string, string])[] = [
  ['周六和小雯在南门的火锅店吃了晚饭。', '周六晚饭是和小雯在南门那家火锅店吃的。'],
  ['昨晚测试环境的数据库磁盘满了，服务挂了两个小时。', '测试环境数据库昨晚磁盘满了，导致服务挂了两小时。'],
  ['今天终于把滨江那套房子的租房合同签了。', '滨江那套房子的租房合同今天签好了。'],
  ['去成都的航班因为大雾延误了三个小时。', '因为大雾，飞成都的航班延误三小时。'],
  ['爸爸在市一医院做了膝盖手术。', '我爸的膝盖手术是在市一医院做的。'],
  ['计费服务我们决定用 Postgres，不用 MySQL。', '决定了，计费服务用 Postgres 而不是 MySQL。'],
  ['驾照科目三第二次考过了！', '我第二次考科目三终于考过了驾照。'],
  ['从救助站领养了一只灰色的小猫，取名叫汤圆。', '领养了一只叫汤圆的小猫，灰色的，从救助站来的。'],
  ['2.4 版本因为支付测试没通过，推迟到周一发布。', '支付测试没通过，2.4 版本推迟到周一再发布。'],
  ['今天早上在奥森跑完了半程马拉松，用时两小时零五分。', '早上在奥森跑完半马，两小时零五分。'],
  ['我的电脑在地铁站旁边的咖啡店被偷了。', '在地铁站旁边那家咖啡店，我的电脑被人偷了。'],
  ['去云帆科技面试了数据工程师的岗位。', '面试了云帆科技的数据工程师岗位。'],
  ['骑车上班的路上摔了一跤，手腕骨折了。', '上班路上骑车摔倒，把手腕摔骨折了。'],
  ['我们把定时任务从旧服务器迁到了 Kubernetes。', '定时任务已经从旧服务器迁移到 Kubernetes 上了。'],
]

const ZH_RELATED: readonly (readonly [string, string])[] = [
  ['周六和小雯在南门的火锅店吃了晚饭。', '周日和小雯还有她妹妹在南门的烤鱼店吃了午饭。'],
  ['周一早上在公园跑了五公里。', '周四早上在公园跑了八公里。'],
  ['去成都的航班因为大雾延误了三个小时。', '去昆明的航班因为雷雨取消了。'],
  ['昨晚测试环境的数据库磁盘满了。', '昨晚生产环境的数据库连接数满了。'],
  ['三月三号约了牙医做牙冠。', '四月十七号约了牙医洗牙。'],
  ['计费服务我们决定用 Postgres，不用 MySQL。', '会话服务我们决定用 Redis，不用 Memcached。'],
  ['妈妈生日那天来看我们，一起烤了蛋糕。', '爸爸生日那天来看我们，一起烧了鱼。'],
  ['在高铁上读完了《活着》的第一章。', '在高铁上读完了《围城》的最后一章。'],
  ['PaymentClient 的超时问题是把重试上限调高解决的。', 'OrderClient 的超时问题是及时关闭连接解决的。'],
  ['五月份车位租金交了四百二十元。', '六月份车位租金交了四百三十五元。'],
  ['带汤圆去宠物医院打了第一针疫苗。', '汤圆吞了丝带，连夜送去了宠物医院。'],
  ['在杭州的技术沙龙讲了缓存。', '在苏州的技术沙龙讲了链路追踪。'],
  ['发布了 2.4 版本，带新的导出窗口。', '发布了 2.5 版本，带新的导入窗口。'],
  ['和老周开视频会谈了北京项目的预算。', '和老周开视频会谈了广州项目的排期。'],
]

const ZH_UNRELATED: readonly (readonly [string, string])[] = [
  ['周六和小雯在南门的火锅店吃了晚饭。', '办公室的打印机又没墨了。'],
  ['我姐姐九月份要结婚。', '日志格式换成了 JSON。'],
  ['这个周末在阳台种了番茄。', '有机化学考砸了。'],
  ['花三千块买了一台二手钢琴。', '去西安的火车上全是球迷。'],
  ['我的电脑在地铁站旁边的咖啡店被偷了。', '奶奶教我包粽子。'],
  ['升级到 Node 24 之后构建就失败了。', '报了一个陶艺班。'],
  ['坐渡轮的时候看到了海豚。', '今年涨了百分之四的工资。'],
  ['搬完沙发腰疼得厉害。', '客户接受了我们的网站报价。'],
  ['爸爸在市一医院做了膝盖手术。', '十分钟做完了填字游戏。'],
  ['邻居投诉我打架子鼓太吵。', '搜索服务上线了，用开关控制。'],
  ['护照过期忘了续签。', '我们组拿了知识竞赛第一名。'],
  ['给八个人做了海鲜饭。', '一月份家里的暖气坏了。'],
]

const EN_RETOLD: readonly (readonly [string, string])[] = [
  [
    'My bike was stolen outside the library on Tuesday.',
    'Somebody nicked my bicycle on Tuesday while I was at the library.',
  ],
  ['We got engaged on the pier in Whitby.', 'He proposed to me in Whitby, on the pier, and I said yes.'],
  ['The exam in statistics went badly, I failed.', 'Did not pass statistics.'],
  ['Moved into the new flat on Elm Road last Saturday.', 'Last Saturday was moving day, we live on Elm Road now.'],
  ['The vet says Pixel has a heart murmur.', 'Pixel was diagnosed with a heart murmur at the vet.'],
  ['We rolled back the 3.1 deployment because of a memory leak.', 'Deployment 3.1 leaked memory, so we reverted it.'],
  ['My manager approved four weeks of parental leave.', 'Parental leave is approved, four weeks.'],
  ['I quit smoking on New Year.', 'No cigarettes since New Year.'],
]

const ZH_RETOLD: readonly (readonly [string, string])[] = [
  ['周二在图书馆门口自行车被偷了。', '单车周二丢了，就停在图书馆外面。'],
  ['他在厦门的海边向我求婚了。', '我们在厦门订婚了，就在海边。'],
  ['统计学考试没及格。', '统计学挂科了。'],
  ['上周六搬进了榆树路的新家。', '上周六搬家，现在住榆树路。'],
  ['医生说汤圆有心脏杂音。', '汤圆在宠物医院查出了心脏杂音。'],
  ['3.1 版本内存泄漏，我们回滚了。', '因为内存泄漏，我们把 3.1 撤回了。'],
  ['领导批了我四周的育儿假。', '育儿假批下来了，四周。'],
  ['元旦开始戒烟了。', '从元旦起就没再抽过烟。'],
]

/** All pairs. */
export const PAIRS: readonly Pair[] = [
  ...pairs('en', 'same', EN_SAME),
  ...pairs('en', 'retold', EN_RETOLD),
  ...pairs('en', 'related', EN_RELATED),
  ...pairs('en', 'unrelated', EN_UNRELATED),
  ...pairs('zh', 'same', ZH_SAME),
  ...pairs('zh', 'retold', ZH_RETOLD),
  ...pairs('zh', 'related', ZH_RELATED),
  ...pairs('zh', 'unrelated', ZH_UNRELATED),
]

/** The half that thresholds were chosen on, or the half that was only reported on. */
export function half(which: 'choose' | 'report'): readonly Pair[] {
  return PAIRS.filter((_pair, at) => at % 2 === (which === 'choose' ? 0 : 1))
}

function pairs(language: Pair['language'], kind: Pair['kind'], texts: readonly (readonly [string, string])[]): Pair[] {
  return texts.map(([a, b]) => ({ language, kind, a, b }))
}
