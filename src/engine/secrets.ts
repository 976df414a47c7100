/** Masks of secrets, for the doors: what they list and export shows none, and what comes back masked is known. */
export { maskSecretsIn } from '../text/secrets/mask-secrets.ts'
export { isSameOrMasked } from '../text/secrets/same-or-masked.ts'
