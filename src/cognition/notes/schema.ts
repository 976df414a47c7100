/** The shape of a model's answer about notes; each note is checked by itself. */
import { z } from 'zod'
import { MEMORY_FILE_SECTIONS } from '../../domain/memory-file.ts'

export const notesSchema = z.object({ notes: z.array(z.unknown()) })

export const noteSchema = z.object({
  n: z.coerce.number().int(),
  text: z.string(),
  section: z.enum(MEMORY_FILE_SECTIONS),
})
