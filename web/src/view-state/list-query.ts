import type { ListQuery, TimelineQuery } from '@image-catalog/client';
import type { Sort, ViewState } from './view-state.ts';

/** The filters that a listing and the timeline share. */
export type ViewFilters = Omit<TimelineQuery, 'by'>;

const ORDERS = {
  taken: { sort: 'taken', order: 'desc' },
  added: { sort: 'created', order: 'desc' },
  'first-added': { sort: 'created', order: 'asc' },
} as const satisfies Record<Exclude<Sort, 'random'>, ListQuery>;

/** The listing of a view: its filters and its order. */
export function listQueryOf(view: ViewState): ListQuery {
  return { ...filtersOf(view), ...orderOf(view) };
}

export function filtersOf({ q, tags, camera, lens, ...view }: ViewState): ViewFilters {
  const { takenAfter, takenBefore, mediaType, tagged, dated } = view;
  return {
    ...(q !== '' && { q }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(takenAfter !== undefined && { takenAfter }),
    ...(takenBefore !== undefined && { takenBefore }),
    ...(mediaType !== undefined && { mediaType }),
    ...(camera !== '' && { camera }),
    ...(lens !== '' && { lens }),
    ...(tagged !== undefined && { tagged }),
    ...(dated !== undefined && { dated }),
  };
}

/** Equal for views that show the same pictures in the same order, whatever the viewer shows. */
export function listKeyOf(view: ViewState): string {
  return JSON.stringify(listQueryOf(view));
}

function orderOf({ sort, seed }: ViewState): ListQuery {
  if (sort !== 'random') return ORDERS[sort];
  return { sort, ...(seed !== undefined && { seed }) };
}
