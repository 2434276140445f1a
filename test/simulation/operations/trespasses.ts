import type { Space } from '../../../src/domain/space/space.ts';
import { CALLER } from '../../support/doubles/staying.ts';
import { collect } from '../../support/fixtures/bytes.ts';
import { type CatalogProcess, SILENT } from '../catalog-process.ts';
import { require, SPACES, spaceOf } from '../ledger.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { OperationKind } from './operation-kind.ts';
import { someImage } from './some-images.ts';

type Request = (process: CatalogProcess, space: Space, id: number) => Promise<unknown>;

const UNKNOWN = 1_000_000;
/** As many as an operation has choices. */
const SHARES = 4;
const LINKS = { files: [{}], ttlSeconds: 60, page: { title: null } };

/** All that names an image by its id. */
const REQUESTS: Readonly<Record<string, Request>> = {
  get: (process, space, id) => process.getImage(space, id),
  'open the file of': async (process, space, id) => {
    const image = await process.getImage(space, id);
    return await collect((await process.openImageFile.execute(image)).read());
  },
  delete: ({ deleteImage }, space, id) => deleteImage.execute(space, id, { log: SILENT }),
  patch: ({ editMetadata }, space, id) => editMetadata.execute(space, id, () => ({ title: 'Mine' })),
  'patch with If-Match': ({ editMetadata }, space, id) =>
    editMetadata.execute(
      space,
      id,
      () => ({ title: 'Mine' }),
      () => false,
    ),
  edit: ({ editImages }, space, id) => editImages.execute(space, [id], { addTags: ['mine'] }, CALLER),
  'find what looks like': ({ findSimilar }, space, id) => findSimilar.report(space, id),
  link: ({ makeLinks }, space, id) => makeLinks.execute(space, { ids: [id], ...LINKS }),
  archive: ({ archiveImages }, space, id) => archiveImages.execute(space, [id]),
};

/** A client asks for an image of another space. It gets what it gets for an id that was never given. */
export const TRESPASS: OperationKind = {
  weight: 3,
  run: async (catalog, operation) => {
    const id = someImage(catalog, operation);
    if (id === undefined) return;
    const others = SPACES.filter((space) => space !== spaceOf(operation));
    const space = others[operation.picture % others.length] as Space;
    for (const [index, [what, request]] of Object.entries(REQUESTS).entries()) {
      // Not all: one that has all calls of ports has most of the faults.
      if (index % SHARES !== operation.choice) continue;
      const ask = (asked: number): Promise<string | undefined> =>
        answerTo(catalog, asked, () => request(catalog.process(operation.process), space, asked));
      const [theirs, nothing] = [await ask(id), await ask(UNKNOWN)];
      const isSame = theirs === undefined || nothing === undefined || theirs === nothing;
      require(isSame, `${what} image ${id} of another space: not the answer of an unknown id, which is ${nothing}`);
    }
  },
};

/** `undefined` without an answer. */
async function answerTo(
  catalog: SimulatedCatalog,
  id: number,
  ask: () => Promise<unknown>,
): Promise<string | undefined> {
  const outcome = await catalog.attempt(ask);
  if (outcome.state === 'unknown') return undefined;
  if (outcome.state === 'refused') return outcome.code === 'overloaded' ? undefined : outcome.code;
  return JSON.stringify(outcome.value, (name, value: unknown) => {
    if (name === 'expiresAt') return undefined;
    if (value === id) return 'the id';
    return value instanceof Map ? [...value] : value;
  });
}
