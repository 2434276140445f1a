import { statesTexts } from './states-texts.ts';

let given: string | null = null;

/** As the operator calls the catalog, from the settings of the page. */
export function giveCatalogName(title: string | null): void {
  given = title;
}

/** Before the settings are there, and without a name in them, it is just the catalog. */
export function catalogName(): string {
  return given ?? statesTexts().title;
}
