import { CALLER } from '../../support/doubles/staying.ts';
import { require, spaceOf } from '../ledger.ts';
import type { OperationKind } from './operation-kind.ts';
import { someImage, someImages } from './some-images.ts';

const TITLES = ['Summer', 'Winter', null] as const;
/** The last stays as it is. */
const FOCI = [{ x: 0.25, y: 0.5 }, null, undefined] as const;
/** Two are twins: spellings of one tag. */
const TAGS = ['sea', 'Sea', 'mountains', 'snow'] as const;

/** Half of them with `If-Match`. */
export const PATCH: OperationKind = {
  weight: 4,
  run: async (catalog, operation) => {
    const id = someImage(catalog, operation);
    if (id === undefined) return;
    const { ledger } = catalog;
    const since = ledger.now();
    const expected = ledger.versionOf(id);
    const [title, focus] = [TITLES[operation.picture % TITLES.length] ?? null, FOCI[operation.key]];
    const patch = { title, ...(focus !== undefined && { focus }) };
    const { editMetadata } = catalog.process(operation.process);
    const matches = operation.choice < 2 ? (version: number) => version === expected : undefined;
    const outcome = await catalog.attempt(() =>
      editMetadata.execute(spaceOf(operation), id, () => patch, CALLER, matches),
    );
    if (outcome.state === 'done') {
      ledger.hasContent(id, outcome.value, since);
      ledger.isPatched(id, patch, outcome.value, matches && expected);
      const { version } = outcome.value;
      const isNext = version === expected || version === expected + 1;
      require(matches === undefined || isNext, `version ${version} matched ${expected}`);
    }
    if (outcome.state !== 'refused') return;
    if (outcome.code === 'image_not_found') ledger.misses(id, since);
    else if (outcome.code !== 'overloaded') {
      require(outcome.code === 'metadata_changed' && matches !== undefined, outcome.code);
    }
  },
};

/** Tags of all images at once, and sometimes a title and another time. */
export const BULK: OperationKind = {
  weight: 3,
  run: async (catalog, operation) => {
    const { ledger } = catalog;
    const space = spaceOf(operation);
    const ids = someImages(catalog, space);
    const since = ledger.now();
    const request = {
      addTags: [TAGS[operation.choice] as string],
      removeTags: [TAGS[operation.key + 1] as string],
      ...(operation.picture === 0 && { title: 'Trip', shiftTaken: '-PT1H30M' }),
    };
    const { editImages } = catalog.process(operation.process);
    const outcome = await catalog.attempt(() => editImages.execute(space, ids, request, CALLER));
    if (outcome.state === 'refused') require(outcome.code === 'overloaded', outcome.code);
    if (outcome.state === 'done') for (const id of outcome.value.missing) ledger.misses(id, since);
  },
};
