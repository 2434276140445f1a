import { findName } from '../../../src/adapters/http/names/find-name.ts';
import type { Name, NameCondition } from '../../../src/domain/name/name.ts';
import { CALLER } from '../../support/doubles/staying.ts';
import { require, spaceOf } from '../ledger.ts';
import type { Operation } from '../schedule.ts';
import type { OperationKind } from './operation-kind.ts';
import { someImage } from './some-images.ts';

/** Few, so that clients meet. */
const NAMES = ['front', 'back', 'side'] as [Name, Name, Name];

function someName({ picture }: Operation): Name {
  return NAMES[picture % NAMES.length] as Name;
}

/** Without, with `If-None-Match: *`, or with `If-Match`. */
export function someCondition({ choice }: Operation, version: number): NameCondition | undefined {
  if (choice === 0) return undefined;
  return choice === 1 ? (found) => found === undefined : (found) => found === version;
}

export const SET_NAME: OperationKind = {
  weight: 4,
  run: async (catalog, operation) => {
    const [id, name, space] = [someImage(catalog, operation), someName(operation), spaceOf(operation)];
    if (id === undefined) return;
    const { ledger } = catalog;
    const since = ledger.now();
    const expected = ledger.versionOfName(space, name);
    const matches = someCondition(operation, expected);
    const { setName } = catalog.process(operation.process);
    const outcome = await catalog.attempt(() => setName.execute(space, name, id, { matches }, CALLER));
    if (outcome.state === 'done') {
      const { named } = outcome.value;
      require(named.imageId === id, `the name ${name} points to image ${named.imageId}, not to ${id}`);
      ledger.seesName(space, named, since);
      const isNext = named.version === expected || named.version === expected + 1;
      require(operation.choice < 2 || isNext, `version ${named.version} of ${name} matched ${expected}`);
    }
    if (outcome.state !== 'refused') return;
    if (outcome.code === 'image_not_found') ledger.misses(id, since);
    else if (outcome.code !== 'overloaded') {
      require(outcome.code === 'name_changed' && matches !== undefined, outcome.code);
    }
  },
};

export const REMOVE_NAME: OperationKind = {
  weight: 1,
  run: async (catalog, operation) => {
    const { removeName } = catalog.process(operation.process);
    const [space, name] = [spaceOf(operation), someName(operation)];
    const outcome = await catalog.attempt(() => removeName.execute(space, name, {}, CALLER));
    if (outcome.state !== 'refused') return;
    require(outcome.code === 'name_not_found' || outcome.code === 'overloaded', outcome.code);
  },
};

/** The image that a name points to is there, unless it is deleted meanwhile. */
export const READ_NAME: OperationKind = {
  weight: 2,
  run: async (catalog, operation) => {
    const [name, space] = [someName(operation), spaceOf(operation)];
    const { ledger } = catalog;
    const since = ledger.now();
    const { names } = catalog.process(operation.process).ports;
    const outcome = await catalog.attempt(() => findName(names, space, name));
    if (outcome.state === 'refused') require(outcome.code === 'name_not_found', outcome.code);
    if (outcome.state !== 'done') return;
    const { image, ...named } = outcome.value;
    require(image.id === named.imageId, `the name ${name} shows image ${image.id}, not ${named.imageId}`);
    ledger.sees(image, space, since);
    ledger.seesName(space, named, since);
  },
};
