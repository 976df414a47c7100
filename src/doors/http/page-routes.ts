/**
 * How does a browser get the page? The built files are read once, with the sizes that the build compressed, and go out under
 * a policy that lets nothing inline run and nothing from elsewhere in. They tell nothing of anybody, so they take no key.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { ServerApp } from './services.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const SAFETY: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** What the build writes beside a file, best first: the coding and the ending of its name. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface PageFile {
  readonly type: string
  readonly tag: string
  /** By coding; `identity` is always there. */
  readonly bodies: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

/** Adds `/` and its files; nothing where the folder holds no page. */
export function addPageRoutes(app: ServerApp, folder: string): void {
  if (!existsSync(join(folder, 'index.html'))) return
  const assets = join(folder, 'assets')
  const files = new Map(
    readdirSync(assets)
      .filter((name) => TYPES[extname(name)] !== undefined)
      .map((name) => [name, readPageFile(join(assets, name))]),
  )
  const index = readPageFile(join(folder, 'index.html'))
  app.get('/', (context) => pageResponse(context.req.raw, index, 'no-cache'))
  app.get('/assets/:file', (context) => {
    const file = files.get(context.req.param('file'))
    // The name holds a hash of what is in it.
    return file === undefined
      ? context.notFound()
      : pageResponse(context.req.raw, file, 'public, max-age=31536000, immutable')
  })
}

function readPageFile(path: string): PageFile {
  const body = readFileSync(path)
  const bodies = new Map([['identity', new Uint8Array(body)]])
  for (const [coding, ending] of CODINGS)
    if (existsSync(path + ending)) bodies.set(coding, new Uint8Array(readFileSync(path + ending)))
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { type: TYPES[extname(path)] ?? '', tag, bodies }
}

function pageResponse({ headers }: Request, { type, tag, bodies }: PageFile, caching: string): Response {
  const common = { ...SAFETY, etag: tag, 'cache-control': caching, vary: 'accept-encoding' }
  if (headers.get('if-none-match')?.includes(tag)) return new Response(null, { status: 304, headers: common })
  const accepted = (headers.get('accept-encoding') ?? '').split(',').map((part) => part.trim())
  const coding = CODINGS.map(([name]) => name).find((name) => accepted.includes(name) && bodies.has(name))
  return new Response(bodies.get(coding ?? 'identity') ?? null, {
    headers: { ...common, 'content-type': type, ...(coding === undefined ? {} : { 'content-encoding': coding }) },
  })
}
