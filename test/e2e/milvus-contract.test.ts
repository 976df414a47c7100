/** The vector index in a real Milvus, of either kind, keeps the contract that the embedded one keeps (issue 5, items 1 and 5). */
import { milvusContract } from '../contracts/milvus-contract.ts'
import { describeWithMilvus } from '../support/milvus-server.ts'

describeWithMilvus('Milvus Lite', (server) => milvusContract('Milvus Lite', server))

describeWithMilvus('Milvus 2.3.5', (server) => milvusContract('Milvus 2.3.5', server))
