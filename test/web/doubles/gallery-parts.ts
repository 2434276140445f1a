import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactNode } from 'react';
import { type SharedValue, SharedValues, SharedValuesProvider } from '../../../web/src/base/shared-value.ts';
import { Store } from '../../../web/src/base/store.ts';
import { useCatalog } from '../../../web/src/catalog/use-catalog.ts';
import { useLinks } from '../../../web/src/catalog/use-links.ts';
import { useDeletions } from '../../../web/src/deletion/use-deletions.ts';
import { Edits } from '../../../web/src/edits/edits.ts';
import { useEdits } from '../../../web/src/edits/use-edits.ts';
import { useImages } from '../../../web/src/images/use-images.ts';
import { useLive } from '../../../web/src/live/use-live.ts';
import { useNotices } from '../../../web/src/notices/use-notices.ts';
import { EndingAddresses } from '../../../web/src/publishing/ending-addresses.ts';
import { PublishedNames } from '../../../web/src/publishing/published-names.ts';
import { useEndingAddresses } from '../../../web/src/publishing/use-ending-addresses.ts';
import { usePublishedNames } from '../../../web/src/publishing/use-published-names.ts';
import { useSelection } from '../../../web/src/selection/use-selection.ts';
import { useConfig } from '../../../web/src/session/use-config.ts';
import { useSession } from '../../../web/src/session/use-session.ts';
import { Shortcuts } from '../../../web/src/shortcuts/shortcuts.ts';
import { useShortcuts } from '../../../web/src/shortcuts/use-shortcuts.ts';
import { useStars } from '../../../web/src/star/use-stars.ts';
import { useTrouble } from '../../../web/src/trouble/use-trouble.ts';
import { UndoSteps } from '../../../web/src/undo/undo-steps.ts';
import { useUndo } from '../../../web/src/undo/use-undo.ts';
import { AddressBar } from '../../../web/src/view-state/address-bar.ts';
import { useAddressBar } from '../../../web/src/view-state/use-address-bar.ts';
import { FakePage } from './fake-page.ts';

interface Fakes {
  readonly catalog?: object;
  readonly links?: object;
  /** Of the view. */
  readonly list?: unknown;
  readonly deletions?: object;
  readonly stars?: object;
  readonly live?: object;
  readonly selection?: object;
  /** Asks before pictures with public addresses are deleted. */
  readonly endings?: object;
  /** Without them, the service publishes no names. */
  readonly published?: PublishedNames;
}

const NO_DELETIONS = { hidden: new Store(new Set()), byOthers: new Store(new Set()) };
const NO_STARS = { pending: new Store(new Map()), saved: new Store(undefined), has: () => false };

/** What hooks of the gallery share, with the fakes that a test gives. */
export class GalleryParts {
  readonly page: FakePage;
  readonly addressBar: AddressBar;
  readonly shortcuts = new Shortcuts();
  readonly queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  readonly list: Store<unknown>;
  /** Texts of notices. */
  readonly noticed: string[] = [];
  /** Actions of notices, such as undo. */
  readonly offered: (() => void)[] = [];
  /** Errors. */
  readonly reported: unknown[] = [];
  readonly #fakes: Fakes;

  constructor(fakes: Fakes = {}, search = '') {
    this.page = new FakePage(search);
    this.addressBar = new AddressBar(this.page);
    this.list = new Store(fakes.list);
    this.#fakes = fakes;
  }

  /** The query of the address. */
  get search(): string {
    return this.page.location.search;
  }

  readonly wrap = (children: ReactNode): ReactNode => {
    const shared = createElement(SharedValuesProvider, { values: this.#values() }, children);
    return createElement(QueryClientProvider, { client: this.queries }, shared);
  };

  #values(): SharedValues {
    const { catalog, links, live, selection, stars = NO_STARS, deletions = NO_DELETIONS } = this.#fakes;
    const values = new SharedValues().with(useAddressBar, this.addressBar).with(useShortcuts, this.shortcuts);
    const fake = <T>(hook: SharedValue<T>, value: object | undefined): unknown =>
      values.with(hook, value as T);
    const scopes = { write: null, delete: null, publish: null };
    fake(useConfig, {
      timeZone: 'UTC',
      readOnly: false,
      publishNames: this.#fakes.published !== undefined,
      scopes,
    });
    fake(useSession, { granted: new Store(undefined) });
    fake(useCatalog, catalog);
    fake(useLinks, links);
    fake(useImages, { list: this.list });
    fake(useSelection, selection);
    fake(useDeletions, deletions);
    fake(useUndo, this.undo);
    fake(useEdits, this.#edits(catalog));
    fake(useLive, live);
    fake(useStars, stars);
    const published = this.#fakes.published ?? new PublishedNames(catalog as never, false);
    fake(usePublishedNames, published);
    fake(useEndingAddresses, this.#fakes.endings ?? new EndingAddresses(published));
    fake(useNotices, this.#notices);
    fake(useTrouble, this.#trouble);
    return values;
  }

  readonly #notices = {
    show: (text: string, { action }: { readonly action?: { readonly run: () => void } } = {}) => {
      this.noticed.push(text);
      if (action !== undefined) this.offered.push(action.run);
      return () => undefined;
    },
  };

  readonly again = new Store(0);

  readonly #trouble = {
    report: (error: unknown) => void this.reported.push(error),
    again: this.again,
    tryAgain: () => this.again.update((times) => times + 1),
  };

  /** What can be undone. */
  readonly undo = new UndoSteps(this.#notices as never);

  #edits(catalog: object | undefined): Edits {
    return new Edits({
      catalog: catalog as never,
      images: { list: this.list as never },
      view: this.addressBar.view,
      notices: this.#notices as never,
      trouble: this.#trouble,
      undo: this.undo,
    });
  }
}
