/** A logger that writes no secret down, whatever it is told; the caller's own logger gets the masked line. */
import type { Logger } from '../domain/logger.ts'
import { maskSecrets, maskSecretsIn } from '../language/secrets/mask-secrets.ts'

/** The same logger behind masks. */
export function maskedLog(logger: Logger): Logger {
  const line =
    (level: keyof Logger): Logger['debug'] =>
    (message, details) => {
      if (details === undefined) logger[level](maskSecrets(message))
      else logger[level](maskSecrets(message), maskSecretsIn(details))
    }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}
