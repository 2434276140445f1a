import type { Operation } from '../schedule.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';

export interface OperationKind {
  /** How often it is drawn, compared with others. */
  readonly weight: number;
  /** Tells the ledger what was sent and what came back. Rejects only if the contract is broken. */
  readonly run: (catalog: SimulatedCatalog, operation: Operation) => Promise<void>;
}
