/** Which parts of the document about a user does the machine write? A user's document may have others. */

/** The sections that the machine writes to. */
export const PROFILE_SECTIONS = ['reply_style', 'language', 'background'] as const
/** A section of the profile. */
export type ProfileSection = (typeof PROFILE_SECTIONS)[number]
