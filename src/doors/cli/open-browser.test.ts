import { expect, test } from 'vitest'
import { browserCommand } from './commands/serve.ts'

test('a browser is opened for a person at a screen, and never in CI, without a screen or without a person', () => {
  expect(browserCommand('linux', { DISPLAY: ':0' }, true)).toEqual(['xdg-open'])
  expect(browserCommand('linux', { WAYLAND_DISPLAY: 'wayland-0' }, true)).toEqual(['xdg-open'])
  expect(browserCommand('darwin', {}, true)).toEqual(['open'])
  expect(browserCommand('win32', {}, true)?.[0]).toBe('cmd')
  expect(browserCommand('linux', {}, true)).toBeNull()
  expect(browserCommand('linux', { DISPLAY: ':0', CI: 'true' }, true)).toBeNull()
  expect(browserCommand('darwin', {}, false)).toBeNull()
  for (const platform of ['darwin', 'win32'] as const)
    expect(browserCommand(platform, { SSH_CONNECTION: '10.0.0.2 51234 10.0.0.1 22' }, true)).toBeNull()
  expect(browserCommand('linux', { DISPLAY: '' }, true)).toBeNull()
})
