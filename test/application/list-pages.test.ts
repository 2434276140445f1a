import { expect } from 'chai';
import { ListPages } from '../../src/application/find/list-pages.ts';
import { type UseCaseOptions, type UseCasePorts, useCasesOf } from '../../src/application/use-cases.ts';
import type { Name, NamedImage } from '../../src/domain/name/name.ts';
import type { NameListQuery } from '../../src/domain/ports/records/names.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { CALLER, newSearches } from '../support/doubles/staying.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const BATCH_SIZE = 5;

let images: InMemoryImageRepository;

/** In the order of their code points. */
async function addNames(count: number): Promise<readonly Name[]> {
  const { id } = await images.in(COMMON_SPACE).add(newImage());
  const names = Array.from({ length: count }, (_, at) => `name-${String(at).padStart(4, '0')}` as Name);
  for (const name of names) images.names.point(COMMON_SPACE, { name }, id, undefined);
  return names;
}

function listAll(): AsyncGenerator<readonly NamedImage[]> {
  const list = {
    read: (_: unknown, query: NameListQuery) => images.names.in(COMMON_SPACE).list(query),
    positionOf: ({ name }: NamedImage) => name,
    batchSize: BATCH_SIZE,
  };
  return new ListPages(list, newSearches()).batches(COMMON_SPACE, { prefix: '' }, CALLER);
}

describe('ListPages', () => {
  beforeEach(() => {
    images = new InMemoryImageRepository(new ManualClock());
  });

  it('reads all in batches', async () => {
    const names = await addNames(BATCH_SIZE + 1);
    const seen: Name[][] = [];

    for await (const batch of listAll()) seen.push(batch.map(({ name }) => name));

    expect(seen).to.deep.equal([names.slice(0, BATCH_SIZE), names.slice(BATCH_SIZE)]);
  });

  it('has no empty batch if all further names are removed meanwhile', async () => {
    const [last] = (await addNames(BATCH_SIZE + 1)).slice(BATCH_SIZE);
    const batches = listAll();

    const first = await batches.next();
    await images.names.in(COMMON_SPACE).remove(last as Name, {});

    expect(first.value).to.have.length(BATCH_SIZE);
    expect(await batches.next()).to.deep.equal({ done: true, value: undefined });
  });
});

describe('The trash', () => {
  it('is listed in batches of 16, which bound the memory', async () => {
    const catalog = new InMemoryImageRepository(new ManualClock());
    const common = catalog.in(COMMON_SPACE);
    for (let at = 0; at < 17; at += 1) {
      const { id } = await common.add(newImage());
      await common.removeById(id, undefined, 'trash');
    }
    const ports = { trash: catalog.trash, timer: () => () => {} } as unknown as UseCasePorts;
    const options = { changes: {}, watchFiles: () => {}, watchRenditions: () => {} };
    const { listTrash } = useCasesOf(ports, options as unknown as UseCaseOptions);
    const sizes: number[] = [];

    for await (const batch of listTrash.batches(COMMON_SPACE, {}, CALLER)) sizes.push(batch.length);

    expect(sizes).to.deep.equal([16, 1]);
  });
});
