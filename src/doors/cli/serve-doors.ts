/** The server of `mneme serve`, with all doors that stand at it: REST, and besides it mem0's routes and MCP. */
import type { Mount } from '../http/app.ts'
import { type Listening, type ServeOptions, serve as serveRest } from '../http/serve.ts'
import { mcpRoute } from '../mcp/http.ts'
import { mem0Routes } from '../mem0/mount.ts'

export const MOUNTS: readonly Mount[] = [mem0Routes, mcpRoute]

export function serve(options: Omit<ServeOptions, 'mounts'>): Promise<Listening> {
  return serveRest({ ...options, mounts: MOUNTS })
}
