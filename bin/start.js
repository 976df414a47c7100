// Starts a program of this package. It stays parsable for old versions of Node, so that they can be told what is missing.
import { loadCompiled } from './compiled.js'

/** What a hook needs of Node, which keeps its own modules compiled for its usual flags only; and what other commands do. */
const OF_A_HOOK = 'async_hooks events os path perf_hooks sqlite timers/promises url util'.split(' ')
const OF_NODE = [...OF_A_HOOK, 'fs/promises', 'net']

export function start(program) {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 24) {
    return fail(
      `Mneme needs Node 24 or newer; this is Node ${process.versions.node} (${process.execPath}).`,
      'Install Node 24 from https://nodejs.org; inside a clone of Mneme, npx uses the Node of the project.',
    )
  }
  const isHook = process.argv[2] === 'hook'
  for (const name of isHook ? OF_A_HOOK : OF_NODE) process.getBuiltinModule(`node:${name}`)
  const [fs, module, url, v8] = ['fs', 'module', 'url', 'v8'].map((name) => process.getBuiltinModule(`node:${name}`))
  const main = url.fileURLToPath(new URL('../dist/doors/cli/main.cjs', import.meta.url))
  if (!fs.existsSync(main)) return fail('Mneme is not built.', 'Run npm run build, or install the package again.')
  module.enableCompileCache()
  try {
    if (isHook) return loadCompiled(main).main(program)
    // The compile cache holds what is compiled when a file is loaded: whole files, so that no call compiles functions again.
    v8.setFlagsFromString('--no-lazy')
    const cli = module.createRequire(main)(main)
    v8.setFlagsFromString('--lazy')
    return cli.main(program)
  } catch (error) {
    return fail(
      error instanceof Error ? error.message : error,
      'Build it again with npm run build, or install the package again.',
    )
  }
}

/** A hook is never in its assistant's way: what is wrong is a line in its log, beside the home's database. */
function fail(what, remedy) {
  if (process.argv[2] !== 'hook') {
    process.stderr.write(`error: ${what}\nremedy: ${remedy}\n`)
    process.exitCode = 1
    return
  }
  const log = `${process.env.HOME || process.env.USERPROFILE}/.mneme/memory.db.hooks.log`
  return import('node:fs')
    .then((fs) => fs.appendFileSync(log, `${new Date().toISOString()} ${what} ${remedy}\n`))
    .catch(() => undefined)
}
