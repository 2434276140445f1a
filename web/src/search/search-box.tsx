import { lazyPart } from '../states/lazy-part.tsx';
import { ComingSearch } from './coming-search.tsx';

/** Words, tags and dates. */
export const SearchBox = lazyPart(() => import('./search-field.tsx'), 'SearchField', ComingSearch);
