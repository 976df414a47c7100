/** Does this text speak of programs at all? It decides about names that people and companies may bear as well. */

const CODE_WORDS =
  /[`{};]|=>|\(\)|\b(?:class(?:es)? [A-Z]|function|method|bugs?|code|codebase|module|imports?|component|null|undefined|exceptions?|throws|refactor\w{0,40}|commits?|deploy\w{0,40}|unit tests?|interface|struct|enum|variable|instance|constructor|inherit\w{0,40}|extends|implements|compil\w{1,40}|debug\w{0,40}|stack ?trace|repo|parser|renders?|endpoint|schema|migration|singleton|subclass|mutex|thread|async|callback|serializ\w{1,40})\b|函数|方法|[这该个子父]类|接口|代码|报错|变量|组件|模块|重构|部署|编译|实例|调用|异常|单元测试|抛出|继承|字段|线程|加锁|回调|序列化|数据库表/i
/** Characters that are read, as the beginning of a page shows its subject. */
const CHARACTERS_READ = 20_000

/** true when words or marks of programming stand in the text. */
export function speaksOfCode(text: string): boolean {
  return CODE_WORDS.test(text.length > CHARACTERS_READ ? text.slice(0, CHARACTERS_READ) : text)
}
