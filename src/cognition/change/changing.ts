/** What does a sentence say is changed or given up: the object of switching, selling, cancelling, 换, 退, 停? */

const ENGLISH =
  /\b(?:switch(?:ed|ing)|mov(?:ed|ing)|migrat(?:ed|ing)|swapp?(?:ed|ing)|chang(?:ed|ing)|replac(?:ed|ing)|shift(?:ed|ing)|transferr(?:ed|ing)|port(?:ed|ing)|upgrad(?:ed|ing)|rewr(?:ote|itten)|dropp(?:ed|ing)|ditch(?:ed|ing)|cancell?(?:ed|ing)|sold|selling|left|leaving|quit|pass(?:ed|ing)|hand(?:ed|ing)|gave up|given up|stopp(?:ed|ing)|clos(?:ed|ing)|return(?:ed|ing)|withdrew from|dropped out of|got rid of) (?:all |everything |from |the |our |my |that |this |in |back ){0,40}(?<thing>[\w'-]+(?: [\w'-]{1,40}){0,2})/gi
const CHINESE =
  /(?:^|[，。！；,\s把])(?:我们?|公司|家里|今天|昨天|现在|最近|上周|上个月)?(?<thing>[\p{Script=Han}A-Za-z]{2,8}?)(?:全部?|都|整个|统一|也|已经|终于|又|给|也给)?(?:换|改|切|迁|挪|搬|转|调|升级|重写|退|停|卖|送人|扔|拆|下线|注销|取消|到期|没了|不在了|关了|黄了|盘)/gu

/** "The doctor said to stop": whoever says so is not what stops. */
const REPORTED = /说|让|叫|建议|要求|通知/

/** The things, as written; of an English one up to three words. */
export function changingIn(text: string): readonly string[] {
  return [...text.matchAll(ENGLISH), ...text.matchAll(CHINESE)]
    .map(({ groups }) => groups!.thing!)
    .filter((thing) => !REPORTED.test(thing))
}
