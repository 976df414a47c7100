/** Texts that are cheap to write and may be dear to read: small pieces repeated, and seeded mixtures of them. */
import { seeded } from '../speed/synthetic.ts'

const PIECES: Readonly<Record<string, string>> = {
  'card groups': '4111-',
  'card groups, spaced': '4111 ',
  'joined UUIDs': '123e4567-e89b-12d3-a456-426614174000-',
  'joined UUIDs, no hyphen': '123e4567-e89b-12d3-a456-426614174000',
  versions: 'v1.2.',
  digits: '7',
  'digits with points': '1.',
  'digits with commas': '1,',
  'snake case': 'a_b_',
  'camel case': 'aB',
  'capital letters': 'A',
  'small letters': 'a',
  'Chinese numbers': '一二三四五',
  'hexadecimal digits': 'deadbeef01',
  'Chinese particles': '，的',
  'Han without a mark': '数据库连接池',
  'Han and Latin': '用pandas处理',
  'one clause': 'I live in Porto, ',
  'one sentence': 'I use pnpm in this project. ',
  'one sentence, no space': '我住在杭州。',
  'one clause, no end': 'and then we moved the service to Redis ',
  'was, was': 'was ',
  'not not': 'not ',
  'opening brackets': '(',
  'pairs of brackets': '()',
  'square brackets': '[',
  braces: '{"a":',
  'angle brackets': '<a ',
  'title brackets': '《',
  quotes: '"',
  apostrophes: "'",
  'curly quotes': '“a',
  'words with apostrophes': "don't'",
  backticks: '`',
  fences: '```\n',
  asterisks: '*',
  'bold words': '**a** ',
  links: 'https://example.com/a?b=c&',
  'links in a row': 'https://a.b ',
  slashes: '/a',
  backslashes: '\\a',
  points: '.',
  'points and letters': 'a.',
  hyphens: '-',
  'hyphens and letters': 'a-',
  colons: ':',
  'colons and letters': 'a:',
  'equal signs': 'a=',
  'key and value': 'password: ',
  'secret names': 'api_key=',
  'secret names, spoken': 'my password is ',
  base64: 'TWFuIGlzIGRpc3Rpbmd1aXNoZWQ',
  'base64 lines': 'TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24s\n',
  'issued keys, joined': 'sk-a1',
  'private keys': '-----BEGIN PRIVATE KEY-----\n',
  pipes: '|',
  'table rows': '| a | b |\n',
  'heads of tables': 'user,password\nbob,w123x\n',
  emoji: '😀',
  'joined emoji': '👩‍👩‍👧‍👦',
  'zero-width': '\u200b',
  'combining marks': 'e\u0301',
  'only combining marks': '\u0301',
  spaces: ' ',
  tabs: '\t',
  'spaces and letters': 'a  ',
  'line breaks': '\n',
  'words and line breaks': 'a\n',
  'carriage returns': '\r',
  'ideographic spaces': '\u3000',
  hashes: '#',
  headings: '# a\n',
  'list items': '- a\n',
  'numbered items': '1. a\n',
  underscores: '_',
  dollars: '$a',
  ats: 'a@',
  'mail addresses': 'a@b.co ',
  percents: '%41',
  entities: '&lt;',
  tags: '<b>',
  comments: '<!-- ',
  dates: '2024-05-06 ',
  'dates, joined': '2024-05-06',
  'relative dates': 'last monday ',
  'Chinese dates': '三月五日',
  'Chinese spans': '上周三到',
  times: '12:30',
  money: '$1,000',
  'file names': 'src/a.ts ',
  'file names, joined': 'a.ts/',
  calls: 'f(',
  'calls, closed': 'a.b().',
  'error types': 'TypeError: ',
  definitions: 'function a ',
  capitals: 'Anna Maria ',
  'full-width letters': 'ａ',
  'Hangul, Kana, Cyrillic': '한글かなдом',
  surrogates: '\ud800',
  feelings: '烦',
  'feelings in English': 'angry ',
  nulls: 'a\u0001',
}

export interface HostileText {
  readonly name: string
  /** A text of so many characters; for another reading one of which nothing is kept yet. */
  readonly ofLength: (characters: number, reading?: number) => string
}

