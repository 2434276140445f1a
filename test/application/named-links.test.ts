import { expect } from 'chai';
import type { OpenedNamedLink } from '../../src/application/links/open-named-link.ts';
import { LinkExpired, LinkInvalid } from '../../src/domain/errors.ts';
import type { SignedNamedLink } from '../../src/domain/link/signed-named-link.ts';
import { type Name, parseName } from '../../src/domain/name/name.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { InMemoryNames } from '../support/doubles/in-memory-names.ts';
import { recorded } from '../support/doubles/intercepted.ts';
import { type LinkProcess, linkProcess } from '../support/doubles/links.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const HOUR = 3600;
const OTHER_SPACE = 'other' as Space;

let { clock, images, linkKeys: keys } = new CatalogDoubles();
let { names } = images;
let service: LinkProcess;
let hero: SignedNamedLink;

function nameOf(text: string): Name {
  const name = parseName(text);
  if (name === undefined) throw new TypeError(`${text} is no name`);
  return name;
}

async function addImage(): Promise<number> {
  return (await images.in(COMMON_SPACE).add(newImage())).id;
}

async function linkTo(name: string, by = service): Promise<SignedNamedLink> {
  const request = { names: [nameOf(name)], files: [{ width: 320 }], ttlSeconds: HOUR };
  const [link] = (await by.makeLinks.execute(COMMON_SPACE, request)).names?.links.get(nameOf(name)) ?? [];
  if (link === undefined) throw new Error('No link was made');
  return link;
}

async function open(link: object, by = service): Promise<OpenedNamedLink> {
  const { number, name, fileName, expiry, mark, mac } = { ...hero, ...link } as SignedNamedLink;
  return await by.openNamedLink.execute({
    number: String(number),
    name,
    fileName,
    expiry: String(expiry),
    mac: mark.toString(16).padStart(12, '0') + mac,
  });
}

async function refusalOf(link: object, by = service): Promise<unknown> {
  return (await rejection(open(link, by))).constructor;
}

describe('links to names', () => {
  beforeEach(async () => {
    ({ clock, images, linkKeys: keys } = new CatalogDoubles());
    ({ names } = images);
    service = linkProcess(images, keys, clock);
    names.point(COMMON_SPACE, { name: nameOf('hero') }, await addImage(), undefined);
    hero = await linkTo('hero');
  });

  describe('OpenNamedLink', () => {
    it('is over at its expiry, whether the name is there or not', async () => {
      clock.advance(hero.expiry * 1000 - 1 - clock.now().getTime());
      expect((await open(hero)).secondsLeft()).to.equal(0);

      clock.advance(1);
      expect(await refusalOf(hero)).to.equal(LinkExpired);
      await names.in(COMMON_SPACE).remove(nameOf('hero'), {});
      expect(await refusalOf(hero)).to.equal(LinkExpired);
    });

    it('refuses a link to a name that had the number before a restore, also to the same name of another space', async () => {
      const restored = new InMemoryNames(images);
      restored.point(OTHER_SPACE, { name: nameOf('hero') }, 1, undefined);

      expect(await refusalOf(hero, linkProcess(images, keys, clock, restored))).to.equal(LinkInvalid);
    });

    it('reads nothing for a forged link, whether there is, was or never was such a name', async () => {
      names.point(COMMON_SPACE, { name: nameOf('gone') }, 1, undefined);
      await names.in(COMMON_SPACE).remove(nameOf('gone'), {});
      const calls: string[] = [];
      const watched = linkProcess(recorded(images, calls), keys, clock, recorded(names, calls));
      const forged = [1, 2, 3].map((number) => ({ number, mac: 'A'.repeat(43) }));
      const made: string[][] = [];
      for (const link of forged) {
        expect(await refusalOf(link, watched)).to.equal(LinkInvalid);
        made.push(calls.splice(0));
      }

      expect(made).to.deep.equal([[], [], []]);
      await open(hero, watched);
      expect(calls[0]).to.equal('findByNumber');
    });
  });
});
