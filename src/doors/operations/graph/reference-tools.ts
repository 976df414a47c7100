/** What the nine tools of the reference memory server have in common: where they stand, and why other doors lack them. */
import { type MnemeError, notFound } from '../../../domain/errors.ts'

/** Their heading in the reference. */
export const subject = 'Graph'
/** Why REST and the command line do not have them. */
export const absent = {
  absent: 'Entities, observations and relations are memories; the operations on memories have them.',
} as const

/** There is no entity of this name. */
export function unknownEntity(name: string): MnemeError {
  return notFound('entity', name, 'Look at read_graph, or make it with create_entities first.')
}
