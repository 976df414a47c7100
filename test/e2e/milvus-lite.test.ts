/** A memory over Milvus Lite: the contract of the vector index, and the criteria of specification 002 (issue 5). */
import { milvusBadDays } from '../contracts/milvus-bad-days.ts'
import { milvusContract } from '../contracts/milvus-contract.ts'
import { milvusMemoryCases } from '../contracts/milvus-memory.ts'
import { describeWithMilvus } from '../support/milvus-server.ts'

const IN_PYTHON =
  'Milvus Lite compares and deletes in Python, which takes minutes for this many; the full server does it'
const SLOW = {
  'adding, replacing and removing in any order leaves exactly what is left': IN_PYTHON,
  'ten thousand vectors are counted, and each can be had and removed by its id': IN_PYTHON,
  'every write is seen by the next search, twenty times over': IN_PYTHON,
  'an id replaced twenty times is there once': IN_PYTHON,
}

describeWithMilvus('Milvus Lite', (server) => {
  milvusContract('Milvus Lite', server, {}, SLOW)
  milvusMemoryCases(server)
  milvusBadDays(server, true)
})
