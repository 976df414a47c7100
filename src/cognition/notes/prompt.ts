/** How a model is asked which memories belong into the notes that a person reads (004). */

export const NOTES_PROMPT = `DATA holds \`memories\` of one person, each with its number \`n\`. They keep a short page of notes about themself that they read, edit and show to assistants.
Which memories deserve a line there, one that they would still keep in a year? Take only:
"user": who they are - name, contact, job, family, home, health, lasting commitments; "preferences": lasting likes, dislikes, style, habits; "configuration": systems, versions, ports, models, keys, set-up; "decisions": what was decided and stands; "problems": a technical problem together with what solved it.
Leave out: moods, thanks, praise, small talk, questions, single events, plans that will be over soon, what is said about somebody else only, what nobody could understand without the conversation.
A line is one short sentence in the memory's own words, in its language, in the first person where the memory is. Where a memory says several things, keep only those that belong here. Replace a pronoun by what it means if the memory itself says what it means; else leave the memory out.
{"notes": [{"n": 1, "text": "one sentence", "section": "user|preferences|configuration|decisions|problems"}]}`
