/**
 * By which words does a sentence tell something that a person would look up in their notes: who they are, what they like
 * and do, what was decided? What must be in the sentence itself, not only in the message around it.
 */

const MORE =
  '(?:really|much|still|generally|strongly|absolutely|totally|do|also|just|both|all|personally|especially|particularly|always|usually|mostly|actually|definitely|truly|now|currently|even)'
const I = String.raw`\b(?:i|we|(?:the )?user)(?:['’](?:m|ve|re|d))?`
/** A clause of its own: "the things I love make me happy" tells no taste. */
const CLAUSE = String.raw`(?:^|[,;:.(–—-]\s*|\b(?:and|but|so|because|since|as|though|although|that|also|now|still|well|while|user says) )`
/** An object that says by itself what is meant: no pronoun, no clause, no gerund of being. */
const THING = String.raw`(?!(?:it|that|this|these|those|them|him|her|you|how|when|what|why|where|everything|all|to (?:see|hear|know|say|think|feel|be|make|help|share|keep)|being (?!outdoors|outside|alone|active|near|by)|seeing|hearing|having|making|knowing|watching (?:him|her|them)|the (?:way|idea|feeling|fact|thought|look|sound)|every|each|our (?:time|talks?|chats?))\b)`

const TASTE_ENGLISH = new RegExp(
  [
    String.raw`${CLAUSE}${I}(?: ${MORE})*(?: (?:don['’]?t|do not|never|can['’]?t|cannot))?(?: ${MORE})* (?:prefer|prefers|like|likes|love|loves|hate|hates|dislike|dislikes|enjoy|enjoys|adore|avoid|stand|collect|collects)\s+${THING}\w`,
    String.raw`\b(?:is|are|['’]s|has been)(?: (?:\w+ly|pretty much|always been|always|still))* (?:my|our)(?: [\w-]+){0,2} (?:go-to|thing|passions?|hobby|hobbies|outlets?|stress (?:relief|fix|reliever)|haven|escape|top pick|jam|guilty pleasure)\b|\b(?:at the )?top of my list\b`,
    String.raw`\b(?:my|our|the user['’]s)(?: \w+)? (?:all-time )?favou?rites?\b[^.!?]{0,60}\b(?:is|are|was|has (?:always )?been)\b|\b(?:is|are)(?: \w+)? (?:my|our)(?: \w+)? favou?rites?\b`,
    String.raw`${I}(?: am| are)?(?: ${MORE}| very| super| so| pretty| a)* (?:all about|drawn to|partial to|keen on|kind of a sucker for|a sucker for|not (?:really )?into|into|fond of|(?:(?:big|huge|total) )?fan of|obsessed with|passionate about|interested in|allergic to|afraid of|addicted to)\s+${THING}\w`,
    String.raw`${I}(?:['’]d| would) rather\b|${CLAUSE}${I}(?: ${MORE})* (?:don['’]?t|do not|never) (?:drink|eat|use|wear|watch|smoke|like it when|do)\b`,
    String.raw`^(?:prefers?|likes|loves|hates|dislikes|enjoys|collects)\s+${THING}\w`,
  ].join('|'),
  'i',
)
const TASTE_CHINESE =
  /(?:喜欢|喜爱|偏好|偏爱|最爱|热爱|钟爱|更愿意|宁愿|讨厌|反感|受不了|不爱|爱(?:吃|喝|看|听|用|玩)|习惯(?:用|了|于|先|在)?|倾向于|口味|对.{1,8}过敏|感兴趣|[只不](?:吃|喝|用|碰|看|听|穿)|忌口)(?!(?:这|那|它|他|她|你)|吗|$)/

const HOW_OFTEN = String.raw`(?:always|usually|generally|regularly|on a regular basis|typically|as a rule|rarely|every (?:\w+ )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|spring|autumn|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?|each (?:day|morning|evening|night|week|month|year)|on (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:s| (?:mornings?|evenings?|nights?))|weekends|weekdays)|(?:once|twice|three times|four times|\d+ times)(?: or \w+)? (?:a|every) (?:day|week|month|year)|daily|weekly|in my (?:free|spare) time)`
const HABIT_ENGLISH = new RegExp(
  String.raw`(?:${I}|\b(?:my|our) \w+)\b[^,;.!?]{0,60}\b${HOW_OFTEN}\b|^${HOW_OFTEN},? ${I}|^(?:always|usually|every|each|on) [^,;.!?]{3,40},? ${I}`,
  'i',
)
/** What somebody does with what, in the present: "I use a whiteboard to stay on track". */
const USES = new RegExp(
  String.raw`${CLAUSE}${I}(?: ${MORE})* (?:use|colou?r-code|keep a (?:journal|diary|log|list)|meditate|commute|work out|wake up|get up|go to bed)\b(?! (?:it|that|this|them|to)\b)[^.!?]*\b(?:to|for|so|at|by|with)\b`,
  'i',
)
/** "I write my notes in Markdown". */
const KEEPS = new RegExp(
  String.raw`${CLAUSE}${I}(?: ${MORE})* (?:write|keep|store|name|format|organi[sz]e|back up|save|put) (?:my|our|all)\b[^.!?]*\b(?:in|on|at|by|with|as)\b`,
  'i',
)
const HABIT_CHINESE =
  /(?:每[天周月年晚早]|每个?(?:周末|星期|礼拜|早上|晚上|月)|每(?:周|星期)[一二三四五六日天]|每逢|经常|总是|平时|通常|从不|从来不|几乎不|坚持|习惯)(?=.{2,})/

