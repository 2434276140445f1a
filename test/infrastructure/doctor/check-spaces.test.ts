import { expect } from 'chai';
import { COMMON_SPACE, NO_LIMITS, NOTHING, type Space } from '../../../src/domain/space/space.ts';
import { checkSpaces } from '../../../src/infrastructure/doctor/check-spaces.ts';

const ALICE = 'alice' as Space;
const BOB = 'bob' as Space;

const withImages = (space: Space, images: number) => ({
  space,
  images,
  bytes: images * 100,
  trashed: NOTHING,
  limits: NO_LIMITS,
});

const COMMON = withImages(COMMON_SPACE, 5);
const NAMED = [withImages(ALICE, 2), withImages(BOB, 1)];

describe('checkSpaces', () => {
  const check = (all: Parameters<typeof checkSpaces>[0], spaceClaim?: string, tokenSpace?: Space) => [
    ...checkSpaces(all, { spaceClaim, tokenSpace }),
  ];

  it('says nothing of a catalog without a claim and without named spaces', () => {
    expect(check([COMMON])).to.deep.equal([]);
  });

  it('accepts named spaces that the claim reaches', () => {
    expect(check(NAMED, 'org_id', ALICE)).to.deep.equal([
      { level: 'ok', text: 'SPACE_CLAIM=org_id: images of 2 spaces' },
    ]);
  });

  it('warns of named spaces if SPACE_CLAIM is not set', () => {
    const [result] = check([COMMON, ...NAMED]);

    expect(result?.level).to.equal('warning');
    expect(result?.text).to.equal('SPACE_CLAIM is not set, and no token reaches 3 images of 2 named spaces');
  });

  it('warns of images in the common space if SPACE_CLAIM is set', () => {
    const [result, ...others] = check([COMMON], 'org_id', ALICE);

    expect(result?.level).to.equal('warning');
    expect(result?.text).to.include('no token reaches 5 images of the space without a name');
    expect(result?.change).to.equal("image-catalog spaces assign '' NAME");
    expect(others).to.deep.equal([]);
  });

  it('warns of a token whose space is empty while others are not', () => {
    const [result] = check(NAMED, 'sub', 'a new name' as Space);

    expect(result?.level).to.equal('warning');
    expect(result?.text).to.include('"a new name", has no images, unlike 2 other spaces');
  });

  it('does not take a space that has a limit alone for one with images', () => {
    expect(check([withImages(ALICE, 0)])).to.deep.equal([]);
    expect(check([withImages(ALICE, 0)], 'sub', BOB).map(({ level }) => level)).to.deep.equal(['ok']);
  });
});
