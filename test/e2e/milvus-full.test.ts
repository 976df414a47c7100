/**
 * A memory over a full Milvus that asks for a token: the criteria of specification 002, good days and bad days.
 * Commands and copied files, alike on every server, run on Milvus Lite.
 */
import { milvusBadDays } from '../contracts/milvus-bad-days.ts'
import { milvusContract } from '../contracts/milvus-contract.ts'
import { milvusCriteria } from '../contracts/milvus-criteria.ts'
import { milvusMemoryCases } from '../contracts/milvus-memory.ts'
import { describeWithMilvus } from '../support/milvus-server.ts'

describeWithMilvus(
  'Milvus 2.3.5',
  (server) => {
    milvusContract(server)
    milvusMemoryCases(server)
    milvusCriteria(server)
    milvusBadDays(server, false)
  },
  { token: 'root:Milvus' },
)
