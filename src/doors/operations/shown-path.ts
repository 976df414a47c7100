/** How is a file named to people elsewhere? From the home folder on, else by its name: nothing of the machine around it. */
import { homedir } from 'node:os'
import { basename, isAbsolute, relative } from 'node:path'

/** `~/notes/MEMORY.md` for a file in the home folder of this process, `MEMORY.md` for any other. */
export function shownPath(path: string, home: string = homedir()): string {
  const inside = relative(home, path)
  const isInside = inside !== '' && !isAbsolute(inside) && inside.split(/[\\/]/)[0] !== '..'
  return isInside ? `~/${inside.replaceAll('\\', '/')}` : basename(path)
}
