/** Routes of mem0's platform that ask for what Mneme does not do, each with what to use instead. */
export const WITHOUT_MEANING: readonly { readonly path: RegExp; readonly remedy: string }[] = [
  { path: /^\/v1\/feedback$/, remedy: 'Set confidence or importance with PATCH /memory/long-term/{id}, or delete it.' },
  {
    path: /^\/v1\/exports(?:\/get)?$/,
    remedy: 'GET /export, or the command mneme export, gives everything of a user.',
  },
  { path: /^\/v1\/summary$/, remedy: 'GET /profile tells what is known; POST /context what a model would see.' },
  { path: /^\/v2\/profiles\/settings$/, remedy: 'PATCH /settings has memory.enable_user_profile.' },
  { path: /^\/v2\/profiles\/jobs(?:\/[^/]+)?$/, remedy: 'Profiles are kept as people talk; GET or PUT /profile.' },
  {
    path: /^\/api\/v1\/orgs(?:\/.*)?$/,
    remedy: 'There are no projects: GET and PATCH /settings, and mneme keys for keys.',
  },
  { path: /^\/api\/v1\/webhooks(?:\/.*)?$/, remedy: 'Nothing is sent anywhere; GET /jobs tells what was done.' },
  { path: /^\/configure$/, remedy: 'A server is configured when it starts; see docs/configuration.md.' },
  {
    path: /^\/v[12]\/memories(?:\/search)?$/,
    remedy: 'These are calls of older clients: use mem0ai 3 of npm or mem0ai 2 of PyPI, or POST /mem0/memories.',
  },
]
