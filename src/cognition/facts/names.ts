/** Which capital words are people's names, and which Chinese words at the head of a clause? Lists of general knowledge. */

/** Words of a text that begin with a capital and are no name. */
export const NO_NAME = new Set(
  `i im ive ill id a an the my our your his her its their this that these those we you he she it they there here and but
  or so if as at by for from in of on to up with no not yes ok okay oh well hey hi hello sorry thanks please also just
  still now then today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january
  february march april may june july august september october november december mrs mr ms dr was is are am were be been
  had has have do does did can could will would should may might must what when where which who why how actually finally
  back after before since until during because while though although once every each all both some any many most more
  first last next new old never always usually often sometimes funny long turns got get getting went going gone made
  make making took take taking moved moving picked passed handed switched dropped started starting stopped quit bought
  sold told correction update fyi btw ps remember note reminder easter christmas english chinese`.split(/\s+/),
)

/** Given names that are common enough to be taken for a person at the head of a sentence. */
export const GIVEN_NAMES = new Set(
  `aaron abby adam adrian agnes ahmed aisha alan albert alex alexander alice alicia alina amanda amber amelia amir amy ana anders
  andre andrea andrew andy angela anika anita anna anne annie anton antonio anya arjun arthur astrid austin ava barbara bea beatrice
  becky ben benjamin bernard beth bill billy bob boris brad brandon brenda brian bruno callum cara carl carla carlos carmen carol
  caroline catherine cathy cecilia charles charlie charlotte chloe chris christian christina christine claire clara colin connor
  craig daisy dan dana daniel daniela darren dave david dawn dean deborah declan deepa denis denise derek diana diego dimitri dmitri
  dominic don donna doris dorothy doug duncan dylan eddie edith edward eileen elaine eleanor elena eli elias elif elizabeth ella ellen
  ellie emil emily emma eric erica erik ethan eva evan eve evelyn farah fatima felix finn fiona frances francis frank fred freya gabriel
  gareth gary gavin gemma george georgia gerald gina giulia gloria gordon grace graham greg greta gus hamid hannah hans harold harriet
  harry hassan hazel heather helen helena henry holly hugh hugo ian ibrahim ida igor imran ines ingrid irene iris isaac isabel isla
  ivan ivy jack jackie jacob jade jake james jamie jan jane janet jason jasmine javier jay jean jeff jen jenna jennifer jenny jeremy
  jess jessica jill jim jo joan joanna joe joel johan john jon jonas jonathan jordan jorge jose joseph josh joshua joy juan judith julia
  julian julie karen karl kate katie kathy katya keith kelly ken kenji kevin kim kirsten klaus kofi kyle lara lars laura lauren leah
  lee leila lena leo leon leona lewis liam lily linda lisa liz lola lorenzo lotte lou louis louise luca lucas lucia lucy luis luke lydia
  maeve magda mandy marco marcus marek margaret maria marie marina mario marion mark marta martha martin mary matt matteo matthew maya
  meera mei mel melissa mia michael michelle miguel mike mila mina miriam mohamed mohammed moira molly mona monica nadia nancy naomi
  natalie natasha nathan neil nell nia niamh nick nicola nicole nigel nikhil nils nina noah noor nora norman oliver olga olivia omar
  oscar otto owen pablo paddy pam pat patricia patrick paul paula pavel pedro peggy penny pete peter petra phil philip phoebe pia pierre
  piotr polly priya rachel raj rajesh ralph ramona raul ravi ray rebecca rhys richard rick rita rob robert robin roger rohan roland ron
  rosa rose rosie ross ruby rupert russell ruth ryan sally sam samantha samir samuel sandra sanjay sara sarah scott sean sebastian
  shane shannon sharon shaun sheila simon sofia sonia sophia sophie stan stefan stella stephen steve steven stuart sue suki susan
  sven sylvia tamara tania tara ted teresa terry tess theo theresa thomas tiago tim timothy tina toby todd tom tomas tommy tony tracy
  ulrike una ursula usha valerie vanessa vera veronica vic victor victoria vijay vikram vincent viola wanda wayne wendy will william
  xavier yan yara yasmin yolanda yuki yusuf yvonne zac zara zoe ola kasia jana milan ali hana aya omari kwame chidi ngozi`.split(
    /\s+/,
  ),
)

/** 老王, 小李, 阿杰, 张工, 王姐 at the head of a clause. */
export const CHINESE_NAME =
  /^(?:我们?|咱们?)?(?:(?:老|小|大)[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤]|阿[\u4e00-\u9fff]|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤](?:工|总|姐|哥|老师|师傅|主任|医生|经理|教授|阿姨|叔|姨|婶|爷|奶奶|大夫))/u

/** What people do and things hardly ever. */
export const HUMAN_VERB =
  /^(?:drives|eats|drinks|plays|speaks|loves|hates|likes|says|said|thinks|wants|prefers|lives|moved|married|quit|studies|teaches|swears|smokes|cooks|reads|told|asked|thought|promised|laughed|decided|retired|graduated|turned|became|bought|sold)$/
