/** Does a sentence speak of systems, so that it may be part of a set-up (004: 技术配置)? */
import type { Memory } from '../../domain/memory.ts'
import { speaksOfCode } from '../../language/symbols/introduced-names.ts'
import { wordList } from '../../language/word-lists.ts'

/** Attributes of a set-up that belong to no project alone. */
const OF_MACHINES = new Set(['operating_system', 'shell', 'timezone', 'vpn', 'ai_assistant'])
/** A host with a port, a path, a version, the parts of systems, and their guards. */
const NAMES_SYSTEM =
  /\b[\w-]{1,40}(?:\.[\w-]{1,40}){0,40}:\d{2,5}\b|(?:^|[\s（(])[\w.-]{0,40}\/[\w./-]{1,40}\.\w+|\bv?\d{1,40}\.\d{1,40}(?:\.\d{1,40})?\b|\b(?:CI|CD|API|DNS|TLS|SSH|VPN|SDK|ORM|CDN|SQL|GPU|CPU|on-call|sprints?|stand-?ups?|handover|pull requests?|code reviews?|clusters?|servers?|pods?|NAS|RAID ?\d{0,40}|SSDs?|Docker|Kubernetes|k8s|Proxmox)\b|(?:服务器|集群|镜像|日志|域名|网关|缓存|队列|前端|后端|生产环境|测试环境|流水线|备份|监控|告警)/i

/** Whether it does. */
export function speaksOfSystems(sentence: string): boolean {
  return speaksOfCode(sentence) || NAMES_SYSTEM.test(sentence)
}

/** Things set up at home or in an office, and the work on them. */
const SET_UP =
  /\b(?:wi-?fi|routers?|printers?|hotspot|pass(?:words?|codes?|phrases?)|PINs?|log-?ins?|usernames?|SSID|IP|firmware|thermostat|alarm code|smart home|models?|production|staging|databases?|use[sd]?|runs?|hosted|installed|configured|set (?:to|up)|listens?|deployed|built (?:with|on))\b|密码|口令|路由器|打印机|无线网|账号|帐号|用户名|验证码|固件|智能家居|用的?|部署|托管|配置|设[成为置]|端口|模型|版本/i

/** Whether a thing to be remembered may be part of a set-up, at home too. */
export function speaksOfSetUp({ text, key }: Pick<Memory, 'text' | 'key'>): boolean {
  return isConfiguration(key) || speaksOfSystems(text) || SET_UP.test(text)
}

/** Whether the key of a fact is an attribute of a set-up. */
function isConfiguration(key: string | null): boolean {
  return key !== null && (OF_MACHINES.has(key) || wordList('project-attributes').has(key))
}
