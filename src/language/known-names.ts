/** Which names does everybody who writes software know, and so never mistakes for a symbol of the program at hand? */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** Products, companies and units written with inner capitals, lowercase here; a plural `s` is taken off before asking. */
export const BRAND_NAMES: ReadonlySet<string> = words(`
  github gitlab bitbucket javascript typescript coffeescript actionscript applescript postscript youtube youtuber
  linkedin whatsapp paypal facetime macbook airpod airtag airdrop airbnb imessage powerpoint wordpress woocommerce
  deepseek deepmind openai chatgpt xai huggingface langchain llamaindex tiktok wechat alipay weibo intellij webstorm
  pycharm phpstorm goland datagrip vscode stackoverflow hackernews spacex ebay fedex playstation doordash lexisnexis
  nodejs mongodb graphql nosql mysql postgresql mariadb sqlite dynamodb duckdb clickhouse bigquery cockroachdb
  couchdb influxdb rocksdb leveldb scylladb tidb oceanbase rabbitmq rocketmq activemq zeromq cloudflare cloudfront
  cloudwatch eventbridge pytorch tensorflow numpy scipy latex bibtex xelatex devops devsecops mlops finops gitops
  fastapi onedrive sharepoint icloud itunes ipad iphone ipod imac ios ipados macos tvos watchos visionos jquery
  webassembly websocket webrtc webgl webgpu opengl opencv openssl openssh openapi openstack openrouter centos
  freebsd openbsd netbsd virtualbox vmware linuxmint archlinux raspberrypi nextjs nestjs vuejs reactjs angularjs
  nuxtjs expressjs threejs solidjs sveltekit tailwindcss pnpm npm yarnpkg eslint tslint stylelint webpack esbuild
  circleci travisci teamcity gitbook sourcetree testflight appstore playstore bluetooth wifi lifi hifi scifi lofi
  bluray gopro crossfit fitbit tripadvisor homepod homekit carplay facebook instagram snapchat soundcloud bandcamp
  icloud autocad solidworks sketchup coreldraw photoshop indesign mathml geojson topojson jsonl phd msc bsc edd iot
  aiot saas paas iaas faas baas todo usb esports ecommerce ebook elearning hellofresh mastercard unionpay
  starcraft warcraft minecraft pokemongo lego mcdonalds healthcare kwh mwh gwh mah ghz mhz khz kbps mbps gbps mrna
  trna dna rna ph deviantart bittorrent utorrent wikihow yandex redbull lululemon tedx nytimes bbc usatoday
  whatsapps livejournal blackberry thinkpad macpro firewire geforce radeon ryzen pytest unittest roberta deberta
  distilbert albert elevenlabs midjourney perplexityai notebooklm stablediffusion runpod comfyui copilotkit auto
  blackrock jpmorgan mckinsey pwc coinbase microstrategy bytedance deepl dingtalk duolingo lastpass onepassword
  bitwarden protonmail tutanota nordvpn expressvpn openvpn wireguard docusign salesforce hubspot mailchimp sendgrid
  surveymonkey docbook epub yougov deloitte glaxosmithkline astrazeneca biontech pepsico exxonmobil conocophillips
  easyjet alphafold alphago alphazero gofundme turbotax quickbooks opentable wandavision instacart taskrabbit betterhelp
  zoominfo crowdstrike servicenow draftkings fanduel moneygram applepay googlepay chromebook chromeos surfacebook
  huaweicloud openeuler harmonyos wechatpay duckduckgo sanfrancisco newyork hongkong costco gamestop foodpanda ubereats grubhub hellobike meituan netease xiaohongshu keepass
  macdonald macarthur macleod swiftui cmake freertos asciidoc mobx ironpython mediawiki quicktime jrebel skywalking
  powerbi powershell openoffice libreoffice onenote sharedrive skydrive mobileme ibook`)

/** Libraries named like a file: Node.js, Three.js, Socket.io. Lowercase, without the ending. */
export const LIBRARIES_NAMED_LIKE_FILES: ReadonlySet<string> = words(`
  node vue next nuxt react preact express three d3 chart discord angular ember backbone moment day alpine p5 nest solid
  passport socket ember knockout meteor electron koa hapi sails polymer paper matter phaser babylon pixi video hls
  tensorflow brain ml5 mermaid impress reveal highlight require bull redux math anime popper ethers web3 astro qwik
  fabric cannon hono elysia adonis marko mithril riot total less`)

/** Endings of documents, pictures, recordings and archives: files of a project only inside one of its folders or in code. */
export const DOCUMENT_ENDINGS: ReadonlySet<string> = words(`
  txt tex bib csv tsv pdf doc docx xls xlsx ppt pptx odt epub png jpg jpeg gif webp avif ico bmp tiff psd mp3 mp4 wav
  flac ogg avi mov mkv webm ttf otf woff woff2 zip gz tgz bz2 xz 7z rar tar dmg apk ipa exe deb rpm`)

