/**
 * Which common words does the stemmer throw together though they mean different things? Each keeps a term of its own
 * here: "news" is not "new", a university not a universe. Changing the table changes the terms of every text.
 */

/** One family a line; its first word is the term of all of them. */
const FAMILIES = `
  important importance importantly
  business businesses
  paste pasted pastes pasting
  topping toppings
  polite politely politeness
  aws
  ad ads
  add added adding adds
  experiment experiments experimental experimented experimenting
  organize organized organizes organizing organization organizations organizational organizer organizers
  organic organically
  international internationally
  internal internally internals
  generic generics generically
  general generally generalize
  quite
  suite suites
  ide ides
  university universities
  universal universally
  conversion conversions
  responsible responsibly responsibility responsibilities
  memorial memorials
  convention conventions conventional conventionally
  authentic authenticity authentically
  authority authorities
  authorize authorized authorizes authorizing authorization authorizations authorizer
  operator operators
  index indices indexes indexed indexing
  competent competence competency competencies
  initial initially initials
  initiative initiatives
  definite definitely
  news
  position positions positioned positioning
  several
  animal animals
  executive executives
  community communities
  customer customers
  evening evenings
  wedding weddings
  apartment apartments
  department departments
  publication publications
  formation formations
  hospitality
  personality personalities
  celebrity celebrities
  majority majorities
  minority minorities
  identical identically
  nationality nationalities
  numeric numerical numerically
  logistics
  ration rations rationed
  designate designated designates
  capitalism capitalist capitalists
  desertion
  physics
  statue statues
  mobility
  integral integrals
  integrity
  mining
  objective objectives
  subjective subjectively
  perspective perspectives
  ventilation`

let known: ReadonlyMap<string, string> | undefined

/** The term of a lowercase word that the stemmer would confuse with another; undefined for all other words. */
export function exceptionalTerm(word: string): string | undefined {
  known ??= new Map(
    FAMILIES.trim()
      .split('\n')
      .flatMap((line) => {
        const words = line.trim().split(' ')
        return words.map((one) => [one, words[0]!] as const)
      }),
  )
  return known.get(word)
}
