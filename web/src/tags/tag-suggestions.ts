import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCatalog } from '../catalog/use-catalog.ts';
import { newSuggestions } from './new-suggestions.ts';

const SHOWN = 8;

export interface TagSuggestion {
  readonly tag: string;
  /** Images. */
  readonly count: number;
}

interface TagSuggestions {
  readonly tags: readonly TagSuggestion[];
  readonly isFetching: boolean;
  /** The tags for this text are known, or could not be read. */
  readonly isSettled: boolean;
}

/** Tags of the catalog that begin with the text; without a text, the most used ones. */
export function useTagSuggestions(
  text: string,
  present: readonly string[],
  enabled: boolean,
): TagSuggestions {
  const catalog = useCatalog();
  const prefix = Array.from(text.trim()).slice(0, 64).join('');
  const {
    data = [],
    isFetching,
    isPending,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['tags', prefix],
    // Enough that some are left without those of the picture.
    queryFn: ({ signal }) =>
      catalog.tags({ order: 'count', limit: SHOWN + 100, ...(prefix !== '' && { prefix }) }, { signal }),
    enabled,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
  return {
    tags: newSuggestions(data, present).slice(0, SHOWN),
    isFetching,
    isSettled: !isPending && !isPlaceholderData,
  };
}
