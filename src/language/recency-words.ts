/** Does the person want the newest turns? "Continue", "just now", "where were we", 继续, 刚才. */

const ENGLISH =
  /\b(?:continue|resume|carry on|keep going|go on with|pick up where|left off|where were we|where was i|just now|a moment ago|a minute ago|most recent(?:ly)?|recent(?:ly)?|latest|newest|last (?:time|session|conversation|chat|discussion|message|turn|thing)|previous (?:session|conversation|chat|discussion|message|turn)|earlier today|so far)\b/i
const CHINESE =
  /继续|接着(?!着)|刚才|刚刚|方才|最近|近来|近期|上次|上一次|上回|上一轮|上一条|最新|刚说|说到哪|聊到哪|讲到哪|做到哪|到哪(?:了|儿)|之前那个/

/** true when the text asks for the newest turns. */
export function speaksOfRecent(text: string): boolean {
  return ENGLISH.test(text) || CHINESE.test(text)
}
