/** Does this text speak of what somebody likes or dislikes? Then memories of preferences count more (000: ×1.5). */

const ENGLISH =
  /\b(?:i|we|you|he|she|they|my|your)(?:['’](?:d|m|re|ve|ll))?\s{1,40}(?:[\w'’]{1,40}\s{1,40}){0,2}?(?:prefer(?:s|red)?|like[sd]?|love[sd]?|enjoy(?:s|ed)?|hate[sd]?|dislike[sd]?|adore[sd]?|can['’]?t stand|fond of|allergic to|into|rather)\b|\b(?:favou?rites?|preferences?|preferred|pet peeve|taste in|a (?:\w{1,20} )?fan of|like best|like most|(?:do|did|does|would) (?:i|you|he|she|they|we) (?:\w{1,40} )?(?:like|love|hate|prefer|enjoy))\b/i
/** "it looks like", "would like to know", "like this" speak of no taste. */
const NO_TASTE =
  /\b(?:i|we)(?:['’]d| would) (?:really )?like (?:to|you|a|some)\b|\b(?:look|looks|looked|feel|feels|felt|seem|seems|sound|sounds|is|was|are|were|just|more|something|stuff|things|act|acts|be) like\b|\b(?:i|we) (?:was|were|am|are) like\b/gi
const CHINESE =
  /(?<!不知道)(?:喜欢|喜爱|偏好|偏爱|最爱|热爱|钟爱|更愿意|宁愿|宁可|讨厌|厌恶|反感|受不了|不爱|[我你他她们][超很真最也还就都]?(?:特别|非常|一直|尤其)?爱(?![人情心])|爱吃|爱喝|爱看|爱听|爱用|爱玩|习惯用|倾向于|倾向用|口味|对.{1,8}过敏|感兴趣|不吃|不喝)/

/** true for "I prefer tabs", "what is my favourite tea?", 我喜欢喝茶, 她讨厌香菜. */
export function speaksOfPreference(text: string): boolean {
  return CHINESE.test(text) || ENGLISH.test(text.replace(NO_TASTE, ' '))
}

const OWN_TASTE =
  /^(?:i|we) (?:\w{2,12}ly |do )?(?:prefer|like|love|dislike|hate|enjoy|adore|don['’]t like|can(?:['’]t| ?not) stand)\b|^我(?:[很超挺真最也都更]|非常|特别|尤其|其实|一直){0,2}(?:不?喜欢|喜爱|讨厌|偏好|偏爱|最爱|受不了|不?爱[吃喝看听用玩])/i

/** Whether it begins as a plain statement of the writer's own taste: "I dislike crowds", 我讨厌加班. */
export function statesTaste(text: string): boolean {
  return OWN_TASTE.test(text.replace(NO_TASTE, ' '))
}

/** An order or a wish, and the assistant's replies in general as its object; one reply is meant for now. */
const OF_REPLIES =
  /^(?:(?:and|also|oh|hey|right|ok|okay|so|but|well|then|just)[,.!]? ){0,3}(?:please |can you |could you |would you |i['’]d (?:like|prefer) (?:you to )?|i (?:want|would like|need) (?:you to )?|try to |always |never )*(?:please )?(?:keep|make|write|give|put|format|leave|send|use|avoid|stop|don['’]t|do not|no)\b.{0,60}\b(?:your (?:answers|replies|responses|explanations|messages)|when(?:ever)? you (?:answer|reply|respond))\b/i

/** Their manner alone: "shorter answers pls", 回答别太长, 解释得短一点; 解释得很清楚 is praise. */
const MANNER =
  /^(?:i (?:want|need|prefer|can (?:do|take|read|have)|['’]?d (?:like|prefer)) (?:[\w-]{1,20},? ){0,5}(?:answers|replies|responses|explanations)\b|(?:[\w-]{1,20} ){1,5}(?:answers|replies|responses|explanations),? (?:please|pls|plz|from now on|always)\b)|^(?:对了|另外)?，?(?:以后|今后)?(?:你的)?(?:回答|回复|答复|解释|讲解)(?:我的?)?(?:问题|消息)?(?:时|的时候)?(?:请|别|不要|要|得(?:用|[^，。有]{1,6}[点些])|尽量|都|多|少|简|精|短|详|直接)/i

/** Whether a sentence asks for a manner of all replies: "keep your answers short", 回答我时简短点, but not "keep this answer short". */
export function wishesOfReplies(sentence: string): boolean {
  return OF_REPLIES.test(sentence) || MANNER.test(sentence)
}
