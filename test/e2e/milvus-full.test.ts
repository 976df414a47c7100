/** A memory over a full Milvus: the contract of the vector index, and the criteria of specification 002 (issue 5). */
import { milvusBadDays } from '../contracts/milvus-bad-days.ts'
import { milvusContract } from '../contracts/milvus-contract.ts'
import { milvusMemoryCases } from '../contracts/milvus-memory.ts'
import { describeWithMilvus } from '../support/milvus-server.ts'

describeWithMilvus(
  'Milvus 2.3.5',
  (server) => {
    milvusContract('Milvus 2.3.5', server)
    milvusMemoryCases(server)
    milvusBadDays(server, false)
  },
  { token: 'root:Milvus' },
)
