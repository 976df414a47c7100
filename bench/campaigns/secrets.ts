/** Is a secret shown anywhere? Secrets of many kinds go in through every door, ordered too, and all that comes out is searched. */
import { createApp } from '../../src/doors/http/app.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { issuedKinds } from '../../src/language/secrets/issued-keys.ts'
import { sampleOf } from '../../test/support/sample.ts'
import { seeded } from '../speed/synthetic.ts'
import type { CampaignOptions, Finding } from './campaign.ts'

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

export async function run({ seed, seconds }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const made = (length: number, of = ALPHABET): string =>
    Array.from({ length }, () => of[Math.floor(random() * of.length)]).join('')
  /** Chance may make a key without a digit, which is none. */
  const keyOf = (pattern: RegExp): string => {
    const key = sampleOf(pattern, random)
    return /\d[^\d]{0,40}$/.test(key) ? key : keyOf(pattern)
  }
  const kinds: readonly (readonly [name: string, secret: string, told: (secret: string) => string])[] = [
    // A short run takes some of the table by chance, a minute all of it.
    ...issuedKinds()
      .filter(() => random() < seconds / 60)
      .map(({ holds, pattern }) => {
        const told = (key: string): string => `Here it is: ${key} (for the deploy)`
        return [`key with ${holds}`, keyOf(pattern), told] as const
      }),
    ['password', `Tr0ub${made(6)}9!`, (key) => `My password is ${key}.`],
    ['password below its name', `Xk9${made(8)}4`, (key) => `The password of the router:\n${key}`],
    ['密码', `Mm3${made(8)}5`, (key) => `数据库的密码是 ${key}。`],
    ['address', `p9${made(10)}x`, (key) => `postgres://app:${key}@db.example.com/main`],
    ['curl', `Hk3${made(8)}5`, (key) => `curl -u ben:${key} https://example.org`],
    ['code of a door', '55779913', (code) => `The alarm code is ${code}.`],
    ['Passwort', `Bb9${made(7)}4`, (key) => `Passwort: ${key}`],
    ['seed phrase', 'lamp river stone cloud '.repeat(3).trim(), (words) => `My seed phrase is ${words}.`],
    ['contraseña', `Sol${made(6)}77`, (key) => `La contraseña del wifi de casa es ${key}.`],
    ['digicode', '27A4561', (code) => `Le code de la porte est ${code}.`],
    ['Wiederherstellungscode', `H7KM-${made(4, '23456789')}-9PLZ`, (key) => `Mein Wiederherstellungscode: ${key}`],
    ['backup code', '7712 0093', (code) => `My backup codes are 4839 2201 and ${code}.`],
    ['口令', `芝麻开门${made(4, '23456789')}`, (key) => `我家门禁的口令是${key}，别告诉别人`],
    ['IBAN', 'DE89370400440532013000', (key) => `Pay to ${key}.`],
    ['SSN', '078-05-1120', (key) => `My SSN is ${key}.`],
    ['身份证', '11010519491231002X', (key) => `我的身份证号是${key}。`],
    ['private key', made(64), (key) => `-----BEGIN PRIVATE KEY-----\n${key}\n`],
  ]
  const lines: string[] = []
  const log = (...said: unknown[]): void => void lines.push(JSON.stringify(said))
  const memory = await openMemory({
    path: ':memory:',
    userId: 'local',
    logger: { debug: log, info: log, warn: log, error: log },
  })
  const app = createApp({ memory }, '0')
  const ask = async (method: string, path: string, body?: object): Promise<string> => {
    const init =
      body === undefined
        ? { method }
        : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return (await app.fetch(new Request(`http://localhost${path}`, init))).text()
  }
  const shown: string[] = []
  let looked = 0
  try {
    for (const [at, [, secret, told]] of kinds.entries()) {
      await ask('POST', `/conversations/c${at}/turns`, {
        turns: [
          { role: 'user', content: told(secret) },
          { role: 'assistant', content: 'Noted.' },
        ],
      })
      await memory.idle()
      await ask('POST', '/memory/long-term', { text: `Kept harbour note ${at}: ${told(secret)}` })
      await ask('POST', '/memory/long-term', { text: `Remember: harbour note ${at}: ${told(secret)}` })
    }
    await memory.idle()
    for (const [at, [name, secret]] of kinds.entries()) {
      const answers: Readonly<Record<string, string>> = {
        list: await ask('GET', '/memory/long-term?limit=200'),
        search: await ask('POST', '/memory/search', { query: `harbour note ${at}` }),
        turns: await ask('GET', `/conversations/c${at}/turns`),
        recall: await ask('POST', '/recall', { query: 'remember harbour note' }),
        evidence: await ask('POST', '/recall', { query: 'remember harbour note', kinds: ['turn', 'memory'] }),
        summary: await ask('POST', `/conversations/c${at}/summarize`, { from_turn: 1, to_turn: 2 }),
        summaries: await ask('GET', '/session-summaries'),
        profile: await ask('GET', '/profile'),
        working: await ask('GET', `/memory/working/c${at}`),
        file: await ask('GET', '/memory-file'),
        export: await ask('GET', '/export'),
        metrics: await ask('GET', '/metrics'),
        error: await ask('POST', '/memory/search', { query: '', [secret]: secret }),
        log: lines.join('\n'),
      }
      for (const [door, text] of Object.entries(answers)) {
        looked += 1
        // An error names the field that the caller has just sent.
        if (door !== 'error' && text.includes(secret)) shown.push(`${name} by ${door}`)
      }
    }
  } finally {
    await memory.close()
  }
  return [
    { tried: `answers searched for secrets of ${kinds.length} kinds`, value: looked, unit: '', n: looked },
    {
      tried: 'secrets that were shown',
      value: shown.length,
      unit: '',
      n: looked,
      most: 0,
      ...(shown.length === 0 ? {} : { detail: shown.join(', ') }),
    },
  ]
}
