/**
 * What rests on what? When one attribute changes, those that were arranged around it may no longer hold: another town,
 * so what of the gym there? The table says which; nothing in it is certain, so it only ever casts doubt.
 */

/** Changed attribute | attributes that rest on it. */
const RESTS_ON = `
home|nearby gym commute school childcare doctor dentist rent flatmate neighbour parking restaurant supermarket hairdresser cleaner internet energy club teacher sport volunteering livestock plants fuel lunch car_insurance religion
employer|nearby colleague boss office commute work_hours meeting lunch salary parking computer insurance chat_tool task_tool client deadline gym childcare
job|colleague boss office commute work_hours meeting salary
office|nearby commute lunch parking gym childcare
school|nearby commute teacher childcare club
university|major thesis teacher flatmate boss exam
partner|in_laws wedding flatmate trip
car|fuel parking car_insurance commute
bike|commute parking
phone|phone_plan headphones watch
computer|operating_system backup shell
operating_system|shell editor backup package_manager
child|childcare school teacher
pet|cleaner insurance sport
diet|restaurant supermarket lunch
backend|framework orm queue cache build_tool test_framework deploy_tool package_manager formatter monitoring port version auth ci editor
framework|orm queue cache build_tool test_framework deploy_tool formatter
programming_language|framework orm queue build_tool test_framework deploy_tool package_manager formatter version editor
frontend|build_tool test_framework package_manager formatter design_tool
database|orm backup hosting port cache search_engine
hosting|deploy_tool monitoring ci port backup
deploy_tool|ci monitoring
repository|ci branch
build_tool|test_framework package_manager
editor|formatter shell
flight|trip
wedding|trip deadline
trip|flight
medication|doctor appointment
illness|medication doctor appointment diet
doctor|appointment medication
exam|deadline trip
thesis|deadline boss
boss|meeting
colleague|meeting
client|deadline meeting salary
landlord|rent
work_hours|commute gym bedtime wake_time lunch childcare
`
const TABLE: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  RESTS_ON.trim()
    .split('\n')
    .map((line) => {
      const [changed, resting] = line.split('|')
      return [changed!, new Set(resting!.split(' '))]
    }),
)

/** The attribute of those that rests on a changed one; null when none does. */
export function restingOn(changed: string, topics: Iterable<string>): string | null {
  const resting = TABLE.get(changed)
  if (resting === undefined) return null
  for (const topic of topics) if (resting.has(topic)) return topic
  return null
}

/** All attributes that rest on one; empty when none does. */
export function dependentsOf(topic: string): Iterable<string> {
  return TABLE.get(topic) ?? []
}
