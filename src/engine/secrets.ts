/** Masks of secrets, for the doors: what they list and log shows none. */
export { maskSecrets, maskSecretsIn } from '../text/secrets/mask-secrets.ts'
