/** A memory over Milvus Lite: the criteria of specification 002, good days and bad days (issue 5). */
import { milvusBadDays } from '../contracts/milvus-bad-days.ts'
import { milvusContract } from '../contracts/milvus-contract.ts'
import { milvusCopyCases } from '../contracts/milvus-copies.ts'
import { milvusCriteria } from '../contracts/milvus-criteria.ts'
import { milvusDoorCases } from '../contracts/milvus-doors.ts'
import { milvusMemoryCases } from '../contracts/milvus-memory.ts'
import { describeWithMilvus } from '../support/milvus-server.ts'

describeWithMilvus('Milvus Lite', (server) => {
  milvusContract(server)
  milvusMemoryCases(server)
  milvusCriteria(server)
  milvusDoorCases(server)
  milvusCopyCases(server)
  milvusBadDays(server, true)
})
