/**
 * Does a clause deny the thing it names? In "I don't live in Berlin anymore, I live in Ghent now" Berlin is over and
 * Ghent holds.
 */

const ENGLISH =
  /\b(?:no longer|never|(?:do|does|did|am|is|are|was|were|have|has|had|ca|wo)n['’]?t|(?:do|does|did|am|is|are|i['’]m|we['’]re) not|not .{1,40} any ?(?:more|longer))\b/i
const CHINESE =
  /不再|(?:已经|早就|也|都)?(?:不(?!错|止|仅|但|光|知|管|过|得|同|少|久|是吧)|没有?再).{0,16}了|(?:^|我|已经|现在)不(?:是|在|住|做|干)(?!.{0,8}吗)/

/** Whether the clause denies. */
export function denies(clause: string): boolean {
  return ENGLISH.test(clause) || CHINESE.test(clause)
}
