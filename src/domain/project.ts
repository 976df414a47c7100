/** Where does a memory hold? Everywhere, when it is about the user (null), or in the project with this root. */

/** true when a memory of project `own` is shown to a question from project `asked`. */
export function holdsIn(own: string | null, asked: string): boolean {
  return own === null || own === asked
}

/** true when the memories are of two projects: such memories neither repeat nor change each other. */
export function areOfTwoProjects(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b
}

/** The display name of a project: the last part of its root; null for none. */
export function projectName(root: string | null): string | null {
  return root?.split(/[\\/]/).findLast((part) => part !== '') ?? null
}

/** The path and the folders above it, the longest first. */
export function pathsAbove(path: string): readonly string[] {
  const paths: string[] = []
  for (let rest = path; rest !== ''; rest = rest.slice(0, Math.max(0, rest.search(/[/\\][^/\\]*$/)))) paths.push(rest)
  return /^[/\\]./.test(path) ? [...paths, path[0]!] : paths
}

/** A mark of a project that fits into five bits, 1 to 31; 0 for what holds everywhere. Two projects may share one. */
export function projectMark(root: string | null): number {
  if (root === null) return 0
  let hash = 0
  for (let at = 0; at < root.length; at += 1) hash = (Math.imul(hash, 31) + root.charCodeAt(at)) >>> 0
  return (hash % 31) + 1
}
