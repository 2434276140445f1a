import { expect } from 'chai';
import { PortionQueue } from '../../src/application/concurrency/portion-queue.ts';
import { EDIT_POLICY } from '../../src/application/edits/edits.ts';
import { EditMetadata } from '../../src/application/metadata/edit-metadata.ts';
import { type MetadataPatch, type NewMetadata, NO_METADATA } from '../../src/domain/image/image-metadata.ts';
import type { ImageMetadataStore } from '../../src/domain/ports/records/image-metadata-store.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryMetadata } from '../support/doubles/in-memory-metadata.ts';
import { CALLER, NO_TIMER } from '../support/doubles/staying.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { Gate, settled } from '../support/time/gate.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const LONG = 'a long text '.repeat(400).trim();
const MANY_TAGS = Array.from({ length: 100 }, (_, at) => `a tag with the number ${at}`);

describe('EditMetadata', () => {
  let images: InMemoryImageRepository;
  let store: ImageMetadataStore;
  let editMetadata: EditMetadata;
  let gate: Gate;
  let writing: number;

  beforeEach(() => {
    images = new InMemoryImageRepository(new ManualClock());
    store = new InMemoryMetadata(images).in(COMMON_SPACE);
    gate = new Gate();
    writing = 0;
    editMetadata = new EditMetadata({ in: () => gated() }, new PortionQueue(EDIT_POLICY, NO_TIMER));
  });

  /** A store that writes when the gate opens. */
  function gated(): ImageMetadataStore {
    const patch: ImageMetadataStore['patch'] = async (id, ...change) => {
      const before = await store.find(id);
      if (before === undefined || change[1]?.(before) === undefined) {
        writing += 1;
        await gate.opened;
      }
      return await store.patch(id, ...change);
    };
    return { ...store, find: (id) => store.find(id), patch };
  }

  /** Patches 40 images that say `before`, all for one subject. Resolves to how many of the patches are written together. */
  async function writtenTogether(before: Partial<NewMetadata>, patch: MetadataPatch): Promise<number> {
    const add = { ...NO_METADATA, ...before };
    const added = await Promise.all(
      Array.from({ length: 40 }, () => images.in(COMMON_SPACE).add(newImage(), undefined, add)),
    );
    const edits = added.map(({ id }) => editMetadata.execute(COMMON_SPACE, id, () => patch, CALLER));
    for (let turn = 0; turn < 10; turn += 1) await settled();
    const together = writing;
    gate.open();
    expect(await Promise.all(edits)).to.have.lengthOf(40);
    return together;
  }

  it('writes 32 patches of a subject together if the texts that come and go are short', async () => {
    const short = { title: 'Cat', description: 'On the sofa', tags: ['sofa'] };

    expect(await writtenTogether(short, { title: null, description: 'In the garden', tags: [] })).to.equal(
      32,
    );
  });

  for (const [name, before, patch] of [
    ['description comes', {}, { description: LONG }],
    ['description goes', { description: LONG }, { description: null }],
    ['list of tags comes', {}, { tags: MANY_TAGS }],
    ['list of tags goes', { tags: MANY_TAGS }, { tags: ['one'] }],
  ] satisfies ReadonlyArray<readonly [string, Partial<NewMetadata>, MetadataPatch]>) {
    it(`writes four patches of a subject together if a long ${name}`, async () => {
      expect(await writtenTogether(before, patch)).to.equal(4);
    });
  }

  it('writes 32 titles of a subject together, however long the other texts are', async () => {
    const before = { title: 'Cat', description: LONG, tags: MANY_TAGS };

    expect(await writtenTogether(before, { title: 'Dog' })).to.equal(32);
  });
});
