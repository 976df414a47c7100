/** Words that carry no meaning for finding a text; a changed list needs a reindex. */

/** English function words, lowercase; contractions appear as the part before the apostrophe ("didn", "couldn"). */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are aren as at be because been before being below between
   both but by can cannot could couldn did didn do does doesn doing don down during each either else ever few for from
   further had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its
   itself just let me more most mustn my myself no nor not of off on once only or other our ours ourselves out over own
   please same shall she should shouldn so some such than that the their theirs them themselves then there these they
   this those through to too under until up upon us very was wasn we were weren what when where which while who whom
   whose why will with would wouldn yes yet you your yours yourself yourselves im ive dont didnt doesnt isnt wasnt cant
   wont couldnt wouldnt shouldnt youre theyre thats whats hes shes lets etc eg ie`.split(/\s+/),
)

/** Stop words that are often part of an identifier (getUserById, onClick): a spaced query may join over them. */
export const IDENTIFIER_STOP_WORDS: ReadonlySet<string> = new Set(
  `after all and any as at be before by can do each for from has if in into is no not of off on once only or out over
   same should to until up with`.split(/\s+/),
)

/** Chinese function characters that are left out as single-character terms; pairs that contain them stay (目的, 了解). */
export const CHINESE_STOP_CHARACTERS: ReadonlySet<string> = new Set([
  ...'的了是在和与及或也都就而但又还很把被让给对从向到于以为因由所其之这那此个们我你您他她它吗呢吧啊哦嗯呀么着过得地不没有会要能可请',
])
