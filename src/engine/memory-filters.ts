/** For doors whose callers write filters in another form: is this one that memories can be asked by? */
export { compileFilter as checkFilter } from '../pipeline/memories-filter.ts'
