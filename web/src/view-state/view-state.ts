/** What the address bar says: a view that can be sent to a colleague. */
export interface ViewState {
  /** Words; empty if there is no search. */
  readonly q: string;
  readonly tags: readonly string[];
  /** Both are exclusive; RFC 3339 with offset. */
  readonly takenAfter: string | undefined;
  readonly takenBefore: string | undefined;
  readonly mediaType: 'image/jpeg' | 'image/png' | undefined;
  readonly sort: Sort;
  /** Of a random walk. */
  readonly seed: string | undefined;
  /** The id of the picture that the viewer shows. */
  readonly image: number | undefined;
}

/** `taken` is the timeline, newest first; `added` and `first-added` are by `id`, newest and oldest first. */
export type Sort = 'taken' | 'added' | 'first-added' | 'random';

const SORTS: readonly Sort[] = ['taken', 'added', 'first-added', 'random'];

export function parseViewState(search: string): ViewState {
  const query = new URLSearchParams(search);
  const sort = SORTS.find((known) => known === query.get('sort')) ?? 'taken';
  return {
    q: query.get('q') ?? '',
    tags: query.get('tags')?.split(',').filter(Boolean) ?? [],
    takenAfter: query.get('takenAfter') ?? undefined,
    takenBefore: query.get('takenBefore') ?? undefined,
    mediaType: mediaTypeOf(query.get('mediaType')),
    sort,
    seed: sort === 'random' ? (query.get('seed') ?? '1') : undefined,
    image: idOf(query.get('image')),
  };
}

/** With a question mark, unless it is empty. */
export function formatViewState(state: ViewState): string {
  const query = new URLSearchParams();
  if (state.q !== '') query.set('q', state.q);
  if (state.tags.length > 0) query.set('tags', state.tags.join(','));
  if (state.takenAfter !== undefined) query.set('takenAfter', state.takenAfter);
  if (state.takenBefore !== undefined) query.set('takenBefore', state.takenBefore);
  if (state.mediaType !== undefined) query.set('mediaType', state.mediaType);
  if (state.sort !== 'taken') query.set('sort', state.sort);
  if (state.seed !== undefined) query.set('seed', state.seed);
  if (state.image !== undefined) query.set('image', String(state.image));
  return query.size === 0 ? '' : `?${query}`;
}

function mediaTypeOf(text: string | null): ViewState['mediaType'] {
  return text === 'image/jpeg' || text === 'image/png' ? text : undefined;
}

function idOf(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}