const PERSON =
  '(?:wife|husband|partner|fianc\\w+|girlfriend|boyfriend|son|daughter|kids?|child(?:ren)?|baby|toddler|twins|sisters?|brothers?|siblings?|mother|mom|mum|father|dad|parents?|grand\\w+|aunt|uncle|cousin|nephews?|nieces?|roommates?|boss|manager|colleagues?|mentor|dogs?|cats?|pup\\w*|kitten\\w*|pets?|rabbits?|hamster|guinea pigs?|turtles?|parrot|fish|horse|snake)'
const COUNT = '(?:an?|one|two|three|four|five|six|seven|\\d+|several|twin|another)'
const WHO_ENGLISH = new RegExp(
  [
    String.raw`\bmy (?:\w+ )?(?:name|job|profession|occupation|role|position|title|major|minor|degree|research|thesis|birthday|hometown|nationality|age|pronouns|employer|salary|address|phone(?: number)?|e-?mail(?: address)?|blood type|dream|(?:main |long-term |ultimate )?goal|passion|hobby|hobbies|${PERSON})(?:['’]s? names?)? (?:is|are)\b`,
    String.raw`\b(?:named|called) (?:it|him|her|them) \w|\b(?:his|her|its|their) names? (?:is|are)|\b(?:his|her|its|their) name['’]s`,
    String.raw`${I}(?: ${MORE})* (?:have|has|had|got|['’]ve got|own|owns|adopted|keep|foster|raise)(?: got)? (?:my |our )?${COUNT}(?: [\w'-]+){0,2} ${PERSON}\b`,
    String.raw`${I}(?: am| are)?(?: ${MORE})* (?:work(?:s|ing)? (?:as|at|for|in|on (?:a|an|my|the|our))|worked (?:as|at|for) .*\bfor|liv(?:e|es|ing) (?:in|at|near|with)|based in|come(?:s)? from|majoring|major in|stud(?:y|ies|ying) (?:for )?\w|teach(?:es|ing)? \w|speaks? (?:\w+ and \w+|\w+ish|\w+ese|\w+ian|french|german|mandarin|cantonese|arabic|hindi|dutch|thai)|grew up|was born|single\b|married|divorced|engaged to|retired|vegan|vegetarian|left-handed|diabetic|pregnant|mentor(?:s|ing)? \w|coach(?:es|ing)? \w|volunteer(?:s|ing)? (?:at|for|with|in)|training for)`,
    String.raw`${I}(?: ${MORE})* (?:run|own|manage|lead|founded|started|opened|launched|set up|opening|starting|running) (?:my|our|an?|the) (?:own )?(?:[\w'-]+ ){0,3}(?:business|studio|shop|store|company|startup|restaurant|caf[eé]|channel|blog|podcast|school|clinic|group|club|team|non-?profit|foundation|brand|clothing line|farm|gym|department|practice)\b`,
    String.raw`${I}(?:['’]m| am)?(?: ${MORE})* (?:a|an|the)(?: [\w-]+){0,3} (?:\w{3,}(?:ist|ician|man|woman)|engineer|teacher|developer|designer|manager|writer|author|actor|dancer|lawyer|doctor|professor|carpenter|plumber|baker|farmer|driver|singer|painter|researcher|officer|worker|trainer|founder|owner|consultant|accountant|assistant|architect|mom|mum|mother|dad|father|parent|nurse|student|veteran|chef|coach|pilot|vet|guide|volunteer|member of [^,.!?]+)\b`,
    String.raw`${I}['’]?(?:ve)? (?:have )?(?:been |known |lived |worked |played |owned |had )[^.!?]{0,50}\b(?:for (?:\d+|many|several|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|over|almost|about|nearly|around)[^.!?]{0,20}\b(?:years?|months?|decades?)|since (?:i was|childhood|high school|college|(?:19|20)\d\d))`,
    String.raw`${I}(?: am| are| have| have been| been)?(?: ${MORE}| just| recently| actually)* (?:(?:started|began) )?(?:volunteering|blogging|coaching|teaching|mentoring|tutoring|freelancing|interning|offering|fostering|apprenticing|taking (?:[\w-]+ )?(?:lessons|classes|courses))\b`,
    String.raw`${I}(?: ${MORE}| just| recently)* applied (?:to|for) \w|${I} used to (?:be|live|work|play|compete|own|have|teach|study|run)\b|\bturning my [^.!?]{3,40} into (?:a|an|my) (?:[\w-]+ )?(?:business|career|job)\b|${I}(?: am)?(?: \w+)? (?:allergic to|lactose intolerant|gluten[- ]intolerant|coeliac|celiac|asthmatic|colou?r-?blind|hard of hearing|dyslexic)\b|${I} (?:['’]ve |have )?got an? (?:[\w-]+ )?(?:job|internship|scholarship|degree|diagnosis)\b|\b(?:i['’]m|i am) lactose\b`,
    String.raw`${I}(?: ${MORE})* (?:lost|quit|left|changed) (?:my|our) jobs?\b|${I}(?: ${MORE})* (?:moved (?:to|from)|relocated|emigrated|immigrated|retired from|graduated|joined (?:a|an|the|our)\b(?! (?:\w+ )?(?:chat|call|conversation|fun|party|game)\b)|enlisted|got (?:married|engaged|divorced|promoted|hired|accepted|my \w+ (?:degree|licen[sc]e|certificat\w+)))`,
    String.raw`${I}(?: ${MORE})* (?:play|sing|compete|perform|write|paint|sew|knit|bake|cook|garden|climb|sail|surf|ski|dance|record|film)\b(?! (?:it|that|this|them|together|along|out)\b)[^.!?]*\b(?:guitar|piano|violin|cello|drums|flute|clarinet|saxophone|ukulele|bass|choir|band|professionally|for a living|for \w+ years|as a hobby|screenplays?|novels?|poetry|poems)\b`,
  ].join('|'),
  'iu',
)

