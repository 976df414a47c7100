/** Which terms only say when, how often or how many? Two statements that share them need not speak of the same thing. */
import { indexTerms } from '../../language/tokens.ts'

const ENGLISH = `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
  sundays january february march april may june july august september october november december morning afternoon evening
  night noon midnight today tomorrow yesterday tonight week weeks weekly weekend month months monthly year years yearly
  day days daily hour hours minute minutes o'clock one two three four five six seven eight nine ten eleven twelve twice
  once half dozen thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty
  seventy eighty ninety hundred thousand quid pound pounds euro euros dollar dollars bucks grand pence everything
  something anything nothing http https www com ago early late always never usually often sometimes everyday people person day long little big small
  great nice bit ready live life need needs keep keeps kept put puts let lets come came start started finally actually
  feel felt try tried bring brought call called turn turned look looking seem happy sad bad better best old new name
  called move moved take took taken taking every`
const CHINESE = `今天 昨天 明天 前天 后天 今年 去年 明年 前年 上周 这周 下周 上个 这个 下个 周一 周二 周三 周四 周五 周六 周日 周末
  星期 礼拜 早上 上午 中午 下午 晚上 半夜 凌晨 每天 每周 每月 每年 天天 一天 一次 一年 一个 两个 三个 一月 二月 三月
  四月 五月 六月 七月 八月 九月 十月 分钟 小时 点钟 一周 两年 几年 半年 多年 以前 以后 之前 之后 最近 终于 已经 一直
  还有 有点 一点 因为 所以 结果 没有 可以 自己 这次 那次 一起 起来 出来 下来 上来 不用 不再 开始 觉得 时候 一下 大概
  差不 不多 好像 哈哈 年级 块钱 万块 千块 百块 十块 一千 一万 几百 几千 几万 两百 三百 四百 五百 不太 太喜 喜欢 统一`

/** The index's remnants of names that look like plurals: Inês, Anes. */
const REMNANTS = ['in', 'an', 'on', 'at']

const TERMS = new Set([...indexTerms(ENGLISH).keys(), ...REMNANTS, ...CHINESE.split(/\s+/)])

/** true for a word of time, number or mere filling. */
export function isTimeTerm(term: string): boolean {
  if (TERMS.has(term)) return true
  // A pair of characters with a pronoun or one that only joins words is no word of its own.
  return /^\p{Script=Han}{2}$/u.test(term) && /[我你他她它的了在是和与就而但又很吗呢吧啊哦嗯呀么着过们]/.test(term)
}
