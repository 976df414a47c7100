/** Where there is a browser and somebody to look at it, show them an address. */
import { spawn } from 'node:child_process'
import type { Environment } from './environment.ts'

/** The program that opens an address, with what goes before it; null where nobody would see it. */
export function browserCommand(
  platform: NodeJS.Platform,
  { CI, DISPLAY, WAYLAND_DISPLAY }: Pick<Environment, 'CI' | 'DISPLAY' | 'WAYLAND_DISPLAY'>,
  isWatched: boolean,
): readonly [string, ...string[]] | null {
  if (CI !== undefined || !isWatched) return null
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['cmd', '/c', 'start', '']
  return DISPLAY === undefined && WAYLAND_DISPLAY === undefined ? null : ['xdg-open']
}

/** Opens the address, and goes on whether that worked or not. */
export function openBrowser([program, ...words]: readonly [string, ...string[]], url: string): void {
  spawn(program, [...words, url], { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref()
}
