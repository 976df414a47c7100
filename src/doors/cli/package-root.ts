/** Where this package lies and which version it is; the same place from the sources and from the built files. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../../', import.meta.url)

export function packageFile(name: string): string {
  return fileURLToPath(new URL(name, ROOT))
}

export function packageVersion(): string {
  const manifest: { version?: unknown } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
  return String(manifest.version)
}
