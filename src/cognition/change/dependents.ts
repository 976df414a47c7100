/**
 * What rests on what? When one attribute changes, those that were arranged around it may no longer hold: another town,
 * so what of the gym there? The table says which; nothing in it is certain, so it only ever casts doubt.
 */

/** Changed attribute | attributes that rest on it. */
const RESTS_ON = `
home|nearby babysitter gardener plumber veg_box vet optician priest physio therapist mechanic gym commute school childcare doctor dentist rent flatmate neighbour parking restaurant supermarket hairdresser cleaner internet energy club teacher sport volunteering livestock plants fuel lunch car_insurance religion pet_care appliance
employer|nearby team seat badge pension leave credit_card emergency_contact release_day on_call review supermarket home colleague boss office commute work_hours meeting lunch salary parking computer insurance chat_tool task_tool client deadline gym childcare
job|colleague boss office commute work_hours meeting salary lunch parking nearby seat team chat_tool gym childcare
office|nearby commute lunch parking gym childcare
school|nearby commute teacher childcare club meeting
university|major thesis teacher flatmate boss exam
partner|in_laws wedding flatmate trip
car|mechanic licence fuel parking car_insurance commute accessory
bike|commute parking accessory
phone|phone_plan headphones watch accessory scripts
computer|operating_system backup shell accessory scripts
operating_system|shell editor backup package_manager scripts
child|childcare school teacher
pet|cleaner insurance sport pet_care vet supermarket nearby
diet|restaurant supermarket lunch drink
backend|coverage code_style container timeout schedule rate_limit error_tracking web_server framework orm queue cache build_tool test_framework deploy_tool package_manager formatter monitoring port version auth ci editor scripts state_management message_format api_style logging
framework|coverage code_style container timeout schedule rate_limit error_tracking web_server orm queue cache build_tool test_framework deploy_tool formatter scripts state_management message_format api_style logging
programming_language|coverage code_style container timeout schedule rate_limit error_tracking web_server framework orm queue build_tool test_framework deploy_tool package_manager formatter version editor scripts state_management message_format api_style logging
frontend|framework analytics error_tracking coverage code_style formatter build_tool test_framework package_manager formatter design_tool scripts state_management message_format api_style logging
database|coverage code_style container timeout schedule rate_limit error_tracking web_server orm backup hosting port cache search_engine scripts
hosting|object_storage secrets registry container region infrastructure_code alerting dns domain cache queue deploy_tool monitoring ci port backup scripts cdn vpn environment mail_service database
deploy_tool|ci monitoring scripts
repository|ci branch scripts
build_tool|test_framework package_manager scripts
editor|formatter shell scripts
flight|trip
wedding|trip deadline
trip|flight
medication|doctor appointment alcohol diet
illness|medication doctor appointment diet sport gym alcohol
doctor|appointment medication
exam|deadline trip
thesis|deadline boss
boss|meeting work_hours
colleague|meeting
client|deadline meeting salary
rent|parking internet
coffee_machine|accessory drink
printer|accessory
camera|accessory trip
tv|accessory streaming
appliance|accessory energy
tablet|accessory book
watch|accessory sport sleep
instrument|accessory teacher club
livestock|pet_care
pregnancy|alcohol sport gym diet medication trip drink
commute|wake_time parking fuel bike accessory lunch
wake_time|bedtime gym commute sport
bedtime|wake_time
sport|gym accessory club
gym|teacher wake_time
package_manager|ci build_tool version cache scripts
ci|scripts deploy_tool
shell|scripts
test_framework|ci scripts
auth|scripts api_key
payment_provider|api_key scripts
mail_service|api_key
cache|queue
queue|monitoring
notes_tool|scripts backup
task_tool|meeting scripts
chat_tool|meeting monitoring
major|teacher thesis university exam home book
repository|ci branch scripts review
team|meeting boss colleague seat chat_tool on_call
container|scripts ci monitoring deploy_tool
secrets|scripts ci
warehouse|bi_tool etl
web_server|scripts port
display|accessory chair
console|game accessory streaming
business|employer job accountant supermarket lunch colleague
religion|club volunteering diet priest
therapist|medication appointment
club|sport meeting accessory
veg_box|diet supermarket
bank|loan savings salary credit_card payment_habit
visa|employer trip
spoken_language|exam teacher
smoking|accessory
cleaner|appliance
flatmate|rent
work_hours|commute gym bedtime wake_time lunch childcare sleep meeting childcare pet_care sport
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
