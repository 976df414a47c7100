/** Which forms do Chinese names have, and which verbs are people's and hardly ever things'? */

/** 老王, 小李, 阿杰, 张工, 王姐 at the head of a clause. */
export const CHINESE_NAME =
  /^(?:我们?|咱们?)?(?:(?:老|小|大)[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤]|阿[\u4e00-\u9fff]|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤](?:工|总|姐|哥|老师|师傅|主任|医生|经理|教授|阿姨|叔|姨|婶|爷|奶奶|大夫))/u

/** Verbs of people, hardly ever of things. */
export const HUMAN_VERB =
  /^(?:drives|eats|drinks|plays|speaks|loves|hates|likes|says|said|thinks|wants|prefers|lives|moved|married|quit|studies|teaches|swears|smokes|cooks|reads|told|asked|thought|promised|laughed|decided|retired|graduated|turned|became|bought|sold)$/
