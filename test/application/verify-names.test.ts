import { expect } from 'chai';
import type { Finding } from '../../src/application/maintenance/verify-catalog.ts';
import { VerifyNames } from '../../src/application/maintenance/verify-names.ts';
import type { Name } from '../../src/domain/name/name.ts';
import type { OwnedName } from '../../src/domain/ports/records/names.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { ManualClock } from '../support/doubles/manual-clock.ts';
import { newImage } from '../support/fixtures/new-image.ts';

const UNKNOWN = 77;

let images: InMemoryImageRepository;
let recorded: OwnedName[];
let imageId: number;

function named(number: number, changes: Partial<OwnedName>): OwnedName {
  const updatedAt = images.clock.now();
  const name = `name-${number}` as Name;
  return { name, number, mark: 1, version: 1, updatedAt, imageId, space: COMMON_SPACE, ...changes };
}

/** @param moved where names point to when they are read again */
async function dangling(moved: Partial<OwnedName> = {}): Promise<readonly Finding[]> {
  const names = {
    findPage: async (after: number) => recorded.filter(({ number }) => number > after).slice(0, 2),
    findByNumber: async (number: number) => {
      const found = recorded.find((one) => one.number === number);
      return found && { ...found, ...moved };
    },
  };
  const found: Finding[] = [];
  for await (const finding of new VerifyNames(names, images).dangling()) found.push(finding);
  return found;
}

describe('VerifyNames', () => {
  beforeEach(async () => {
    images = new InMemoryImageRepository(new ManualClock());
    imageId = (await images.in(COMMON_SPACE).add(newImage())).id;
  });

  it('reports names without an image, on every page', async () => {
    recorded = [1, 2, 3, 4, 5].map((number) => named(number, number > 3 ? { imageId: UNKNOWN } : {}));

    const finding = {
      problem: 'dangling',
      imageId: UNKNOWN,
      space: COMMON_SPACE,
      detail: 'the image is not there',
    };
    expect(await dangling()).to.deep.equal([
      { ...finding, name: 'name-4' },
      { ...finding, name: 'name-5' },
    ]);
  });

  it('reports a name whose image is in another space', async () => {
    recorded = [named(1, { space: 'alpha' as Space })];

    expect((await dangling()).map(({ detail }) => detail)).to.deep.equal(['the image is in another space']);
  });

  it('reports no names that are gone, or have moved meanwhile', async () => {
    recorded = [named(1, { imageId: undefined }), named(2, {})];
    expect(await dangling()).to.deep.equal([]);

    recorded = [named(1, { imageId: UNKNOWN })];
    expect(await dangling({ imageId })).to.deep.equal([]);
    expect(await dangling({ imageId: undefined })).to.deep.equal([]);
  });
});