/** Endings that make `name.ending` a file of a program: sources, settings, notes beside them, what they make. */
export const FILE_ENDINGS: ReadonlySet<string> = words(`
  ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi ipynb pyx go rs java kt kts scala groovy gradle swift c h cc
  cpp cxx hpp hh cs csproj sln fsx vb rb erb php pl lua dart ex exs erl hrl hs elm clj cljs ml mli nim zig sol asm wat
  wasm jl css scss sass less styl html htm xhtml xml xsl svg json jsonl json5 ndjson yaml yml toml ini cfg conf
  properties env plist md mdx rst adoc parquet avro proto thrift graphql gql prisma sql db sqlite sqlite3 sh bash zsh
  fish bat cmd ps1 psm1 tf tfvars hcl nix cmake mk lock log bak tmp patch diff snap pem crt cer pfx jar war dll glsl
  wgsl hlsl onnx gguf pt pth pkl npy npz hbs ejs pug jinja j2 tpl lisp el vim r R swp gitignore tsbuildinfo`)

/** Files without an ending, and dot files, that are known by their whole name. */
export const KNOWN_FILES: ReadonlySet<string> = words(`
  Dockerfile Makefile Jenkinsfile Procfile Gemfile Rakefile Vagrantfile Podfile Brewfile Justfile Caddyfile Pipfile
  Containerfile CODEOWNERS .env .gitignore .gitattributes .gitmodules .npmrc .nvmrc .yarnrc .eslintrc .prettierrc
  .babelrc .bashrc .zshrc .profile .bash_profile .vimrc .dockerignore .editorconfig .npmignore .env.local
  requirements.txt CMakeLists.txt robots.txt llms.txt .env.production .env.development .env.test .env.example .htaccess .ssh .gitlab-ci .tool-versions .python-version`)

/** First segments that make a relative path without an ending a path: src/components. */
export const KNOWN_FOLDERS: ReadonlySet<string> = words(`
  src lib libs node_modules packages cmd internal pkg dist apps tests __tests__ vendor components .github .vscode
  .git .devbooks .claude migrations site-packages`)

/** Last labels that make a dotted name an address on the internet wherever it stands. */
export const DOMAIN_ENDINGS: ReadonlySet<string> = words(`
  com org net io edu gov mil cn uk de jp fr ru eu au nz kr tw hk sg ca ch nl se fi dk es pt ie br mx in biz tv xyz
  onion arpa`)

/** Last labels that make a dotted name in prose an address, but may be a member in code. */
export const PROSE_DOMAIN_ENDINGS: ReadonlySet<string> = words(`
  app dev ai co me site online tech blog wiki gg ly im`)

/** Error numbers of POSIX as Node and C print them. */
export const POSIX_ERRORS: ReadonlySet<string> = words(`
  E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBADMSG EBUSY ECANCELED ECHILD ECONNABORTED
  ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EIDRM EILSEQ
  EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR ELOOP EMFILE EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH
  ENFILE ENOBUFS ENODATA ENODEV ENOENT ENOEXEC ENOLCK ENOLINK ENOMEM ENOMSG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS
  ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTSOCK ENOTSUP ENOTTY ENXIO EOPNOTSUPP EOVERFLOW EPERM EPIPE EPROTO
  EPROTONOSUPPORT EPROTOTYPE ERANGE EROFS ESHUTDOWN ESPIPE ESRCH ESTALE ETIME ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV
  EJSONPARSE ERESOLVE EINTEGRITY EUNSUPPORTEDPROTOCOL ETARGET EBADENGINE EOTP ENEEDAUTH ELIFECYCLE`)

/** Words of programming languages, their literals and types: never symbols, even between backticks. */
export const LANGUAGE_WORDS: ReadonlySet<string> = words(`
  abstract and any as assert async await bool boolean break byte case catch char class const constructor continue
  debugger declare def default del delete do double elif else enum except export extends extern false final finally float
  fn for from func function go goto if impl implements import in include infer instanceof int interface is keyof lambda
  let long loop match mod module mut namespace native never new nil none nonlocal not null number object operator or
  override package pass private protected pub public raise readonly record ref return self short signed sizeof static
  str string struct super switch symbol synchronized template this throw throws trait true try type typedef typeof
  undefined union unknown unless unsafe unsigned until use using val var virtual void volatile when where while with
  yield method variable parameter argument
  True False None String Number Boolean Object Array Integer Float Double Char Void Self Null Any Int Bool Function Symbol`)

/** Calls that every program makes; inside a block of code they say nothing about it. */
export const EVERYDAY_CALLS: ReadonlySet<string> = words(`
  console log print println printf require len str int float range super typeof String Number Boolean Array Object Math
  JSON push map filter forEach then catch toString test it describe expect toBe toEqual isinstance list dict set tuple
  format join main`)

/** Capital letters between backticks that are a protocol, a verb of HTTP, SQL or an everyday abbreviation. */
export const CAPITAL_WORDS: ReadonlySet<string> = words(`
  GET POST PUT PATCH DELETE HEAD OPTIONS SELECT INSERT UPDATE FROM WHERE JOIN LEFT RIGHT INNER OUTER ORDER GROUP BY AND OR
  NOT NULL TRUE FALSE LIMIT CREATE TABLE DROP ALTER INDEX HTTP HTTPS API JSON XML HTML CSS SQL YAML TOML CSV PDF URL URI
  UUID TCP UDP TLS SSL SSH DNS CPU GPU RAM SDK IDE CLI GUI REST RPC JWT CORS CRUD ACID UTF ASCII README TODO FIXME NOTE
  WIP LGTM PR MR CI CD OK NO YES AI LLM RAG MCP OAUTH SSO VPN AWS GCP IBM USA USD EUR LRU FIFO LIFO DOM JSX TSX WAL FTS`)
