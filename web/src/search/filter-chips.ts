import { formatMediaType } from '../base/media-types.ts';
import { texts } from '../languages/texts.ts';
import type { ViewState } from '../view-state/view-state.ts';
import { boundsLabel } from './date-label.ts';

/** A filter of the view, as it is shown. */
export interface FilterChip {
  readonly kind: 'words' | 'tag' | 'date' | 'type' | 'camera' | 'lens';
  readonly key: string;
  readonly label: string;
  /** The view without it. */
  readonly removal: Partial<ViewState>;
}

export function filterChips(view: ViewState): readonly FilterChip[] {
  const { q } = view;
  const chips: FilterChip[] = [];
  if (q !== '') chips.push({ kind: 'words', key: 'q', label: texts.search.words(q), removal: { q: '' } });
  return [...chips, ...tagChips(view), ...dateChips(view), ...fileChips(view)];
}

function tagChips({ tags, tagged }: ViewState): readonly FilterChip[] {
  if (tagged === false) {
    const label = texts.search.untagged[0];
    return [{ kind: 'tag', key: 'tagged', label, removal: { tagged: undefined } }];
  }
  return tags.map((tag) => {
    const removal = { tags: tags.filter((other) => other !== tag) };
    return { kind: 'tag', key: `tag ${tag}`, label: tag, removal };
  });
}

function dateChips({ takenAfter, takenBefore, dated }: ViewState): readonly FilterChip[] {
  if (dated === false) {
    return [{ kind: 'date', key: 'dated', label: texts.search.undated[0], removal: { dated: undefined } }];
  }
  if (takenAfter === undefined && takenBefore === undefined) return [];
  const label = boundsLabel({ takenAfter, takenBefore });
  return [{ kind: 'date', key: 'date', label, removal: { takenAfter: undefined, takenBefore: undefined } }];
}

/** Of the file, and of what the camera has written into it. */
function fileChips({ mediaType, camera, lens }: ViewState): readonly FilterChip[] {
  const chips: FilterChip[] = [];
  if (mediaType !== undefined) {
    const label = formatMediaType(mediaType);
    chips.push({ kind: 'type', key: 'type', label, removal: { mediaType: undefined } });
  }
  if (camera !== '') {
    const label = texts.search.captures.camera(camera);
    chips.push({ kind: 'camera', key: 'camera', label, removal: { camera: '' } });
  }
  if (lens !== '') {
    const label = texts.search.captures.lens(lens);
    chips.push({ kind: 'lens', key: 'lens', label, removal: { lens: '' } });
  }
  return chips;
}
