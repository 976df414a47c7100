/**
 * Which words does a text hold, in which clauses, and with which meanings of `data/words/meanings.txt`? Latin words, Han
 * characters and emojis, lower-case and simplified, so that one lexicon serves every way of writing.
 */
import { atOnce } from '../../domain/scheduling.ts'
import { wordTable } from '../../language/word-lists.ts'

/** The words of a text in order, and for each the number of its clause, counted from 0. */
export interface Words {
  readonly words: readonly string[]
  readonly clauses: readonly number[]
}

const WORD_START = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
const SPACE = /\s/
const QUOTES = '"\''
const JOINERS = "'.-+#/:_@&"

/** The classes of a UTF-16 unit. */
const HAN = 1
const LETTER = 2
const MARK = 3
const BLANK = 4
/** Kana, hangul and other characters that stand for themselves. */
const OTHER = 5

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z0-9]/.test(character) ? LETTER : SPACE.test(character) ? BLANK : MARK
})

function kindOf(code: number): number {
  if (code < 128) return ASCII[code]!
  if (code >= 0x3400 && code <= 0x9fff) return HAN
  if (code >= 0xc0 && code <= 0x24f) return LETTER
  return SPACE.test(String.fromCharCode(code)) ? BLANK : OTHER
}

/** The text as the lexicon and the weights see it: lower-case, simplified, with plain apostrophes and full-width forms narrowed. */
export function normalizedText(text: string): string {
  const lower = text.toLowerCase()
  let at = 0
  while (at < lower.length && lower.charCodeAt(at) < 128) at++
  if (at === lower.length) return lower
  const codes = new Uint16Array(lower.length)
  for (at = 0; at < lower.length; at++) codes[at] = plainCode(lower.charCodeAt(at))
  let result = ''
  for (at = 0; at < codes.length; at += PIECE) {
    result += String.fromCharCode.apply(null, codes.subarray(at, at + PIECE) as unknown as number[])
  }
  return result
}

/** The number of arguments that are safe for one call. */
const PIECE = 4096

function plainCode(code: number): number {
  if (code < 128) return code
  if (code >= 0x3400 && code <= 0x9fff) return simplified(code)
  if (code === 0x2019 || code === 0x2018) return 0x27
  if (code < 0xff01 || code > 0xff5e) return code
  const narrow = code - 0xfee0
  return narrow >= 65 && narrow <= 90 ? narrow + 32 : narrow
}

/**
 * Cuts a text that `plain` has prepared: non-words, and spaces between Han characters, end a clause. Marks within a
 * Latin word belong to it ("node.js", "o'neil"), as `++` and `#` do at its end.
 */
export function cutWords(text: string): Words {
  const words: string[] = []
  const clauses: number[] = []
  let clause = 0
  let open = false
  let gap = false
  let newline = false
  let previous = 0
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text.charCodeAt(at))
    if (kind === BLANK) {
      gap = true
      newline ||= text[at] === '\n'
      at++
      continue
    }
    const end =
      kind === LETTER ? latinEnd(text, at) : kind === OTHER ? at + (text.codePointAt(at)! > 0xffff ? 2 : 1) : at + 1
    const word = text.slice(at, end)
    if (kind === MARK || (kind === OTHER && !WORD_START.test(word))) {
      if (open && !QUOTES.includes(word)) {
        clause++
        open = false
      }
    } else {
      if (gap && open && (newline || (kind === HAN && previous === HAN))) clause++
      words.push(word)
      clauses.push(clause)
      open = true
      previous = kind
    }
    gap = false
    newline = false
    at = end
  }
  return { words, clauses }
}

function latinEnd(text: string, from: number): number {
  let end = from + 1
  for (;;) {
    while (end < text.length && kindOf(text.charCodeAt(end)) === LETTER) end++
    let behind = end
    while (behind < text.length && JOINERS.includes(text[behind]!)) behind++
    if (behind === end || behind >= text.length || kindOf(text.charCodeAt(behind)) !== LETTER) break
    end = behind
  }
  if (text.startsWith('++', end)) return end + 2
  return text[end] === '#' ? end + 1 : end
}

