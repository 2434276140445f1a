import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Part } from '../base/part.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useConfig } from '../session/use-config.ts';
import { usePart } from '../states/use-part.ts';
import { type TagSuggestion, useTagSuggestions } from '../tags/tag-suggestions.ts';
import type { ViewState } from '../view-state/view-state.ts';
import { type Suggestion, suggestionsFor, tagPhrases } from './suggestions.ts';

/** Long enough that a fast typist sends one request a word. */
const DEBOUNCE_MS = 150;
const FIVE_MINUTES_MS = 300_000;

const dateFinder = new Part(
  () => import('./load-date-finder.ts'),
  ({ loadDateFinder }) => loadDateFinder,
);

/** What the text can mean. Requests for a text that has changed meanwhile are aborted. */
export function useSuggestions(text: string, view: ViewState, enabled: boolean): readonly Suggestion[] {
  const catalog = useCatalog();
  const config = useConfig();
  const [whole, last] = tagPhrases(useDebounced(text, DEBOUNCE_MS));
  const wholeTags = useTagSuggestions(whole, view.tags, enabled);
  // One after the other: with the dates they would be three searches of the service.
  const isLastAsked = enabled && last !== undefined && !wholeTags.isFetching;
  const lastTags = useTagSuggestions(last ?? '', view.tags, isLastAsked);
  const loadDates = usePart(dateFinder, enabled);
  const { data: dates } = useQuery({
    queryKey: ['search', 'dates'],
    queryFn:
      enabled && loadDates !== undefined
        ? ({ signal }) => loadDates(catalog, config.timeZone, signal)
        : skipToken,
    staleTime: FIVE_MINUTES_MS,
  });
  if (!enabled) return [];
  const tagsOf = (phrase: string): readonly TagSuggestion[] => {
    if (phrase === whole) return wholeTags.tags;
    return phrase === last ? lastTags.tags : [];
  };
  return suggestionsFor(text, view, { tagsOf, dates });
}

function useDebounced(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
