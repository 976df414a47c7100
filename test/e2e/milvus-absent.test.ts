/** A Milvus that is configured and not there (002 R10.1, issue 5): said plainly, in bounded time, and nothing is lost. */
import { milvusAbsentCases } from '../contracts/milvus-bad-days.ts'

milvusAbsentCases()
