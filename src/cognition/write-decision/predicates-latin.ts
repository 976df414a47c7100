/** Of whom does a clause in Latin script speak, and how? Every "I", "we", "my", "he" in it tells; without one its beginning. */
import { type Clause, KIN, type Manner, PET, type Subject, type Tell, wordSet } from './predicate-kinds.ts'

const SKIPPED = wordSet(
  'also just really still always never usually only actually currently now both generally mostly often rarely sometimes already even probably definitely all too then so and but or because since though while who which that as when if ok okay well yes no yeah nah oh hey btw fyi honestly personally basically literally totally quite rather kinda sort of almost nearly ever not mainly normally do did',
)
const AM = wordSet("am is are i'm im we're he's she's they're it's that's there's who's 's isn't aren't ain't")
const WAS = wordSet("was were wasn't weren't")
const HAVE = wordSet("have has i've ive we've they've haven't hasn't havent hasnt own owns keep keeps")
const WILL = wordSet("will i'll we'll he'll she'll they'll you'll it'll won't gonna shall")
const MIGHT = wordSet("would could might may should i'd we'd he'd she'd they'd wouldn't couldn't shouldn't mightn't")
const CAN = wordSet("can can't cant cannot speak speaks know")
const NOT = wordSet("don't dont doesn't doesnt")
const DID_NOT = wordSet("didn't didnt had hadn't couldnt")
const WANTS = wordSet('want wants need needs hope hopes wish wanna try trying plan planning')
const THINKS = wordSet(
  'think thinks guess suppose wonder believe mean means know feel feels see understand remember forgot heard hear read reckon thought',
)
const MUST = wordSet('must gotta')
const LIKES = wordSet(
  'like likes love loves prefer prefers hate hates enjoy enjoys adore detest loathe dislike dislikes avoid favour swear',
)
const PAST = wordSet(
  'went got took made came saw bought broke fell lost found told said gave left met won ran sold paid sent spent slept ate drank drove flew grew knew wrote read began became built caught chose cut did felt forgot froze hit held hurt kept led lent lit put quit rode rang rose sang sat set shot shut sold spoke stood stole stuck struck swam taught tore threw understood woke wore blew burnt bit fixed',
)
const VERBS: ReadonlySet<string> = new Set(
  [AM, WAS, HAVE, WILL, MIGHT, CAN, NOT, DID_NOT, WANTS, THINKS, LIKES, PAST].flatMap((set) => [...set]),
)
const LATIN_SUBJECTS: ReadonlyMap<string, Subject> = new Map(
  (
    [
      ['self', "i i'm im i've ive i'll i'd"],
      ['we', "we we're we've we'll we'd"],
      ['thing', 'my our'],
      ['third', "he she they he's she's he'd she'd he'll she'll they're they've they'll they'd"],
      ['you', "you u you're you've you'll you'd u're"],
    ] as const
  ).flatMap(([subject, list]) => list.split(' ').map((word) => [word, subject] as const)),
)
const DETERMINERS = wordSet(
  'a an the one two three four five six seven eight nine ten some no another my our your his her their this that only',
)
const AT = wordSet('in at on from near based by out outside of off between with over up down')
const IT = wordSet("it it's that this there there's the these those that's here")

/** Longest search for the verb behind its subject, in words. */
const VERB_WITHIN = 5

/** Tells of each subject in the clause. */
export function readLatin({ words: list, start, end, meanings }: Clause, tell: Tell): void {
  let told = false
  for (let at = start; at < end; at++) {
    const subject = latinSubject(list[at]!)
    if (subject === null) continue
    let from = /'|^i(?:m|ve)$/.test(list[at]!) ? at : at + 1
    let whose: Subject = subject
    if (subject === 'thing') {
      // "my older sister is": the noun decides, if one of its kind stands near.
      for (let near = at + 1; near < Math.min(end, at + 4); near++) {
        if (isVerb(list[near]!)) break
        if (meanings.hasAny(near, KIN)) whose = 'kin'
        else if (meanings.hasAny(near, PET)) whose = 'pet'
        from = near + 1
        if (whose !== 'thing') break
      }
      if (from >= end || !isVerb(list[from]!)) {
        if (at === start) tell(whose, 'nothing')
        continue
      }
    }
    told = true
    tell(whose, mannerOf(list, from, end))
  }
  if (told) return
  let at = start
  while (at < end - 1 && SKIPPED.has(list[at]!)) at++
  const first = list[at]!
  if (meanings.hasAny(at, KIN)) tell('kin', mannerAhead(list, at + 1, end))
  else if (IT.has(first)) tell('it', mannerAhead(list, first.includes("'") ? at : at + 1, end))
  else tell('dropped', mannerOf(list, at, end))
}

function latinSubject(word: string): Subject | null {
  return LATIN_SUBJECTS.get(word) ?? null
}

function mannerAhead(list: readonly string[], from: number, end: number): Manner {
  for (let at = from; at < Math.min(end, from + VERB_WITHIN); at++)
    if (isVerb(list[at]!)) return mannerOf(list, at, end)
  return from < end && /s$/.test(list[from]!) ? 'does' : 'nothing'
}

function isVerb(word: string): boolean {
  return VERBS.has(word)
}

function mannerOf(list: readonly string[], from: number, end: number): Manner {
  let at = from
  while (at < end && SKIPPED.has(list[at]!) && list[at] !== 'did') at++
  if (at >= end) return 'nothing'
  const word = list[at]!
  let next = at + 1
  while (next < end && SKIPPED.has(list[next]!)) next++
  const after = next < end ? list[next]! : ''
  if (AM.has(word)) return isManner(after)
  if (WAS.has(word)) return 'was'
  if (HAVE.has(word)) {
    if (after === 'to') return 'must'
    if (after === 'been') return 'has been'
    return after !== 'got' && (PAST.has(after) || /ed$|^(?:gone|done|seen|taken|given|become)$/.test(after))
      ? 'has done'
      : 'has'
  }
  if (WILL.has(word)) return 'will'
  if (word === 'used' && after === 'to') return 'used to'
  if (MIGHT.has(word)) return list[at + 1] === 'rather' ? 'likes' : 'might'
  if (CAN.has(word)) return 'can'
  if (NOT.has(word)) return 'does not'
  if (WANTS.has(word)) return 'wants'
  if (THINKS.has(word)) return 'thinks'
  if (LIKES.has(word)) return 'likes'
  if (MUST.has(word)) return 'must'
  if (DID_NOT.has(word) || PAST.has(word) || /ed$/.test(word)) return 'did'
  if (/ing$/.test(word)) return 'is doing'
  return 'does'
}

function isManner(after: string): Manner {
  if (DETERMINERS.has(after) || /^\d/.test(after)) return 'is a'
  if (AT.has(after)) return 'is at'
  if (after === 'gonna' || after === 'going') return 'will'
  return /ing$/.test(after) ? 'is doing' : 'is so'
}
