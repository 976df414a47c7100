/** Is this run of characters a file path, and which part of it? Web addresses, dates, fractions and and/or are not. */
import {
  DOCUMENT_ENDINGS,
  DOMAIN_ENDINGS,
  FILE_ENDINGS,
  KNOWN_FILES,
  KNOWN_FOLDERS,
  LIBRARIES_NAMED_LIKE_FILES,
  PROSE_DOMAIN_ENDINGS,
} from '../known-names.ts'

/** Longest path taken for a symbol, in characters. */
const LONGEST_PATH = 260

const SEGMENT = /^[\p{L}\w.@~+$%()[\]-]+$/u
const MEDIA_TYPE = /^(?:application|text|image|audio|video|multipart|font|message|model)\//
const GIT_REFERENCE = /^(?:origin|upstream|refs|heads|feature|feat|fix|bugfix|hotfix|release|chore)\//
/** Endings that are also everyday members: console.log, response.json. */
const MEMBER_NOT_FILE =
  /^(?:this|self|console|logger|math|np)\.|^(?:res|resp|response|req|request|r|ctx|c|body)\.(?:json|html|text|log|env)$|^(?:process|import\.meta)\.env/i

/** The path in a run of path characters, without line numbers and closing marks; null when it is none. */
export function pathIn(run: string, inCode: boolean): string | null {
  if (run.length > LONGEST_PATH) return null
  const path = run
    // linear: the run is no longer than a path.
    .replace(/#.*$/, '')
    .replace(/(?::\d{1,40}){1,2}(?:-\d{1,40})?:?$/, '')
    .replace(/[.:+-]{1,40}$/, '')
  if (path.length < 3) return null
  return /[/\\]/.test(path) ? slashedPath(path, inCode) : fileName(path, inCode)
}

/** true for host names with or without a path: example.com, docs.rs/serde, www.bing.com. */
export function isDomain(run: string, inCode: boolean): boolean {
  const host = run.split(/[/:?#]/, 1)[0]!
  const labels = host.split('.')
  if (labels.length < 2 || !labels.every((label) => /^[A-Za-z0-9-]+$/.test(label))) return false
  const last = labels.at(-1)!
  if (last !== last.toLowerCase() && last !== last.toUpperCase()) return false
  const ending = last.toLowerCase()
  if (DOMAIN_ENDINGS.has(ending))
    return !(inCode && /^(?:this|self|process|config|options|req|res|ctx)$/.test(labels[0]!))
  if (labels[0]!.toLowerCase() === 'www') return true
  return (
    !inCode &&
    PROSE_DOMAIN_ENDINGS.has(ending) &&
    !/^(?:this|self|config|options|process|req|res|ctx|props)$/.test(labels[0]!)
  )
}

function slashedPath(path: string, inCode: boolean): string | null {
  if (path.includes('//') || MEDIA_TYPE.test(path) || isDomain(path, false)) return null
  const windows = /^[A-Za-z]:\\/.test(path)
  const rooted = windows || /^(?:\.{1,2}|~)?[/\\]/.test(path)
  const segments = (windows ? path.slice(3) : path).split(/[/\\]/).filter((segment) => segment !== '')
  if (segments.length === 0 || !segments.every((segment) => segment === '.' || SEGMENT.test(segment))) return null
  if (!segments.some((segment) => /[A-Za-z]{2}|^[A-Za-z]$/.test(segment))) return null
  const last = segments.at(-1)!
  if (!inCode && isDocument(last)) return isInProject(path, segments) ? path : null
  if (KNOWN_FILES.has(last) || hasFileEnding(last, inCode)) return path
  if (windows) return path
  if (path.includes('\\')) return null
  if (rooted)
    return segments.length > 1 && (path[0] !== '.' || segments[0] !== '..' || segments.length > 2) ? path : null
  if (segments.length < 2 && !path.endsWith('/')) return null
  return KNOWN_FOLDERS.has(segments[0]!) && !GIT_REFERENCE.test(path) ? path : null
}

/** true for resume.pdf and photo.jpg: a document, neither a path of a program nor a member of an object. */
export function isDocument(name: string): boolean {
  return (
    !KNOWN_FILES.has(name) &&
    /\w\.\w/.test(name) &&
    DOCUMENT_ENDINGS.has(
      name
        .replace(/[.:]{1,40}$/, '')
        .replace(/^.*\./, '')
        .toLowerCase(),
    )
  )
}

/** ./logo.png and src/assets/logo.png belong to a program, ~/Documents/resume.pdf does not. */
function isInProject(path: string, segments: readonly string[]): boolean {
  return /^\.{1,2}[/\\]/.test(path) || segments.some((segment) => KNOWN_FOLDERS.has(segment))
}

function hasFileEnding(name: string, inCode: boolean): boolean {
  const dot = name.lastIndexOf('.')
  if (dot < 0) return false
  const ending = name.slice(dot + 1)
  if (FILE_ENDINGS.has(ending.toLowerCase()) || DOCUMENT_ENDINGS.has(ending.toLowerCase())) return true
  return !inCode && dot > 0 && /^[a-z][a-z0-9]{1,3}$/.test(ending)
}

/** true for Node.js, Three.js, Socket.io and their like, which are products. */
export function isLibraryNamedLikeFile(run: string): boolean {
  const match = /^([A-Za-z0-9]+)\.(?:js|io|NET)[.:]?$/i.exec(run)
  return match !== null && (LIBRARIES_NAMED_LIKE_FILES.has(match[1]!.toLowerCase()) || /^asp$/i.test(match[1]!))
}

function fileName(name: string, inCode: boolean): string | null {
  if (KNOWN_FILES.has(name) || /^\.env\.[a-z]+$/.test(name)) return name
  const dot = name.lastIndexOf('.')
  if (dot < 1 || !/^[\w@$+-][\w.@$+-]*$/.test(name)) return null
  const stem = name.slice(0, dot)
  const ending = name.slice(dot + 1)
  const known = FILE_ENDINGS.has(ending.toLowerCase()) || (inCode && DOCUMENT_ENDINGS.has(ending.toLowerCase()))
  if (!known || MEMBER_NOT_FILE.test(name)) return null
  if (LIBRARIES_NAMED_LIKE_FILES.has(stem.toLowerCase()) && ending.toLowerCase() === 'js') return null
  if (ending.length === 1 && !/^[A-Za-z_][\w-]+$/.test(stem)) return null
  if (/^v?\d+(?:\.\d+)+$/.test(name)) return null
  return name
}
