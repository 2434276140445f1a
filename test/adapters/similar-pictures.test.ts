import { expect } from 'chai';
import { FindSimilar } from '../../src/application/find/find-similar.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { newSearches } from '../support/doubles/staying.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { MadeSet, type SimilarQuality } from '../support/similar/made-set.ts';

/** `npm run bench -- --suite look-alikes --full` takes 500. */
const SCENES = 12;

describe('Look-alikes of pictures', () => {
  let quality: SimilarQuality;

  before(async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    const images = sqlPorts(knex).images;
    const findSimilar = new FindSimilar(images, sqlPorts(knex).similarImages, newSearches());
    quality = await new MadeSet({ images: images.in(COMMON_SPACE), findSimilar }).judge(SCENES);
    await tearDown();
  });

  it('are copies if the picture is resized, recompressed or converted', () => {
    expect(quality.copiesFound).to.equal(1);
  });

  it('are found if 5 % of the picture are gone', () => {
    expect(quality.croppedFound).to.be.at.least(0.9);
  });

  it('are bursts, and not copies, if they are shots of a series', () => {
    expect(quality).to.include({ burstsFound: 1, burstsCalledCopies: 0 });
  });

  it('are not copies in other light, or of another scene', () => {
    expect(quality).to.include({ otherLightCalledCopies: 0, strangersCalledCopies: 0 });
  });

  it('are not found for a plain colour', () => {
    expect(quality.flatMatched).to.equal(0);
  });
});
