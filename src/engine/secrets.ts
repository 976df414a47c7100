/** Masks of secrets, for the doors: what they list and export shows none, and what comes back masked is known. */
export { maskSecretsIn } from '../language/secrets/mask-secrets.ts'
export { isSameOrMasked } from '../language/secrets/same-or-masked.ts'
