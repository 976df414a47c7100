/**
 * Attributes of a person's life: where, with whom, how they live, what they own. `1` one value at a time, `n` several;
 * `f` fact, `p` preference, `h` habit. `slot.ts` says how a line is read.
 */
export const LIFE_SLOTS = `
name|1f|my name, nickname, go by, call me, ~is called, am called|名字 姓名 昵称 小名 大名 我叫 我姓 叫我 姓什么 贵姓
age|1f|age, years old, how old, turned 20, turned 30, turned 40|年龄 岁数 多大 周岁 几岁 ~岁
birthday|1f|birthday, born on, date of birth, bday|生日 出生日期 过生日
home|1f|live in, live at, live on, live near, living in, live with, living with, where do i live, ~home, ~house, ~flat, ~apartment, ~move, moving house, we have moved, we've moved, we moved, i moved, i have moved, i've moved, just moved, moved in, moved house, moved out, moving in, relocate, relocation, settle, settled in, new place, ~address, ~city, ~town, ~lease, ~tenancy, ~village, neighbourhood, neighborhood, suburb, studio flat, bedsit, rented room, ~boxes, ~unpacked, ~unpacking, ~keys|~住 住在 住址 住处 搬家 ~搬到 ~搬去 ~搬来 ~搬进 ~搬完 家搬 我搬 我们搬 定居 落脚 地址 ~房子 租房 租了 公寓 ~小区 ~城市 哪座城市 哪个城市 安家 新家 新房 合租 ~宿舍 落户
hometown|1f|hometown, grew up in, come from, originally from, i am from, i'm from, born in, where i am from|老家 家乡 籍贯 故乡 祖籍 出生地 人氏 本地人
property|nf|mortgage, down payment, bought a house, bought a flat, homeowner, house deposit|买房 首付 房贷 房产 购房 房子买 交了首付
nationality|1f|nationality, passport, citizenship, citizen, citizenship ceremony|国籍 护照 入籍
visa|1f|visa, residence permit, work permit, green card|签证 居留 绿卡 工签
rent|1f|rent, landlord, landlady, letting agent|房租 租金 房东 二房东 押金
flatmate|nf|flatmate, roommate, housemate, lodger|室友 舍友 合租的
neighbour|nf|neighbour, neighbor, next door, neighbours|邻居 隔壁 楼上 楼下
partner|1f|wife, husband, partner, girlfriend, boyfriend, fiance, fiancé, fiancee, fiancée, spouse, better half, other half, seeing someone, ~dating, married, marry, engaged, single, divorced, divorce, separated, split up, broke up, break up, relationship, missus, ~ex, ~wedding|老婆 妻子 媳妇 太太 爱人 老公 丈夫 先生 男朋友 女朋友 男友 女友 对象 未婚夫 未婚妻 结婚 离婚 分手 恋爱 单身 领证 我俩 脱单 前任 处对象 谈恋爱 相亲
in_laws|nf|in-laws, mother-in-law, father-in-law, her parents, his parents, her mum, his mum, her dad, his dad|岳父 岳母 丈母娘 老丈人 婆婆 公公 公婆 她爸妈 他爸妈 她妈 他妈 她爸 他爸 她家 他家
child|nf|son, daughter, kid, kids, child, children, baby, toddler, twins, pregnant, expecting|儿子 女儿 孩子 娃 宝宝 闺女 老大 老二 双胞胎 怀孕 二胎
sibling|nf|brother, sister, siblings|哥 姐 弟 妹 哥哥 姐姐 弟弟 妹妹
parent|nf|mum, mom, ~mother, dad, father, parents|我妈 我爸 妈妈 爸爸 父母 爸妈 母亲 父亲
pet|nf|pet, dog, cat, puppy, kitten, parrot, budgie, rabbit, hamster, guinea pig, goldfish, fish tank, aquarium, tortoise, turtle, snake, gecko, ferret, terrier, labrador, spaniel, collie, poodle, greyhound, beagle, tabby, ginger tom, ~vet, ~leash, ~litter, ~breed, ~chip, ~seller, ~breeder|宠物 狗 猫 狗狗 小狗 小猫 猫咪 狗子 金毛 柯基 泰迪 哈士奇 边牧 橘猫 布偶 鹦鹉 兔子 仓鼠 金鱼 鱼缸 养鱼 乌龟 龙猫 品种 毛孩子 英短 美短
livestock|nf|hens, chickens, hen, coop, ducks, goats, sheep, horse, pony, donkey, pig, cows, bees, beehive, hive, ~fox, stable|母鸡 养鸡 鸡 鸭子 羊 ~马 养蜂 蜂箱 猪
plants|nf|~plant, ~plants, garden, allotment, tomatoes, roses, orchid, monstera, succulent, balcony, greenhouse, veg patch, window box, bonsai|植物 养花 ~花 盆 两盆 盆栽 绿植 多肉 阳台 月季 绿萝 兰花 种菜 菜地 君子兰
phone|1f|phone, handset, smartphone, mobile, cell phone, iphone, pixel, galaxy, oneplus, nokia, motorola|手机 安卓机 苹果手机 华为手机 小米手机 折叠屏 荣耀手机
phone_number|1f|phone number, mobile number, my number, number is|手机号 电话号码 我电话 号码
phone_plan|1f|carrier, phone plan, sim, esim, roaming|套餐 流量卡 运营商 移动卡 联通卡 电信卡
email|1f|email, email address, e-mail, mail address|邮箱 邮件地址 电子邮件
computer|1f|laptop, desktop, a mac, my mac, macbook, thinkpad, pc, workstation, framework 13, framework 16, imac, mac mini, dev machine, xps, chromebook, surface|电脑 笔记本电脑 台式机 主机 开发机 本子 苹果本 苹果电脑
tablet|1f|tablet, ipad, kindle, e-reader, ereader, kobo|平板 阅读器
camera|1f|camera, dslr, mirrorless, lens, nikon, canon, fujifilm, leica|相机 单反 微单 镜头 尼康 佳能 富士
headphones|1f|headphones, earbuds, earphones, airpods|耳机 降噪耳机
watch|1f|watch, smartwatch, garmin, fitbit|手表 手环
car|1f|car, drive a, drives a, drive an, drives an, vehicle, suv, hatchback, estate car, diesel, electric car, ev, kia, toyota, honda, volvo, tesla, skoda, golf gtd, audi, bmw, mercedes, nissan, mazda, hyundai, ford, fiat, peugeot, renault, citroen, subaru, byd, mot, i drive, motor, van|车 汽车 轿车 提车 开的 买车 车是 开车 电车 油车 新能源车 特斯拉 比亚迪 丰田 本田 大众 宝马 奔驰 奥迪 理想 蔚来 小鹏 问界 五菱 吉利 长安 哈弗 过户 驾照 车牌 电动汽车
fuel|nf|fill up, petrol, petrol station, gas station, fuel, diesel pump, charging station, charger|加油 油站 加油站 油卡 充电 充电桩 充电站 中石化 中石油
parking|1f|parking, park in, park at, parking space, garage, parking permit|停车 车位 停车场 车库 停车证 停车卡
car_insurance|1f|car insurance, insurer, no claims|车险 保险到期
bike|1f|bike, bicycle, e-bike, cycle to, cycling, motorbike, scooter, moped|自行车 单车 公路车 电动车 摩托 小电驴 骑车 电瓶车
commute|nh|commute, train, bus to, take the bus, take the tube, take the tram, take the train, tube, metro, tram, cycle to work, walk to work, drive to work, get to work, to the office, timetable, set off, leave the house, leave home, take the 6, take the 7, take the 8, every morning i take, ferry|通勤 上班路上 地铁 公交 号线 班车 坐车上班 骑车上班 开车上班 走路上班 怎么上班 高铁上下班 上班二十分钟 路上要
gym|1h|gym, fitness, climb at, climbing wall, crossfit, yoga studio, pool, swim at, workout, personal trainer, membership, leisure centre, bouldering|健身 健身房 年卡 私教 瑜伽馆 游泳馆 攀岩馆 健身卡 撸铁 泳池 拳馆
sport|nh|running, jogging, marathon, football, five-a-side, tennis, badminton, squash, swimming, rowing, yoga, pilates, boxing, judo, karate, climbing, surfing, ski, skiing, snowboarding, basketball, volleyball, cricket, rugby, golf, run every, i run, go running, running shoes, go for a run|跑步 晨跑 夜跑 马拉松 足球 篮球 羽毛球 乒乓球 网球 游泳 瑜伽 普拉提 拳击 滑雪 爬山 ~登山 打球 骑行 太极 飞盘 跑步鞋 跑鞋
instrument|nf|piano, guitar, violin, cello, drums, flute, trumpet, trombone, saxophone, clarinet, viola, ~bass, banjo, ukulele, harp, accordion, instrument, orchestra, ~band, choir|钢琴 吉他 小提琴 大提琴 鼓 笛子 二胡 古筝 琵琶 萨克斯 尤克里里 乐器 乐队 合唱团 琴
teacher|1f|teacher, tutor, lesson, lessons, ~coach, instructor, ~trainer|老师 教练 家教 ~上课 ~课 导师 带我的 师傅
hobby|nh|hobby, hobbies, knitting, painting, pottery, photography, chess, crosswords, gardening, birdwatching, fishing, woodworking, board games, video games, sewing, crochet, collect, collecting, ~reading|爱好 兴趣 画画 书法 围棋 象棋 摄影 钓鱼 下棋 拼图 手办 模型 剧本杀 桌游 打游戏 追剧 陶艺 编织 木工
book|nf|~book, novel, reading at the moment, book club|书 小说 在读 读书会 在看的书
game|nf|video game, ~game, steam, switch, playstation, ps5, xbox, raid, guild|游戏 打游戏 原神 王者 公会 手游 开黑
streaming|nf|netflix, spotify, disney, youtube premium, subscription, subscribe, subscribed, streaming, apple music, hbo, prime video, audible|订阅 会员 续费 奈飞 网易云 QQ音乐 爱奇艺 B站大会员 视频会员 听歌
newspaper|nf|newspaper, newsletter, magazine|报纸 杂志 周刊 公众号
bank|1f|bank, account with, bank account, credit card, salary goes into, building society, monzo, revolut, hsbc, barclays|银行 工资卡 信用卡 开户 招行 建行 工行 储蓄卡
savings|nf|savings, ~invest, ~investing, pension, isa, ~shares, etf, ~fund|存款 理财 基金 股票 定投 公积金 养老金
loan|nf|loan, debt, student loan, paid off, pay off, instalments|贷款 欠款 还贷 网贷 分期 花呗
insurance|1f|insurance, health insurance, policy|保险 医保 重疾险
diet|np|diet, vegetarian, vegan, pescatarian, carnivore, keto, halal, kosher, gluten free, gluten, eat meat, off meat, meat, dairy free, eat fish, fasting, intermittent fasting, low carb, ~eat, ~dinner, ~lunch, breakfast, ~meal, supper, ~restaurant, cook for me, takeaway, spicy, plant based, food, ~recipe, menu|吃素 素食 吃肉 清真 忌口 不吃 能吃辣 吃辣 不能吃 辣 海鲜 吃荤 减肥 轻断食 生酮 外卖 饭菜 点菜 聚餐 食谱 菜谱 做饭 晚饭 早饭 午饭 全素 无辣不欢 口味 戒糖 戒碳水 清淡
allergy|nf|allergy, allergic, intolerant, intolerance, anaphylaxis, epipen, nuts, peanut, lactose, coeliac|过敏 不耐受 乳糖 花粉 青霉素 忌口
drink|np|~drink, coffee, tea, latte, espresso, cappuccino, decaf, caffeine, juice, soda, cola, milk, oat milk, matcha, beverage, flat white, americano, cold brew, mate|~喝 咖啡 茶 奶茶 拿铁 美式 可乐 饮料 绿茶 红茶 普洱 豆浆 牛奶 燕麦奶 白开水 冰美式
alcohol|1p|alcohol, beer, wine, whisky, whiskey, booze, ~sober, teetotal, drinker, pint, gin, dry january, lager|喝酒 白酒 啤酒 红酒 黄酒 戒酒 滴酒不沾 酒局 酒量 不喝酒 酒
smoking|1h|smoke, smoker, smoking, cigarettes, cigarette, vape, vaping, nicotine, patches|抽烟 吸烟 戒烟 烟瘾 电子烟 香烟 烟 烟民
medication|nf|medication, medicine, ~tablets, pills, prescription, prescribed, dose, inhaler, insulin, antibiotics, statin, antidepressant, ibuprofen, mg|吃药 药 换药 药片 处方 胰岛素 降压药 开的药 服药 在吃 片剂 吃什么药
illness|nf|diabetes, asthma, migraine, migraines, blood pressure, arthritis, anxiety, depression, thyroid, cholesterol, eczema, back pain, injury, surgery, diagnosed, diagnosis|血压 糖尿病 哮喘 偏头痛 胃病 甲状腺 结节 痛风 抑郁 失眠 颈椎 腰椎 确诊 手术 反酸
doctor|1f|doctor, gp, specialist, physician, clinic, surgery, consultant, physio, physiotherapist, therapist, counsellor, midwife|医生 大夫 门诊 主治 心理咨询 复诊 医院
dentist|1f|dentist, dental, braces, orthodontist, hygienist|牙医 牙科 洗牙 矫正 牙套
appointment|1f|appointment, booked for, scheduled, check-up, checkup|预约 体检 挂号 约在 约的 复查
flight|1f|flight, fly to, flying to, airport, lands at, boarding, departure|航班 飞机 机票 机场 起飞
trip|nf|trip, holiday, vacation, ~hotel, airbnb, ~booking, itinerary, travel to, honeymoon|旅行 旅游 酒店 民宿 行程 出差 度假 蜜月
wedding|1f|wedding, ceremony, wedding venue|婚礼 婚宴 婚期 办酒
exam|1f|exam, test date, retake, resit, driving test|考试 考研 驾考 科目 补考 考试时间
glasses|1f|glasses, contact lenses, contacts, prescription glasses, laser eye, reading glasses, lasik|眼镜 近视 隐形 隐形眼镜 度数
height|1f|height, how tall, cm tall|身高 个子 多高
weight|1f|weight, kilos, weigh|体重 多重
shoe_size|1f|shoe size, shoes are size, size shoes|鞋码 码的鞋 鞋号
blood_type|1f|blood type, blood group, type o, type a, type ab, o negative, o positive|血型 A型 B型 O型 AB型 A型血 B型血 O型血
clothing_size|1f|dress size, clothing size, shirt size, ring size|尺码 衣服码 腰围 胸围
hair|1f|hair, haircut, fringe, barber, hairdresser, bleach|头发 发型 短发 长发 染发 理发
religion|1f|church, mosque, temple, synagogue, christian, muslim, buddhist, atheist, baptised, religion|信教 教堂 寺庙 佛教 基督教 伊斯兰 信佛
spoken_language|nf|language, languages, speak, speaks, fluent, bilingual, mother tongue, native speaker, jlpt, dele, portuguese, dutch, spanish, french, german, italian, japanese, korean, mandarin, cantonese, polish, russian, arabic, welsh, swedish, norwegian, danish, turkish, greek, hindi, catalan|语言 英语 日语 法语 德语 西班牙语 韩语 俄语 粤语 普通话 方言 会说 雅思 托福 外语 意大利语 葡萄牙语 泰语 阿拉伯语 四级 六级 N1 N2
volunteering|nf|volunteer, volunteering, charity, food bank, foster|志愿者 义工 公益 支教
club|nf|club, society, league, supporters, season ticket, scouts|社团 俱乐部 球队 球迷 协会
wake_time|1h|wake up, get up at, alarm, up at five, up at six, early riser|起床 闹钟 早起 起床时间 点起 点半起
bedtime|1h|go to bed, bedtime, asleep by, sleep at, night owl|睡觉 入睡 熬夜 就寝 几点睡 上床 点睡 点半睡
favourite|np|favourite, favorite, my usual, best loved, adore|最爱 最喜欢
supermarket|1h|groceries, supermarket, grocery, weekly shop, tesco, aldi, lidl, big shop|超市 买菜 菜市场 盒马 山姆
restaurant|nh|local pub, favourite cafe, café, cafe, pub, bakery, takeaway place|馆子 餐馆 早餐店 面馆 咖啡店 楼下那家
hairdresser|1f|barber, hairdresser, salon|理发店 理发师 托尼
childcare|1f|childminder, nanny, au pair, babysitter, daycare fees|保姆 月嫂 阿姨 育儿嫂 带娃
cleaner|1f|cleaner, cleaning lady, housekeeper|保洁 钟点工 家政
internet|1f|broadband, wifi, internet provider, router, fibre, isp|宽带 路由器 网费 光猫
energy|1f|energy supplier, electricity, gas supplier, solar panels, heat pump, boiler, heating|电费 燃气 供暖 暖气 太阳能
nearby|nf|in walking distance|就近
coffee_machine|1f|coffee machine, espresso machine, coffee maker, french press, grinder, nespresso|咖啡机 磨豆机 胶囊机 摩卡壶
printer|1f|printer, inkjet, laser printer, 3d printer|打印机
tv|1f|tv, television, projector, soundbar|电视 投影仪 电视机
appliance|nf|washing machine, dishwasher, oven, fridge, freezer, vacuum, robot vacuum, air fryer, microwave, kettle, toaster, dryer, stove, hob, lawnmower, sewing machine|洗衣机 洗碗机 烤箱 冰箱 扫地机器人 吸尘器 空气炸锅 微波炉 烘干机 热水器 空调 净水器 电饭煲
accessory|nf|charger, charging cable, cable, adapter, dongle, phone case, screen protector, spare battery, memory card, lens, capsules, pods, cartridge, cartridges, ink, toner, filters, filter, spare parts, tyres, tires, winter tyres, snow tyres, roof box, roof rack, child seat, helmet, lock, pannier, docking station, dock, beans, strings, reeds, service book, spare key, mechanic, service plan, warranty|充电器 充电线 数据线 转接头 手机壳 钢化膜 贴膜 备用电池 存储卡 胶囊 墨盒 硒鼓 滤芯 配件 轮胎 雪地胎 车顶箱 安全座椅 儿童座椅 头盔 车锁 驮包 扩展坞 咖啡豆 琴弦 哨片 保养 保修 延保 修理厂 修车
pet_care|nf|vet, veterinary, groomer, dog walker, kennels, cattery, flea treatment, pet insurance, pet sitter, dog park|宠物医院 兽医 驱虫 洗澡美容 寄养 遛狗 疫苗本 猫砂 狗粮 猫粮 罐头
sleep|nh|nap, naps, sleep eight hours, earplugs, blackout blinds|午睡 补觉 睡眠 眼罩 耳塞
pregnancy|1f|pregnant, pregnancy, due in, expecting a baby, midwife, trimester|怀孕 孕期 预产期 产检 孕
`
