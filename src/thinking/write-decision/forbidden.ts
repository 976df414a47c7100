/**
 * Does the user forbid to remember, or order to forget ("off the record", 别记住, 请忘掉)? Then nothing of the message is
 * kept; an order not to forget is the opposite.
 */

const KEEPING = '(?:remember|memori[sz]e|store|save|note|record|log|keep|write|put)'
const ENGLISH = new RegExp(
  [
    `\\b(?:do(?: not|n['’]?t)|please (?:do(?: not|n['’]?t)|never)|never|(?:should|must|need)(?: not|n['’]?t)|no need to|not to) (?:ever |please )?${KEEPING}(?: (?:this|that|it|any of (?:this|that|it)|what (?:i|follows)|my|anything|down))?\\b`,
    '\\boff the record\\b|\\bnot for the record\\b|\\bbetween (?:us|you and me) only\\b',
    '(?:^|[.!?;,] *|\\bplease |\\bjust |\\bthen |\\bnow )(?:forget|erase|delete|drop) (?:that|what|about|everything|anything|all (?:of )?(?:this|that|it)|my|it|this)\\b',
  ].join('|'),
  'i',
)
/** "Don't store it in git" is advice, "don't write tests" a task: the object must be the message or its content. */
const ENGLISH_OBJECT = new RegExp(
  `(?:do(?: not|n['’]?t)|never|not|no need to|to) (?:ever |please )?${KEEPING}(?: (?:this|that|it|any of (?:this|that|it)|what i|my|anything|down))?(?:[.!?,:;，。]|$| (?:please|though|anywhere|down|about me|but|ok|okay)\\b)`,
  'i',
)
const CHINESE =
  /(?:别|不要|不用|不必|不许|不准|请勿|勿|甭|莫|千万别)(?:再|去|给我|帮我|把.{1,12})?(?:记住|记下|记录|记得|记着|记|存|保存|储存|写进|写入|写到)(?:下来|下|住|了|啊|哦)?(?=[：:，,。！!；;、\s]|$|这|它|我的|我说)|(?<=^|[，。！？；：,!?;:\s请你您快]|帮我|麻烦)(?:忘掉|忘了|忘记|删掉|删除)(?:这|那|我的|我说|刚才|前面|它|吧)|(?:请|帮我|(?:^|[，。！,!\s请你您就快])把.{1,12})(?:忘掉|忘记|忘了)|不要(?:留|作)(?:下)?记录/
const OPPOSITE = /(?:do(?: not|n['’]?t)|never|cannot|can['’]?t) forget|(?:别|不要|莫|勿|千万别)忘|不(?:能|要|会)忘/i

/** Whether nothing of the message may be kept. */
export function forbidsKeeping(message: string): boolean {
  if (OPPOSITE.test(message)) return false
  if (CHINESE.test(message)) return !/[吗？?]\s{0,40}$/.test(message.trim())
  if (!ENGLISH.test(message)) return false
  const forgets = /\b(?:forget|erase|delete|drop) |off the record|not for the record|between/i.test(message)
  return (forgets || ENGLISH_OBJECT.test(message)) && !/\?\s{0,40}$/.test(message.trim())
}