/** Pairs: the traditional character, then the simplified one. */
const PAIRS =
  '個个們们來来這这說说會会時时國国過过還还對对開开關关無无為为麼么嗎吗後后發发當当話话樣样點点實实現现裡里裏里問问間间學学書书經经東东車车長长門门兩两應应從从動动進进種种頭头體体電电機机愛爱買买賣卖錢钱貴贵費费資资質质賬账賺赚貓猫飯饭館馆飲饮麵面雞鸡魚鱼豬猪鴨鸭養养醫医藥药術术療疗癒愈瘡疮腦脑臉脸髮发膚肤歲岁媽妈爺爷孫孙婦妇嬸婶親亲師师業业職职務务辦办員员與与並并給给請请讓让記记認认識识講讲談谈論论詞词語语譯译讀读寫写訂订計计設设試试課课題题練练習习級级組组織织網网絡络線线統统編编輯辑碼码號号數数據据庫库層层單单雙双條条張张塊块邊边遠远運运達达選选擇择換换閉闭啟启該该須须導导團团隊队專专屬属產产價价優优壞坏錯错誤误確确證证報报錄录憶忆懷怀憂忧慮虑慣惯態态戀恋憐怜戲戏劇剧歡欢樂乐聲声聽听視视覺觉觀观見见規规觸触響响頁页順顺預预領领頻频顏颜願愿類类顯显飛飞騎骑驗验驚惊馬马駕驾聯联簡简繫系續续紙纸納纳紅红綠绿藍蓝黃黄銀银鐵铁鋼钢錶表鍵键鏡镜鐘钟針针鎖锁險险陽阳陰阴陳陈階阶隨随際际離离難难雖虽雲云霧雾靈灵靜静韓韩風风餓饿齊齐齒齿龍龙龜龟麗丽麥麦區区協协卻却厭厌參参吳吴喪丧嘆叹嘗尝噴喷嚴严園园圍围圖图圓圆場场壓压壯壮夠够夢梦奪夺奮奋嬰婴寧宁審审寬宽寶宝將将尋寻屆届島岛峽峡嶺岭帶带帳帐幣币幫帮幹干幾几廁厕廠厂廢废廣广廳厅強强彈弹彌弥彎弯徵征恆恒惡恶惱恼慘惨慶庆憑凭戰战戶户擔担擁拥擠挤擴扩擺摆攝摄敗败敵敌斷断於于昇升暈晕暫暂曉晓曬晒極极榮荣構构樓楼標标樹树橋桥檔档檢检櫃柜權权歐欧歷历歸归殘残殺杀氣气決决沒没淚泪淨净測测減减湯汤溝沟溫温滅灭滿满漢汉漲涨潔洁濕湿濟济濾滤灣湾災灾燈灯燒烧營营爐炉爛烂爭争牆墙獎奖獨独獲获環环瑪玛畢毕畫画異异痠酸瘋疯盃杯監监盤盘眾众睏困瞭了礎础禮礼稱称積积穩稳窮穷窩窝筆笔節节範范築筑簽签籃篮籌筹糧粮約约紀纪紹绍終终結结絕绝維维緊紧緣缘緩缓縣县縮缩總总績绩繪绘繼继罰罚羅罗義义聖圣聞闻聰聪肅肃腎肾腫肿腳脚腸肠膠胶臺台舉举舊旧艦舰艙舱蘋苹蘭兰處处蝦虾螢萤衛卫裝装補补複复褲裤訊讯討讨訓训訴诉診诊註注評评詢询詳详誌志誠诚誰谁調调諒谅諮咨諾诺謝谢譜谱議议護护變变讚赞豐丰貝贝負负財财貨货貪贪責责貼贴貿贸賀贺賞赏賠赔賽赛購购贈赠贏赢趕赶跡迹踐践躍跃軍军軟软較较載载輕轻輛辆輪轮輸输轉转辭辞農农遊游違违遞递遲迟遺遗郵邮鄉乡鄰邻醜丑釀酿釣钓鈴铃銷销鋪铺鍋锅鎮镇鏈链鑽钻閃闪閒闲閱阅闆板陸陆隱隐雜杂頂顶項项頓顿頗颇顧顾飄飘餅饼餘余騙骗騷骚髒脏鬆松鬥斗鬧闹魯鲁鮮鲜鳥鸟鹹咸鹽盐黨党齡龄係系嚟来嘞了俾给畀给搵找攞拿諗想鍾钟凍冻檸柠隻只乾干週周囉啰嚇吓蠟蜡蠔蚝儘尽盡尽夾夹壽寿兒儿闊阔糰团滷卤煙烟菸烟鍛锻煉炼闢辟錦锦繡绣騰腾驅驱鴿鸽鵝鹅鯨鲸鱷鳄緻致羣群衆众峯峰綫线鷄鸡'

