import type { ListQuery } from '@image-catalog/client';
import { filtersOf, type Sort, type ViewState } from './view-state.ts';

const ORDERS = {
  taken: { sort: 'taken', order: 'desc' },
  added: { sort: 'created', order: 'desc' },
  'first-added': { sort: 'created', order: 'asc' },
} as const satisfies Record<Exclude<Sort, 'random'>, ListQuery>;

/** The listing of a view: its filters and its order. */
export function listQueryOf(view: ViewState): ListQuery {
  return { ...filtersOf(view), ...orderOf(view) };
}

function orderOf({ sort, seed }: ViewState): ListQuery {
  if (sort !== 'random') return ORDERS[sort];
  return { sort, ...(seed !== undefined && { seed }) };
}
