import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactNode } from 'react';
import { type Changes, ChangesProvider } from '../../../web/src/contexts/changes.ts';
import { type Page, PageProvider } from '../../../web/src/contexts/page.ts';
import { type Service, ServiceProvider } from '../../../web/src/contexts/service.ts';
import { type View, ViewProvider } from '../../../web/src/contexts/view.ts';
import { Shortcuts } from '../../../web/src/shortcuts/shortcuts.ts';
import { Store } from '../../../web/src/store.ts';
import { AddressBar } from '../../../web/src/view-state/address-bar.ts';
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
}

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
    const { catalog, links, live, selection, stars = NO_STARS } = this.#fakes;
    const { deletions = { hidden: new Store(new Set()), byOthers: new Store(new Set()) } } = this.#fakes;
    const config = { timeZone: 'UTC', readOnly: false, scopes: { write: null, delete: null } };
    const session = { granted: new Store(undefined) };
    const service = { catalog, links, config, session } as unknown as Service;
    const view = { addressBar: this.addressBar, images: { list: this.list }, selection } as unknown as View;
    const changes = { deletions, live, stars } as unknown as Changes;
    const { shortcuts } = this;
    const page = { shortcuts, notices: this.#notices, trouble: this.#trouble } as unknown as Page;
    return [
      (inner: ReactNode) => createElement(QueryClientProvider, { client: this.queries }, inner),
      (inner: ReactNode) => createElement(ServiceProvider, { value: service }, inner),
      (inner: ReactNode) => createElement(ViewProvider, { value: view }, inner),
      (inner: ReactNode) => createElement(ChangesProvider, { value: changes }, inner),
      (inner: ReactNode) => createElement(PageProvider, { value: page }, inner),
    ].reduce((inner, provide) => provide(inner), children);
  };

  readonly #notices = {
    show: (text: string, { action }: { readonly action?: { readonly run: () => void } } = {}) => {
      this.noticed.push(text);
      if (action !== undefined) this.offered.push(action.run);
    },
  };

  readonly #trouble = { report: (error: unknown) => void this.reported.push(error) };
}
