/**
 * Which attributes are asked for in each other's words? Where a question about one finds nothing, its relatives may
 * answer: who asks for the bank account is told where the savings are.
 */
const FAMILIES = `
employer job office business client team boss colleague project teaching
bank savings credit_card payment_habit salary loan pension
home rent property nearby lives_with flatmate hometown mail_service
school university childcare teacher teaching major lives_with
car bike commute fuel licence parking mechanic
phone phone_plan phone_number tablet watch
computer operating_system display keyboard mouse tablet
internet phone_plan streaming tv
diet allergy drink restaurant alcohol favourite illness tea
medication illness doctor therapist physio dentist optician
gym sport club hobby teacher
instrument hobby club music teacher
book series film podcast newspaper blog game streaming music hobby
pet vet pet_care livestock
partner wedding anniversary in_laws
backend programming_language framework version api_style side_project project
frontend framework build_tool programming_language state_management design_tool mobile_stack
database cache orm warehouse vector_store search_engine object_storage backup
queue etl schedule scripts message_format
hosting deploy_tool container region server_address infrastructure_code web_server domain
ci deploy_tool test_framework build_tool
repository branch docs_tool review
monitoring logging alerting tracing error_tracking analytics
task_tool docs_tool notes_tool chat_tool calendar_tool
deadline release_day meeting exam appointment schedule thesis trip flight
auth secrets api_key password_manager
formatter code_style editor
cleaner babysitter childcare gardener plumber
wake_time bedtime sleep work_hours
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

/** The relatives of some attributes, without these. */
export function relativesOf(topics: readonly string[]): readonly string[] {
  const all = FAMILIES.filter((family) => topics.some((topic) => family.includes(topic))).flat()
  return [...new Set(all)].filter((topic) => !topics.includes(topic))
}
