/** How a model is asked for the lasting facts of an episode (002 R6). */

export const SEMANTIC_PROMPT = `DATA holds one memory of an event, \`episode\`, how often it has been used since, and \`similar\`: other memories of the user that speak of the like.
Which stable facts about the user does the episode give away, of use for years rather than days?
Take: who they are - major, job, employer, place, field of research, family, health ("identity"); lasting interests, repeated preferences, habits ("habit"; a liking that is told once counts only when \`similar\` tells it of another day); what was ordered to be remembered ("ordered"); what has been used more than ten times and describes the user lastingly ("often_used").
Refuse: passing states ("temporary_state"), plans for the near future ("short_term_plan"), wishes for the style of answers ("style_preference"), guesses and maybes ("speculation"), what is true of another person only ("about_other"), everything else ("nothing_lasting").
{"facts": [{"text": "one sentence", "category": "preference|fact|pattern", "key": "English snake_case, or null", "value": "a few words, or null", "confidence": 0.9, "ground": "identity|habit|often_used|ordered"}], "refusal": null or the main reason why there are none}`