/** Numbers of pieces between those of two readings: more than a megabyte holds. */
const PIECES_A_READING = 1_000_000

/** Pieces whose every copy differs by its number, so that nothing that was read helps with the next. */
const COUNTED: Readonly<Record<string, (at: number) => string>> = {
  'other passwords': (at) => `password: hunter${at}x9 `,
  'other keys': (at) => `sk-ant-api${at}aBcDeFgHiJkLmNoPqRsTuV${at} `,
  'other facts': (at) => `I live in Town${at}. `,
  'other facts in Chinese': (at) => `我${at}岁住在${at}号楼。`,
  'other symbols': (at) => `loadRow${at}() `,
  'other words': (at) => `w${at.toString(36)}ing `,
  'other names': (at) => `My friend Anna${at} Maria met Bob${at}. `,
  'other dates': (at) => `${1900 + (at % 200)}-0${1 + (at % 9)}-1${at % 10} at ${at % 24}:30, `,
  'other amounts': (at) => `rent is $${at},000 a month, `,
  'other headings': (at) => `## Part ${at}\n- item ${at}\n`,
  'other list items': (at) => `- thing ${at} is done\n`,
  'other lines': (at) => `line ${at}\n`,
  'random words': (at) => `${wordOf(at)} `,
  'random Han': (at) => String.fromCharCode(0x4e00 + (hashOf(at) % 3000)),
  'orders to keep': (at) => `Remember that I own ${wordOf(at)}. `,
  'orders to forget': (at) => `Forget that I own ${wordOf(at)}. `,
  'passwords told': (at) => `my ${wordOf(at)} password is ${wordOf(at + 7)}${at}. `,
  settings: (at) => `${wordOf(at)}_${at}: ${wordOf(at + 7)}\n`,
  changes: (at) => `I moved from ${wordOf(at)} to ${wordOf(at + 7)}. `,
  roles: (at) => `${wordOf(at)} is my neighbour ${at}. `,
  'shares and amounts': (at) => `${at % 100}.5% of $${at},000 for ${wordOf(at)}; `,
  'unclosed fences': (at) => `\`\`\`${wordOf(at)}\n`,
}

function hashOf(at: number): number {
  return Math.imul(at + 1, 2_654_435_761) >>> 0
}

/** Letters that nobody has read before, the same for the same number. */
function wordOf(at: number): string {
  return hashOf(at)
    .toString(26)
    .replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
}

/** Every piece repeated, each with another beginning, and `mixtures` seeded mixtures of three. */
export function hostileTexts(seed: number, mixtures: number): readonly HostileText[] {
  const names = Object.keys(PIECES)
  const random = seeded(seed)
  const pick = (): string => names[Math.floor(random() * names.length)]!
  const repeated = names.map((name) => ({ name, ofLength: ending((length) => fill(PIECES[name]!, length)) }))
  const framed = names.map((name) => ({
    name: `${name}, in a sentence`,
    ofLength: ending((length) => `My build is ${fill(PIECES[name]!, length - 40)} and 我住在杭州`),
  }))
  const mixed = Array.from({ length: mixtures }, () => [pick(), pick(), pick()]).map((three) => ({
    name: three.join(' + '),
    ofLength: ending((length) => fill(three.map((name) => PIECES[name]!).join(''), length)),
  }))
  const counted = Object.entries(COUNTED).map(([name, piece]) => ({
    name,
    ofLength: (length: number, reading = 0) => {
      const pieces: string[] = []
      for (let characters = 0; characters < length; characters += pieces.at(-1)!.length)
        pieces.push(piece(reading * PIECES_A_READING + pieces.length))
      return pieces.join('').slice(0, length)
    },
  }))
  return [...counted, ...repeated, ...framed, ...mixed]
}

/** The text itself at first; another reading is told apart by its end. */
function ending(ofLength: (length: number) => string): HostileText['ofLength'] {
  return (length, reading = 0) => {
    const end = reading === 0 ? '' : ` ${reading}`
    return `${ofLength(length - end.length)}${end}`
  }
}

function fill(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
}
