/** The chat of this server: its own, and OpenAI's interface. */
import type { ServerApp, Services } from '../services.ts'
import { addChatRoute } from './chat-route.ts'
import { addCompletionRoutes } from './completions-route.ts'

/** Adds the routes. */
export function addChatRoutes(app: ServerApp, services: Services): void {
  addChatRoute(app, services)
  addCompletionRoutes(app, services)
}
