/** Is this the origin of a page, as browsers send it? What never equals one would be allowed in vain. */
import { invalid } from '../../domain/errors.ts'

/** Returns the origin. Throws `invalid` for what is none: paths, `*`, `null` (which pages of any site can send). */
export function checkOrigin(field: string, value: string): string {
  if (!isOrigin(value))
    throw invalid(
      field,
      `${JSON.stringify(value)} is not an origin`,
      'Name each origin by scheme, host and port, in lower case and without a slash behind, such as https://example.org.',
    )
  return value
}

function isOrigin(value: string): boolean {
  // Pages of desktop programs and of extensions have schemes of their own, which URL knows nothing of.
  if (!/^https?:/i.test(value)) return /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*,A-Z]+$/.test(value)
  return URL.canParse(value) && new URL(value).origin === value && !value.includes('*')
}
