// Loads files of this package with the code that an earlier process compiled: of what it ran, and not of whole files.

/** Code that mostly runs once is left uncompiled: compilers took a tenth of a hook's time. For V8 versions that read flags late. */
const RUNS_ONCE = ['opt', 'maglev', 'regexp-optimization', 'regexp-peephole-optimization']
const KNOWN_V8 = /^13\./
/** The share of new code from which it is kept for the next process; one process of four looks, as that takes 3 ms. */
const MUCH_NEW = 0.05
const LOOKS = process.pid % 4 === 0

/** The exports of a CommonJS file, loaded with the files that it requires. The code is kept at the end of the process. */
export function loadCompiled(main) {
  const [fs, module, path, v8, vm] = ['fs', 'module', 'path', 'v8', 'vm'].map((name) => process.getBuiltinModule(name))
  const flags = v8.cachedDataVersionTag()
  const folder = module.getCompileCacheDir()
  const elsewhere = module.createRequire(main)
  const loaded = new Map()
  const compiled = []

  function load(file) {
    const known = loaded.get(file)
    if (known !== undefined) return known.exports
    const own = { exports: {} }
    loaded.set(file, own)
    // Only the names of chunks tell their content.
    const kept = folder === undefined || file === main ? undefined : path.join(folder, path.basename(file))
    const cachedData = kept === undefined ? undefined : readIfThere(fs, kept)
    const code = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(file, 'utf8')}\n})`
    const script = new vm.Script(code, { filename: file, cachedData })
    if (kept !== undefined) compiled.push({ script, kept, isNew: script.cachedDataRejected !== false })
    const here = path.dirname(file)
    const required = (name) => (name.startsWith('.') ? load(path.join(here, name)) : elsewhere(name))
    required.import = (name) => import(name)
    script.runInThisContext()(own.exports, required, own, file, here)
    return own.exports
  }

  function improve(isWanted) {
    if (!KNOWN_V8.test(process.versions.v8)) return
    for (const name of RUNS_ONCE) v8.setFlagsFromString(`--${isWanted ? '' : 'no-'}${name}`)
    v8.setFlagsFromString(`--regexp-tier-up-ticks=${isWanted ? 1 : 100}`)
  }

  const size = () => (LOOKS ? v8.getHeapCodeStatistics().bytecode_and_metadata_size : 0)
  const exported = load(main)
  const before = size()
  improve(false)
  process.once('exit', () => {
    const isGrown = size() > before * (1 + MUCH_NEW)
    if (!isGrown && !compiled.some(({ isNew }) => isNew)) return
    // Code is good for the flags with which it was loaded; a process that changed others keeps none.
    improve(true)
    if (v8.cachedDataVersionTag() !== flags) return
    for (const { script, kept, isNew } of compiled) if (isNew || isGrown) keep(fs, kept, script.createCachedData())
  })
  return exported
}

function readIfThere(fs, file) {
  try {
    return fs.readFileSync(file)
  } catch {
    return undefined
  }
}

/** A process that cannot keep its code compiles it again the next time. */
function keep(fs, file, data) {
  const aside = `${file}.${process.pid}`
  try {
    fs.writeFileSync(aside, data)
    fs.renameSync(aside, file)
  } catch {}
}
