// Starts a program of this package. It stays parsable for old versions of Node, so that they can be told what is missing.
import module from 'node:module'

export function start(program) {
  var major = Number(process.versions.node.split('.')[0])
  if (major < 24) {
    process.stderr.write(
      'error: Mneme needs Node 24 or newer; this is Node ' + process.versions.node + ' (' + process.execPath + ').\n' +
        'remedy: Install Node 24 from https://nodejs.org, or run it inside the project with npx, which uses the Node of the project.\n',
    )
    process.exitCode = 1
    return
  }
  module.enableCompileCache()
  import('../dist/interfaces/cli/main.js').then(
    function (cli) {
      return cli.main(program)
    },
    function (error) {
      var absent = error && error.code === 'ERR_MODULE_NOT_FOUND'
      process.stderr.write('error: ' + (error && error.message) + '\n')
      if (absent) process.stderr.write('remedy: Build it first: npm run build.\n')
      process.exitCode = 1
    },
  )
}
