import { SWEEP } from './maintenance.ts';
import type { OperationKind } from './operation-kind.ts';
import { LIST, READ } from './reads.ts';
import { DELETE, UPLOAD } from './uploads.ts';

/** By the name in a schedule. */
export const OPERATIONS: ReadonlyMap<string, OperationKind> = new Map([
  ['upload', UPLOAD],
  ['delete', DELETE],
  ['read', READ],
  ['list', LIST],
  ['sweep', SWEEP],
]);

export const WEIGHTS: ReadonlyMap<string, number> = new Map(
  [...OPERATIONS].map(([kind, { weight }]) => [kind, weight]),
);