/** "Oscar, my guinea pig", "my wife Lena", "our son Theo". */
const NAMED_ONE = new RegExp(
  String.raw`\b\p{Lu}\p{Ll}+, (?:my|our) (?:[\w-]+ ){0,2}${PERSON}\b|\b(?:[Mm]y|[Oo]ur) (?:[\w-]+ ){0,2}${PERSON},? \p{Lu}\p{Ll}+\b(?! \w+ed\b)`,
  'u',
)

/** "I'm Priya, …", "I am Tom and …", "My daughter Asha turned six". */
const NAME_GIVEN = new RegExp(
  String.raw`\b[Ii](?:['’]m| am) \p{Lu}\p{Ll}+(?=,| and\b|\.|$)|\b[Mm]y (?:[\w-]+ )?${PERSON}(?: \p{Lu}\p{Ll}+)? turned \w`,
  'u',
)

/** A decision of a private kind says so in as many words; among technical things an action is enough. */
const DECIDED =
  /\b(?:i|we|they|team|user)(?:['’](?:ve|d)| have| had)?(?: \w+)? (?:decided|agreed (?:to|on|that)|settled on|concluded|made up (?:my|our) minds?)\b|\b(?:decision|conclusion) (?:is|was|to)\b|决定|敲定|拍板|选定|定下来|定了|改用|约定|达成一致/i

/** Whether the sentence says that something was decided, and not only that something will go on. */
export function saysDecided(sentence: string): boolean {
  return DECIDED.test(sentence)
}

/** Whether it tells what the user likes, avoids or prefers. */
export function tellsTaste(sentence: string): boolean {
  return TASTE_CHINESE.test(sentence) || TASTE_ENGLISH.test(sentence)
}

/** Whether it tells what the user does again and again. */
export function tellsHabit(sentence: string): boolean {
  return HABIT_CHINESE.test(sentence) || HABIT_ENGLISH.test(sentence)
}

/** Whether it tells how the user does something, with what. */
export function tellsWay(sentence: string): boolean {
  return USES.test(sentence) || KEEPS.test(sentence)
}

/** Whether it tells in English who the user is, with whom they live, what they do. */
export function tellsWho(sentence: string): boolean {
  return WHO_ENGLISH.test(sentence) || NAMED_ONE.test(sentence) || NAME_GIVEN.test(sentence)
}
