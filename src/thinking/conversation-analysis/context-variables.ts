/**
 * The things worked with: language, framework, project, file, function and error, as the last turns name them last.
 */
import type { ThinkMessage } from '../../domain/thought.ts'
import type { SymbolKind } from '../../domain/turn.ts'
import { extractSymbols } from '../../language/symbols/symbols.ts'

const TURNS_READ = 6
const CHARACTERS_READ = 6000
const LONGEST_VALUE = 120

/** Names of languages as people type them; one with another meaning needs its exact spelling. */
const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/\btypescript\b|\.tsx?\b|```tsx?\b/i, 'TypeScript'],
  [/\bjavascript\b|\.jsx?\b|```jsx?\b|\bnode\.?js\b/i, 'JavaScript'],
  [/\bpython\d?\b|\.py\b|```py(?:thon)?\b/i, 'Python'],
  [/\bjava\b(?!\s{0,40}script)|\.java\b|```java\b/i, 'Java'],
  [/\bkotlin\b|\.kt\b/i, 'Kotlin'],
  [
    /\brust(?:lang)?\b(?= |[^\w]|$)(?=.{0,200}\b(?:cargo|crate|borrow|trait|code|program|compil|language|async|rustc|tokio|lifetime)|[\s\S]{0,200}\bin rust\b)|\.rs\b|```rust\b|\bcargo\b|用\s?rust/i,
    'Rust',
  ],
  [/\bgolang\b|\.go\b|```go\b|\bin Go\b|用\s?[Gg]o(?![a-z])|\bgoroutine/, 'Go'],
  [/\bc\+\+|\.cpp\b|\.hpp\b|```cpp\b/i, 'C++'],
  [/\bc#|\.cs\b|```csharp\b|\bdotnet\b/i, 'C#'],
  [/\bruby\b|\.rb\b|```ruby\b/i, 'Ruby'],
  [/\bphp\b|```php\b/i, 'PHP'],
  [/\bswift(?:ui)?\b(?=[\s\S]{0,200}\b(?:ios|xcode|apple|app)\b)|\.swift\b|```swift\b/i, 'Swift'],
  [/\bscala\b|\.scala\b/i, 'Scala'],
  [/\bsql\b|```sql\b/i, 'SQL'],
  [/\b(?:bash|shell script|zsh)\b|\.sh\b|```(?:ba)?sh\b/i, 'Shell'],
]
const FRAMEWORKS =
  /\b(React|Vue|Angular|Svelte|Next\.js|Nuxt|Django|Flask|FastAPI|Spring Boot|Spring|Express|NestJS|Rails|Laravel|PyTorch|TensorFlow|Pandas|NumPy|Kubernetes|Docker|Terraform|PostgreSQL|Postgres|MySQL|SQLite|MongoDB|Redis|Kafka|RabbitMQ|Elasticsearch|GraphQL|gRPC|Vite|Webpack|Jest|Vitest|pytest|Tailwind|Flutter|Electron|Unity|Unreal|Hadoop|Spark|Airflow|Milvus)\b/gi
/** Words of every day, too: a framework only where something else speaks of programs. */
const EVERYDAY = /^(?:spring|express|flask|rails|unity|unreal|electron|flutter|jest|spark|react|angular)$/i
const OF_PROGRAMS =
  /\b(?:apps?|apis?|servers?|backend|frontend|code|deploy\w{0,40}|tests?|components?|modules?|imports?|framework|controllers?|endpoints?|database|clusters?|migrat\w{1,40}|services?|hooks?|builds?|bugs?|queries|query|repo|project|version)\b|后端|前端|框架|接口|代码|项目|部署|版本|服务|组件/i
const PROJECT =
  /\b(?:project|repo|repository|codebase)\s{1,40}(?:is\s{1,40})?(?:called\s{1,40}|named\s{1,40})?["“`']?([A-Z][\w.-]{1,40}|[a-z][\w]{0,40}[-_.][\w.-]{1,40})["”`']?|\b(?:the|my|our)\s{1,40}["“`']?([A-Za-z][\w.-]{1,40})["”`']?\s{1,40}(?:project|repo|repository|codebase)\b|(?:项目|仓库|工程)(?:叫做?|名叫|名称是|名是|是)\s{0,40}["“「《]?([\w.-]{2,40}|[\p{Script=Han}]{2,12}?)["”」》]?(?=[，。,.\s]|$)|["“「《]?([\w.-]{2,40})["”」》]?\s{0,40}(?:这个)?(?:项目|仓库|工程)/giu
const NOT_A_PROJECT =
  /^(?:same|whole|entire|new|old|other|current|this|that|open|side|main|first|next|small|big|git|pet|home)$/i
const SYMBOL_NAMES: Readonly<Record<SymbolKind, string>> = {
  path: 'file',
  error: 'error',
  class: 'class',
  function: 'function',
  variable: 'variable',
}

/** Values by snake_case name; the one that was named last counts. */
export function contextVariablesOf(turns: readonly ThinkMessage[]): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {}
  for (const { role, content } of turns.slice(-TURNS_READ)) {
    if (role === 'system' || role === 'tool') continue
    const text = content.slice(0, CHARACTERS_READ)
    const language = LANGUAGES.map(([pattern, name]) => ({ name, at: text.search(pattern) }))
      .filter(({ at }) => at !== -1)
      .toSorted((a, b) => a.at - b.at)
      .at(0)
    if (language !== undefined) variables.language = language.name
    const framework = [...text.matchAll(FRAMEWORKS)]
      .map(([, name]) => name!)
      .filter((name) => !EVERYDAY.test(name) || OF_PROGRAMS.test(text))
      .at(-1)
    if (framework !== undefined) variables.framework = framework
    const project = [...text.matchAll(PROJECT)]
      .filter(namesProject)
      .map((match) => match.slice(1).find((name) => name !== undefined))
      .at(-1)
    if (project !== undefined && !NOT_A_PROJECT.test(project)) variables.project = project.replace(/[.\-_]{1,40}$/, '')
    for (const { symbol, kind } of extractSymbols(text))
      if (symbol.length <= LONGEST_VALUE) variables[SYMBOL_NAMES[kind]] = symbol
  }
  return variables
}

/** "This project uses …" names none: a plain word behind "project" is its name only where it is called so. */
function namesProject([said, after]: RegExpMatchArray): boolean {
  return after === undefined || /^[A-Z]|[-_.\d]/.test(after) || /\b(?:called|named)\b|["“`']/i.test(said)
}
