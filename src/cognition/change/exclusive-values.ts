/**
 * Which values of an attribute that may have several cannot hold together? Who is vegan now is no vegetarian any more,
 * though both are said of the diet, as is an allergy to nuts.
 */

/** Key | values of which one holds at a time, each with the words that name it; `,` between values, `/` between words. */
const EXCLUSIVE = `
diet|vegetarian/素食/吃素,vegan/plant based/plant-based/全素/纯素,pescatarian/鱼素,carnivore/eat meat/eats meat/meat eater/吃肉/吃荤,keto/生酮
alcohol|teetotal/sober/do not drink/don't drink/doesn't drink/不喝酒/滴酒不沾/戒酒,drink wine/drink beer/喝酒
`
const TABLE: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  EXCLUSIVE.trim()
    .split('\n')
    .map((line) => {
      const [key, values] = line.split('|')
      return [key!, values!.split(',').map((value) => value.split('/'))]
    }),
)

/** true when both values of this key are known, and only one of them can hold. */
export function excludeEachOther(key: string, a: string, b: string): boolean {
  const values = TABLE.get(key)
  if (values === undefined) return false
  const of = (value: string): number =>
    values.findIndex((words) => words.some((word) => value.toLowerCase().includes(word)))
  const [first, second] = [of(a), of(b)]
  return first >= 0 && second >= 0 && first !== second
}
