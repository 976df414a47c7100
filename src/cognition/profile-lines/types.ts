/** Profile lines (001): what a message adds to the document about the user. */

/** The sections of a profile that the machine writes. */
export const PROFILE_SECTIONS = ['reply_style', 'language', 'background'] as const
export type ProfileSection = (typeof PROFILE_SECTIONS)[number]

/** One line of the profile, in the user's own words. */
export interface ProfileLine {
  readonly section: ProfileSection
  readonly text: string
}
