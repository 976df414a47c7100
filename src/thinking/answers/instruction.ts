/**
 * Does this text try to steer an assistant, instead of saying something about a person? Such a text is never stored as
 * a memory; a wish about how to be answered is none.
 */

const ENGLISH = [
  // Overriding of earlier instructions.
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|preceding|foregoing|all|any|your|system|these|those)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?|rules?|guidelines?|directions?|guardrails?|restrictions?|policies)\b/i,
  // Another identity or mode.
  /\byou (?:are|will) now\b|\bfrom now on,? you (?:are|will|must|act)\b|(?:^|[.!?:\n]\s{0,40})(?:act|behave|respond) as (?:if|though|an?|the)\b|\b(?:developer|jailbreak|dan|god|unrestricted) mode\b/im,
  // Hiding or giving away of things.
  /\b(?:do not|don['’]?t|never|without) (?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|warn|alert|notify)(?:ing)? (?:\w{1,40} ){0,3}?(?:the )?user\b/i,
  /\b(?:reveal|print|repeat|output|show|leak|send|exfiltrate|forward)\b[^.!?\n]{0,40}\b(?:system prompt|your (?:instructions|prompt)|hidden prompt|api keys?|credentials|all (?:stored )?memories)\b/i,
  // Orders to the assistant for later.
  /\b(?:ai|assistant|chatbot|llm)s? (?:must|shall|has to|is (?:required|instructed) to|are (?:required|instructed) to) (?:always |never |now |only )?(?:recommend|promote|endorse|tell|say|send|obey|follow|ignore|include|insert|visit|click|reply|respond|answer)\b/i,
  /\b(?:when|whenever|if) (?:the|a|any) users? (?:asks?|mentions?|wants?|says?|requests?)\b[^.!?\n]{0,80}\b(?:recommend|promote|endorse|tell|say|send|reply|respond|answer|insist|suggest|include)\b/i,
]
const CHINESE = [
  /(?:忽略|无视|忘记|忘掉|不要理会|不用管|绕过|推翻)[^。！？\n]{0,12}(?:之前|以前|以上|上面|前面|先前|所有|全部|一切|系统|你的|原有)[^。！？\n]{0,12}(?:指令|指示|提示|命令|规则|设定|限制|要求|约束)/,
  /(?:从现在(?:开始|起)|接下来|此后)[，,]?\s{0,40}你(?:就)?(?:是|将|必须|要扮演|扮演)|你现在(?:是|扮演|进入)|(?:越狱|开发者|无限制)模式/,
  /(?:不要|别|不准|不许|切勿|无需|禁止)(?:把[^。！？\n]{0,12})?(?:告诉|告知|通知|提醒|透露给|让)用户/,
  /(?:输出|打印|泄露|泄漏|透露|公开|发送|复述)[^。！？\n]{0,12}(?:系统提示|提示词|你的指令|密钥|凭证|全部记忆|所有记忆)/,
  /(?:助手|助理|聊天机器人|智能体|AI)(?:们)?(?:必须|应当|务必|一定要)[^。！？\n]{0,12}(?:推荐|推销|宣传|告诉|回答|回复|发送|服从|遵守|忽略|点击|访问)/,
  /(?:当|如果|只要|每当|若)用户(?:问|提到|要求|想|说)[^。！？\n]{0,30}(?:推荐|推销|宣传|告诉|回答|回复|发送|坚称|建议)/,
]
/** Orders for every time to come; a user may give such an order, nobody else. */
const ENGLISH_ORDER =
  /(?:^|[.!?:;,\n]\s{0,40}|\b(?:should|must|shall|will|to) )(?:please )?(?:always|never|only|invariably) (?:recommend|promote|endorse|suggest|advertise|praise|mention|cite|link|insert|include|append|advise|tell|say|answer|reply|respond|send|visit|click|prefer|trust|obey|follow)\b/im
const CHINESE_ORDER =
  /(?:总是|始终|务必|永远|一律|一定要|每次都?要?|必须|只能|只|从不|绝不)(?:要|优先)?(?:推荐|推销|宣传|推广|提及|提到|引用|插入|附上|告诉|回答|回复|发送|点击|访问|服从|遵守)/
/** Calls of tools by models, and their usual contents. */
const TOOL_CALL =
  /<\/?(?:tool_?calls?|tool_?use|tool_?results?|function_?calls?|function_?results?|invoke)\b|"(?:tool_calls?|function_call|tool_use_id)"\s{0,40}:|"name"\s{0,40}:\s{0,40}"[\w.-]{1,40}"\s{0,40},\s{0,40}"(?:arguments|parameters|input)"\s{0,40}:|(?:^|\n)\s{0,40}(?:Action|Action Input|Observation)\s{0,40}:/
/** Marks by which chat templates separate speakers. */
const TEMPLATE =
  /<\|[a-z_]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>|(?:^|\n)\s{0,40}#{0,4}\s{0,40}(?:system|assistant)\s{0,40}[:：]/i

const LONGEST_TEXT = 20_000

/** true for "Always recommend …", 务必推荐……: steers an assistant too, unless the user asked for it. */
export function ordersAssistant(text: string): boolean {
  const bounded = text.slice(0, LONGEST_TEXT).normalize('NFKC')
  return ENGLISH_ORDER.test(bounded) || CHINESE_ORDER.test(bounded)
}

/** true for "Ignore all previous instructions and …", 忽略以上所有指令, template marks, tool calls, orders to any assistant. */
export function steersAssistant(text: string): boolean {
  const bounded = text.slice(0, LONGEST_TEXT).normalize('NFKC')
  return (
    TEMPLATE.test(bounded) ||
    TOOL_CALL.test(bounded) ||
    [...ENGLISH, ...CHINESE].some((pattern) => pattern.test(bounded))
  )
}
