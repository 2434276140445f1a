import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Part } from '../base/part.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useConfig } from '../session/use-config.ts';
import { usePart } from '../states/use-part.ts';
import { type TagSuggestion, useTagSuggestions } from '../tags/tag-suggestions.ts';
import type { ViewState } from '../view-state/view-state.ts';
import { type Suggestion, suggestionKey, suggestionsFor, tagPhrases } from './suggestions.ts';
import { useSteadyOptions } from './use-steady-options.ts';

/** Long enough that a fast typist sends one request a word. */
const DEBOUNCE_MS = 150;
const FIVE_MINUTES_MS = 300_000;

const dateFinder = new Part(
  () => import('./load-date-finder.ts'),
  ({ loadDateFinder }) => loadDateFinder,
);

export interface Suggestions {
  /** Everything known so far. */
  readonly known: readonly Suggestion[];
  /** The same to be shown: an option stays in place until the text changes. */
  readonly listed: readonly Suggestion[];
}

/** What the text can mean. Requests for a text that has changed meanwhile are aborted. */
export function useSuggestions(text: string, view: ViewState, enabled: boolean): Suggestions {
  const { options, isComplete } = useKnownSuggestions(text, view, enabled);
  const { tags, tagged, dated, alt, mediaType } = view;
  const question = enabled ? JSON.stringify([text, tags, tagged, dated, alt, mediaType]) : undefined;
  return { known: options, listed: useSteadyOptions(question, { options, isComplete }, suggestionKey) };
}

function useKnownSuggestions(
  text: string,
  view: ViewState,
  enabled: boolean,
): { readonly options: readonly Suggestion[]; readonly isComplete: boolean } {
  const catalog = useCatalog();
  const config = useConfig();
  const [whole, last] = tagPhrases(useDebounced(text, DEBOUNCE_MS));
  const wholeTags = useTagSuggestions(whole, view.tags, enabled);
  // One after the other: with the dates they would be three searches of the service.
  const isLastAsked = enabled && last !== undefined && !wholeTags.isFetching;
  const lastTags = useTagSuggestions(last ?? '', view.tags, isLastAsked);
  const loadDates = usePart(dateFinder, enabled);
  const { data: dates, isPending } = useQuery({
    queryKey: ['search', 'dates'],
    queryFn:
      enabled && loadDates !== undefined
        ? ({ signal }) => loadDates(catalog, config.timeZone, signal)
        : skipToken,
    staleTime: FIVE_MINUTES_MS,
  });
  if (!enabled) return { options: [], isComplete: false };
  const tagsOf = (phrase: string): readonly TagSuggestion[] => {
    if (phrase === whole) return wholeTags.tags;
    return phrase === last ? lastTags.tags : [];
  };
  // Typed words are asked about after a pause.
  const isAsked = tagPhrases(text)[0] === whole;
  const isTagged = wholeTags.isSettled && (last === undefined || lastTags.isSettled);
  return {
    options: suggestionsFor(text, view, { tagsOf, dates }),
    isComplete: isAsked && isTagged && !isPending,
  };
}

function useDebounced(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
