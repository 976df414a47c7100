/** Which words name a town? Large ones of both languages: enough to tell "I'm in Lyon" from "I'm in a hurry". */

/** Large cities, English spelling. */
const ENGLISH = `London Manchester Birmingham Leeds Glasgow Edinburgh Bristol Liverpool Sheffield Cardiff Belfast Dublin Cork
  Paris Lyon Marseille Lille Toulouse Nantes Berlin Hamburg Munich Cologne Frankfurt Leipzig Stuttgart Vienna Zurich Geneva Basel
  Madrid Barcelona Valencia Seville Lisbon Porto Rome Milan Turin Naples Amsterdam Rotterdam Utrecht Brussels Antwerp Ghent
  Copenhagen Stockholm Oslo Bergen Helsinki Tallinn Riga Vilnius Warsaw Krakow Prague Brno Budapest Bucharest Sofia Athens
  Istanbul Ankara Kyiv Moscow Boston Chicago Seattle Portland Denver Austin Houston Dallas Atlanta Miami Philadelphia Phoenix
  Toronto Montreal Vancouver Calgary Ottawa Sydney Melbourne Brisbane Perth Adelaide Auckland Wellington Tokyo Osaka Kyoto Seoul
  Busan Taipei Singapore Bangkok Hanoi Jakarta Manila Mumbai Delhi Bangalore Bengaluru Chennai Hyderabad Pune Kolkata Lagos
  Nairobi Accra Cairo Johannesburg Durban Dubai Doha Riyadh Beijing Shanghai Shenzhen Guangzhou Hangzhou Chengdu Wuhan Nanjing`
/** Large cities, and the provinces people name as where they are. */
const CHINESE = `北京 上海 广州 深圳 天津 重庆 成都 杭州 武汉 西安 南京 苏州 长沙 郑州 青岛 济南 大连 沈阳 哈尔滨 长春 石家庄 太原 合肥 福州
  厦门 南昌 昆明 贵阳 南宁 海口 三亚 兰州 西宁 银川 乌鲁木齐 呼和浩特 拉萨 宁波 温州 无锡 常州 徐州 南通 扬州 镇江 绍兴 嘉兴 金华 台州
  佛山 东莞 珠海 中山 惠州 汕头 泉州 漳州 烟台 潍坊 临沂 洛阳 开封 宜昌 襄阳 株洲 桂林 柳州 绵阳 遵义 大理 丽江 保定 唐山 秦皇岛 邯郸
  香港 澳门 台北 高雄 台中 东京 大阪 首尔 新加坡 曼谷 伦敦 巴黎 柏林 纽约 洛杉矶 旧金山 多伦多 温哥华 悉尼 墨尔本 河北 河南 山东 山西 陕西
  湖北 湖南 江苏 浙江 安徽 福建 江西 广东 广西 四川 贵州 云南 甘肃 青海 海南 辽宁 吉林 黑龙江 内蒙古 新疆 西藏 宁夏`

const names = (table: string): string => table.trim().split(/\s+/).join('|')

/** A source of a regular expression that matches a known town. */
export const ENGLISH_TOWN = `(?:${names(ENGLISH)}|New York|San Francisco|Los Angeles|Hong Kong|Cape Town|Tel Aviv|Mexico City|Buenos Aires|Rio de Janeiro|São Paulo)`
/** The same for Chinese. */
export const CHINESE_TOWN = `(?:${names(CHINESE)})`
