import { expect } from 'chai';
import { PortionQueue } from '../../src/application/concurrency/portion-queue.ts';
import { EDIT_POLICY } from '../../src/application/edits/edits.ts';
import { EditImages } from '../../src/application/metadata/edit-images.ts';
import { TooMuchMetadata } from '../../src/domain/errors.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryMetadata } from '../support/doubles/in-memory-metadata.ts';
import { recorded } from '../support/doubles/intercepted.ts';
import { CALLER, NO_TIMER } from '../support/doubles/staying.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const IDS = Array.from({ length: 500 }, (_, index) => index + 1);

/** Tags of 200 words, some of them as pairs of Chinese characters. */
const ADDED = [
  ...Array.from({ length: 98 }, (_, index) =>
    String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26)),
  ),
  chinese(51, 0x4e00),
];
const REMOVED = [chinese(51, 0x5e00)];

/** Has as many words. */
function chinese(characters: number, first: number): string {
  return String.fromCodePoint(...Array.from({ length: characters }, (_, index) => first + index));
}

describe('EditImages', () => {
  let calls: string[];
  let editImages: EditImages;

  beforeEach(() => {
    calls = [];
    const metadata = new InMemoryMetadata(new InMemoryImageRepository(new ManualClock()));
    editImages = new EditImages(recorded(metadata, calls), new PortionQueue(EDIT_POLICY, NO_TIMER));
  });

  it('accepts 100,000 words: those of all tags, added and removed, times the images, each counted once', async () => {
    await editImages.execute(COMMON_SPACE, [...IDS, ...IDS], { addTags: ADDED, removeTags: REMOVED }, CALLER);

    expect(calls).to.deep.equal(['editMany']);
  });

  for (const more of [{ addTags: [...ADDED, 'one'] }, { title: 'one' }, { description: 'one' }]) {
    it(`refuses one word more in ${Object.keys(more)[0]}, before anything is written`, async () => {
      const changes = { addTags: ADDED, removeTags: REMOVED, ...more };

      expect(await rejection(editImages.execute(COMMON_SPACE, IDS, changes, CALLER))).to.be.instanceOf(
        TooMuchMetadata,
      );
      expect(calls).to.deep.equal([]);
    });
  }
});
