import { expect, test } from 'vitest'
import { secretsAfter } from './told-after.ts'

function told(before: string, text: string): readonly string[] {
  return secretsAfter(before, text).map(({ from, to }) => text.slice(from, to))
}

test.each([
  ['What is your password?', 'otterCreek', 'otterCreek'],
  ['I have to log in. What password did you choose for the forum?', 'otterCreek5, I think', 'otterCreek5'],
  ['Please enter your PIN.', '6047', '6047'],
  ['what is my PIN', 'Sure, it is 6047.', '6047'],
  ['How do I get through the gate?', 'With 6047#.', '6047#'],
  ['Quel est le mot de passe du wifi ?', 'Loutre77', 'Loutre77'],
  ['银行卡的取款密码是多少？', '604718', '604718'],
])('the answer to "%s" is a secret: %s', (before, text, secret) => {
  expect(told(before, text)).toEqual([secret])
})

test.each([
  ['What is your password?', 'I would rather keep it to myself.'],
  ['What is your password?', 'Why?'],
  ['When did you set the alarm code?', '2019'],
  ['How long is your password?', '16'],
  ['How many PINs do you have?', '1200'],
  ['Which password manager do you use?', 'Bitwarden2024'],
  ['What is the error code?', '1045'],
  ['What is your favourite number?', '6047'],
  ['你的密码多久换一次？', '180天'],
])('the answer to "%s" is none: %s', (before, text) => {
  expect(told(before, text)).toEqual([])
})
