/**
 * Which words of programming and everyday chat mean the same in Chinese and English? One row a line: Chinese words on the
 * left, English ones on the right; any of one side stands for any of the other.
 */
export const PROGRAMMING_TERMS = `
缓存|cache caching
支付 付款|payment pay
订单|order
数据库|database db
数据|data
登录 登陆|login signin
注册|register signup
注销 登出|logout signout
用户|user
账号 账户|account
密码|password
权限|permission authorization
认证 鉴权|authentication auth
令牌|token
会话|session
并发|concurrency concurrent
线程|thread
进程|process
协程|coroutine goroutine
互斥锁|mutex
死锁|deadlock
锁|lock
竞态|race
重构|refactor refactoring
部署|deploy deployment
发布 上线|release publish
回滚|rollback
测试|test testing
单元测试|unittest
配置|config configuration setting
环境变量|env
依赖|dependency dependencies
版本|version
升级|upgrade
迁移|migration migrate
备份|backup
恢复|restore recover
日志|log logging
监控|monitoring monitor
报警 告警|alert alarm
调试|debug debugging
性能|performance
优化|optimize optimization
延迟|latency delay
超时|timeout
重试|retry
限流|throttle ratelimit
熔断|circuitbreaker
队列|queue
消息|message
订阅|subscribe subscription
事件|event
回调|callback
异步|async asynchronous
同步|sync synchronous
接口|interface api
请求|request
响应|response
路由|route router
网关|gateway
代理|proxy
服务器|server
客户端|client
微服务|microservice
负载均衡|loadbalancing loadbalancer
容器|container docker
集群|cluster
节点|node
镜像|image
前端|frontend
后端|backend
页面|page
组件|component
按钮|button
表单|form
样式|style css
渲染|render rendering
状态|state status
变量|variable
参数|parameter argument
返回值|returnvalue
数组|array
列表|list
字典|dictionary dict
字符串|string
整数|integer
对象|object
继承|inheritance inherit
循环|loop
递归|recursion recursive
排序|sort sorting
搜索 查找|search find
查询|query
索引|index
表|table
字段|field column
事务|transaction
连接|connection connect
连接池|connectionpool
内存|memory
内存泄漏|memoryleak
磁盘|disk
文件|file
目录 文件夹|directory folder
路径|path
上传|upload
下载|download
导入|import
导出|export
解析|parse parser
序列化|serialize serialization
编码|encode encoding
加密|encrypt encryption
解密|decrypt
压缩|compress compression
哈希|hash
校验 验证|validate validation verify
异常|exception
错误|error
崩溃|crash
修复|fix
补丁|patch
分支|branch
合并|merge
冲突|conflict
提交|commit
仓库|repository repo
代码审查|codereview review
注释|comment
文档|documentation docs
编译|compile compiler
构建|build
打包|bundle package
流水线|pipeline
定时任务|cron scheduler
任务|task job
调度|schedule scheduling
触发器|trigger
插件|plugin
中间件|middleware
框架|framework
模块|module
函数|function
方法|method
类|class
算法|algorithm
模型|model
训练|training train
向量|vector embedding
摘要 总结|summary summarize
通知|notification notify
邮件 邮箱|email
短信|sms
图片|image picture
视频|video
价格|price
库存|inventory stock
购物车|cart
优惠券|coupon
退款|refund
发票|invoice
物流|shipping delivery
地址|address
会议|meeting
项目|project
需求|requirement
计划|plan
截止日期|deadline
工作|job work
公司|company
同事|colleague coworker
老板|boss
客户|customer
学校|school
老师|teacher
考试|exam
生日|birthday
旅行 旅游|travel trip
酒店|hotel
机票|flight
餐厅|restaurant
咖啡|coffee
茶|tea
音乐|music
电影|movie film
书|book
游戏|game
运动 锻炼|exercise sport
跑步|running run
医生|doctor
医院|hospital
过敏|allergy allergic
狗|dog
猫|cat
家人 家庭|family
妻子 老婆|wife
丈夫 老公|husband
孩子|child kid
朋友|friend
喜欢|like
讨厌|hate dislike
偏好|preference
天气|weather
手机|phone
电脑|computer`
