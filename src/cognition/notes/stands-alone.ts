/**
 * Can a sentence stand alone in notes that are read months later, by somebody who was not there? Not if it asks, speaks to
 * somebody, points at what was said before ("It helped"), or only tells how somebody feels.
 */
import { isQuestion } from '../../text/questions.ts'

/** Words that only begin a turn of talk: they are taken off. */
const ENGLISH_OPENING =
  /^(?:(?:oh|wow|ooh|aww?|haha|lol|yeah|yep|yup|yes|sure|well|so|and|but|also|plus|actually|honestly|anyway|anyways|okay|ok|hey|hi|hello|thank(?:s| you)(?: (?:so much|a lot|again))?(?: for [^,.!?;–—-]{1,40})?|absolutely|definitely|totally|exactly|agreed|btw|by the way|guess what|you know|what can i say|i mean|on another note|speaking of which|to be honest|of course|i (?:do|did|have|am|can|will)(?=\s*[-–—!.,])|i (?:just )?(?:wanted?|have|had) to (?:tell|say to|let) (?:ya|you|u|y['’]all)(?: know)?(?: that)?|(?:since|when) (?:we|you) last (?:spoke|talked|chatted)|that['’]?s why|which is why|since our last chat|since (?:we|you) (?:last )?(?:spoke|talked|chatted)(?: last)?)\b(?:,? \p{Lu}\p{Ll}+(?=[!,.]))?\s*(?:[,;:.!–—-]+\s*|(?=\s)\s*))+(?=\S)/iu
const CHINESE_OPENING =
  /^(?:(?:哈哈+|嗯+|哦+|啊|哎呀?|唉|对了|对啊?|是的|是啊|好的?|好吧|行|那个?|然后|所以|而且|另外|其实|说实话|话说|顺便(?:说一下)?|还有|不过|但是?)[\s，,。.!！~～…、]+)+(?=\S)/

/** "So much has happened since we last spoke - I …" */
const NEWS_OPENING =
  /^(?:a lot|lots|so much|much|some (?:big|great) (?:things|news)|(?:big|great|good|exciting) news|it['’]s been \w+|long time no (?:see|talk))\b[^.!?—–]{0,60}?(?:\s[-—–]+\s|[:!.—–]\s*)(?=\S)/i

const TO_SOMEBODY = /\b(?:you|your|yours|yourself|y['’]all|u)\b|\blet['’]?s\b|\bwe both\b|[你您]|咱俩/i
const POINTS_ENGLISH =
  /^(?:it|its|it['’]s|it['’]ll|that|that['’]s|this|these|those|they|they['’](?:re|ve|ll|d)|them|their|he|he['’]s|she|she['’]s|his|her|such|same|both|there|there['’]s|here|then|another|one|which)\b/i
const POINTS_CHINESE = /^(?:它们?|他们?|她们?|这(?!周|个月|年)|那(?!年)|此|其(?!实|中)|后者|前者|两者|都|也(?!许)|还是)/
/** What only somebody who was there, or sees the picture, could follow. */
const SHOWS_ENGLISH =
  /\b(?:this|these|those)\b(?! (?:year|month|week|summer|winter|spring|autumn|fall|season|time of))|\bthat(?=\s{0,40}(?:[,.;!?]|$)| (?:photo|pic\w{0,40}|one|way|time|day|place|kind|sort|is|was|day|night|thing|stuff)\b)|\bthere(?=\s{0,40}(?:[,.;!?]|$))|\bhere(?! in \p{L})\b/iu
/** A word that points, and before it nothing that it could point at. */
const POINTER_ENGLISH =
  /\b(?:it(?! when\b)|them|they|he|she|him|(?<!-)ones?(?=\s{0,40}(?:[,.;!?'’–—-]|$|(?:that|who|which|of|and|or|but|so|because|since|when|while|if|as|to|for|in|at|on|with|by|from|too|also|already|yet|now|again|is|was|will|can)\b)))\b/i
/** A clause that says enough to be what the next one points at: "I can't do spicy food at all, it …". */
const CLAUSE_BEFORE = /^(?!.*\b(?:it|its|that|they|them)\b)(?:\S+\s+){3,}\S+\s*[,;–—-]+\s*$/i
/** "…, it is so calming": that clause can be spared. */
const JUDGES_IT = /^(?:it|they)(?:['’](?:s|re)| is| are| was| were) (?:so|such|very|really|super|just|quite)\b/i
/** A person who is meant must have been named. */
const PERSON_POINTER = /\b(?:he|she|him|his|her|hers)\b/i
const NAMES_SOMEBODY =
  /\b(?:[Mm]y|[Oo]ur|[Tt]he|[Aa]n?)\s{1,40}(?:[a-z]{1,40}\s)?[a-z]{3,}|(?<=\S\s)\p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+(?= (?:is|was|has|and|said|told)\b)/u
const NAMES_SOMETHING =
  /\b(?:my|our|the|an?|some|two|three|four|five|six|ten|\d{1,40}|(?:his|her|their) own)\s{1,40}[a-z]{3,}|\b\p{Lu}\p{L}+|\b[a-z]{4,40}s\b/u
const POINTER_CHINESE = /(?:这[个件次样些]|那[个件次样些]|[这那]种(?!.{1,12}的)|它们?|他们?|她们?)/

/** 验证码这种东西: the word before it says which. */
const EXPLAINED_CHINESE =
  /(?<=[\p{Script=Han}\w]{2})(?<!喜欢|讨厌|受不了|不了|[爱怕做去看听吃喝买用在是对把给到过了说玩有])(?:这|那)[个种类](?:东西|事儿?|人|地方|味儿?|劲儿?|活动|场合|口味|感觉|类型)/gu

const MOOD_ENGLISH =
  /\b(?:feel(?:s|ing)?|felt)\b|\b(?:i|we)(?:['’](?:m|re|ve been)| (?:am|are|was|were|have been))? (?:\w{1,40}ly )?(?:so |really |very |super |just |also |too |still |quite ){0,40}(?:glad|happy|excited|thrilled|grateful|thankful|proud|stoked|pumped|honou?red|blessed|lucky|fortunate|nervous|sad|tired|exhausted|upset|anxious|stressed|scared|worried|relieved|touched|amazed|sorry|sure|determined|motivated|inspired(?! by \w{1,40}ing\b)|ready|looking forward|here for|there for|always (?:here|there|around))\b|\b(?:excited|thrilled|stoked|pumped|grateful|thankful|blessed|overjoyed|heartbroken|devastated)\b|\bfav(?:ou?rite)? (?:part|moment|memory|time)\b(?=.{0,200}\bw(?:as|ere)\b)|\bwas my favou?rite\b|\balways wanted\b|\bbeen wanting\b|\balways (?:working|looking|trying|down|open|up|striving|learning) (?:on|for|to)\b|\b(?:can['’]?t wait|hope(?:fully)?|wish|thanks?|congrat\w{0,40}|appreciate|cherish|thankful|no worries|good luck|hang(?:ing)? in there|wild ride|thankfully|luckily|means? (?:a lot|so much|the world))\b|(?<!^)\b(?:remind(?:s|ed)?|make(?:s)?|made|help(?:s|ed)?|keep(?:s)?|bring(?:s)?|give(?:s)?|gave|inspire[sd]?|motivate[sd]?) (?:me|us)\b(?! (?:(?:really|so|very|feel|a|an|awful|bad|terrible) ){0,40}(?:sick|ill|carsick|seasick|dizzy|nauseous|bloated|sneeze|itch\w{0,40}|cough|wheeze|sweat|sleepy|drowsy|jittery|headaches?|migraines?|hives|rash(?:es)?|heartburn|cramps|nightmares|the creeps|crazy|mad)\b)|\balways (?:there|here|around)\b|(?:\b(?:is|are)|['’](?:s|re|m)) like (?:an?|family)\b/i
const JUDGES_ENGLISH =
  /\b(?:is|are|was|were|be|been|sounds?|looks?|seems?|['’]s|['’]re)\b(?: \w{1,40}){0,2} (?:awesome|amazing|great|wonderful|fantastic|incredible|beautiful|lovely|special|important|vital|key|essential|cool|nice|fun|rewarding|inspiring|powerful|crucial|precious|stunning|gorgeous|priceless|adorable|tough|hard|worth it|so good|the best (?:thing|part|feeling|way))\b/i
const MOOD_CHINESE =
  /心情|开心|高兴|难过|伤心|激动|兴奋|期待|烦死?|郁闷|好累|太累|累死|困死|好困|感动|感谢|谢谢|多谢|加油|辛苦|恭喜|哈哈|嘻嘻|呜呜|唉|希望|真是?太?(?:好|棒|美|赞|不错|有意思|难)|太(?:好|棒|美|赞|难|爽|香|贵|卷)了?|好(?:玩|看|吃|听|喝|棒|美|烦)(?:[啊呀啦了！!。]|$)|受不了了/

/** "They're good - we got another cat": what was asked for, and then the news. */
const ANSWER_OPENING =
  /^(?:they|he|she|it|we|i)(?:['’](?:re|s|m)| are| is| am) (?:all |both |doing )?(?:good|fine|great|ok(?:ay)?|well)\s*[-–—,;.!]+\s*(?:and |but )?(?=\S)/i

/** "I love travelling too": too, as was said before. */
const ALSO_AT_END = /,? (?:too|as well)(?=[.!]{0,40}$)/i

/** "…, in case you need it": to the reader of a chat. */
const ASIDE_AT_END =
  /[,;]?\s{1,40}(?:(?:(?:just )?in case|if|so|when|as) you\b|(?:so |just )?let me know\b|(?<=,\s)you(?:['’]ll)? (?:need|can|will|should|may|might)\b)[^.!?]{0,200}(?=[.!?]{0,40}$)/i

/** The sentence without what only ties it to the talk; the first letter of what is left is a capital. */
export function withoutOpening(sentence: string): string {
  const bare = sentence
    .trim()
    .replace(CHINESE_OPENING, '')
    .replace(ENGLISH_OPENING, '')
    .replace(NEWS_OPENING, '')
    .replace(ANSWER_OPENING, '')
    .replace(ALSO_AT_END, '')
    .replace(ASIDE_AT_END, '')
    .trim()
  return (bare === '' ? sentence.trim() : bare).replace(/^\p{Ll}(?=\p{Ll}|\s|['’])/u, (letter) => letter.toUpperCase())
}

/** Whether it is understood by itself. `follows`: the sentence before it is shown, so that "it" may mean what is named there. */
export function standsAlone(sentence: string, follows = false): boolean {
  if (isQuestion(sentence) || TO_SOMEBODY.test(sentence)) return false
  if (follows) return true
  if (POINTS_ENGLISH.test(sentence) || POINTS_CHINESE.test(sentence)) return false
  if (SHOWS_ENGLISH.test(sentence)) return false
  const pointer = POINTER_ENGLISH.exec(sentence)
  const before = pointer === null ? '' : sentence.slice(0, pointer.index)
  if (pointer !== null && !NAMES_SOMETHING.test(before)) {
    if (!CLAUSE_BEFORE.test(before) || JUDGES_IT.test(sentence.slice(pointer.index))) return false
  }
  const person = PERSON_POINTER.exec(sentence)
  if (person !== null && !NAMES_SOMEBODY.test(sentence.slice(0, person.index))) return false
  const chinese = POINTER_CHINESE.exec(sentence.replace(EXPLAINED_CHINESE, ''))
  return chinese === null || chinese.index >= FEWEST_HAN_BEFORE
}

/** So much stands before a Chinese pointer if the sentence itself names what it points at. */
const FEWEST_HAN_BEFORE = 6

/** Whether it tells of a feeling, thanks, or only judges. */
export function isMood(sentence: string): boolean {
  return MOOD_ENGLISH.test(sentence) || JUDGES_ENGLISH.test(sentence) || MOOD_CHINESE.test(sentence)
}
