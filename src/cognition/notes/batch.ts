/** How many memories does a model look at together when it chooses the notes? So many that their texts fill no prompt. */
export const NOTES_AT_A_TIME = 40
