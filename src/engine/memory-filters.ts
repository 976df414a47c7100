/** For doors whose callers write filters in another form: is this one that memories can be asked by? */
export { compileFilter as checkFilter } from '../usecases/memories-filter.ts'
