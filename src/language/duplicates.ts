/** When are two texts the very same? When nothing but case, width and white space tells them apart. */

/** The text in small letters, of usual width, with single spaces. */
export function foldedText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}