const FIRST = 0x3400
/** For each Han character its simplified form, 0 where that is itself. */
const table = new Uint16Array(0x9fff - FIRST + 1)
for (let at = 0; at + 1 < PAIRS.length; at += 2) table[PAIRS.charCodeAt(at) - FIRST] = PAIRS.charCodeAt(at + 1)

/** The code unit of the simplified form; the same code unit for every other character. */
function simplified(code: number): number {
  return table[code - FIRST] || code
}

const LINES = wordTable('meanings').map((line) => line.split('|'))
/** The names of the meanings, in the order of their weights. */
export const MEANINGS: readonly string[] = LINES.map(([name]) => name!)

/** A node of the tree of phrases: its followers, if any, and the meanings that end here. */
interface PhraseNode {
  next: Map<string, PhraseNode> | null
  meanings: number[] | null
}

/** Phrases that are planted between two pauses; a millisecond or two. */
const PHRASES_A_PIECE = 100

let tree: PhraseNode | null = null

/** Makes the lexicon ready, in pieces; the first text waits for an unready one. */
export function* readyLexicon(): Generator<void, PhraseNode> {
  if (tree !== null) return tree
  const root: PhraseNode = { next: null, meanings: null }
  let planted = 0
  for (const [meaning, [, ...columns]] of LINES.entries()) {
    for (const phrase of columns.join(',').split(',')) {
      plant(root, cutWords(normalizedText(phrase)).words, meaning)
      planted += 1
      if (planted % PHRASES_A_PIECE === 0) yield
    }
  }
  tree = root
  return root
}

function plant(root: PhraseNode, words: readonly string[], meaning: number): void {
  if (words.length === 0) return
  let node = root
  for (const word of words) {
    node.next ??= new Map()
    let next = node.next.get(word)
    if (next === undefined) {
      next = { next: null, meanings: null }
      node.next.set(word, next)
    }
    node = next
  }
  node.meanings ??= []
  if (!node.meanings.includes(meaning)) node.meanings.push(meaning)
}

/** Calls `found` for every phrase that starts at a word, shorter ones before longer ones; `end` is behind its last word. */
export function walkMeanings(
  words: readonly string[],
  found: (meaning: number, start: number, end: number) => void,
): void {
  const root = tree ?? atOnce(readyLexicon())
  for (let start = 0; start < words.length; start++) {
    let node = root.next?.get(words[start]!)
    for (let at = start + 1; node !== undefined; at++) {
      const { meanings, next } = node
      if (meanings !== null) for (let one = 0; one < meanings.length; one++) found(meanings[one]!, start, at)
      node = at < words.length && next !== null ? next.get(words[at]!) : undefined
    }
  }
}
