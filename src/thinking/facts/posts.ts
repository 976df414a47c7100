/** Attributes whose value is a person with a post towards the user: a teacher, a dentist. Of them one tells by name. */
export const POSTS: ReadonlySet<string> = new Set(
  `teacher boss dentist doctor hairdresser cleaner babysitter childcare flatmate therapist physio optician accountant lawyer
  gardener plumber mechanic vet priest client colleague rent apprentice gym team`.split(/\s+/),
)
