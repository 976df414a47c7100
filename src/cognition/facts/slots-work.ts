/**
 * Attributes of work, study and software: employer, role, tools, stack. `1` one value at a time, `n` several; `f` fact,
 * `p` preference, `h` habit. `slot.ts` says how a line is read.
 */
export const WORK_SLOTS = `
employer|1f|work at, work for, works at, works for, employer, ~company, first day at, ~started at, job at, ~joined, new job, hired, workplace, where do i work, where i work, ~badge, ~notice, ~probation, ~onboarding, resigned, quit my job, laid off, redundant, made redundant, ~lanyard, offer letter, left the firm, ~firm|~公司 ~上班 在职 入职 离职 辞职 跳槽 单位 雇主 东家 就职 新公司 老东家 裁员 被裁 工牌 供职 转正 ~设计院 哪家公司 哪里上班 报到 offer 外包 ~大厂 ~字节 ~腾讯 ~阿里 ~百度 ~美团 ~京东 ~华为
job|1f|job, profession, occupation, work as, works as, working as, do for a living, career, promoted, promotion, job title, role, ~barista, ~waiter, ~nurse, ~teacher, ~engineer, ~developer, ~designer, ~manager, product manager, ~accountant, ~lawyer, ~doctor, ~electrician, ~plumber, ~carpenter, ~chef, ~driver, ~journalist, ~editor, ~translator, ~architect, ~pharmacist, freelance, freelancer, self-employed, unemployed, ~retired, ~apprentice, ~intern, tech lead, team lead, ~paramedic, ~librarian, ~firefighter, social worker, ~baker, ~postman, ~cashier, ~bartender|~工作 职业 工程师 程序员 产品经理 设计师 ~老师 ~医生 ~护士 ~律师 ~会计 ~厨师 ~司机 ~记者 ~编辑 ~翻译 做什么的 干什么的 从事 职位 岗位 升职 转岗 转行 当了 我是做 自由职业 失业 退休 ~实习 ~外卖员 ~销售 ~保安 ~店员 ~收银 ~主管 ~经理 ~总监 架构师 ~算法 ~运营 后端开发 前端开发 公务员
office|1f|office, desk, hot desk, coworking, co-working, remote, work from home, working from home, hybrid, in the office, headquarters|办公室 工位 远程办公 居家办公 在家办公 到岗 办公楼 写字楼
boss|1f|boss, manager is, line manager, report to, supervisor, my lead, team lead is, advisor, adviser|老板 领导 上司 主管 直属 组长 导师 汇报给
colleague|nf|colleague, coworker, co-worker, teammate, team, lunch with the team, desk mate|同事 团队 组里 搭档 饭搭子 工友
work_hours|1h|working hours, work hours, ~shift, shifts, night shift, day shift, nine to five, part time, full time, four day week, working days, days off, day off, rota, on call|上班时间 下班 夜班 白班 三班倒 倒班 值班 双休 单休 大小周 坐班 早班 晚班 休息日 兼职 全职 作息 996 轮班
salary|1f|salary, wage, pay rise, raise, paid monthly|工资 薪水 月薪 年薪 涨薪
meeting|nh|standup, stand-up, weekly meeting, sync, retro, planning meeting, one-on-one, 1:1, all hands|站会 例会 周会 晨会 评审会 复盘会 组会 一对一
lunch|nh|canteen, lunch spot, cafeteria, packed lunch|食堂 午饭 中饭 带饭
school|1f|school, nursery, kindergarten, preschool, daycare, primary school, high school, secondary school, sixth form, academy, school run, year one, year two, reception class|学校 幼儿园 托班 大班 中班 小班 小学 中学 初中 高中 上学 几年级 一年级 二年级 入学 转学 接送 择校 校车 班主任
university|1f|university, uni, college, campus, ~degree, undergraduate, master's, masters, phd|大学 本科 读研 研究生 博士 硕士 研一 研二 大一 大二 大三 大四 读博
major|1f|major, majoring in, degree in, studying, my subject, course is, switched courses|专业 主修 念的是 学的是 转专业
thesis|1f|thesis, dissertation, topic of my thesis, research topic|论文 课题 毕设 研究方向 开题
deadline|1f|deadline, due on, due by, due date, hand in, submission, release date, launch date, go live, ships on|截止 交稿 ddl 上线时间 发版 交付 期限 交付日期
backend|1f|backend, back end, back-end, server side, server-side, server is, api is written, the service is written, service layer, django, ~rails, laravel, spring boot, ~express, fastapi, ~flask, ~phoenix, nestjs, the rewrite|后端 服务端 后台 服务器端 接口层 Spring
frontend|1f|frontend, front end, front-end, react, vue, svelte, angular, solidjs, next.js, nuxt, preact, ui framework, web client|前端 页面用 网页端
programming_language|nf|programming language, code in, write in, written in, python, typescript, javascript, rust, golang, java, kotlin, elixir, ruby, php, scala, c++, c#, haskell, swift, ~go|编程语言 用什么语言 写代码 开发语言 拿什么写
database|1f|database, db, postgres, postgresql, mysql, mariadb, sqlite, mongodb, mongo, oracle, sql server, dynamodb, cockroachdb, duckdb, clickhouse, tidb|数据库 存数据 主库 达梦 库是 建表
orm|1f|orm, prisma, drizzle, sqlalchemy, hibernate, typeorm, sequelize, mybatis, migrations|数据访问层
cache|1f|cache, redis, memcached, valkey, cached in|缓存
queue|1f|queue, message queue, broker, background jobs, celery, sidekiq, rabbitmq, kafka, nats, sqs, oban, bullmq, worker|消息队列 队列 异步任务 定时任务 后台任务
search_engine|1f|elasticsearch, opensearch, meilisearch, typesense, full text search, solr|搜索引擎 全文检索
hosting|1f|hosting, hosted on, hosted at, host, cloud, aws, gcp, azure, hetzner, digitalocean, vercel, netlify, heroku, fly.io, cloudflare, vps, data centre, runs on, self-hosted, on-prem|云服务 服务器在 托管 机房 阿里云 腾讯云 华为云 部署在 云上 上云 自建
deploy_tool|1f|deploy, deployment, deploys, deploy with, kubernetes, k8s, helm, docker compose, ansible, terraform, argo, nomad, kamal, release process|部署 发布 上线流程 发版 容器 编排 热部署
ci|1f|ci, pipeline, github actions, jenkins, gitlab ci, circleci, buildkite, travis, drone|流水线 持续集成
repository|1f|repo, repository, github, gitlab, bitbucket, gitea, codeberg, monorepo, source control|仓库 代码仓 代码托管 码云
branch|1h|main branch, default branch, trunk, develop branch, branching, branch naming|主分支 分支 主干
package_manager|1f|package manager, npm, pnpm, yarn, bun, poetry, pip, uv, cargo, conda|包管理 包管理器
build_tool|1f|build tool, bundler, webpack, vite, rollup, esbuild, turbopack, gradle, maven, bazel, cmake|构建工具 打包 构建
test_framework|1f|test framework, jest, vitest, mocha, pytest, junit, rspec, cypress, playwright, tests run|测试框架 单测 自动化测试
formatter|1p|formatter, prettier, linter, eslint, biome, ruff, tabs or spaces, indent, indentation, ~tabs, ~spaces|格式化 缩进 代码风格 空格缩进
code_style|1p|naming convention, camelcase, snake_case, commit messages, conventional commits, code style|命名规范 提交信息 代码规范 驼峰
monitoring|1f|monitoring, grafana, prometheus, datadog, sentry, alerts, new relic, logging, dashboards|监控 报警 告警 日志平台
auth|1f|login, single sign-on, sso, auth0, keycloak, oauth, authentication, okta, clerk|登录 鉴权 认证 单点登录
port|1f|port, listens on, localhost|端口 监听
api_key|1f|api key, token, secret, access key, credential|密钥 令牌 口令
version|1f|version, node 18, node 20, node 22, node version, python version, lts|版本 版本号
editor|1p|editor, ide, vim, neovim, emacs, vscode, vs code, intellij, pycharm, webstorm, sublime, zed, helix, cursor, jetbrains|编辑器 写代码用 开发工具 用什么写
ai_assistant|1f|copilot, chatgpt, claude, gemini, ai assistant, ai tool, llm, language model, gpt, code assistant, ai coding|大模型 助手 代码助手 AI工具 通义 豆包 文心 模型 人工智能
shell|1p|~shell, zsh, bash, fish shell, powershell, terminal, iterm, wezterm, alacritty, ghostty, tmux|终端 命令行
operating_system|1f|operating system, linux, ubuntu, debian, fedora, arch linux, nixos, ~windows, macos, os, distro|操作系统 系统 发行版 装的是
notes_tool|1p|~notes, note taking, note-taking, notion, obsidian, evernote, logseq, onenote, bear, roam, journal in|笔记 记笔记 印象笔记 语雀 知识库
task_tool|1f|jira, linear, trello, asana, todoist, ticket, tickets, issue tracker, to-do list, task list, kanban|任务管理 待办 看板 工单 项目管理
chat_tool|1f|slack, teams, discord, mattermost, whatsapp, signal, telegram, group chat|飞书 钉钉 企业微信 微信 群聊 沟通工具
design_tool|1p|figma, sketch, photoshop, affinity, illustrator, canva, penpot, adobe|设计稿 画图 作图 PS 修图
password_manager|1p|password manager, bitwarden, 1password, keepass, lastpass|密码管理 密码管理器
browser|1p|browser, firefox, chrome, safari, brave, arc browser, edge|浏览器
backup|1h|backup, backups, backup drive, nas, time machine, restic, backblaze|备份 网盘 硬盘
calendar_tool|1p|calendar app, google calendar, outlook|日历 日程
reply_style|np|reply in, answer in, short answers, be blunt, explain like, bullet points, when you answer|回答 回复 别用 用中文 用英文 说话方式
framework|1f|framework, library, stack, tech stack|框架 技术栈 类库
side_project|nf|side project, my app, my blog, my site, website, blog, newsletter i write, podcast|副业 博客 网站 小程序 公众号 独立开发
client|nf|client, customer, account manager, contract with|客户 甲方 合同 乙方
business|nf|business, ~shop, my store, startup, company i run, my studio, freelance business|开店 创业 ~店 生意 工作室 开民宿
payment_provider|1f|stripe, paypal, adyen, square, braintree, klarna, payment provider, payments go through, checkout|支付宝 微信支付 支付通道 收单 支付渠道
mail_service|1f|sendgrid, mailgun, postmark, ses, mailchimp, transactional email, smtp, newsletter tool|短信商 邮件服务 短信通道 发信
cdn|1f|cdn, fastly, akamai, cloudfront|CDN 加速节点
docs_tool|1f|wiki, confluence, bookstack, docs site, documentation lives, docusaurus, mkdocs, readthedocs, gitbook|文档站 知识库用 语雀 Confluence 维基
state_management|1f|redux, zustand, mobx, pinia, vuex, recoil, jotai|状态管理
vpn|1f|vpn, wireguard, openvpn, tailscale, bastion, jump host|跳板机 堡垒机 内网 梯子
logging|1f|logs go to, log format, log level, log shipping, fluentd|日志打 日志格式 日志收集
api_style|1f|graphql, rest, grpc, openapi, soap, trpc|接口风格 接口协议 REST GraphQL gRPC SOAP
environment|nf|staging, production, prod, sandbox, uat, dev environment|预发 生产环境 测试环境 线上环境
feature_flags|1f|feature flags, launchdarkly, unleash, feature toggles|功能开关 灰度开关
message_format|1f|json, protobuf, avro, xml, msgpack|序列化 报文格式
scripts|nf|script, scripts, makefile, cron job, playbook, snippets, macro, macros, dotfiles, plugin, plugins, keymap, config file, settings file|脚本 宏 插件 配置 快捷键 定时脚本
`
