import type { TagCount } from '@image-catalog/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useCatalog } from '../catalog/use-catalog.ts';
import { MAX_LISTED } from './max-listed.ts';

/** Code points. */
const MAX_PREFIX = 64;

export type TagOrder = 'count' | 'name';

export interface TagList {
  readonly prefix: string;
  readonly order: TagOrder;
  readonly find: (prefix: string) => void;
  readonly sort: (order: TagOrder) => void;
  /** `undefined` until they are there. */
  readonly tags: readonly TagCount[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** The tags of the catalog that begin with what was typed. */
export function useTagList(): TagList {
  const catalog = useCatalog();
  const queries = useQueryClient();
  const [text, find] = useState('');
  const [order, sort] = useState<TagOrder>('count');
  const prefix = useDeferredValue(Array.from(text.trim()).slice(0, MAX_PREFIX).join(''));
  const queryKey = ['tags', 'page', order, prefix];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      catalog.tags({ order, limit: MAX_LISTED, ...(prefix !== '' && { prefix }) }, { signal }),
    staleTime: 5000,
    placeholderData: keepPreviousData,
  });
  return {
    prefix: text,
    order,
    find,
    sort,
    tags: data,
    error,
    retry: () => void queries.resetQueries({ queryKey }),
  };
}
