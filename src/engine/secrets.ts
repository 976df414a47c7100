/** Masks of secrets, for the doors: what they list and export shows none, and what comes back masked is known. */
export { isSameOrMasked, maskSecretsIn } from '../text/secrets/mask-secrets.ts'
