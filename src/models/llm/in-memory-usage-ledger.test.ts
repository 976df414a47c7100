import { usageLedgerContract } from '../../../test/contracts/usage-ledger.ts'
import { inMemoryUsageLedger } from '../../../test/support/in-memory-usage-ledger.ts'

usageLedgerContract('in memory, for tests', async () => ({ ledger: inMemoryUsageLedger(), close: async () => {} }))
